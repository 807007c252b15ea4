import type { Practice } from '../../core/domain/practice.ts'
import { type Fields, isFields } from '../../core/json.ts'
import { acceptsJson, safeHeaders } from '../http/answers.ts'
import {
  BEGUN,
  CAPABILITIES_KEY,
  CLIENT_KEY,
  ENVELOPED,
  NO_STORE,
  RESERVED,
  VERSION_HEADER,
  VERSION_KEY,
  CAPABILITIES,
  INSTRUCTIONS,
  KEPT_BY_HOSTS,
  serverInfo,
} from './protocol.ts'
import { type McpCall, NO_PAGES, operationNamed } from './tool-calls.ts'
import { toolsShown } from './tools.ts'

/*
 * The plain path in front of the SDK. The messages that hosts send all day, in the form in which
 * they send them, are answered here with the bytes that the SDK would answer. Every rule here is
 * stricter than that of the SDK: what is not plain goes to it, and it says what is wrong and how.
 * test/security/fuzz/both-paths.ts compares the two.
 */

/** A request whose form is right. */
interface PlainRequest {
  id: string | number
  params: Fields
  /**
   * What a client of 2026-07-28 says it can do; nothing in the revisions before, where no request
   * says it.
   */
  capabilities: Fields | undefined
}

/** The text of a result, or nothing where the SDK has to answer. */
type Answer = (request: PlainRequest, call: McpCall) => Promise<string> | string | undefined

const ANSWERS: ReadonlyMap<unknown, Answer> = new Map<unknown, Answer>([
  ['tools/call', toolCall],
  ['tools/list', toolList],
  ['server/discover', discovery],
  ['initialize', beginning],
  ['ping', ping],
])

const HEADERS = safeHeaders({ 'Content-Type': 'application/json', 'Cache-Control': NO_STORE })

/** Answers a message that is plain. Gives nothing for every other one. */
export function plainAnswer(
  headers: Headers,
  body: Fields,
  call: McpCall,
): Promise<Response> | undefined {
  const answer = ANSWERS.get(body['method'])
  const request = answer && plainRequest(headers, body)
  const result = request && answer(request, call)
  if (result !== undefined) return written(result, request!.id)
  return isInitialized(headers, body) ? accepted() : undefined
}

async function written(result: Promise<string> | string, id: string | number) {
  const text = `{"result":${await result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
  return new Response(text, { headers: HEADERS })
}

/**
 * The text of a result. The SDK puts its `_meta` first, where it has one. In 2026 a result also names
 * its type, how long hosts may keep it, and who it is from.
 */
function textOf(
  { _meta: meta, ...result }: Fields,
  { capabilities }: PlainRequest,
  { context }: McpCall,
  kept?: typeof KEPT_BY_HOSTS,
) {
  const first = meta === undefined ? {} : { _meta: meta }
  if (capabilities === undefined) return JSON.stringify({ ...first, ...result })
  const from = {
    ...(meta as object | undefined),
    [`${RESERVED}serverInfo`]: serverInfo(context.origin),
  }
  return JSON.stringify({ ...first, ...result, resultType: 'complete', ...kept, _meta: from })
}

/** A call of a tool, where nothing asks the host to open a page. */
function toolCall(request: PlainRequest, call: McpCall): Promise<string> | undefined {
  const { params, capabilities } = request
  const { name, arguments: given = {} } = params
  const operation = operationNamed(name)
  if (!operation || !isFields(given) || Object.hasOwn(given, '__proto__')) return undefined
  if (!hasOnly(params, ['name', 'arguments', '_meta'])) return undefined
  // No read waits for an approval, so a page may be asked for by a change alone.
  if (operation.kind === 'mutation' && opensPages(capabilities)) return undefined
  return call
    .callTool(operation, given, call, NO_PAGES)
    .then((result) => textOf({ ...result }, request, call))
}

/** The lists of each practice as text, by the revision, the address and what the caller may do. */
const lists = new WeakMap<Practice, Map<string, string>>()

function toolList(request: PlainRequest, call: McpCall): string | undefined {
  const { cursor } = request.params
  if (!hasOnly(request.params, ['cursor', '_meta'])) return undefined
  if (cursor !== undefined && typeof cursor !== 'string') return undefined
  const { origin, scopes, granted, services } = call.context
  const made = lists.get(services.practice) ?? new Map<string, string>()
  lists.set(services.practice, made)
  const key = JSON.stringify([request.capabilities !== undefined, origin, scopes, granted])
  const text =
    made.get(key) ?? textOf({ tools: toolsShown(call.context) }, request, call, KEPT_BY_HOSTS)
  made.set(key, text)
  return text
}

function discovery(request: PlainRequest, call: McpCall): string | undefined {
  if (request.capabilities === undefined || !hasOnly(request.params, ['_meta'])) return undefined
  const supportedVersions = [ENVELOPED]
  const result = { supportedVersions, capabilities: CAPABILITIES, instructions: INSTRUCTIONS }
  return textOf(result, request, call, KEPT_BY_HOSTS)
}

function beginning(request: PlainRequest, call: McpCall): string | undefined {
  const { protocolVersion, capabilities, clientInfo } = request.params
  if (request.capabilities !== undefined) return undefined
  if (!hasOnly(request.params, ['protocolVersion', 'capabilities', 'clientInfo', '_meta']))
    return undefined
  if (!BEGUN.includes(protocolVersion as string)) return undefined
  if (!areCapabilities(capabilities) || !isClient(clientInfo)) return undefined
  return textOf(
    {
      protocolVersion,
      capabilities: CAPABILITIES,
      serverInfo: serverInfo(call.context.origin),
      instructions: INSTRUCTIONS,
    },
    request,
    call,
  )
}

/** Only the revisions before 2026 have it. */
function ping({ params, capabilities }: PlainRequest): string | undefined {
  return capabilities === undefined && hasOnly(params, ['_meta']) ? '{}' : undefined
}

/** The notification that every client of a revision before 2026 sends once. It wants no answer. */
function isInitialized(headers: Headers, body: Fields) {
  if (body['method'] !== 'notifications/initialized' || body['id'] !== undefined) return false
  const request = plainRequest(headers, { ...body, id: 0 })
  return request !== undefined && request.capabilities === undefined
}

const accepted = async () =>
  new Response(null, { status: 202, headers: { 'Cache-Control': NO_STORE } })

/** The request, where its form is right in every part that the SDK looks at. */
function plainRequest(headers: Headers, body: Fields): PlainRequest | undefined {
  const { jsonrpc, id, params = {} } = body
  if (jsonrpc !== '2.0' || !isWireId(id) || !isFields(params)) return undefined
  if (!hasOnly(body, ['jsonrpc', 'id', 'method', 'params'])) return undefined
  if (!PLAIN_JSON.test(headers.get('Content-Type') ?? '')) return undefined
  const { _meta: meta = {} } = params
  if (!isFields(meta)) return undefined
  const { progressToken } = meta
  if (progressToken !== undefined && !isWireId(progressToken)) return undefined
  if (Object.hasOwn(meta, VERSION_KEY)) {
    const isPlain = isEnvelope(meta) && agree(headers, body, params)
    return isPlain ? { id, params, capabilities: meta[CAPABILITIES_KEY] as Fields } : undefined
  }
  const isPlain = isBegun(headers) && !Object.keys(meta).some((name) => name.startsWith(RESERVED))
  return isPlain ? { id, params, capabilities: undefined } : undefined
}

const PLAIN_JSON = /^application\/json(?:; ?charset=utf-8)?$/i

const isWireId = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isSafeInteger(value)

const hasOnly = (value: Fields, names: readonly string[]) =>
  Object.keys(value).every((name) => names.includes(name))

/** Whether the headers are those of a revision before 2026, whose answer is JSON. */
function isBegun(headers: Headers) {
  const version = headers.get(VERSION_HEADER)
  return (version === null || BEGUN.includes(version)) && acceptsJson(headers.get('Accept'))
}

/** Whether the headers of 2026 name what the body names. */
const agree = (headers: Headers, { method }: Fields, { name }: Fields) =>
  headers.get(VERSION_HEADER) === ENVELOPED &&
  headers.get('Mcp-Method') === method &&
  (method !== 'tools/call' || headers.get('Mcp-Name') === name)

function isEnvelope(meta: Fields) {
  const { [VERSION_KEY]: version, [CLIENT_KEY]: client, [CAPABILITIES_KEY]: capabilities } = meta
  if (version !== ENVELOPED || (client !== undefined && !isClient(client))) return false
  if (!areCapabilities(capabilities)) return false
  const known = [VERSION_KEY, CLIENT_KEY, CAPABILITIES_KEY]
  return Object.keys(meta).every((name) => known.includes(name) || !name.startsWith(RESERVED))
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNone = (value: unknown) => value === undefined || isText(value)

function isClient(value: unknown) {
  if (!isFields(value) || !isText(value['name']) || !isText(value['version'])) return false
  const { title, websiteUrl, description, icons = [] } = value
  const areTexts = [title, websiteUrl, description].every(isTextOrNone)
  return areTexts && Array.isArray(icons) && icons.every(isIcon)
}

const isIcon = (icon: unknown) =>
  isFields(icon) &&
  hasOnly(icon, ['src', 'mimeType', 'sizes']) &&
  isText(icon['src']) &&
  isTextOrNone(icon['mimeType']) &&
  (icon['sizes'] === undefined || (Array.isArray(icon['sizes']) && icon['sizes'].every(isText)))

/** Whether these are the capabilities of a client as hosts declare them. Rarer forms are left to the SDK. */
function areCapabilities(value: unknown): value is Fields {
  if (!isFields(value) || !isShallow(value)) return false
  const { roots = {}, ...others } = value
  const areRoots = isFields(roots) && ['undefined', 'boolean'].includes(typeof roots['listChanged'])
  return areRoots && Object.entries(others).every(isCapability)
}

/**
 * One that only the revisions before 2026 have, or that has more than names of what the client can
 * do, is rare.
 */
const isCapability = ([name, parts]: [string, unknown]) =>
  name !== 'tasks' &&
  isFields(parts) &&
  Object.values(parts).every((part) => isFields(part) && part['applyDefaults'] === undefined)

/** Whether a client can open the page of an approval. */
const opensPages = (capabilities: Fields | undefined) =>
  (capabilities?.['elicitation'] as Fields | undefined)?.['url'] !== undefined

const DEEPEST = 8

/** Whether a value is not deep, and has no number that JSON cannot write again, such as 1e999. */
function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value !== 'object') return true
  return depth < DEEPEST && Object.values(value).every((inner) => isShallow(inner, depth + 1))
}
