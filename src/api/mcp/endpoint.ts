import { trimmed } from '../../core/domain/name.ts'
import { Problem } from '../../core/domain/problem/problem.ts'
import { type Fields, isFields } from '../../core/json.ts'
import { JsonMistake } from '../../practice/operations/hints.ts'
import { readFields } from '../http/body.ts'
import { parsedAs } from './arguments.ts'
import { plainAnswer } from './plain.ts'
import {
  NO_BATCH,
  NO_MESSAGE,
  NO_REQUEST,
  VERSIONS,
  VERSION_HEADER,
  VERSION_KEY,
  protocolError,
  unknownVersion,
} from './protocol.ts'
import { serveWithSdk } from './server.ts'
import {
  type McpCall,
  type McpContext,
  callKindOf,
  callTool,
  namesTool,
  noteProtocolError,
} from './tool-calls.ts'

interface McpEndpoint {
  isOwnHost: boolean
  isKnownOrigin(origin: string): boolean
  context(): Promise<McpContext>
}

/** `/mcp`, stateless, for both eras. Refuses a wrong Host or Origin (DNS rebinding), then all but POST. */
export async function mcpEndpoint(request: Request, endpoint: McpEndpoint) {
  if (!endpoint.isOwnHost) return protocolError(403, -32000, 'This host is not served.')
  const origin = request.headers.get('Origin')
  if (origin !== null && !endpoint.isKnownOrigin(origin))
    return protocolError(403, -32000, 'This origin is not allowed.')
  const mcp = await endpoint.context()
  let body: unknown
  try {
    body = await readFields(request)
    if (!(body instanceof JsonMistake)) return serveMcp(request, body, mcp)
  } catch (thrown) {
    await mcp.count('reads')
    if (!(thrown instanceof Problem) || thrown.refusal.code !== 'validation_failed') throw thrown
    return protocolError(400, -32600, `${NO_REQUEST} One of its objects has a name twice.`)
  }
  await mcp.count('reads')
  return protocolError(400, -32700, `The body is not JSON${body.why}.`)
}

/** What a test replaces, to compare both paths. */
interface Parts {
  plainAnswer(headers: Headers, body: Fields, call: McpCall): ReturnType<typeof plainAnswer>
  callTool: McpCall['callTool']
}

/**
 * Answers one MCP message of either era: a plain one here, every other one by the SDK. Raises
 * `rate_limited` if no tool answers with that refusal.
 */
export async function serveMcp(
  request: Request,
  sent: unknown,
  mcp: McpContext,
  { plainAnswer: plain, callTool: tool }: Parts = { plainAnswer, callTool },
) {
  const body = asMeant(sent)
  let overQuota: Problem | undefined
  try {
    await mcp.count(callKindOf(body))
  } catch (thrown) {
    if (!(thrown instanceof Problem) || !namesTool(body)) throw thrown
    overQuota = thrown
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
  const call = { ...mcp, overQuota, callTool: tool }
  const answer = plain(request.headers, body, call)
  if (answer) return answer
  return serveWithSdk(request, body, call)
}

/** Whether a message names its protocol version itself, as those of 2026-07-28 do. */
function namesVersion({ params }: Fields) {
  const envelope = isFields(params) ? params['_meta'] : undefined
  return isFields(envelope) && envelope[VERSION_KEY] !== undefined
}

/** The members of the protocol lie no deeper in its parameters. */
const DEEPEST_MEMBER = 4

/**
 * A message as it is meant: null in its parameters is left out, as in the fields of tools, and
 * arguments that came as the text of their JSON are read. Neither the parameters nor a member of them or
 * of their `_meta` is a list: PHP writes an empty object as one
 * (https://github.com/modelcontextprotocol/php-sdk/issues/284).
 */
function asMeant(message: unknown): unknown {
  if (!isFields(message)) return message
  const { params, ...others } = message
  if (params === null || (Array.isArray(params) && params.length === 0)) return others
  if (!isFields(params)) return message
  const members = withObjects(params)
  if (isFields(members['_meta'])) members['_meta'] = withObjects(members['_meta'])
  const { arguments: sent, ...named } = members
  const given = argumentsIn(sent)
  // Those of a tool are checked by its schema, which knows where null means something.
  const read = message['method'] === 'tools/call' ? given : withoutNull(given)
  const meant = withoutNull(named) as object
  return { ...message, params: read === undefined ? meant : { ...meant, arguments: read } }
}

/** These fields, with an empty object for each empty list among them. */
function withObjects(fields: Fields): Fields {
  const all = { ...fields }
  for (const [name, value] of Object.entries(fields))
    if (Array.isArray(value) && value.length === 0) all[name] = {}
  return all
}

/** Arguments that a host sent as a text: the object that it is the JSON of, or none where it is empty. */
function argumentsIn(sent: unknown): unknown {
  const isNone = typeof sent === 'string' && ['', 'null'].includes(trimmed(sent))
  return isNone ? undefined : (parsedAs(sent, isFields) ?? undefined)
}

function withoutNull(value: unknown, depth = 0): unknown {
  if (!isFields(value) || depth > DEEPEST_MEMBER) return value
  const said = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(said.map(([name, inner]) => [name, withoutNull(inner, depth + 1)]))
}
