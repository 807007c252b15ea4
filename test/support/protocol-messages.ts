export type Fields = Record<string, unknown>

export const ERAS = ['2025-11-25', '2026-07-28'] as const
export type Era = (typeof ERAS)[number]

/** One of every type of JSON, and objects with names that a program may trip over. */
const VALUES: unknown[] = [
  undefined,
  null,
  true,
  0,
  1.5,
  'x',
  '',
  [],
  [1],
  {},
  JSON.parse('{"toString":"x","valueOf":1,"toJSON":1,"then":1,"length":3}'),
  JSON.parse('{"__proto__":{"a":1}}'),
]

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'end-to-end-tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Each kind of message, as it should be. */
export const MESSAGES: Record<string, Fields> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'end-to-end-tests', version: '1' },
  },
  ping: {},
  'tools/list': {},
  'tools/call': { name: 'list_availability', arguments: { timezone: 'Europe/Lisbon' } },
  'resources/list': {},
  'resources/templates/list': {},
  'resources/read': { uri: 'consult://today' },
  'resources/subscribe': { uri: 'consult://today' },
  'prompts/list': {},
  'prompts/get': { name: 'book_a_consult', arguments: { when: 'x' } },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: 'book_a_consult' },
    argument: { name: 'timezone', value: 'Eu' },
  },
  'server/discover': {},
  'subscriptions/listen': { notifications: {} },
  'logging/setLevel': { level: 'info' },
  'notifications/initialized': {},
  'notifications/cancelled': { requestId: 7 },
  'notifications/progress': { progressToken: 1, progress: 1 },
  'unknown/method': {},
}

export function messageOf(era: Era, method: string, id: number): Fields {
  const meta = era === '2026-07-28' ? ENVELOPE : { progressToken: 1 }
  const params = {
    ...MESSAGES[method],
    _meta: meta,
    ...(method.endsWith('/list') && { cursor: 'x' }),
  }
  return { jsonrpc: '2.0', ...(method.startsWith('notifications/') ? {} : { id }), method, params }
}

function* placesIn(value: unknown, place: string[] = []): Generator<string[]> {
  yield place
  if (value === null || typeof value !== 'object') return
  for (const [name, inner] of Object.entries(value)) yield* placesIn(inner, [...place, name])
}

function put(value: unknown, [name, ...rest]: string[], other: unknown): unknown {
  if (name === undefined) return other
  const fields = value as Fields
  return { ...fields, [name]: put(fields[name], rest, other) }
}

/** The message with any JSON value in each of its places. */
export const variantsOf = (message: Fields): unknown[] =>
  [...placesIn(message), ['id'], ['another member']]
    .flatMap((place) => VALUES.map((value) => put(message, place, value)))
    .filter((variant) => variant !== undefined)
    // As it goes over the wire: a member that is undefined is not there.
    .map((variant) => JSON.parse(JSON.stringify(variant)) as unknown)

/** The headers with which a client sends a message. */
export function headersOf(era: Era, method: string): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': era,
  }
  if (era === '2026-07-28') {
    const { name, uri = name } = MESSAGES[method]!
    Object.assign(headers, { 'Mcp-Method': method }, typeof uri === 'string' && { 'Mcp-Name': uri })
  }
  return headers
}
