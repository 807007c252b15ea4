import {
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  createMcpHandler,
} from '@modelcontextprotocol/server'
import { HOUR } from '../domain/duration.ts'
import { NOTES_NOTICE } from '../domain/intake.ts'
import type { Practice } from '../domain/practice.ts'
import type { Problem } from '../domain/problem.ts'
import { TOOLS, toolsFor } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'
import { PROMPTS } from '../operations/prompts.ts'
import { TWO_CALLS } from '../operations/two-calls.ts'
import { VERSION } from '../version.ts'
import { approvalClient } from './approval-request.ts'
import { isBatch, noBatch, serveBatch } from './batch.ts'
import { countAll, isFields, operationNamed } from './counting.ts'
import { NO_REQUEST, protocolError, withoutEcho } from './protocol-errors.ts'
import { serveResources } from './resources.ts'
import { type McpContext, callTool } from './tool-calls.ts'
import { type Tool, toolOf, withChoices } from './tools.ts'

interface Serving extends McpContext {
  /** The protocol errors in our own words, with the code that they go out with. */
  reworded: Map<string, number>
  /** An argument is called __proto__. The SDK loses it on the way; it is refused like any unknown field. */
  namesProto: boolean
  /** The call is one too many: what its tool answers in place of doing anything. */
  refusal: Problem | undefined
  /** A tool was called, and answers for itself. */
  answered?: boolean
}

/** What a host may put before the model, beside the tools. */
export const INSTRUCTIONS = `Consults, client intake and payment links of one financial practice. Every change takes two calls. ${TWO_CALLS} Send times back exactly as they were returned, with their offset. Personal data is returned masked. ${NOTES_NOTICE} What is booked, who the clients are and whether a link is paid can be read as resources, consult://today among them.`

const tools = new WeakMap<Practice, Map<Operation, Tool>>()

/** The tools of a practice, made once: only the kinds of consult in them are its own. */
function toolsOf(practice: Practice): Map<Operation, Tool> {
  const made =
    tools.get(practice) ??
    new Map(TOOLS.map((one) => [one, withChoices(toolOf(one), one.choices?.(practice) ?? {})]))
  tools.set(practice, made)
  return made
}

/** A fresh server for one request, as the SDK requires; everything that does not depend on the request was made before. */
function serverFor({ authInfo, era }: McpRequestContext): Server {
  const serving = authInfo?.extra?.['serving'] as Serving
  const refuse = (message: string): ProtocolError => {
    serving.reworded.set(message, ProtocolErrorCode.InvalidParams)
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
  server.setRequestHandler('tools/list', () => {
    const made = toolsOf(serving.context.services.practice)
    return { tools: toolsFor(serving.context).map((operation) => made.get(operation)!) }
  })
  server.setRequestHandler('tools/call', async ({ params }, request) => {
    const operation = operationNamed(params.name)
    if (!operation) throw refuse('Unknown tool.')
    const given = params.arguments ?? {}
    const whole = serving.namesProto ? { ...given, ['__proto__']: null } : given
    serving.answered = true
    return callTool(operation, whole, serving, serving.refusal, approvalClient(request))
  })
  const prompts = PROMPTS.filter(({ scopes }) => scopes.every((one) => serving.context.scopes.includes(one)))
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
    if (!prompt) throw refuse('Unknown prompt.')
    const given = params.arguments ?? {}
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(given) } }],
    }
  })
  serveResources(server, serving, era)
  return server
}

const handler = createMcpHandler(serverFor)

/**
 * Answers the MCP messages of one request, of either protocol era; each counts as a call. `body` is the parsed JSON of
 * the request. Raises `rate_limited` where a message that no tool answers is one too many.
 */
export async function serveMcp(request: Request, body: unknown, mcp: McpContext): Promise<Response> {
  const messages = Array.isArray(body) && body.length > 0 ? (body as unknown[]) : [body]
  const refusals = await countAll(messages, mcp.count)
  if (!Array.isArray(body)) return serveOne(request, body, mcp, refusals[0], 'alone')
  if (isBatch(body))
    return serveBatch(body, (message, at) => serveOne(request, message, mcp, refusals[at], 'in a batch'))
  const overQuota = refusals.find((refusal) => refusal !== undefined)
  if (overQuota) throw overQuota
  return refused(mcp, noBatch())
}

async function serveOne(
  request: Request,
  message: unknown,
  mcp: McpContext,
  refusal: Problem | undefined,
  place: 'alone' | 'in a batch',
): Promise<Response> {
  if (!isFields(message)) return refused(mcp, protocolError(400, -32600, NO_REQUEST))
  const serving: Serving = { ...mcp, reworded: new Map(), namesProto: namesProto(message), refusal }
  const authInfo = { token: '', clientId: mcp.context.caller, scopes: [], extra: { serving } }
  const response = await handler.fetch(request, { authInfo, parsedBody: message })
  // The SDK refused it before its tool could say that it is one too many; beside others that are answered it stays so.
  if (refusal && !serving.answered && place === 'alone') throw refusal
  return withoutEcho(response, serving.reworded, () => noteProtocolError(mcp))
}

function refused(mcp: McpContext, answer: Response): Response {
  noteProtocolError(mcp)
  return answer
}

function noteProtocolError({ log, note }: McpContext): void {
  log.code = 'protocol_error'
  note({ event: 'refusal', code: log.code })
}

function namesProto({ params }: Record<string, unknown>): boolean {
  const given = isFields(params) ? params['arguments'] : undefined
  return isFields(given) && Object.hasOwn(given, '__proto__')
}
