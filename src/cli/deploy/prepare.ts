import type { Settings } from '../../settings.ts'
import { Refused, checked } from '../local-settings.ts'
import { type GivenSettings, SETTINGS_FILE, settingsFileIn } from '../settings-file.ts'
import { Stop } from '../cli-error.ts'
import { type Found, foundAs, isOnWorkersDev, namespacesOf } from './remote-state.ts'
import { type DeployRun, type Place, type Target, placeOf, publicAddress, targetOf } from './target.ts'
import { type Plan, addressOf, isWorkersDev, planOf } from './plan.ts'
import { sourceHash } from './source.ts'
import { uploadFiles } from './upload.ts'

/** What a run knows without asking Cloudflare. */
export interface LocalState {
  file: ReturnType<typeof settingsFileIn>
  given: GivenSettings
  target: Target
  source: string
  /** The address that the settings or the command line name, if they do. */
  address: string | undefined
}

/** Reads and checks all that is on this machine. Raises `Stop`. */
export function localState({ options, root, environment }: DeployRun): LocalState {
  const file = settingsFileIn(root)
  const given = file.read()
  const settings = validated(given)
  return {
    file,
    given,
    target: targetOf({ options, root, environment }, given.place),
    source: sourceHash(root),
    address: options.domain === undefined ? settings.PUBLIC_URL : `https://${options.domain}`,
  }
}

export interface PreparedDeployment {
  place: Place
  found: Found | undefined
  address: { url: string; domain?: string }
  vars: Record<string, string>
  plan: Plan
  mustUpload: boolean
}

/** Asks Cloudflare what is there, and works out what a deployment would change. Raises `Stop`. */
export async function preparedDeployment(run: DeployRun, local: LocalState): Promise<PreparedDeployment> {
  const { target } = local
  const place = await placeOf(run, target)
  const { cloudflare, account } = place
  const found = await foundAs(cloudflare, account.id, target.name)
  const address = await publicAddress(run, place, local.address, found?.vars['PUBLIC_URL'])
  run.terminal.done('Address', address.url)
  const vars = { ...local.given.vars, PUBLIC_URL: address.url }
  const plan = planOf(wantedBy(run, local, vars), found, await namespacesOf(cloudflare, account.id))
  const isPublic =
    !found || !isWorkersDev(address.url) || (await isOnWorkersDev(cloudflare, account.id, target.name))
  const mustUpload = plan.upload || uploadFiles(run.root).isUnfinished() || !isPublic
  return { place, found, address, vars, plan, mustUpload }
}

/** What a first deployment would make, from what this machine knows; `url` is undefined where only Cloudflare knows it. */
export function firstDeployment(run: DeployRun, local: LocalState): { url: string | undefined; plan: Plan } {
  const url = addressOf(local.target.name, local.address, undefined, run.options.subdomain)?.url
  const vars = { ...local.given.vars, PUBLIC_URL: url ?? 'known after the sign-in' }
  return { url, plan: planOf(wantedBy(run, local, vars), undefined, new Map()) }
}

const wantedBy = (
  { options }: DeployRun,
  { given, target, source }: LocalState,
  vars: Record<string, string>,
) => ({
  name: target.name,
  vars,
  source,
  secrets: given.secrets,
  namespaces: target.raw.kv_namespaces ?? [],
  newKey: options.newKey,
  newLink: options.newLink,
  // In a build it would stay in the log; a run from a clone makes it later.
  withoutKey: target.isBuild,
  mayReplace: target.isBuild,
})

function validated({ vars, secrets }: GivenSettings): Settings {
  try {
    return checked({ ...vars, ...secrets })
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown
    throw new Stop(thrown.message, `Correct it in ${SETTINGS_FILE}, or run npm run setup.`)
  }
}
