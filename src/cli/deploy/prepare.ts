import { validSettings } from '../local-settings.ts'
import { type GivenSettings, SETTINGS_FILE, settingsFileIn } from '../settings-file.ts'
import { type RemoteState, remoteState, isOnWorkersDev, namespacesOf } from './remote-state.ts'
import {
  type DeployRun,
  type DeployTarget,
  type NamedTarget,
  deployTarget,
  namedTarget,
  publicAddress,
} from './target.ts'
import { type DeployPlan, publicUrl, isWorkersDev, deployPlan } from './plan.ts'
import { sourceHash } from './source.ts'
import { uploadFiles } from './upload.ts'

/** Everything that is known without asking Cloudflare. */
export interface LocalState {
  file: ReturnType<typeof settingsFileIn>
  given: GivenSettings
  named: NamedTarget
  source: string
  /** The address that the settings or the command line name, if they do. */
  address: string | undefined
}

/** Reads and checks all that is on this machine. Raises `CliError`. */
export function localState({ options, root, environment }: DeployRun): LocalState {
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
    address: options.domain === undefined ? settings.PUBLIC_URL : `https://${options.domain}`,
  }
}

interface PreparedDeployment {
  target: DeployTarget
  found: RemoteState | undefined
  address: { url: string; domain?: string }
  vars: Record<string, string>
  plan: DeployPlan
  mustUpload: boolean
}

/** Reads the state at Cloudflare, and works out what a deployment would change. Raises `CliError`. */
export async function preparedDeployment(run: DeployRun, local: LocalState): Promise<PreparedDeployment> {
  const target = await deployTarget(run, local.named)
  const { cloudflare, account } = target
  const found = await remoteState(cloudflare, account.id, target.name)
  const address = await publicAddress(run, target, local.address, found?.vars['PUBLIC_URL'])
  run.terminal.done('Address', address.url)
  const vars = { ...local.given.vars, PUBLIC_URL: address.url }
  const plan = deployPlan(wantedBy(run, local, vars), found, await namespacesOf(cloudflare, account.id))
  const isPublic =
    !found || !isWorkersDev(address.url) || (await isOnWorkersDev(cloudflare, account.id, target.name))
  const mustUpload = plan.upload || uploadFiles(run.root).isUnfinished() || !isPublic
  return { target, found, address, vars, plan, mustUpload }
}

/** What a first deployment would make, from what this machine knows; `url` is undefined where only Cloudflare knows it. */
export function firstDeployment(
  run: DeployRun,
  local: LocalState,
): { url: string | undefined; plan: DeployPlan } {
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
  newKey: options.newKey,
  newLink: options.newLink,
  // A key would stay in the log of a build; a run from a clone makes it later.
  withoutKey: named.isBuild,
  mayReplace: named.isBuild,
})
