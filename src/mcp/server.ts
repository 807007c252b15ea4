import {
  type CallToolResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  createMcpHandler,
} from '@modelcontextprotocol/server'
import { NOTES_NOTICE } from '../domain/intake.ts'
import type { LogLine } from '../domain/log-line.ts'
import type { CallKind } from '../domain/rate-limit.ts'
import { Problem, problemBody } from '../domain/problem.ts'
import { OPERATIONS } from '../operations/index.ts'
import { type Operation, modeOf } from '../operations/operation.ts'
import { type Context, type Request as Raw, perform } from '../operations/perform.ts'
import { PROMPTS } from '../operations/prompts.ts'
import type { AuditNote } from '../ports/audit.ts'
import { VERSION } from '../version.ts'
import { framed, knownFrame, plainOf, remember } from './frames.ts'
import { withoutEcho } from './protocol-errors.ts'
import { serveResources } from './resources.ts'
import { type Tool, toolOf } from './tools.ts'

/** What a call of the endpoint is served with. */
export interface Session {
  context: Context
  log: LogLine
  /** Counts one call of the caller. Raises `rate_limited`. */
  count(kind: CallKind): Promise<void>
  /** Tells the trail of a refusal that has no flow. */
  note(what: AuditNote): void
}

interface Serving extends Session {
  /** The protocol errors in our own words, with the code that they go out with. */
  said: Map<string, number>
  /** Ids of calls with an argument called __proto__. The SDK loses it on the way; it is refused like any unknown field. */
  namingProto: Set<unknown>
  /** What the tool answered, if one was called. */
  result?: CallToolResult
}

const INSTRUCTIONS = `Consult booking, client intake and payment links of one financial practice. Every change is previewed with confirm=false and committed with confirm=true and the confirmation_token of the preview, under the same idempotency_key. Previews are meant to be shown to a person. A repeat with the same key never acts twice; after outcome_unknown or commit_in_progress the same call finds out the outcome. Personal data is returned masked. ${NOTES_NOTICE} What is booked, who the clients are and whether a link is paid can be read as resources, consult://today among them.`

let tools: Tool[] | undefined
const toolList = (): Tool[] => (tools ??= OPERATIONS.map(toolOf))

const HOUR = 3_600_000

/** A fresh server for one request, as the SDK wants it; what does not depend on the request was made before. */
function serverFor({ authInfo, era }: McpRequestContext): Server {
  const serving = authInfo?.extra?.['serving'] as Serving
  const refuse = (message: string): ProtocolError => {
    serving.said.set(message, ProtocolErrorCode.InvalidParams)
    return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  }
  const server = new Server(
    { name: 'consult-connector', title: 'Consult connector', version: VERSION },
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
  server.setRequestHandler('tools/list', () => ({
    tools: toolList().filter((_tool, index) => serving.context.scopes.includes(OPERATIONS[index]!.scope)),
  }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const operation = operationNamed(params.name)
    if (!operation) throw refuse('Unknown tool.')
    const given = params.arguments ?? {}
    const whole = serving.namingProto.has(mcpReq.id) ? { ...given, ['__proto__']: null } : given
    serving.result = await callTool(operation, whole, serving)
    return serving.result
  })
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ name, title, description, arguments: given }) => ({
      name,
      title,
      description,
      arguments: given.map(({ example: _example, ...argument }) => argument),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = PROMPTS.find((one) => one.name === params.name)
    if (!prompt) throw refuse('Unknown prompt.')
    const given = params.arguments ?? {}
    const missing = prompt.arguments.filter((argument) => argument.required && !given[argument.name])
    if (missing.length > 0)
      throw refuse(`Missing argument: ${missing.map((argument) => argument.name).join(', ')}.`)
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(given) } }],
    }
  })
  serveResources(server, serving, era)
  return server
}

const operationNamed = (name: string): Operation | undefined => OPERATIONS.find((one) => one.name === name)

async function callTool(
  operation: Operation,
  given: Record<string, unknown>,
  { context, log, count, note }: Session,
): Promise<CallToolResult> {
  log.operation = operation.name
  log.mode = modeOf(operation, context.ports)
  try {
    await count(operation.kind === 'read' ? 'reads' : 'changes')
    const { body, text, replayed } = await perform(operation, requestOf(operation.kind, given), context)
    return {
      content: [{ type: 'text', text: text() }],
      structuredContent: body,
      ...(replayed ? { _meta: { idempotent_replayed: true } } : {}),
    }
  } catch (thrown) {
    const { refusal, replayed, audited } = thrown instanceof Problem ? thrown : unexpected(operation)
    log.code = refusal.code
    if (!audited) note({ event: 'refusal', code: refusal.code })
    const problem = problemBody(refusal, log.request_id, context.origin)
    return {
      content: [{ type: 'text', text: JSON.stringify(problem) }],
      structuredContent: { ...problem },
      isError: true,
      ...(replayed ? { _meta: { idempotent_replayed: true } } : {}),
    }
  }
}

/** A fault of ours; only a read is sure to have had no effect. */
const unexpected = ({ kind }: Operation): Problem =>
  new Problem({ code: 'internal_error', effect: kind === 'read' ? 'none' : 'unknown' })

/** A mutation takes its key as an argument in place of the header; one that is no text is an invalid one. */
function requestOf(kind: 'read' | 'mutation', given: Record<string, unknown>): Raw {
  if (kind === 'read') return { fields: given }
  const { idempotency_key: key, ...fields } = given
  return { fields, key: key === undefined || typeof key === 'string' ? key : 'no text' }
}

const handler = createMcpHandler(serverFor)

/**
 * Answers the MCP messages of one request, of either protocol era; each counts as a call. `body` is the parsed JSON of
 * the request. Raises `rate_limited` where a message other than the call of a tool is one too many.
 */
export async function serveMcp(request: Request, body: unknown, session: Session): Promise<Response> {
  const { context, log } = session
  for (const message of [body].flat()) if (!isToolCall(message)) await session.count('reads')
  const plain = plainOf(request, body, context.scopes)
  const frame = plain && knownFrame(plain)
  if (frame) {
    const operation = plain.call && operationNamed(plain.call.name)
    return framed(frame, plain, operation && (await callTool(operation, plain.call?.given ?? {}, session)))
  }
  const serving: Serving = { ...session, said: new Map(), namingProto: namingProto(body) }
  const authInfo = { token: '', clientId: context.caller, scopes: [], extra: { serving } }
  const response = await handler.fetch(request, { authInfo, parsedBody: body })
  const answer = await withoutEcho(response, serving.said, () => {
    log.code = 'protocol_error'
    session.note({ event: 'refusal', code: log.code })
  })
  if (plain && answer.ok) remember(plain, answer, await answer.clone().text(), serving.result)
  return answer
}

/** A call of one of our tools, which is counted when it is made: the refusal is then the answer of the tool. */
function isToolCall(message: unknown): boolean {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return method === 'tools/call' && OPERATIONS.some(({ name }) => name === params?.name)
}

const namingProto = (body: unknown): Set<unknown> => {
  const messages = [body].flat() as ({ id?: unknown; params?: { arguments?: unknown } } | null)[]
  const naming = messages.filter((one) => Object.hasOwn(one?.params?.arguments ?? {}, '__proto__'))
  return new Set(naming.map((one) => one?.id))
}
