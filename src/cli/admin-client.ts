import { parseArgs } from 'node:util'
import { apiKeyFor, connectorAddress } from './connector-address.ts'
import { CliError, argumentsProblem } from './cli-error.ts'

export const DEFAULT_URL = 'http://127.0.0.1:8787'

interface AdminClient {
  url: string
  get(path: string): Promise<unknown>
  post(path: string, body: object): Promise<unknown>
  put(path: string, body: object): Promise<unknown>
  delete(path: string): Promise<unknown>
}

/** The options of every command for the owner; `--url` names the connector, CONNECTOR_API_KEY holds the key. */
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

function adminClient(url: string): AdminClient {
  const address = connectorAddress(url)
  const call = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const key = apiKeyFor(address)
    const headers = { 'Content-Type': 'application/json', ...(key ? { Authorization: `Bearer ${key}` } : {}) }
    const response = await fetch(new URL(path, address), { ...init, headers }).catch(() => {
      throw new CliError(
        `No connector answers at ${url}. Start one with npm start, or name another with --url.`,
      )
    })
    const body: unknown = await response.json().catch(() => undefined)
    if (response.ok) return body
    throw new CliError(explain(body, response.status))
  }
  return {
    url,
    get: (path) => call(path),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
    put: (path, body) => call(path, { method: 'PUT', body: JSON.stringify(body) }),
    delete: (path) => call(path, { method: 'DELETE' }),
  }
}

function explain(body: unknown, status: number): string {
  const { detail, next_step, errors } = (body ?? {}) as {
    detail?: string
    next_step?: string
    errors?: { pointer: string; detail: string }[]
  }
  if (status === 401)
    return 'Not signed in: CONNECTOR_API_KEY holds no key that is valid here; --help says which scopes it needs.'
  const fields = (errors ?? []).map((error) => `${error.pointer} ${error.detail}`.trim())
  return [detail ?? `The connector answered ${status}.`, ...fields, next_step].filter(Boolean).join(' ')
}

/** Runs a command, or prints its usage; a failure prints one sentence and sets exit code 1. */
export async function runCommand(usage: string, command: () => Promise<void>): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) return console.log(usage)
  try {
    await command()
  } catch (error) {
    console.error(sentenceOf(error, usage))
    process.exitCode = 1
  }
}

/** Node's message about a wrong command line is for developers; the usage is for everybody. */
function sentenceOf(error: unknown, usage: string): string {
  const wrong = argumentsProblem(error)
  if (wrong !== undefined) return `${wrong}\n${usage}`
  return error instanceof Error ? error.message : String(error)
}
