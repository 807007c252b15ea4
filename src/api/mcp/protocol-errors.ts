import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'

/** The revisions of the protocol that are spoken here, the newest first. */
export const VERSIONS: readonly string[] = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS]
export const VERSION_HEADER = 'MCP-Protocol-Version'

/** A protocol error before a message could be read. */
export const protocolError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })

export const NO_REQUEST = 'Not a valid request.'

/** No revision of MCP since 2025-06-18 has batches. */
export const NO_BATCH = 'Batches are not supported: send each message in a request of its own.'

/** Proxies must not keep or change an answer of this endpoint. */
export const NO_STORE = 'no-store, no-transform'

interface RpcError {
  code: number
  message: string
  data?: unknown
}

const UNSUPPORTED = `this protocol version is not supported. Known here: ${VERSIONS.join(', ')}.`

const BY_CODE: Record<number, string> = {
  [-32020]: 'The MCP headers do not agree with the body',
  [-32021]: 'The client does not declare a capability that this needs',
  [-32600]: 'Not a valid request',
  [-32601]: 'Unknown method',
  [-32602]: 'The parameters are not valid',
}

/**
 * What the protocol calls its headers and members: an error says which of them is wrong, and
 * nothing else of a request.
 */
const HEADERS = [VERSION_HEADER, 'Mcp-Method', 'Mcp-Name']
const MEMBERS = new Set(
  'jsonrpc id method params name arguments uri cursor level ref type argument value context protocolVersion capabilities clientInfo version title _meta progressToken inputResponses requestState io.modelcontextprotocol/protocolVersion io.modelcontextprotocol/clientInfo io.modelcontextprotocol/clientCapabilities'.split(
    ' ',
  ),
)

/** In every error, and seldom elsewhere: a long answer without it is not parsed. */
const ERROR = '"error":'
const DATA = 'data: '
const NOT_ACCEPTABLE =
  'The header Accept must allow application/json: send application/json, text/event-stream, or */*.'
const OTHERWISE = 'The request could not be served.'

/** Removes from SDK errors what they repeat of the request, but for `own`. `onError` is called for each. */
export async function redactSdkErrors(
  response: Response,
  own: ReadonlyMap<string, number>,
  onError: () => void,
): Promise<Response> {
  const headers = new Headers(response.headers)
  headers.set('Cache-Control', NO_STORE)
  if (response.body === null) return new Response(null, { status: response.status, headers })
  const redact = (json: string): string => {
    const message = json.includes(ERROR) ? (JSON.parse(json) as { error?: RpcError }) : {}
    if (!message.error) return json
    onError()
    return JSON.stringify({ ...message, error: inOurWords(message.error, response.status, own) })
  }
  const text = await response.text()
  headers.delete('Content-Length')
  if (!text.includes(ERROR)) return new Response(text, { status: response.status, headers })
  const isStream = headers.get('Content-Type')?.startsWith('text/event-stream')
  // No regular expression over lines: U+2028 ends a line there, and may be part of the JSON.
  const event = (line: string): string =>
    line.startsWith(`${DATA}{`) ? DATA + redact(line.slice(DATA.length)) : line
  const body = isStream ? text.split('\n').map(event).join('\n') : redact(text)
  return new Response(body, { status: response.status, headers })
}

function inOurWords(
  { code, message, data }: RpcError,
  status: number,
  own: ReadonlyMap<string, number>,
): RpcError {
  const ours = own.get(message)
  if (ours !== undefined) return { code: ours, message, ...(data === undefined ? {} : { data }) }
  if (code === -32022)
    return { code, message: `protocolVersion: ${UNSUPPORTED}`, data: versionsIn(data) }
  if (status === 406) return { code, message: NOT_ACCEPTABLE }
  const issues = issuesIn(message)
  const real = code === -32603 && issues ? -32602 : code
  const what = BY_CODE[real]
  if (what === undefined) return { code, message: OTHERWISE }
  const wrong = issues ? issues.flatMap(wrongMember) : namedIn(message, real)
  return {
    code: real,
    message: wrong.length === 0 ? `${what}.` : `${what}: ${[...new Set(wrong)].join('; ')}.`,
  }
}

interface Issue {
  code?: unknown
  expected?: unknown
  path?: unknown
  message?: unknown
}

/** The SDK calls refused parameters an internal error, and lists what is wrong with them as JSON. */
function issuesIn(message: string): Issue[] | undefined {
  const list = /\[\s*\{[^]*\]\s*$/.exec(message)?.[0]
  if (list === undefined) return undefined
  try {
    return JSON.parse(list) as Issue[]
  } catch {
    return undefined
  }
}

const TYPES = new Set('string number boolean object array record int'.split(' '))

const NOT_AS_EXPECTED = 'not as expected'

/** `params.clientInfo: expected object`, as far as the names are those of the protocol. */
function wrongMember({ path, expected, message }: Issue): string[] {
  const parts = Array.isArray(path) ? path.map(String) : []
  const foreign = parts.findIndex((part) => !MEMBERS.has(part))
  const known = foreign < 0 ? parts : parts.slice(0, foreign)
  if (known.length === 0) return []
  const member = known.join('.')
  // The error is in a part of this member that the caller named.
  if (foreign >= 0) return [`${member}: ${NOT_AS_EXPECTED}`]
  const isMissing = typeof message === 'string' && message.endsWith('received undefined')
  return [`${member}: ${isMissing ? 'missing, ' : ''}${expectedType(expected)}`]
}

function expectedType(type: unknown): string {
  if (typeof type !== 'string' || !TYPES.has(type)) return NOT_AS_EXPECTED
  return type === 'record' ? 'expected object' : `expected ${type}`
}

/** The header or the member of the envelope that a sentence of the SDK is about. */
function namedIn(message: string, code: number): string[] {
  const names = code === -32020 ? HEADERS : [...MEMBERS].filter((name) => name.includes('/'))
  const said = message.toLowerCase()
  const found = names.filter((name) => said.includes(name.toLowerCase()))
  return found.length === 0 && said.includes('envelope') ? ['params._meta'] : found
}

/** The refusal of a version in the header that is not spoken here, before the message is served. */
export function unknownVersion(requested: string, id: unknown): Response {
  const error = {
    code: -32602,
    message: `${VERSION_HEADER}: ${UNSUPPORTED}`,
    data: versionsIn({ supported: VERSIONS, requested }),
  }
  const isId = typeof id === 'string' || typeof id === 'number'
  return Response.json({ jsonrpc: '2.0', id: isId ? id : null, error }, { status: 400 })
}

const VERSION = /^v?\d{1,4}([.-]\d{1,2}){1,3}$/

/** The protocol requires both. The requested one is repeated only if it has the form of a version. */
function versionsIn(data: unknown) {
  const { supported, requested } = (data ?? {}) as { supported?: unknown; requested?: unknown }
  const isVersion = typeof requested === 'string' && VERSION.test(requested)
  return { supported, requested: isVersion ? requested : 'unknown' }
}
