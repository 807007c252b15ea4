import * as z from 'zod'
import { CliError } from '../cli-error.ts'
import { type Cloudflare, CloudflareRefusal } from './cloudflare.ts'

export interface Account {
  id: string
  /** Empty if the token may not read it. */
  name: string
  /** Chosen among several at the terminal, and remembered. */
  isChosen?: true
}

/** Asks the person at the terminal. */
export interface Prompts {
  choose(question: string, options: { value: string; label: string }[]): Promise<string>
  /** Any number of the options, none too. */
  pick(question: string, options: { value: string; label: string }[]): Promise<string[]>
  text(question: string, check: (answer: string) => string | undefined, initial?: string): Promise<string>
}

const accountsSchema = z.array(z.object({ id: z.string(), name: z.string() }))

/** Raises `CliError` for what cannot be the id of an account. */
export function checkAccountId(id: string): void {
  if (!/^[0-9a-f]{32}$/.test(id))
    throw new CliError(
      'An account id has 32 digits and letters a to f.',
      'Copy it from the Cloudflare dashboard.',
    )
}

/** The account that was named, the only one, or the one chosen at the terminal. Raises `CliError`. */
export async function accountOf(
  cloudflare: Cloudflare,
  named: string | undefined,
  prompts: Prompts | undefined,
): Promise<Account> {
  const accounts = await cloudflare.get('/accounts?per_page=50').then(
    (body) => accountsSchema.parse(body),
    (thrown: unknown) => {
      // The token of a build may not list accounts, and need not: the account is named.
      if (named === undefined) throw thrown
      return []
    },
  )
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
    `There are ${accounts.length} accounts:\n${accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n')}`,
    'Choose one: npm run deploy -- --account <id>',
  )
}

const REGISTRABLE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const subdomainSchema = z.object({ subdomain: z.string() })

/** The workers.dev name of the account; undefined if it has none yet. */
export async function subdomainOf(cloudflare: Cloudflare, account: Account): Promise<string | undefined> {
  try {
    const body = await cloudflare.get(`/accounts/${account.id}/workers/subdomain`)
    return subdomainSchema.parse(body).subdomain
  } catch (thrown) {
    if (thrown instanceof CloudflareRefusal && thrown.codes.includes(10007)) return undefined
    throw thrown
  }
}

/** Raises `CliError` for what cannot be a workers.dev name. */
export function checkSubdomain(name: string): void {
  const wrong = shapeOf(name)
  if (wrong) throw new CliError(wrong, 'Choose another: npm run deploy -- --subdomain my-practice')
}

/** Registers the wanted or chosen workers.dev name. Raises `CliError` if it belongs to somebody else. */
export async function takeSubdomain(
  cloudflare: Cloudflare,
  account: Account,
  wanted: string | undefined,
  prompts: Prompts | undefined,
): Promise<string> {
  const name = wanted ?? (await prompts?.text(QUESTION, shapeOf))
  if (name === undefined)
    throw new CliError(
      'This account has no workers.dev name yet; it becomes a part of the address.',
      'Choose one: npm run deploy -- --subdomain my-practice',
    )
  checkSubdomain(name)
  try {
    const body = await cloudflare.put(`/accounts/${account.id}/workers/subdomain`, { subdomain: name })
    return subdomainSchema.parse(body).subdomain
  } catch (thrown) {
    if (!(thrown instanceof CloudflareRefusal)) throw thrown
    throw new CliError(
      `The name ${name}.workers.dev could not be taken: another account may have it.`,
      'Choose another: npm run deploy -- --subdomain my-practice',
    )
  }
}

const QUESTION = 'Choose a name for this account; the address will be https://<connector>.<name>.workers.dev'
const shapeOf = (name: string): string | undefined =>
  REGISTRABLE.test(name) ? undefined : 'A workers.dev name has small letters, digits and hyphens, at most 63.'
