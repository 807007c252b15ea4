import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

import { newApiKey } from '../../core/crypto/api-key.ts'
import { sha256 } from '../../core/crypto/encoding.ts'
import { SOURCE_VAR, signingSecretNumber } from '../../core/settings.ts'
import { newEnrolment } from '../admin-client.ts'
import { CliError } from '../command.ts'
import { NO_BUCKET, SETTINGS_FILE, settingsFileIn, validSettings } from '../settings-file.ts'
import { type RemoteState, isOnWorkersDev, namespacesOf, remoteState } from './cloudflare.ts'
import {
  type DeployRun,
  checkName,
  deployTarget,
  isWorkersDev,
  namedTarget,
  publicAddress,
  publicUrl,
} from './target.ts'
import { isUnfinished } from './upload.ts'

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
  // The address in the command line or the settings, if there is one.
  const address = options.domain === undefined ? settings.PUBLIC_URL : `https://${options.domain}`
  checkName('domain', options.domain ?? (settings.PUBLIC_URL && new URL(settings.PUBLIC_URL).host))
  const { BACKUP_BUCKET } = given.target
  if (BACKUP_BUCKET !== NO_BUCKET) checkName('bucket', BACKUP_BUCKET)
  return {
    file,
    given,
    named: namedTarget({ options, root, environment }, given.target),
    source: sourceHash(root),
    address,
  }
}

/** Reads the state at Cloudflare, and works out what a deployment would change. Raises `CliError`. */
export async function preparedDeployment(run: DeployRun, local: LocalState) {
  const target = await deployTarget(run, local.named)
  const { cloudflare } = target
  const found = await remoteState(cloudflare, target.name)
  const address = await publicAddress(run, target, local.address, found?.vars['PUBLIC_URL'])
  run.terminal.done('Address', address.url)
  const vars = { ...local.given.vars, PUBLIC_URL: address.url }
  const plan = deployPlan({ ...local, ...run, vars }, found, await namespacesOf(cloudflare))
  const isPublic =
    !found || !isWorkersDev(address.url) || (await isOnWorkersDev(cloudflare, target.name))
  const { BACKUP_BUCKET = found?.bucket } = local.given.target
  const bucket = BACKUP_BUCKET === NO_BUCKET ? undefined : BACKUP_BUCKET
  const mustUpload = plan.upload || bucket !== found?.bucket || isUnfinished(run.root) || !isPublic
  return { target, found, address, vars, plan, bucket, mustUpload }
}

/** The plan of a first deployment, from what this machine knows; `url` is undefined if unknown. */
export function firstDeployment(run: DeployRun, local: LocalState) {
  const url = publicUrl(local.named.name, local.address, undefined, run.options.subdomain)?.url
  const vars = { ...local.given.vars, PUBLIC_URL: url ?? 'known after the sign-in' }
  return { url, plan: deployPlan({ ...local, ...run, vars }, undefined, new Map()) }
}

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
  for (const path of [...paths, ...FILES].sort((a, b) => (a < b ? -1 : 1))) {
    const text = readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')
    hash.update(`${path.replaceAll(sep, '/')}\0${text.length}\0${text}`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** The secrets that the deploy command makes. */
type MadeSecret = 'SIGNING_SECRET' | 'OWNER_KEY_SHA256' | 'OWNER_ENROLMENT_SHA256'

/** What a deployment is to bring about; `vars` are all of them, with PUBLIC_URL. */
export interface Wanted extends Pick<LocalState, 'named' | 'source'>, Pick<DeployRun, 'options'> {
  given: Pick<LocalState['given'], 'secrets'>
  vars: Record<string, string>
}

export type DeployPlan = ReturnType<typeof deployPlan>

/**
 * The changes of a deployment. Raises `CliError` if it would destroy something. In Workers Builds any
 * Worker under the name may be replaced, and no key is made, since the log of the build would keep
 * it: a run from a clone makes it later.
 */
export function deployPlan(
  { named: { name: worker, raw, isBuild }, source, options, given: { secrets }, vars: all }: Wanted,
  found: RemoteState | undefined,
  titles: Map<string, string>,
) {
  if (found && !found.isConnector && !isBuild)
    throw new CliError(
      `There is a Worker called ${worker} already, and it is not a consult connector.`,
      `Choose another name: npm run deploy -- --name ${worker}-2`,
    )
  const has = (name: string) => found?.secrets.includes(name) === true
  refuseOverwrite(secrets, has)
  // One without an id is missing; a `reused` one existed, but did not belong to the Worker.
  const namespaces = (raw.kv_namespaces ?? []).map(({ binding, id: configured }) => {
    // Wrangler's own name, so that a namespace of the deploy button is found again.
    const title = `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
    const bound = configured ?? found?.namespaces[binding]
    const id = bound ?? titles.get(title)
    return { binding, title, id, reused: bound === undefined && id !== undefined }
  })
  const vars = Object.keys(all).filter((name) => (found?.vars[name] ?? '') !== all[name])
  const give = Object.keys(secrets)
  const missing: [MadeSecret, boolean][] = [
    ['SIGNING_SECRET', ![...(found?.secrets ?? []), ...give].some(isSigning)],
    ['OWNER_KEY_SHA256', options['new-key'] === true || !(isBuild || has('OWNER_KEY_SHA256'))],
    ['OWNER_ENROLMENT_SHA256', options['new-link'] === true || !has('OWNER_ENROLMENT_SHA256')],
  ]
  const make = missing.filter(([, is]) => is).map(([name]) => name)
  const unbound = namespaces.some(
    ({ binding, id }) => id === undefined || found?.namespaces[binding] !== id,
  )
  const sourceChanged = found?.vars[SOURCE_VAR]?.split('.')[0] !== source
  return {
    isFirst: found === undefined,
    namespaces,
    vars,
    make,
    give,
    upload: sourceChanged || unbound || vars.length > 0 || make.length > 0 || give.length > 0,
  }
}

const isSigning = (name: string) => signingSecretNumber(name) !== undefined

/** Raises `CliError` for another value of a signing secret, which would void everything that it signed. */
function refuseOverwrite(secrets: Record<string, string>, has: (name: string) => boolean) {
  const again = Object.keys(secrets).find((name) => isSigning(name) && has(name))
  if (again !== undefined)
    throw new CliError(
      `${SETTINGS_FILE} holds ${again}, and the Worker has one already; ` +
        'another one would void everything it signed.',
      'Delete that line; npm run rotate-secret adds a new one (docs/operate/upgrades-and-backup.md).',
    )
}

/** New secrets: what Cloudflare stores, and what the owner sees once. */
export type NewSecrets = {
  stored: Partial<Record<MadeSecret, string>>
  key?: string
  enrolmentLink?: string
}

/** Makes these secrets of the connector at a URL. Of the key and the link only hashes are stored. */
export async function newSecrets(names: readonly MadeSecret[], url: string): Promise<NewSecrets> {
  const made: NewSecrets = { stored: {} }
  if (names.includes('SIGNING_SECRET'))
    made.stored.SIGNING_SECRET = randomBytes(32).toString('base64url')
  if (names.includes('OWNER_KEY_SHA256')) {
    made.key = newApiKey(randomBytes(32))
    made.stored.OWNER_KEY_SHA256 = await sha256(made.key)
  }
  if (names.includes('OWNER_ENROLMENT_SHA256')) {
    const { link, hash } = await newEnrolment(url)
    made.enrolmentLink = link
    made.stored.OWNER_ENROLMENT_SHA256 = hash
  }
  return made
}
