import { type Fields, isFields, jsonIn } from '../../core/json.ts'
import { nearest } from '../../practice/operations/hints.ts'
import {
  CAPABILITIES_KEY,
  CLIENT_KEY,
  ENVELOPED,
  NOT_ACCEPTABLE,
  NO_STORE,
  UNSUPPORTED,
  VERSIONS,
  VERSION_HEADER,
  VERSION_KEY,
  isId,
  versionsIn,
} from './protocol.ts'

/*
 * What repairs the SDK, and can go when the SDK does it. What knows no SDK is not here: what is
 * refused before a message is served is in protocol.ts.
 */

/** The request as the SDK wants it: with both types by name. What is acceptable is decided before. */
export function acceptingAll({ url, method, headers: sent }: Request): Request {
  const headers = new Headers(sent)
  headers.set('Accept', 'application/json, text/event-stream')
  return new Request(url, { method, headers })
}

/**
 * The arguments of a tool with one called __proto__, which the SDK loses: it is refused as every
 * unknown field.
 */
export function withLostProto(given: Fields, { params }: Fields): Fields {
  const sent = isFields(params) ? params['arguments'] : undefined
  const isLost = isFields(sent) && Object.hasOwn(sent, '__proto__')
  return isLost ? { ...given, ['__proto__']: null } : given
}

interface RpcError {
  code: number
  message: string
  data?: unknown
}

const BY_CODE: Record<number, string> = {
  [-32020]: 'The MCP headers do not agree with the body',
  [-32021]: 'The client does not declare a capability that this needs',
  [-32600]: 'Not a valid request',
  [-32602]: 'The parameters are not valid',
}

/**
 * What the protocol calls its headers and members: an error says which of them is wrong, and
 * nothing else of a request.
 */
const HEADERS = [VERSION_HEADER, 'Mcp-Method', 'Mcp-Name']
/** What a request names in its envelope, and what is expected of each. */
const OF_ENVELOPE = new Map([
  [VERSION_KEY, 'expected string'],
  [CLIENT_KEY, 'expected object with name and version'],
  [CAPABILITIES_KEY, 'expected object'],
])
const OF_MESSAGE = ['jsonrpc', 'id', 'method', 'params']
const MEMBERS = new Set([
  ...OF_MESSAGE,
  ...(
    'name arguments uri cursor level ref type argument value context protocolVersion capabilities ' +
    'clientInfo version title _meta progressToken inputResponses requestState'
  ).split(' '),
  ...OF_ENVELOPE.keys(),
])
const RESPONSE_POSTED = 'A response cannot be posted here: send requests and notifications.'

/** The methods that every revision has; one that was meant may be spelled otherwise. */
const METHODS = [
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'completion/complete',
]

/** In every error, and seldom elsewhere: a long answer without it is not parsed. */
const ERROR = '"error":'
const DATA = 'data: '
const OTHERWISE = 'The request could not be served.'

/** A message as it came, and which errors of its answer are in our own words. */
interface Asked {
  body: Readonly<Record<string, unknown>>
  headers: Headers
  /** Our own messages, with the code that they go out with. */
  own: ReadonlyMap<string, number>
}

/** Removes from SDK errors what they repeat of the request, but for `own`. `onError` is called for each. */
export async function redactSdkErrors(response: Response, asked: Asked, onError: () => void) {
  const headers = new Headers(response.headers)
  headers.set('Cache-Control', NO_STORE)
  if (response.body === null) return new Response(null, { status: response.status, headers })
  const redact = (json: string) => {
    const message = json.includes(ERROR) ? (JSON.parse(json) as { error?: RpcError }) : {}
    if (!message.error) return json
    onError()
    return JSON.stringify({ ...message, error: inOurWords(message.error, asked) })
  }
  const text = await response.text()
  headers.delete('Content-Length')
  if (!text.includes(ERROR)) return new Response(text, { status: response.status, headers })
  const isStream = headers.get('Content-Type')?.startsWith('text/event-stream')
  // No regular expression over lines: U+2028 ends a line there, and may be part of the JSON.
  const event = (line: string) =>
    line.startsWith(`${DATA}{`) ? DATA + redact(line.slice(DATA.length)) : line
  const body = isStream ? text.split('\n').map(event).join('\n') : redact(text)
  return new Response(body, { status: response.status, headers })
}

function inOurWords({ code, message, data }: RpcError, asked: Asked): RpcError {
  const ours = message === NOT_ACCEPTABLE ? code : asked.own.get(message)
  if (ours !== undefined) return { code: ours, message, ...(data === undefined ? {} : { data }) }
  if (code === -32022) return unsupportedInEnvelope(data)
  if (code === -32601) return { code, message: unknownMethod(asked.body['method']) }
  const issues = issuesIn(message)
  const real = code === -32603 && issues ? -32602 : code
  const what = BY_CODE[real]
  if (what === undefined)
    return { code, message: isResponse(asked.body) ? RESPONSE_POSTED : OTHERWISE }
  const wrong = issues ? issues.flatMap(wrongMember) : namedIn(message, real, asked)
  return {
    code: real,
    message: wrong.length === 0 ? `${what}.` : `${what}: ${[...new Set(wrong)].join('; ')}.`,
  }
}

function unknownMethod(method: unknown) {
  const meant = typeof method === 'string' ? nearest(method, METHODS) : undefined
  return meant === undefined || meant === method
    ? 'Unknown method.'
    : `Unknown method: did you mean ${meant}?`
}

/** The refusal of a version in an envelope, which may have a known one of a revision without envelopes. */
function unsupportedInEnvelope(data: unknown): RpcError {
  const known = versionsIn(data)
  const why = VERSIONS.includes(known.requested)
    ? 'this protocol version has no envelope, and begins with initialize.'
    : UNSUPPORTED
  const message = `protocolVersion: ${why} In params._meta only ${ENVELOPED} can be named.`
  return { code: -32022, message, data: known }
}

interface Issue {
  expected?: unknown
  path?: unknown
  message?: unknown
}

/** The SDK calls refused parameters an internal error, and lists what is wrong with them as JSON. */
function issuesIn(message: string): Issue[] | undefined {
  const list = /\[\s*\{[^]*\]\s*$/.exec(message)?.[0]
  return list === undefined ? undefined : (jsonIn(list) as Issue[] | undefined)
}

const TYPES = new Set('string number boolean object array record int'.split(' '))

const NOT_AS_EXPECTED = 'not as expected'
const REFERENCE = 'expected ref/prompt with a name, or ref/resource with a uri'

/** `params.clientInfo: expected object`, as far as the names are those of the protocol. */
function wrongMember({ path, expected, message }: Issue): string[] {
  const parts = Array.isArray(path) ? path.map(String) : []
  const foreign = parts.findIndex((part) => !MEMBERS.has(part))
  const known = foreign < 0 ? parts : parts.slice(0, foreign)
  if (known.length === 0) return []
  const member = known.join('.')
  if (member === 'params.ref' && typeof expected !== 'string') return [`${member}: ${REFERENCE}`]
  // The error is in a part of this member that the caller named.
  if (foreign >= 0) return [`${member}: one of its members: ${expectedType(expected)}`]
  const isMissing = typeof message === 'string' && message.endsWith('received undefined')
  return [`${member}: ${isMissing ? 'missing, ' : ''}${expectedType(expected)}`]
}

function expectedType(type: unknown) {
  if (typeof type !== 'string' || !TYPES.has(type)) return NOT_AS_EXPECTED
  return type === 'record' ? 'expected object' : `expected ${type}`
}

/** What a sentence of the SDK is about: members of the message, headers or members of the envelope. */
function namedIn(message: string, code: number, { body, headers }: Asked): string[] {
  if (code === -32600) return wrongInMessage(body)
  const said = message.toLowerCase()
  const isNamed = (name: string) => said.includes(name.toLowerCase())
  if (code === -32020)
    return HEADERS.filter(isNamed).map(
      (name) => `${name}: ${headers.has(name) ? 'not that of the body' : 'missing'}`,
    )
  const params = body['params']
  const envelope = isFields(params) ? params['_meta'] : undefined
  if (!isFields(envelope))
    return said.includes('envelope') ? [`params._meta: ${missingOr(envelope)}expected object`] : []
  return [...OF_ENVELOPE]
    .filter(([name]) => isNamed(name))
    .map(([name, expected]) => `${name}: ${missingOr(envelope[name])}${expected}`)
}

const missingOr = (value: unknown): string => (value === undefined ? 'missing, ' : '')

/** What is wrong with an object that is no message of JSON-RPC. */
function wrongInMessage(body: Asked['body']): string[] {
  const { jsonrpc, id, method, params } = body
  const meta = isFields(params) ? params['_meta'] : undefined
  const progress = isFields(meta) ? meta['progressToken'] : undefined
  const rules: [member: string, value: unknown, isGood: boolean, expected: string][] = [
    ['jsonrpc', jsonrpc, jsonrpc === '2.0', 'expected "2.0"'],
    ['id', id, id === undefined || isId(id), 'expected string or integer'],
    ['method', method, typeof method === 'string', 'expected string'],
    ['params', params, params === undefined || isFields(params), 'expected object'],
    ['params._meta', meta, meta === undefined || isFields(meta), 'expected object'],
    [
      'params._meta.progressToken',
      progress,
      progress === undefined || isId(progress),
      'expected string or integer',
    ],
  ]
  const wrong = rules
    .filter(([_member, _value, isGood]) => !isGood)
    .map(([member, value, _isGood, expected]) => `${member}: ${missingOr(value)}${expected}`)
  const isForeign = Object.keys(body).some((name) => !OF_MESSAGE.includes(name))
  return isForeign ? [...wrong, `only ${OF_MESSAGE.join(', ')} are members of a message`] : wrong
}

const isResponse = (body: Asked['body']) =>
  body['method'] === undefined && (body['result'] !== undefined || body['error'] !== undefined)
