import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { Stop } from '../cli-error.ts'
import type { Terminal } from '../terminal.ts'
import {
  type Account,
  type Asker,
  accountOf,
  checkAccountId,
  checkSubdomain,
  subdomainOf,
  takeSubdomain,
} from './account.ts'
import { type DeployOptions, checkName } from './arguments.ts'
import { type Cloudflare, cloudflareApi } from './cloudflare.ts'
import type { RawConfig } from './config.ts'
import { addressOf } from './plan.ts'
import { connectionFrom } from './sign-in.ts'

export interface DeployRun {
  options: DeployOptions
  root: string
  environment: Record<string, string | undefined>
  terminal: Terminal
  /** Undefined where nobody is there to answer. */
  asker: Asker | undefined
}

/** What is deployed, as far as this machine says. */
export interface Target {
  name: string
  /** The account that was named, where one was. */
  accountId: string | undefined
  raw: RawConfig
  /** Workers Builds runs this: the name is given, and what is printed stays in a log. */
  isBuild: boolean
}

/** Where the connector goes, and as what. */
export interface Place extends Target {
  cloudflare: Cloudflare
  account: Account
}

/** Which name, and which account if one was named, from what was said or remembered. Raises `Stop`. */
export function targetOf(
  { options, root, environment }: Pick<DeployRun, 'options' | 'root' | 'environment'>,
  known: { WORKER_NAME?: string; CLOUDFLARE_ACCOUNT_ID?: string },
): Target {
  const raw = rawConfig(root)
  const accountId = options.account ?? (environment['CLOUDFLARE_ACCOUNT_ID'] || known.CLOUDFLARE_ACCOUNT_ID)
  if (accountId !== undefined) checkAccountId(accountId)
  if (options.subdomain !== undefined) checkSubdomain(options.subdomain)
  // Workers Builds says by this which Worker it builds; wrangler obeys it too.
  const built = environment['WRANGLER_CI_OVERRIDE_NAME'] || undefined
  const name = built ?? options.name ?? known.WORKER_NAME ?? raw.name ?? 'consult-connector'
  checkName(name)
  return { name, accountId, raw, isBuild: built !== undefined || isSet(environment['WORKERS_CI']) }
}

/** Signs in and finds the account: the one that was named, or the only one, or the one that is chosen. Raises `Stop`. */
export async function placeOf(run: DeployRun, target: Target): Promise<Place> {
  const { options, root, environment, terminal, asker } = run
  const connection = await connectionFrom(environment, {
    root,
    say: asker && !options.dryRun ? terminal.line : undefined,
  })
  const cloudflare = cloudflareApi(connection)
  const account = await accountOf(cloudflare, target.accountId, asker)
  const by = connection.credential === 'api_token' ? 'CLOUDFLARE_API_TOKEN' : 'wrangler login'
  terminal.done('Account', `${account.name || account.id} (${by})`)
  return { ...target, cloudflare, account }
}

const rawConfig = (root: string): RawConfig =>
  parse(readFileSync(join(root, 'wrangler.toml'), 'utf8')) as RawConfig

/** The address people will use; a workers.dev name is taken where there is none. Raises `Stop`. */
export async function publicAddress(
  { options, asker }: DeployRun,
  { cloudflare, account, name }: Place,
  set: string | undefined,
  current: string | undefined,
): Promise<{ url: string; domain?: string }> {
  const known = addressOf(name, set, current, undefined)
  if (known) return known
  const subdomain = await subdomainOf(cloudflare, account)
  if (subdomain === undefined && options.dryRun)
    throw new Stop(
      'This account has no workers.dev name yet, so the address cannot be told.',
      'npm run deploy -- --subdomain my-practice takes one.',
    )
  const taken = subdomain ?? (await takeSubdomain(cloudflare, account, options.subdomain, asker))
  return { url: `https://${name}.${taken}.workers.dev` }
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''
