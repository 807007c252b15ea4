import type { CallToolResult } from '@modelcontextprotocol/server'
import { safeHeaders } from '../http/security-headers.ts'
import { isFields } from './counting.ts'

type Fields = Record<string, unknown>

/** A message of a kind that agents send again and again. */
export interface Plain {
  id: string | number
  /** Of a call of a tool: which, and with what. */
  call?: { name: string; given: Fields }
  /** All that the SDK looks at besides: the rest of the message, and the headers of the protocol. */
  like: string
}

/** How the SDK answered a message like this one: what stands around its id, or around the result of a tool. */
interface Frame {
  headers: Headers
  before: string
  after: string
  /** The fields of a result of a tool that are the SDK's own. */
  added?: Fields
}

/** The answers to these follow from the message and from what the caller may do. */
const SAME_EACH_TIME: readonly unknown[] = [
  'initialize',
  'ping',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'server/discover',
  'tools/list',
]

/** The headers that the protocol gives a meaning; those of single parameters only for tools that declare them. */
const HEADERS = [
  'Accept',
  'Content-Type',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
]

const FRAMES_KEPT = 256
const LONGEST_KEPT = 4096

const frames = new Map<string, Frame>()

/** The message as a plain one, or nothing if only the SDK can tell what it is. */
export function plainOf(request: Request, body: unknown, scopes: readonly string[]): Plain | undefined {
  if (!isFields(body)) return undefined
  const { id, ...rest } = body
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined
  const headers = HEADERS.map((name) => request.headers.get(name))
  const like = (message: Fields) => JSON.stringify([message, headers, typeof id, scopes])
  if (SAME_EACH_TIME.includes(rest['method'])) return { id: id as string | number, like: like(rest) }
  const { params } = rest
  if (rest['method'] !== 'tools/call' || !isFields(params)) return undefined
  const { arguments: given = {}, ...about } = params
  const { name } = about
  // The SDK loses an argument of this name on the way.
  if (typeof name !== 'string' || !isFields(given) || Object.hasOwn(given, '__proto__')) return undefined
  const call = { name, given }
  return { id: id as string | number, call, like: like({ ...rest, params: about }) }
}

/** The frame of a message that the SDK has answered before. */
export const knownFrame = ({ like }: Plain): Frame | undefined => frames.get(like)

/** Remembers how the SDK answered, if the answer can be put together again from its frame to the byte. */
export function remember(plain: Plain, response: Response, text: string, result?: CallToolResult): void {
  if (response.status !== 200 || plain.like.length > LONGEST_KEPT) return
  const frame = frameOf(plain, text, safeHeaders(Object.fromEntries(response.headers)), result)
  if (!frame || textIn(frame, plain, result) !== text) return
  if (frames.size >= FRAMES_KEPT) frames.clear()
  frames.set(plain.like, frame)
}

/** The answer to a message, in a frame of the SDK; `result` where a tool was called. */
export const framed = (frame: Frame, plain: Plain, result?: CallToolResult): Response =>
  new Response(textIn(frame, plain, result), { headers: frame.headers })

function frameOf(
  plain: Plain,
  text: string,
  headers: Headers,
  result: CallToolResult | undefined,
): Frame | undefined {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}') + 1
  const [before, after] = [text.slice(0, start), text.slice(end)]
  const { id: _id, ...message } = JSON.parse(text.slice(start, end)) as { id: unknown; result?: Fields }
  if (!message.result) return undefined
  if (!plain.call) {
    const all = JSON.stringify(message).slice(0, -1)
    return { headers, before: `${before}${all},"id":`, after: `}${after}` }
  }
  if (!result) return undefined
  const ours = Object.keys(result)
  const added = Object.fromEntries(
    Object.entries(message.result).filter(([name]) => name === '_meta' || !ours.includes(name)),
  )
  const meta = Object.entries((added['_meta'] as Fields | undefined) ?? {})
  const own = meta.filter(([name]) => !Object.hasOwn(result._meta ?? {}, name))
  if (own.length > 0) added['_meta'] = Object.fromEntries(own)
  else delete added['_meta']
  return { headers, before, after, added }
}

function textIn(
  { before, after, added }: Frame,
  { id, call }: Plain,
  result: CallToolResult | undefined,
): string {
  if (!call || !added) return `${before}${JSON.stringify(id)}${after}`
  const meta = { ...result?._meta, ...(added['_meta'] as Fields | undefined) }
  const whole = { ...result, ...added, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) }
  return `${before}${JSON.stringify({ result: whole, jsonrpc: '2.0', id })}${after}`
}
