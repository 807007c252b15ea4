import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { parse } from 'smol-toml'
import * as z from 'zod'

import { CliError, type Terminal } from '../command.ts'
import type { Prompts } from '../prompts.ts'
import {
  type Cloudflare,
  CloudflareRefusal,
  cloudflareApi,
  connectionFrom,
  ifThere,
} from './cloudflare.ts'
import type { RawConfig } from './upload.ts'

export const DEPLOY_USAGE = `npm run deploy puts the connector on Cloudflare, and brings a deployed one up to date.

  --dry-run          check everything and show what would be done, without doing it;
                     works without a sign-in to Cloudflare, too
  --name <name>      a name other than consult-connector; it becomes part of the address
  --domain <host>    a domain of yours that Cloudflare serves, such as connector.example.com
  --account <id>     the Cloudflare account, if you have several
  --subdomain <name> the workers.dev name to take, if the account has none
  --new-key          replace the owner's API key; the old one stops working
  --new-link         make a new enrolment link
  --connect          show again how each agent is connected

Name, domain and account are remembered in .deploy.env. Settings: npm run setup. All of it: docs/operate/first-hour.md.`

const OPTIONS = {
  'dry-run': { type: 'boolean' },
  'new-key': { type: 'boolean' },
  'new-link': { type: 'boolean' },
  connect: { type: 'boolean' },
  name: { type: 'string' },
  domain: { type: 'string' },
  account: { type: 'string' },
  subdomain: { type: 'string' },
} as const

type DeployOptions = ReturnType<typeof deployOptions>

/** The options of the command line. Raises an error for an unknown one. */
export const deployOptions = (args: string[]) => parseArgs({ args, options: OPTIONS }).values

const CHOOSE_ANOTHER = 'Choose another: npm run deploy -- --subdomain my-practice'
/** What Cloudflare takes of each kind, as a shape and as a sentence. */
const NAMES = {
  worker: {
    shape: /^[a-z0-9]([a-z0-9-]{0,52}[a-z0-9])?$/,
    rule: 'The name of a Worker has small letters, digits and hyphens, at most 54.',
    nextStep: 'Choose another with --name.',
  },
  account: {
    shape: /^[0-9a-f]{32}$/,
    rule: 'An account id has 32 digits and letters a to f.',
    nextStep: 'Copy it from the Cloudflare dashboard.',
  },
  subdomain: {
    shape: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    rule: 'A workers.dev name has small letters, digits and hyphens, at most 63.',
    nextStep: CHOOSE_ANOTHER,
  },
  domain: {
    shape: /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    rule: 'A domain is a host name in small letters, such as connector.example.com.',
    nextStep: 'Correct --domain, or PUBLIC_URL in .deploy.env.',
  },
  bucket: {
    shape: /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
    rule: 'The name of a bucket has small letters, digits and hyphens, 3 to 63.',
    nextStep: 'Correct BACKUP_BUCKET in .deploy.env.',
  },
} as const

/** Raises `CliError` for a name that Cloudflare would refuse; one that is not given is right. */
export function checkName(kind: keyof typeof NAMES, name: string | undefined) {
  const { shape, rule, nextStep } = NAMES[kind]
  if (name !== undefined && !shape.test(name)) throw new CliError(rule, nextStep)
}

export interface DeployRun {
  options: DeployOptions
  root: string
  environment: Record<string, string | undefined>
  terminal: Terminal
  /** Undefined without a person at a terminal. */
  prompts: Prompts | undefined
}

type NamedTarget = ReturnType<typeof namedTarget>

/** The Worker, the account that it belongs to, and the API of that account. */
export type DeployTarget = Awaited<ReturnType<typeof deployTarget>>

/**
 * The Worker that this machine names, and perhaps its account, from options, environment and settings
 * file. `isBuild`: Workers Builds runs this, and keeps the output in a log. Raises `CliError`.
 */
export function namedTarget(
  { options, root, environment }: Pick<DeployRun, 'options' | 'root' | 'environment'>,
  known: { WORKER_NAME?: string; CLOUDFLARE_ACCOUNT_ID?: string },
) {
  const raw = parse(readFileSync(join(root, 'wrangler.toml'), 'utf8')) as RawConfig
  const accountId =
    options.account ?? (environment['CLOUDFLARE_ACCOUNT_ID'] || known.CLOUDFLARE_ACCOUNT_ID)
  checkName('account', accountId)
  checkName('subdomain', options.subdomain)
  // Workers Builds names the Worker it builds by this variable; wrangler obeys it too.
  const built = environment['WRANGLER_CI_OVERRIDE_NAME'] || undefined
  const name = built ?? options.name ?? known.WORKER_NAME ?? raw.name ?? 'consult-connector'
  checkName('worker', name)
  return { name, accountId, raw, isBuild: Boolean(built ?? environment['WORKERS_CI']) }
}

/** Signs in, and finds the account that is named, is the only one, or is chosen. Raises `CliError`. */
export async function deployTarget(run: DeployRun, named: NamedTarget) {
  const { options, root, environment, terminal, prompts } = run
  const connection = await connectionFrom(environment, {
    root,
    say: prompts && !options['dry-run'] ? terminal.line : undefined,
  })
  const account = await accountOf(cloudflareApi(connection), named.accountId, prompts)
  const by = connection.credential === 'api_token' ? 'CLOUDFLARE_API_TOKEN' : 'wrangler login'
  terminal.done('Account', `${account.name || account.id} (${by})`)
  return { ...named, cloudflare: cloudflareApi(connection, account.id), account }
}

/** Whether an address is on workers.dev, not on the owner's domain. */
export const isWorkersDev = (url: string) => new URL(url).hostname.endsWith('.workers.dev')

/** The public address: the one set, the owner's domain, or workers.dev. `domain` has to be attached. */
export function publicUrl(
  name: string,
  set: string | undefined,
  current: string | undefined,
  subdomain: string | undefined,
): { url: string; domain?: string } | undefined {
  if (set !== undefined && !isWorkersDev(set))
    return { url: new URL(set).origin, domain: new URL(set).hostname }
  if (current !== undefined && !isWorkersDev(current)) return { url: current }
  return subdomain === undefined ? undefined : { url: `https://${name}.${subdomain}.workers.dev` }
}

/** The public address; registers a workers.dev name if the account has none. Raises `CliError`. */
export async function publicAddress(
  { options, prompts }: DeployRun,
  { cloudflare, name }: DeployTarget,
  set: string | undefined,
  current: string | undefined,
): Promise<{ url: string; domain?: string }> {
  const known = publicUrl(name, set, current, undefined)
  if (known) return known
  const subdomain = await subdomainOf(cloudflare)
  if (subdomain === undefined && options['dry-run'])
    throw new CliError(
      'This account has no workers.dev name yet, so the address is not known.',
      'npm run deploy -- --subdomain my-practice takes one.',
    )
  const taken = subdomain ?? (await takeSubdomain(cloudflare, options.subdomain, prompts))
  return { url: `https://${name}.${taken}.workers.dev` }
}

/** A Cloudflare account, without a name if the token may not read it. `isChosen`: at the terminal. */
export type Account = { id: string; name: string; isChosen?: true }

const accountsSchema = z.array(z.object({ id: z.string(), name: z.string() }))

/** The account that was named, the only one, or the one chosen at the terminal. Raises `CliError`. */
async function accountOf(
  cloudflare: Cloudflare,
  named: string | undefined,
  prompts: Prompts | undefined,
): Promise<Account> {
  const listed = cloudflare('GET /accounts?per_page=50', accountsSchema)
  const accounts = await listed.catch((thrown: unknown) => {
    // The token of a build may not list accounts, and need not where the account is named.
    if (named === undefined) throw thrown
    return []
  })
  if (named !== undefined) return accounts.find(({ id }) => id === named) ?? { id: named, name: '' }
  const [only, ...others] = accounts
  if (!only)
    throw new CliError(
      'This token does not say which account it is for.',
      'Copy the account id from the Cloudflare dashboard and run CLOUDFLARE_ACCOUNT_ID=… npm run deploy.',
    )
  if (others.length === 0) return only
  if (prompts) {
    const options = accounts.map(({ id, name }) => ({ value: id, label: `${name}  ${id}` }))
    const id = await prompts.choose('Which account?', options)
    return { ...(accounts.find((one) => one.id === id) ?? only), isChosen: true }
  }
  throw new CliError(
    `There are ${accounts.length} ` +
      `accounts:\n${accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n')}`,
    'Choose one: npm run deploy -- --account <id>',
  )
}

const subdomainSchema = z.object({ subdomain: z.string() })

/** The workers.dev name of the account; undefined if it has none yet. */
const subdomainOf = async (cloudflare: Cloudflare): Promise<string | undefined> =>
  (await ifThere(cloudflare('GET /workers/subdomain', subdomainSchema)))?.subdomain

/** Registers the wanted or chosen workers.dev name. Raises `CliError` if another account has it. */
async function takeSubdomain(
  cloudflare: Cloudflare,
  wanted: string | undefined,
  prompts: Prompts | undefined,
) {
  const name = wanted ?? (await prompts?.text(QUESTION, wrongSubdomain))
  if (name === undefined)
    throw new CliError(
      'This account has no workers.dev name yet; it becomes a part of the address.',
      'Choose one: npm run deploy -- --subdomain my-practice',
    )
  try {
    const body = { subdomain: name }
    return (await cloudflare('PUT /workers/subdomain', subdomainSchema, body)).subdomain
  } catch (thrown) {
    if (!(thrown instanceof CloudflareRefusal)) throw thrown
    throw new CliError(
      `The name ${name}.workers.dev could not be taken: another account may have it.`,
      CHOOSE_ANOTHER,
    )
  }
}

const QUESTION =
  'Choose a name for this account; the address will be https://<connector>.<name>.workers.dev'
const wrongSubdomain = (name: string): string | undefined =>
  NAMES.subdomain.shape.test(name) ? undefined : NAMES.subdomain.rule
