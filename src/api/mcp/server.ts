import type {
  AuthInfo,
  ClientCapabilities,
  InputRequiredResult,
  McpRequestContext,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server'

import { lazily } from '../../core/domain/lazy.ts'
import type { Refusal } from '../../core/domain/problem/problem.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { type Fields } from '../../core/json.ts'
import { unknownName } from '../../practice/operations/hints.ts'
import { toolsFor } from '../../practice/operations/index.ts'
import { PROMPTS } from '../../practice/operations/prompts.ts'
import { acceptsJson, safeHeaders } from '../http/answers.ts'
import {
  NOT_ACCEPTABLE,
  NO_STORE,
  protocolError,
  CAPABILITIES,
  INSTRUCTIONS,
  KEPT_BY_HOSTS,
  serverInfo,
} from './protocol.ts'
import { refusalOf, serveResources } from './resources.ts'
import { acceptingAll, redactSdkErrors, withLostProto } from './sdk-gaps.ts'
import type * as Sdk from './sdk.ts'
import {
  type McpCall,
  noteProtocolError,
  operationNamed,
  type ApprovalClient,
} from './tool-calls.ts'
import { toolsShown } from './tools.ts'

// Most isolates answer no message that needs it, and it takes long to start.
const loaded = lazily(async () => {
  const sdk = await import('./sdk.ts')
  return { sdk, modern: sdk.createMcpHandler(serverFor, { legacy: 'reject' }) }
})

interface Serving extends McpCall {
  sdk: typeof Sdk
  body: Fields
  /** Protocol errors in our own words, with the code that they go out with. */
  reworded: Map<string, number>
  answered?: boolean
  isOurs?: boolean
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

function serverFor({ authInfo, era }: McpRequestContext): Server {
  const serving = servingIn(authInfo)
  const server = new serving.sdk.Server(serverInfo(serving.context.origin), {
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    cacheHints: {
      'tools/list': KEPT_BY_HOSTS,
      'prompts/list': KEPT_BY_HOSTS,
      'resources/list': KEPT_BY_HOSTS,
      'resources/templates/list': KEPT_BY_HOSTS,
      'resources/read': { ...KEPT_BY_HOSTS, ttlMs: 0 },
      'server/discover': KEPT_BY_HOSTS,
    },
  })
  serveTools(server, serving)
  servePrompts(server, serving)
  serveResources(server, serving, era)
  return server
}

/** The error of a request whose parameters are wrong. */
const invalidParams = (serving: Serving, message: string) =>
  refusalOf(serving, serving.sdk.ProtocolErrorCode.InvalidParams, message)

function serveTools(server: Server, serving: Serving) {
  server.setRequestHandler('tools/list', () => {
    serving.isOurs = true
    return { tools: toolsShown(serving.context) }
  })
  server.setRequestHandler('tools/call', async ({ params }, request) => {
    const operation = operationNamed(params.name)
    if (!operation) {
      const tools = toolsFor(serving.context)
      throw invalidParams(serving, unknownName('tool', 'tools/list', params.name, tools))
    }
    const given = withLostProto(params.arguments ?? {}, serving.body)
    serving.answered = true
    const result = await serving.callTool(
      operation,
      given,
      serving,
      approvalClient(serving.sdk, request),
    )
    // The SDK checks what asks the client for something, and may refuse it.
    serving.isOurs = 'content' in result
    return result
  })
}

function servePrompts(server: Server, serving: Serving) {
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

/** Answers a message of a revision before 2026-07-28 in plain JSON; the SDK would answer with a stream. */
async function serveLegacy(request: Request, authInfo: AuthInfo, { sdk, body }: Serving) {
  const server = serverFor({ era: 'legacy', authInfo, requestInfo: request })
  try {
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    if (!acceptsJson(request.headers.get('Accept')))
      return protocolError(406, -32000, NOT_ACCEPTABLE)
    return await transport.handleRequest(acceptingAll(request), { authInfo, parsedBody: body })
  } finally {
    await server.close()
  }
}

const JSON_TYPE = 'application/json'
const OUR_HEADERS = safeHeaders({ 'Content-Type': JSON_TYPE, 'Cache-Control': NO_STORE })

/** Answers a message by the SDK, which is the reference for every message. Raises `rate_limited`. */
export async function serveWithSdk(request: Request, body: Fields, call: McpCall) {
  const { sdk, modern } = await loaded()
  const serving: Serving = { ...call, sdk, body, reworded: new Map() }
  const authInfo = authInfoOf(serving)
  const isLegacy = await sdk.isLegacyRequest(request, body)
  const response = isLegacy
    ? await serveLegacy(request, authInfo, serving)
    : await modern.fetch(request, { authInfo, parsedBody: body })
  // The SDK refused it before its tool could say that it is one too many.
  if (call.overQuota && !serving.answered) throw call.overQuota
  if (
    serving.isOurs &&
    response.status === 200 &&
    response.headers.get('Content-Type') === JSON_TYPE
  )
    return new Response(response.body, { headers: OUR_HEADERS })
  const asked = { body, headers: request.headers, own: serving.reworded }
  return redactSdkErrors(response, asked, () => noteProtocolError(call))
}

const APPROVAL = 'approval'

/** How long a call waits for the decision of a person who has just opened the page. */
const WAIT_MS = 20 * SECOND

/** What the client of a request can do about an approval; clients before 2026-07-28 declare nothing. */
function approvalClient(sdk: typeof Sdk, { mcpReq }: ServerContext): ApprovalClient {
  const declared = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined
  const { elicitation } = declared?.[sdk.CLIENT_CAPABILITIES_META_KEY] ?? {}
  const answer = sdk.inputResponse(mcpReq.inputResponses, APPROVAL)
  const isOpened = answer.kind === 'elicit' && answer.action === 'accept'
  const opensPages = elicitation?.url !== undefined && answer.kind !== 'elicit'
  return {
    openPage: opensPages ? openApprovalPage.bind(undefined, sdk) : undefined,
    waitMs: isOpened ? WAIT_MS : undefined,
  }
}

/**
 * Asks the client to open the approval page. Opening decides nothing, so the call is sent again to
 * learn the decision.
 */
function openApprovalPage(
  { inputRequired }: typeof Sdk,
  { approval_url: url, approval_code }: Refusal,
  title: string,
): InputRequiredResult | undefined {
  if (url === undefined) return undefined
  const message =
    `${title}: the owner wants a person to approve it. Its code is ${approval_code}. ` +
    'Open the page to approve or decline it.'
  return inputRequired({ inputRequests: { [APPROVAL]: inputRequired.elicitUrl({ message, url }) } })
}
