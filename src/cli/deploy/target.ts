import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { CliError } from '../cli-error.ts'
import type { Terminal } from '../terminal.ts'
import {
  type Account,
  type Prompts,
  accountOf,
  checkAccountId,
  checkSubdomain,
  subdomainOf,
  takeSubdomain,
} from './account.ts'
import { type DeployOptions, checkName } from './arguments.ts'
import { type Cloudflare, cloudflareApi, connectionFrom } from './cloudflare.ts'
import type { RawConfig } from './upload.ts'
import { publicUrl } from './plan.ts'

export interface DeployRun {
  options: DeployOptions
  root: string
  environment: Record<string, string | undefined>
  terminal: Terminal
  /** Undefined if nobody is at a terminal. */
  prompts: Prompts | undefined
}

/** The Worker that this machine names. */
export interface NamedTarget {
  name: string
  accountId: string | undefined
  raw: RawConfig
  /** Workers Builds runs this: it gives the name, and keeps the output in a log. */
  isBuild: boolean
}

/** The Worker and the account it belongs to. */
export interface DeployTarget extends NamedTarget {
  cloudflare: Cloudflare
  account: Account
}

/** The name, and the account if one was named, from options, environment and settings file. Raises `CliError`. */
export function namedTarget(
  { options, root, environment }: Pick<DeployRun, 'options' | 'root' | 'environment'>,
  known: { WORKER_NAME?: string; CLOUDFLARE_ACCOUNT_ID?: string },
): NamedTarget {
  const raw = rawConfig(root)
  const accountId = options.account ?? (environment['CLOUDFLARE_ACCOUNT_ID'] || known.CLOUDFLARE_ACCOUNT_ID)
  if (accountId !== undefined) checkAccountId(accountId)
  if (options.subdomain !== undefined) checkSubdomain(options.subdomain)
  // Workers Builds names the Worker it builds by this variable; wrangler obeys it too.
  const built = environment['WRANGLER_CI_OVERRIDE_NAME'] || undefined
  const name = built ?? options.name ?? known.WORKER_NAME ?? raw.name ?? 'consult-connector'
  checkName(name)
  return { name, accountId, raw, isBuild: built !== undefined || isSet(environment['WORKERS_CI']) }
}

/** Signs in and finds the account: the one that was named, or the only one, or the one that is chosen. Raises `CliError`. */
export async function deployTarget(run: DeployRun, named: NamedTarget): Promise<DeployTarget> {
  const { options, root, environment, terminal, prompts } = run
  const connection = await connectionFrom(environment, {
    root,
    say: prompts && !options.dryRun ? terminal.line : undefined,
  })
  const cloudflare = cloudflareApi(connection)
  const account = await accountOf(cloudflare, named.accountId, prompts)
  const by = connection.credential === 'api_token' ? 'CLOUDFLARE_API_TOKEN' : 'wrangler login'
  terminal.done('Account', `${account.name || account.id} (${by})`)
  return { ...named, cloudflare, account }
}

const rawConfig = (root: string): RawConfig =>
  parse(readFileSync(join(root, 'wrangler.toml'), 'utf8')) as RawConfig

/** The public address; registers a workers.dev name if the account has none. Raises `CliError`. */
export async function publicAddress(
  { options, prompts }: DeployRun,
  { cloudflare, account, name }: DeployTarget,
  set: string | undefined,
  current: string | undefined,
): Promise<{ url: string; domain?: string }> {
  const known = publicUrl(name, set, current, undefined)
  if (known) return known
  const subdomain = await subdomainOf(cloudflare, account)
  if (subdomain === undefined && options.dryRun)
    throw new CliError(
      'This account has no workers.dev name yet, so the address cannot be body.',
      'npm run deploy -- --subdomain my-practice takes one.',
    )
  const taken = subdomain ?? (await takeSubdomain(cloudflare, account, options.subdomain, prompts))
  return { url: `https://${name}.${taken}.workers.dev` }
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''
