import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { Stop } from '../stop.ts'
import type { Terminal } from '../terminal.ts'
import { type Account, type Asker, accountOf, subdomainOf, takeSubdomain } from './account.ts'
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

/** Where the connector goes, and as what. */
export interface Place {
  cloudflare: Cloudflare
  account: Account
  name: string
  raw: RawConfig
  /** Workers Builds runs this: the name is given, and what is printed stays in a log. */
  isBuild: boolean
}

/** Which account and which name, from what was said, remembered or is the only one. Raises `Stop`. */
export async function placeOf(
  run: DeployRun,
  known: { WORKER_NAME?: string; CLOUDFLARE_ACCOUNT_ID?: string },
): Promise<Place> {
  const { options, root, environment, terminal, asker } = run
  const raw = rawConfig(root)
  const connection = await connectionFrom(environment, {
    root,
    say: asker && !options.dryRun ? terminal.line : undefined,
  })
  const cloudflare = cloudflareApi(connection)
  const named = options.account ?? (environment['CLOUDFLARE_ACCOUNT_ID'] || known.CLOUDFLARE_ACCOUNT_ID)
  const account = await accountOf(cloudflare, named, asker)
  // Workers Builds says by this which Worker it builds; wrangler obeys it too.
  const built = environment['WRANGLER_CI_OVERRIDE_NAME'] || undefined
  const name = built ?? options.name ?? known.WORKER_NAME ?? raw.name ?? 'consult-connector'
  checkName(name)
  const by = connection.credential === 'api_token' ? 'CLOUDFLARE_API_TOKEN' : 'wrangler login'
  terminal.done('Account', `${account.name || account.id} (${by})`)
  return { cloudflare, account, name, raw, isBuild: built !== undefined || isSet(environment['WORKERS_CI']) }
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
