import {
  type CallToolResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  createMcpHandler,
} from '@modelcontextprotocol/server'
import type { LogLine } from '../domain/log-line.ts'
import { Problem, problemBody } from '../domain/problem.ts'
import { OPERATIONS } from '../operations/index.ts'
import { type Context, type Request as Raw, perform } from '../operations/perform.ts'
import { PROMPTS } from '../operations/prompts.ts'
import { VERSION } from '../version.ts'
import { type Tool, toolOf } from './tools.ts'

/** What a call of the endpoint is served with. */
export interface Session {
  context: Context
  log: LogLine
}

const INSTRUCTIONS =
  'Consult booking, client intake and payment links of one financial practice. Every change is previewed with confirm=false and committed with confirm=true and the confirmation_token of the preview, under the same idempotency_key. Previews are meant to be shown to a person. A repeat with the same key never acts twice; after outcome_unknown or commit_in_progress the same call finds out the outcome. Personal data is returned masked.'

let tools: Tool[] | undefined
const toolList = (): Tool[] => (tools ??= OPERATIONS.map(toolOf))

const HOUR = 3_600_000

/** A fresh server for one request, as the SDK wants it; what does not depend on the request was made before. */
function serverFor({ authInfo }: McpRequestContext): Server {
  const session = authInfo?.extra?.['session'] as Session
  const server = new Server(
    { name: 'consult-connector', title: 'Consult connector', version: VERSION },
    {
      capabilities: { tools: {}, prompts: {}, resources: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': { ttlMs: HOUR, cacheScope: 'private' },
        'prompts/list': { ttlMs: HOUR, cacheScope: 'private' },
        'server/discover': { ttlMs: HOUR, cacheScope: 'private' },
      },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: toolList() }))
  server.setRequestHandler('tools/call', ({ params }) =>
    callTool(params.name, params.arguments ?? {}, session),
  )
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ name, title, description, arguments: given }) => ({
      name,
      title,
      description,
      arguments: given.map(({ example: _example, ...argument }) => argument),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}))
  // There are no resources yet; clients that ask get an empty list rather than an error.
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  return server
}

async function callTool(
  name: string,
  given: Record<string, unknown>,
  session: Session,
): Promise<CallToolResult> {
  const operation = OPERATIONS.find((one) => one.name === name)
  if (!operation) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool.')
  const { context, log } = session
  log.operation = operation.name
  try {
    const { body, text, replayed } = await perform(operation, requestOf(operation.kind, given), context)
    log.mode = String(body['mode'])
    return {
      content: [{ type: 'text', text }],
      structuredContent: body,
      ...(replayed ? { _meta: { idempotent_replayed: true } } : {}),
    }
  } catch (thrown) {
    const { refusal, replayed } =
      thrown instanceof Problem ? thrown : new Problem({ code: 'internal_error', effect: 'unknown' })
    log.code = refusal.code
    const problem = problemBody(refusal, log.request_id, context.origin)
    return {
      isError: true,
      content: [{ type: 'text', text: JSON.stringify(problem) }],
      structuredContent: { ...problem },
      ...(replayed ? { _meta: { idempotent_replayed: true } } : {}),
    }
  }
}

/** A mutation takes its key as an argument in place of the header; one that is no text is an invalid one. */
function requestOf(kind: 'read' | 'mutation', given: Record<string, unknown>): Raw {
  if (kind === 'read') return { fields: given }
  const { idempotency_key: key, ...fields } = given
  return { fields, key: key === undefined || typeof key === 'string' ? key : 'no text' }
}

function getPrompt(name: string, given: Record<string, string>) {
  const prompt = PROMPTS.find((one) => one.name === name)
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown prompt.')
  const missing = prompt.arguments.filter((argument) => argument.required && !given[argument.name])
  if (missing.length > 0) {
    const names = missing.map((argument) => argument.name).join(', ')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Missing argument: ${names}.`)
  }
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(given) } }],
  }
}

const handler = createMcpHandler(serverFor)

/** Answers one MCP message of either protocol era. `body` is the parsed JSON of the request. */
export async function serveMcp(request: Request, body: unknown, session: Session): Promise<Response> {
  const { caller } = session.context
  const authInfo = { token: '', clientId: caller, scopes: [], extra: { session } }
  return withoutEcho(await handler.fetch(request, { authInfo, parsedBody: body }))
}

const BLAND: Record<number, string> = {
  [-32020]: 'The MCP headers do not agree with the body.',
  [-32022]: 'This protocol version is not supported.',
  [-32600]: 'Not a valid request.',
  [-32601]: 'Unknown method.',
}

/** Protocol errors of the SDK repeat what was sent; ours never do. */
async function withoutEcho(response: Response): Promise<Response> {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  if (response.status < 400 || !isJson) return response
  const message = await response.json<{ error?: { code: number; message: string } }>()
  if (message.error) message.error.message = BLAND[message.error.code] ?? 'The request could not be served.'
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  return new Response(JSON.stringify(message), { status: response.status, headers })
}

/** A protocol error before a message could be read. */
export const protocolError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
