import { parseArgs } from 'node:util'

import { isLoopback } from '../core/domain/origin.ts'
import type { ProblemBody } from '../core/domain/problem/problem.ts'
import { CliError, argumentsProblem, cliErrorOf } from './cli-error.ts'

export const DEFAULT_URL = 'http://127.0.0.1:8787'

/** Parses the options of an owner's command. `--url` names the connector, CONNECTOR_API_KEY has the key. */
export function adminArguments(
  options: Record<string, { type: 'string' }> = {},
  flags: Record<string, { type: 'boolean' }> = {},
) {
  const { values, positionals } = parseArgs({
    options: { url: { type: 'string' }, ...options, ...flags },
    allowPositionals: true,
  })
  return {
    values: values as Record<string, string | undefined>,
    has: (flag: string): boolean => (values as Record<string, unknown>)[flag] === true,
    positionals,
    api: adminClient(values['url'] ?? DEFAULT_URL),
  }
}

function adminClient(url: string) {
  const address = connectorAddress(url)
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const key = apiKeyFor(address)
    const headers = {
      'Content-Type': 'application/json',
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
    }
    const response = await fetch(new URL(path, address), { ...init, headers }).catch(
      () => undefined,
    )
    if (!response)
      throw new CliError(
        `No connector answers at ${url}. Start one with npm start, or name another with --url.`,
      )
    if (response.ok) return response
    const body: unknown = await response.json().catch(() => undefined)
    throw new CliError(explain((body ?? {}) as Partial<ProblemBody>, response.status))
  }
  const call = async (path: string, init?: RequestInit): Promise<unknown> =>
    (await ask(path, init)).json().catch(() => undefined)
  return {
    url,
    /** The response itself, if it is a good one. */
    ask,
    get: (path: string) => call(path),
    post: (path: string, body: object) =>
      call(path, { method: 'POST', body: JSON.stringify(body) }),
    put: (path: string, body: object) => call(path, { method: 'PUT', body: JSON.stringify(body) }),
    delete: (path: string) => call(path, { method: 'DELETE' }),
  }
}

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

/** Runs a command, or prints its usage at --help. A failure prints one sentence and sets exit code 1. */
export async function runCommand(usage: string, command: () => Promise<void>): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) return console.log(usage)
  try {
    await command()
  } catch (error) {
    const wrong = argumentsProblem(error)
    console.error(wrong === undefined ? cliErrorOf(error).message : `${wrong}\n${usage}`)
    process.exitCode = 1
  }
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
