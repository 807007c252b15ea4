import { MARK } from './oddities.ts'
import type { FuzzRequest } from './requests.ts'

export interface FuzzAnswer {
  status: number
  headers: [name: string, value: string][]
  text: string
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** What only an error that no one meant to show would say. */
const INNARDS =
  /\bat \S+ \(|\.(?:js|ts):\d+|node_modules|\b(?:Type|Syntax|Range|Reference|Zod|Assertion)Error\b|\[object Object\]|is not a function|undefined \(reading/

/** Pages for people, which refuse in HTML. */
const IS_PAGE = /^\/(?:authorize|owner|c\/)/
/** The OAuth server, which refuses in the words of RFC 6749 and RFC 7591. */
const IS_OAUTH = /^\/(?:oauth\/|\.well-known\/oauth-)/

/** What is wrong with an answer; nothing where all is well. */
export function faultIn(
  request: FuzzRequest,
  { status, headers, text }: FuzzAnswer,
): string | undefined {
  const header = new Headers(headers)
  const pathname = request.path.split('?')[0]!.replace(/^\/mcp\/$/, '/mcp')
  // No key for backups is set here, and the answer of that route says so.
  const isWithoutText = request.method === 'HEAD' && text === ''
  const hasNoBackupKey =
    pathname === '/v1/backup' &&
    status === 503 &&
    (isWithoutText || text.includes('BACKUP_RECIPIENT is not set'))
  if (status >= 500 && !hasNoBackupKey) return `status ${status}`
  if (/"code":\s*"internal_error"/.test(text) && pathname === '/mcp') return 'an internal error'
  if (/"code":\s*-32603/.test(text)) return 'an internal error of the protocol'
  if (!UUID.test(header.get('Request-Id') ?? '')) return 'no Request-Id'
  if (INNARDS.test(text)) return 'innards in the answer'
  if (headers.some(([name]) => name.toLowerCase() === 'x-injected')) return 'an injected header'
  const repeats = request.mayRepeat || (status < 300 && mayShow(request, pathname))
  const said = pathname === '/mcp' ? withoutIds(text) : text
  if (!repeats && [said, ...headers.flat()].some((part) => part.toLowerCase().includes(MARK)))
    return 'an answer that repeats what was sent'
  if (status < 400 || request.method === 'HEAD') return undefined
  return shapeFault(pathname, header, text)
}

/** The messages without their ids, which the protocol wants back. */
function withoutIds(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^data: /, ''))
  const messages = [text, ...lines].map(parsed)
  const known = messages.flat().filter((message) => message !== undefined)
  if (known.length === 0) return text
  return JSON.stringify(known.map((message) => ({ ...message, id: undefined })))
}

/** Where an answer of success shows what was given: the name of a key, notes, what an app says of itself. */
const mayShow = ({ body }: FuzzRequest, pathname: string): boolean =>
  pathname === '/oauth/register' ||
  pathname.startsWith('/v1/keys') ||
  /"?notes"?/.test(String(body ?? ''))

function shapeFault(pathname: string, header: Headers, text: string): string | undefined {
  const type = header.get('Content-Type')?.split(';')[0]
  if (type === 'text/html' && IS_PAGE.test(pathname)) return undefined
  if (type === 'text/html' && /<h1>/.test(text) && text.includes(header.get('Request-Id')!))
    return undefined
  const body = parsed(
    type === 'text/event-stream' ? (/^data: (\{.*)$/m.exec(text)?.[1] ?? '') : text,
  )
  if (type === 'application/problem+json') {
    const problem = body as Record<string, unknown> | undefined
    const isWhole = ['type', 'title', 'status', 'detail', 'code', 'effect', 'next_step'].every(
      (field) => problem?.[field] !== undefined,
    )
    return isWhole && problem?.['request_id'] === header.get('Request-Id')
      ? undefined
      : 'not a whole problem'
  }
  const { jsonrpc, error } = (body ?? {}) as { jsonrpc?: unknown; error?: unknown }
  if (pathname === '/mcp' && jsonrpc === '2.0' && error !== undefined) return undefined
  if (IS_OAUTH.test(pathname) && (typeof error === 'string' || text === '')) return undefined
  // A provider reads the status alone.
  if (pathname.startsWith('/hooks/') && text === '') return undefined
  return `an error that is no problem (${type ?? 'no type'})`
}

const LOGGED = ['request_id', 'code', 'status', 'duration_ms']
/** Where they are known. */
const ALSO_LOGGED = ['operation', 'caller', 'mode']

/** What is wrong with a line of the log. */
export function logFault(line: string): string | undefined {
  if (line.toLowerCase().includes(MARK)) return 'a log line that repeats what was sent'
  const fields = parsed(line)
  const isLine =
    fields !== undefined &&
    LOGGED.every((name) => name in fields) &&
    Object.keys(fields).every((name) => [...LOGGED, ...ALSO_LOGGED].includes(name))
  return isLine ? undefined : 'a log line that is none of ours'
}

/** The number of the request that a text was sent with. */
export const numberIn = (text: string): number | undefined => {
  const found = new RegExp(`${MARK}(\\d+)n`, 'i').exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}
