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

const BY_CODE: Record<number, string> = {
  [-32020]: 'The MCP headers do not agree with the body.',
  [-32022]: 'This protocol version is not supported.',
  [-32600]: NO_REQUEST,
  [-32601]: 'Unknown method.',
  [-32602]: 'The parameters are not valid.',
}
/** In every error, and seldom elsewhere: a long answer without it is not parsed. */
const ERROR = '"error":'
const DATA = 'data: '
const NOT_ACCEPTABLE = 'The header Accept must list application/json and text/event-stream.'
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
  if (code === -32603 && isListOfIssues(message)) return { code: -32602, message: BY_CODE[-32602]! }
  if (code === -32022) return { code, message: BY_CODE[code]!, data: versionsIn(data) }
  return { code, message: status === 406 ? NOT_ACCEPTABLE : (BY_CODE[code] ?? OTHERWISE) }
}

/** The SDK calls refused parameters an internal error, and lists what is wrong with them. */
const isListOfIssues = (message: string): boolean => /^\[\s*\{/.test(message)

const VERSION = /^v?\d{1,4}([.-]\d{1,2}){1,3}$/

/** The protocol requires both. The requested one is repeated only if it has the form of a version. */
function versionsIn(data: unknown) {
  const { supported, requested } = (data ?? {}) as { supported?: unknown; requested?: unknown }
  const isVersion = typeof requested === 'string' && VERSION.test(requested)
  return { supported, requested: isVersion ? requested : 'unknown' }
}
