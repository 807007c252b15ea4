import { randomBytes } from 'node:crypto'
import { type ParseArgsConfig, parseArgs } from 'node:util'

import { sha256 } from '../core/crypto/encoding.ts'
import { isLoopback } from '../core/domain/origin.ts'
import type { ProblemBody } from '../core/domain/problem/problem.ts'
import { NO_RULES, type Rules } from '../core/domain/rules/house-rules.ts'
import { HOUR, MINUTE } from '../core/domain/time/duration.ts'
import { newEnrolmentToken } from '../owner/access/passkey-enrolment.ts'
import { CliError } from './command.ts'

export const DEFAULT_URL = 'http://127.0.0.1:8787'

/** Parses the options of an owner's command. `--url` names the connector, CONNECTOR_API_KEY has the key. */
export function adminArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
) {
  const url = { type: 'string', default: DEFAULT_URL } as const
  const parsed = parseArgs({ options: { ...options, url }, allowPositionals: true })
  const address = connectorAddress(String(Reflect.get(parsed.values, 'url')))
  return { ...parsed, api: adminClient(address.origin, apiKeyFor(address)) }
}

export type AdminClient = ReturnType<typeof adminClient>

/** Calls a connector. Each call raises `CliError` with what the connector says, unless it succeeds. */
export function adminClient(url: string, key: string | undefined) {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { 'Content-Type': 'application/json', ...signedIn(key) }
    const response = await fetch(new URL(path, url), { ...init, headers }).catch(() => undefined)
    if (!response)
      throw new CliError(
        `No connector answers at ${url}. Start one with npm start, or name another with --url.`,
      )
    if (response.ok) return response
    const body: unknown = await response.json().catch(() => undefined)
    throw new CliError(explain((body ?? {}) as Partial<ProblemBody>, response.status))
  }
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const signal = AbortSignal.timeout(MINUTE)
    const response = await ask(path, {
      method,
      signal,
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json().catch(() => undefined)
  }
  return {
    url,
    /** The response itself, if it is a good one. */
    ask,
    get: (path: string) => call('GET', path),
    post: (path: string, body?: object) => call('POST', path, body),
    put: (path: string, body: object) => call('PUT', path, body),
    delete: (path: string) => call('DELETE', path),
  }
}

/** The header with a key, if there is one. */
export const signedIn = (key: string | undefined): Record<string, string> =>
  key ? { Authorization: `Bearer ${key}` } : {}

function explain({ detail, next_step, errors = [] }: Partial<ProblemBody>, status: number): string {
  if (status === 401)
    return (
      'Not signed in: CONNECTOR_API_KEY holds no key that is valid here; ' +
      '--help says which scopes it needs.'
    )
  const fields = errors.map((error) => `${error.pointer} ${error.detail}`.trim())
  return [detail ?? `The connector answered ${status}.`, ...fields, next_step]
    .filter(Boolean)
    .join(' ')
}

/** What a connector says of itself; one that is not a connector says no adapters. */
export interface Health {
  adapters?: { scheduling: string; payments: string }
}

export const healthOf = async (url: string, key: string | undefined): Promise<Health> =>
  (await adminClient(url, key).get('/health')) ?? {}

/** The house rules of a caller as `PUT /v1/rules/{caller}` takes them, and what they allow in sentences. */
export async function rulesOf(api: AdminClient, caller: string) {
  const listed = (await api.get('/v1/rules?limit=100')) as {
    rules: (Rules & { caller: string; paused_at: string | null; allows: string[] })[]
  }
  const found = listed.rules.find((set) => set.caller === caller)
  if (!found) return { rules: NO_RULES, allows: [] }
  const { caller: _, paused_at: _at, allows, ...rules } = found
  return { rules, allows }
}

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
  const key = process.env['CONNECTOR_API_KEY'] || undefined
  if (key === undefined || url.protocol === 'https:' || isLoopback(url.origin)) return key
  throw new CliError(
    'CONNECTOR_API_KEY is sent only over https, or to a connector on this machine; nothing was sent. ' +
      'Give the address of the connector with https://, or unset CONNECTOR_API_KEY.',
  )
}
