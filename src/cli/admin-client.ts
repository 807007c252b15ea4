import { randomBytes } from 'node:crypto'
import { type ParseArgsConfig, parseArgs } from 'node:util'

import * as z from 'zod'

import { sha256 } from '../core/crypto/encoding.ts'
import { isLoopback } from '../core/domain/origin.ts'
import { NO_RULES, type Rules } from '../core/domain/rules/house-rules.ts'
import { HOUR, MINUTE } from '../core/domain/time/duration.ts'
import { type Fields, isFields, jsonIn } from '../core/json.ts'
import { newEnrolmentToken } from '../owner/access/passkey-enrolment.ts'
import { CliError, UsageError } from './command.ts'
import { tokenIn } from './settings-file.ts'

export const DEFAULT_URL = 'http://127.0.0.1:8787'
/** What every command of the admin API takes, for its usage. */
export const ADMIN_OPTIONS = `--url https://… (default ${DEFAULT_URL}); CONNECTOR_API_KEY holds a key with the scope admin.`

/** Parses the options of an owner's command. `--url` names the connector, CONNECTOR_API_KEY has the key. */
export function adminArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
) {
  const url = { type: 'string', default: DEFAULT_URL } as const
  const parsed = parseArgs({ options: { ...options, url }, allowPositionals: true })
  // A variable of a script that is not set, say: it would lead to another path of the connector.
  if (parsed.positionals.some((one) => /^\.{0,2}$/.test(one)))
    throw new UsageError('One argument is empty, or only points; nothing was done.')
  const address = connectorAddress(String(Reflect.get(parsed.values, 'url')))
  return { ...parsed, api: adminClient(address.origin, apiKeyFor(address)) }
}

/** Every answer of a connector has this header: what another server answers is no success. */
const OF_A_CONNECTOR = 'Request-Id'

export type AdminClient = ReturnType<typeof adminClient>

/**
 * Calls a connector. Each call raises `CliError` unless it succeeds: what the connector says, or what
 * is known of a call without an answer. A redirect is not followed, since it would drop the change.
 */
export function adminClient(url: string, key: string | undefined) {
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { 'Content-Type': 'application/json', ...signedIn(key) }
    const { method = 'GET' } = init
    const response = await fetch(new URL(path, url), {
      ...init,
      headers,
      redirect: 'manual',
    }).catch((thrown: unknown) => {
      throw noAnswer(url, method, thrown)
    })
    if (response.ok && !response.headers.has(OF_A_CONNECTOR)) throw notConnector(url)
    if (response.ok) return response
    throw refused(url, method, response, await response.text().catch(() => ''))
  }
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await ask(path, {
      method,
      signal: AbortSignal.timeout(MINUTE),
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status === 204) return undefined
    const text = await response.text().catch((thrown: unknown) => {
      throw noAnswer(url, method, thrown)
    })
    const answer = jsonIn(text)
    if (isFields(answer)) return answer
    throw notConnector(url)
  }
  return {
    url,
    /** The response itself, if it is a good one. */
    ask,
    get: (path: string) => call('GET', path),
    /** The first hundred rows of a list that is under this name, and how many more there are. */
    async list<Row>(path: string, name: string, about: Record<string, string> = {}) {
      const query = new URLSearchParams({ ...about, limit: '100' })
      const listed = (await call('GET', `${path}?${query}`)) as Fields
      const rows = listed[name]
      if (!Array.isArray(rows)) throw notConnector(url)
      return { rows: rows as Row[], more: Number(listed['more'] ?? 0) }
    },
    post: (path: string, body?: object) => call('POST', path, body),
    put: (path: string, body: object) => call('PUT', path, body),
    delete: (path: string) => call('DELETE', path),
  }
}

/** Says how many rows of a list are not shown here, and where they are. */
export function printMore(more: number, url: string) {
  if (more > 0) console.log(`… and ${more} more, which ${url}/owner shows.`)
}

/** The header with a key, if there is one. */
export const signedIn = (key: string | undefined): Record<string, string> =>
  key ? { Authorization: `Bearer ${key}` } : {}

/** Why there was no answer: the code of the system, or what the error says. */
export function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  if (typeof code === 'string') return code
  // A proxy that wants a password leaves the cause without a message.
  return (cause instanceof Error && cause.message) || String(thrown)
}

/**
 * Reasons from before a request is sent: no such host or port, no way there, or no trust in its
 * certificate.
 */
const NEVER_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|EPROTO|bad port|\w*CERT\w*|\w*_SIGNATURE|ERR_(?:TLS|SSL)_\w+)$/

/** The error of a call without an answer. A change that was sent may have been done all the same. */
export function noAnswer(url: string, method: string, thrown: unknown): CliError {
  const reason = reasonOf(thrown)
  if (NEVER_SENT.test(reason))
    return new CliError(
      `No connector answers at ${url} (${reason}); nothing was done.`,
      'Start one with npm start, or name another with --url.',
    )
  const isLate = thrown instanceof Error && thrown.name === 'TimeoutError'
  const what = isLate
    ? `The connector at ${url} did not answer within a minute`
    : `The connection to ${url} broke off (${reason})`
  return perhapsDone(url, method, what)
}

/** The error of a call whose outcome is not known. A read has changed nothing. */
const perhapsDone = (url: string, method: string, what: string) =>
  method === 'GET'
    ? new CliError(`${what}; nothing was changed by this request.`, 'Run it again in a minute.')
    : new CliError(
        `${what}. The change may have been done all the same.`,
        `Look before you run it again: the log at ${url}/owner/audit has each change that was done.`,
      )

export const notConnector = (url: string) =>
  new CliError(
    `What answers at ${url} is not a consult connector.`,
    'Check the address: name that of your connector with --url.',
  )

const problemSchema = z.object({
  code: z.string().optional(),
  detail: z.string(),
  next_step: z.string().optional(),
  retry_after_seconds: z.number().optional(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).default([]),
})

/** The error of a refused call: what the connector says with its next step, or whose answer it is. */
export function refused(
  url: string,
  method: string,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
): CliError {
  if (status === 401)
    return new CliError(
      'Not signed in: CONNECTOR_API_KEY holds no key that is valid here.',
      'Put a key with the right scopes into CONNECTOR_API_KEY; --help says which it needs.',
    )
  const problem = problemSchema.safeParse(jsonIn(text)).data
  if (problem) {
    const fields = problem.errors.map(({ pointer, detail }) =>
      pointer === '' ? detail : `${fieldAt(pointer)}: ${detail}`,
    )
    // A person at a terminal runs a command, and does not see the other fields of the answer.
    const wait = `${problem.retry_after_seconds ?? 60} seconds`
    const nextStep =
      problem.code === 'validation_failed'
        ? 'Correct that, and run the command again.'
        : problem.next_step?.replace('retry_after_seconds', wait)
    return new CliError([problem.detail, ...fields].join('\n  '), nextStep)
  }
  const location = headers.get('Location')
  if (status < 400 && location !== null && URL.canParse(location, url))
    return new CliError(
      `${url} sends this call on to another address; nothing was done.`,
      `If that is your connector, name it: --url ${new URL(location, url).origin}`,
    )
  if (status >= 500) return perhapsDone(url, method, `The server at ${url} answers ${status}`)
  return notConnector(url)
}

/** A field by its name, and an entry of a list by its number: `scopes, entry 2`. */
const fieldAt = (pointer: string) =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d*)/g, (_, at: string) => (at === '' ? '.' : `, entry ${Number(at) + 1}`))

const healthSchema = z.looseObject({
  status: z.string(),
  adapters: z.object({ scheduling: z.enum(['mock', 'live']), payments: z.enum(['mock', 'live']) }),
})

/** What a connector says of itself to every caller. */
export type Health = z.infer<typeof healthSchema>

/** Raises `CliError` for what is no connector. No key is needed, and none is sent. */
export async function healthOf(url: string): Promise<Health> {
  const health = healthSchema.safeParse(await adminClient(url, undefined).get('/health')).data
  if (!health) throw notConnector(url)
  return health
}

type RulesShown = Rules & { caller: string; paused_at: string | null; allows: string[] }

/** The house rules of a caller as `PUT /v1/rules/{caller}` takes them, and what they allow in sentences. */
export async function rulesOf(api: AdminClient, caller: string) {
  const { rows } = await api.list<RulesShown>('/v1/rules', 'rules', { caller })
  const found = rows.find((set) => set.caller === caller)
  if (!found) return { rules: NO_RULES, allows: [] }
  const { caller: _, paused_at: _at, allows, ...rules } = found
  return { rules, allows }
}

/** The line that starts a connector of this machine at its address, with this setting. */
export const startLine = (origin: string, setting: string): string =>
  `${origin.endsWith(':8787') ? '' : `PORT=${new URL(origin).port || 80} `}${setting} npm start`

/** A link at which the owner makes a passkey, and the hash by which the connector knows it. */
export async function newEnrolment(
  url: string,
  lifetimeMs = HOUR,
): Promise<{ link: string; hash: string }> {
  const token = newEnrolmentToken(Date.now() + lifetimeMs, randomBytes(32))
  return { link: `${new URL('/owner/enrol', url).href}#${token}`, hash: await sha256(token) }
}

/** Parses the address of a connector. Raises `CliError` unless it is an http or https address. */
export function connectorAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new CliError('--url must be a whole address, as in --url https://connector.example.com')
  return url
}

/** The key in CONNECTOR_API_KEY, if any. Raises `CliError` if others could read it on its way. */
export function apiKeyFor(url: URL): string | undefined {
  const key = tokenIn(process.env, 'CONNECTOR_API_KEY')
  if (key === undefined || url.protocol === 'https:' || isLoopback(url.origin)) return key
  throw new CliError(
    'CONNECTOR_API_KEY is sent only over https, or to a connector on this machine; nothing was sent. ' +
      'Give the address of the connector with https://, or unset CONNECTOR_API_KEY.',
  )
}
