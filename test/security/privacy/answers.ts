import { isGet, methodAndPath } from '../../../src/practice/operations/endpoint.ts'
import { OPERATIONS } from '../../../src/practice/operations/index.ts'
import { type Canary, canary } from './canaries.ts'

type Fields = Record<string, unknown>

/** An answer as it came over the wire. */
export interface Answer {
  asked: string
  status: number
  headers: [string, string][]
  text: string
  /** The canaries that may be in it, because it is what they were sent for. */
  mayHold: readonly Canary[]
}

/** A preview of a cancellation shows the text that goes to the client; nothing else does. */
const isShownText = (text: string): boolean =>
  text.includes('"status":"preview"') && text.includes('"operation":"cancel_booking"')

/** What an operation answered, over whichever face. */
export interface Body {
  code?: string
  status?: string | number
  confirmation_token?: string
  result?: Fields
  booking?: Fields
  slots?: { start_time: string }[]
}

export const FACES = ['REST', 'MCP 2025-11-25', 'MCP 2026-07-28'] as const
export type Face = (typeof FACES)[number]

export interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: object | string
  mayHold?: readonly Canary[]
}

const nosyHeaders = {
  'User-Agent': canary('user_agent'),
  'Request-Id': canary('request_id'),
  'X-Request-Id': canary('request_id'),
  Cookie: `session=${canary('cookie')}`,
}

/** Credentials that are good for nothing. */
const WRONG_CREDENTIALS: readonly Record<string, string>[] = [
  { Authorization: `Bearer ${canary('authorization')}` },
  { Authorization: canary('authorization') },
  { Authorization: `Basic ${btoa(`${canary('other_email')}:${canary('authorization')}`)}` },
  { 'X-API-Key': canary('authorization') },
]

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: canary('mcp_client'), version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The message in a JSON or an event stream body. */
function messageIn(text: string): { result?: { structuredContent?: Body } } {
  const data = text.split('\n').findLast((line) => line.startsWith('data: {'))
  try {
    return JSON.parse(data?.slice('data: '.length) ?? text) as {
      result?: { structuredContent?: Body }
    }
  } catch {
    return {}
  }
}

export interface Inquirer {
  ask(path: string, sent?: Sent): Promise<string>
  rpc(face: Exclude<Face, 'REST'>, method: string, params?: Fields, sent?: Sent): Promise<string>
  call(face: Face, name: string, fields: Fields, key?: string): Promise<Body>
  /** The same with each credential that is good for nothing. */
  wrongly(): Inquirer[]
  /** The same with this API key. */
  as(key: string): Inquirer
}

/** Asks a connector over all its faces, with canaries in every header, and keeps every answer. */
export function inquirer(
  origin: string,
  answers: Answer[],
  codes: Set<string>,
  credential: Record<string, string> = {},
): Inquirer {
  async function ask(
    path: string,
    { method, headers, body, mayHold = [] }: Sent = {},
  ): Promise<string> {
    const verb = method ?? (body === undefined ? 'GET' : 'POST')
    const response = await fetch(origin + path, {
      method: verb,
      headers: {
        ...nosyHeaders,
        ...credential,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    answers.push({
      asked: `${answers.length + 1}: ${verb} ${path}`,
      status: response.status,
      headers: [...response.headers],
      text,
      mayHold: isShownText(text) ? [...mayHold, 'reason'] : mayHold,
    })
    // Not the examples in the OpenAPI document.
    const refused = response.status >= 400 || text.includes('"isError":true')
    const [, code] = (refused && /"code":"(\w+)"/.exec(text)) || []
    if (code !== undefined) codes.add(code)
    return text
  }

  /** One JSON-RPC message, in either era. */
  function rpc(face: Exclude<Face, 'REST'>, method: string, params: Fields = {}, sent: Sent = {}) {
    const headers: Record<string, string> = {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': face.slice('MCP '.length),
    }
    if (face === 'MCP 2025-11-25') {
      return ask('/mcp', {
        ...sent,
        headers: { ...headers, ...sent.headers },
        body: sent.body ?? { jsonrpc: '2.0', id: 1, method, params },
      })
    }
    headers['Mcp-Method'] = method
    if (typeof params['name'] === 'string') headers['Mcp-Name'] = params['name']
    return ask('/mcp', {
      ...sent,
      headers: { ...headers, ...sent.headers },
      body: sent.body ?? { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } },
    })
  }

  /** One call of an operation; an idempotency key where one is wanted. */
  async function call(face: Face, name: string, fields: Fields, key?: string): Promise<Body> {
    if (face !== 'REST') {
      const given = key === undefined ? fields : { ...fields, idempotency_key: key }
      const text = await rpc(face, 'tools/call', { name, arguments: given })
      return messageIn(text).result?.structuredContent ?? {}
    }
    const operation = OPERATIONS.find((one) => one.name === name)
    if (!operation) throw new Error(`no operation ${name}`)
    const left = { ...fields }
    const path = methodAndPath(operation).path.replaceAll(/\{(\w+)\}/g, (_all, field: string) => {
      const value = left[field]
      delete left[field]
      return encodeURIComponent(String(value))
    })
    const text = isGet(operation)
      ? await ask(`${path}?${new URLSearchParams(left as Record<string, string>).toString()}`)
      : await ask(path, {
          body: left,
          headers: key === undefined ? {} : { 'Idempotency-Key': key },
        })
    return JSON.parse(text) as Body
  }

  const wrongly = () => WRONG_CREDENTIALS.map((wrong) => inquirer(origin, answers, codes, wrong))

  const as = (key: string) => inquirer(origin, answers, codes, { Authorization: `Bearer ${key}` })

  return { ask, rpc, call, wrongly, as }
}
