import {
  type AuthInfo,
  type McpRequestContext,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server'

import { NOTES_NOTICE } from '../../core/domain/intake.ts'
import { showsSomething } from '../../core/domain/name.ts'
import type { Practice } from '../../core/domain/practice.ts'
import { Problem } from '../../core/domain/problem/problem.ts'
import { HOUR } from '../../core/domain/time/duration.ts'
import { VERSION } from '../../core/version.ts'
import { TOOLS, toolsFor } from '../../practice/operations/index.ts'
import type { Operation } from '../../practice/operations/operation.ts'
import { PROMPTS } from '../../practice/operations/prompts.ts'
import { lettersOf, nearest } from '../../practice/operations/validation.ts'
import { readJson } from '../http/body.ts'
import { safeHeaders } from '../http/security-headers.ts'
import { isFields, parsed } from './arguments.ts'
import {
  NOT_ACCEPTABLE,
  NO_BATCH,
  NO_MESSAGE,
  NO_REQUEST,
  NO_STORE,
  VERSIONS,
  VERSION_HEADER,
  protocolError,
  redactSdkErrors,
  unknownVersion,
} from './protocol-errors.ts'
import { serveResources } from './resources.ts'
import {
  approvalClient,
  type McpContext,
  callTool,
  isToolCall,
  callKindOf,
  operationNamed,
} from './tool-calls.ts'
import { TWO_CALLS, type Tool, forCaller, toolOf, withChoices } from './tools.ts'

interface Serving extends McpContext {
  /** Protocol errors in our own words, with the code that they go out with. */
  reworded: Map<string, number>
  /** An argument is called __proto__. The SDK loses it; it is refused like any unknown field. */
  namesProto: boolean
  /** Set if the call is one too many: its tool answers this instead of doing anything. */
  refusal: Problem | undefined
  answered?: boolean
  isOurs?: boolean
}

/** What a host may show to the model beside the tools. */
export const INSTRUCTIONS =
  'Consults, client intake and payment links of one financial practice. ' +
  `Every change takes two calls. ${TWO_CALLS} Send times back exactly as they were returned, ` +
  'with their offset. Personal data is returned masked. ' +
  `${NOTES_NOTICE} What is booked, who the clients are and whether a link is paid is read ` +
  'with the tools for it, where they are listed, or as resources such as consult://today, ' +
  'where the host has them.'

const tools = new WeakMap<Practice, Map<Operation, Tool>>()

function toolsOf(practice: Practice): Map<Operation, Tool> {
  const made =
    tools.get(practice) ??
    new Map(
      TOOLS.map((one) => [one, withChoices(toolOf(one, practice), one.choices?.(practice) ?? {})]),
    )
  tools.set(practice, made)
  return made
}

/*
 * The SDK makes a server for each request, and gives it nothing of ours but `authInfo`. So what is
 * known of the request travels in there, put in and taken out by these two alone.
 */

const authInfoOf = (serving: Serving): AuthInfo => ({
  token: '',
  clientId: serving.context.caller,
  scopes: [],
  extra: { serving },
})

const servingIn = (authInfo: AuthInfo | undefined): Serving =>
  authInfo?.extra?.['serving'] as Serving

/** What a host shows of the server beside its name; nothing where the connector has no address. */
const shownBy = (origin: string) =>
  origin === ''
    ? {}
    : {
        websiteUrl: origin,
        icons: [{ src: `${origin}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
      }

function serverFor({ authInfo, era }: McpRequestContext): Server {
  const serving = servingIn(authInfo)
  const server = new Server(
    {
      name: 'consult-connector',
      title: 'Consult connector',
      version: VERSION,
      ...shownBy(serving.context.origin),
    },
    {
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': { ttlMs: HOUR, cacheScope: 'private' },
        'prompts/list': { ttlMs: HOUR, cacheScope: 'private' },
        'resources/list': { ttlMs: HOUR, cacheScope: 'private' },
        'resources/templates/list': { ttlMs: HOUR, cacheScope: 'private' },
        'resources/read': { ttlMs: 0, cacheScope: 'private' },
        'server/discover': { ttlMs: HOUR, cacheScope: 'private' },
      },
    },
  )
  serveTools(server, serving)
  servePrompts(server, serving)
  serveResources(server, serving, era)
  return server
}

/** The error of a request whose parameters are wrong, in words of ours that the caller gets. */
function invalidParams(serving: Serving, message: string): ProtocolError {
  serving.reworded.set(message, ProtocolErrorCode.InvalidParams)
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

function serveTools(server: Server, serving: Serving): void {
  server.setRequestHandler('tools/list', () => {
    const { services, granted } = serving.context
    const made = toolsOf(services.practice)
    serving.isOurs = true
    return {
      tools: toolsFor(serving.context).map((one) => forCaller(made.get(one)!, one, granted)),
    }
  })
  server.setRequestHandler('tools/call', async ({ params }, request) => {
    const operation = operationNamed(params.name)
    if (!operation) {
      const tools = toolsFor(serving.context)
      throw invalidParams(serving, unknownName('tool', 'tools/list', params.name, tools))
    }
    const given = params.arguments ?? {}
    const whole = serving.namesProto ? { ...given, ['__proto__']: null } : given
    serving.answered = true
    const result = await callTool(
      operation,
      whole,
      serving,
      serving.refusal,
      approvalClient(request),
    )
    // The SDK checks what asks the client for something, and may refuse it.
    serving.isOurs = 'content' in result
    return result
  })
}

function servePrompts(server: Server, serving: Serving): void {
  const { scopes: granted, services } = serving.context
  const prompts = PROMPTS.filter(({ scopes }) => scopes.every((one) => granted.includes(one)))
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, title, description, arguments: given }) => ({
      name,
      title,
      description,
      arguments: given.map(({ example: _example, ...argument }) => argument),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find((one) => one.name === params.name)
    if (!prompt)
      throw invalidParams(serving, unknownName('prompt', 'prompts/list', params.name, prompts))
    const text = prompt.text(params.arguments ?? {}, services.practice)
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
    }
  })
}

/** The refusal of a name that is none, with its neighbours. */
function unknownName(
  kind: string,
  list: string,
  given: string,
  all: readonly { name: string }[],
): string {
  const meant = neighboursOf(
    given,
    all.map(({ name }) => name),
  )
  const hint = meant.length === 0 ? '.' : `: did you mean ${meant.join(', ')}?`
  return `Unknown ${kind}${hint} ${list} has all of them.`
}

const MOST_NEIGHBOURS = 3
const LONGEST_NAME = 80

/** The names that were meant. A host may put its own name for us before one. */
function neighboursOf(given: string, names: readonly string[]): string[] {
  if (given.length > LONGEST_NAME) return []
  const letters = lettersOf(given)
  const whole = names.find((name) => letters.endsWith(lettersOf(name)))
  if (whole !== undefined) return [whole]
  const words = wordsOf(given)
  const withAll = namesWith(words, words.length, names)
  if (withAll.length > 0) return withAll
  const spelledLike = nearest(given, names)
  return spelledLike === undefined ? namesWith(words, 1, names) : [spelledLike]
}

/** The longer words of a name, however they are joined: `bookAConsult` has `book` and `consult`. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1_')
    .toLowerCase()
    .match(/[a-z]{3,}/g) ?? []

/** The names with at least so many of these words; none where that is true of more than a few. */
function namesWith(words: string[], least: number, names: readonly string[]): string[] {
  if (words.length === 0) return []
  const found = names.filter((name) => {
    const own = name.split('_')
    return words.filter((word) => own.includes(word)).length >= least
  })
  return found.length <= MOST_NEIGHBOURS ? found : []
}

const modern = createMcpHandler(serverFor, { legacy: 'reject' })

/** Answers a message of a revision before 2026-07-28 in plain JSON; the SDK would answer with a stream. */
async function serveLegacy(
  request: Request,
  authInfo: AuthInfo,
  parsedBody: unknown,
): Promise<Response> {
  const server = serverFor({ era: 'legacy', authInfo, requestInfo: request })
  try {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    const headers = new Headers(request.headers)
    // The SDK wants both by name; what is acceptable by RFC 9110, section 12.5.1, is decided here.
    if (!acceptsJson(headers.get('Accept'))) return protocolError(406, -32000, NOT_ACCEPTABLE)
    headers.set('Accept', BOTH_TYPES)
    const asked = new Request(request.url, { method: request.method, headers })
    return await transport.handleRequest(asked, { authInfo, parsedBody })
  } finally {
    await server.close()
  }
}

const BOTH_TYPES = 'application/json, text/event-stream'

/**
 * Whether JSON is acceptable (RFC 9110, section 12.5.1): because nothing is said, or by the most
 * specific range that holds it.
 */
function acceptsJson(accept: string | null): boolean {
  if (accept === null || accept.trim() === '') return true
  const ranges = new Map(
    accept.split(',').map((one) => {
      const [range = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
      return [range, !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part))]
    }),
  )
  const decisive = JSON_RANGES.find((range) => ranges.has(range))
  return decisive !== undefined && ranges.get(decisive) === true
}

/** The ranges of media types that hold JSON, the most specific one first. */
const JSON_RANGES = ['application/json', 'application/*', '*/*']

const JSON_TYPE = 'application/json'
const OUR_HEADERS = safeHeaders({ 'Content-Type': JSON_TYPE, 'Cache-Control': NO_STORE })

/** The members of the protocol lie no deeper in its parameters. */
const DEEPEST_MEMBER = 4

/**
 * A message as it is meant: null in its parameters is left out, as in the fields of tools, and
 * arguments that came as the text of their JSON are read.
 */
function asMeant(message: unknown): unknown {
  if (!isFields(message)) return message
  const { params, ...others } = message
  if (params === null) return others
  if (!isFields(params)) return message
  const { arguments: sent, ...named } = params
  const given = argumentsIn(sent)
  // Those of a tool are checked by its schema, which knows where null means something.
  const read = message['method'] === 'tools/call' ? given : withoutNull(given)
  const meant = withoutNull(named) as object
  return { ...message, params: read === undefined ? meant : { ...meant, arguments: read } }
}

/** Arguments that a host sent as a text: the object that it is the JSON of, or none where it is empty. */
function argumentsIn(sent: unknown): unknown {
  const isNone = typeof sent === 'string' && (!showsSomething(sent) || sent.trim() === 'null')
  return isNone ? undefined : (parsed(sent, isFields) ?? undefined)
}

function withoutNull(value: unknown, depth = 0): unknown {
  if (!isFields(value) || depth > DEEPEST_MEMBER) return value
  const said = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(said.map(([name, inner]) => [name, withoutNull(inner, depth + 1)]))
}

/** Answers one MCP message of either era. Raises `rate_limited` if no tool answers with that refusal. */
export async function serveMcp(
  request: Request,
  sent: unknown,
  mcp: McpContext,
): Promise<Response> {
  const body = asMeant(sent)
  let refusal: Problem | undefined
  try {
    await mcp.count(callKindOf(body))
  } catch (thrown) {
    if (!(thrown instanceof Problem) || !isToolCall(body)) throw thrown
    refusal = thrown
  }
  if (!isFields(body)) {
    noteProtocolError(mcp)
    return protocolError(400, -32600, Array.isArray(body) ? NO_BATCH : NO_MESSAGE)
  }
  const version = request.headers.get(VERSION_HEADER)
  // One that differs from the version in the envelope of a request is a mismatch, which the SDK refuses.
  if (version !== null && !VERSIONS.includes(version) && !namesVersion(body)) {
    noteProtocolError(mcp)
    return unknownVersion(version, body['id'])
  }
  const serving: Serving = { ...mcp, reworded: new Map(), namesProto: namesProto(body), refusal }
  const authInfo = authInfoOf(serving)
  const isLegacy = await isLegacyRequest(request, body)
  const response = isLegacy
    ? await serveLegacy(request, authInfo, body)
    : await modern.fetch(request, { authInfo, parsedBody: body })
  // The SDK refused it before its tool could say that it is one too many.
  if (refusal && !serving.answered) throw refusal
  if (
    serving.isOurs &&
    response.status === 200 &&
    response.headers.get('Content-Type') === JSON_TYPE
  )
    return new Response(response.body, { headers: OUR_HEADERS })
  const asked = { body, headers: request.headers, own: serving.reworded }
  return redactSdkErrors(response, asked, () => noteProtocolError(mcp))
}

function noteProtocolError({ log, note }: McpContext): void {
  log.code = 'protocol_error'
  note({ event: 'refusal', code: log.code })
}

/** Whether a message names its protocol version itself, as those of 2026-07-28 do. */
function namesVersion({ params }: Record<string, unknown>): boolean {
  const envelope = isFields(params) ? params['_meta'] : undefined
  return isFields(envelope) && envelope[PROTOCOL_VERSION_META_KEY] !== undefined
}

function namesProto({ params }: Record<string, unknown>): boolean {
  const given = isFields(params) ? params['arguments'] : undefined
  return isFields(given) && Object.hasOwn(given, '__proto__')
}

interface McpEndpoint {
  isOwnHost: boolean
  isKnownOrigin(origin: string): boolean
  context(): Promise<McpContext>
}

/** `/mcp`, stateless, for both eras. Refuses a wrong Host or Origin (DNS rebinding), then all but POST. */
export async function mcpEndpoint(request: Request, endpoint: McpEndpoint): Promise<Response> {
  if (!endpoint.isOwnHost) return protocolError(403, -32000, 'This host is not served.')
  const origin = request.headers.get('Origin')
  if (origin !== null && !endpoint.isKnownOrigin(origin))
    return protocolError(403, -32000, 'This origin is not allowed.')
  const mcp = await endpoint.context()
  try {
    const body = await readJson(request)
    if (body !== undefined) return serveMcp(request, body, mcp)
  } catch (thrown) {
    await mcp.count('reads')
    if (!(thrown instanceof Problem) || thrown.refusal.code !== 'validation_failed') throw thrown
    return protocolError(400, -32600, `${NO_REQUEST} One of its objects has a name twice.`)
  }
  await mcp.count('reads')
  return protocolError(400, -32700, 'The body is not JSON.')
}
