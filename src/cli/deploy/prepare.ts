import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

import { validSettings } from '../local-settings.ts'
import { NO_BUCKET, SETTINGS_FILE, settingsFileIn } from '../settings-file.ts'
import { publicUrl, isWorkersDev, deployPlan } from './plan.ts'
import { remoteState, isOnWorkersDev, namespacesOf } from './remote-state.ts'
import { type DeployRun, deployTarget, namedTarget, publicAddress } from './target.ts'
import { uploadFiles } from './upload.ts'

/** Everything that is known without asking Cloudflare. */
export type LocalState = ReturnType<typeof localState>

/** Reads and checks all that is on this machine. Raises `CliError`. */
export function localState({ options, root, environment }: DeployRun) {
  const file = settingsFileIn(root)
  const given = file.read()
  const settings = validSettings(
    { ...given.vars, ...given.secrets },
    `Correct it in ${SETTINGS_FILE}, or run npm run setup.`,
  )
  return {
    file,
    given,
    named: namedTarget({ options, root, environment }, given.target),
    source: sourceHash(root),
    // The address in the command line or the settings, if there is one.
    address: options.domain === undefined ? settings.PUBLIC_URL : `https://${options.domain}`,
  }
}

/** Reads the state at Cloudflare, and works out what a deployment would change. Raises `CliError`. */
export async function preparedDeployment(run: DeployRun, local: LocalState) {
  const target = await deployTarget(run, local.named)
  const { cloudflare, account } = target
  const found = await remoteState(cloudflare, account.id, target.name)
  const address = await publicAddress(run, target, local.address, found?.vars['PUBLIC_URL'])
  run.terminal.done('Address', address.url)
  const vars = { ...local.given.vars, PUBLIC_URL: address.url }
  const plan = deployPlan(
    wantedBy(run, local, vars),
    found,
    await namespacesOf(cloudflare, account.id),
  )
  const isPublic =
    !found ||
    !isWorkersDev(address.url) ||
    (await isOnWorkersDev(cloudflare, account.id, target.name))
  const { BACKUP_BUCKET = found?.bucket } = local.given.target
  const bucket = BACKUP_BUCKET === NO_BUCKET ? undefined : BACKUP_BUCKET
  const mustUpload =
    plan.upload || bucket !== found?.bucket || uploadFiles(run.root).isUnfinished() || !isPublic
  return { target, found, address, vars, plan, bucket, mustUpload }
}

/** The plan of a first deployment, from what this machine knows; `url` is undefined if unknown. */
export function firstDeployment(run: DeployRun, local: LocalState) {
  const url = publicUrl(local.named.name, local.address, undefined, run.options.subdomain)?.url
  const vars = { ...local.given.vars, PUBLIC_URL: url ?? 'known after the sign-in' }
  return { url, plan: deployPlan(wantedBy(run, local, vars), undefined, new Map()) }
}

const wantedBy = (
  { options }: DeployRun,
  { given, named, source }: LocalState,
  vars: Record<string, string>,
) => ({
  name: named.name,
  vars,
  source,
  secrets: given.secrets,
  namespaces: named.raw.kv_namespaces ?? [],
  newKey: options['new-key'] === true,
  newLink: options['new-link'] === true,
  // The log of a build would keep the key; a run from a clone makes it later.
  withoutKey: named.isBuild,
  mayReplace: named.isBuild,
})

const FOLDERS = ['src', 'durable-objects']
const FILES = ['package-lock.json', 'wrangler.toml']

/** A short hash of the Worker's source, the same on every machine. */
export function sourceHash(root: string): string {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  ).filter((path) => !path.startsWith(join('src', 'cli', sep)))
  const hash = createHash('sha256')
  for (const path of [...paths, ...FILES].sort()) {
    const text = readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')
    hash.update(`${path.replaceAll(sep, '/')}\0${text.length}\0${text}`)
  }
  return hash.digest('hex').slice(0, 16)
}
