import {
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
} from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

export type Era = '2025-11-25' | '2026-07-28'

/** The ways in which a tool is called here: three clients of the field, and plain JSON-RPC in both eras. */
export const AGENTS = [
  'sdk 1.x',
  'client 2.x, 2025-11-25',
  'client 2.x, 2026-07-28',
  'JSON-RPC, 2025-11-25',
  'JSON-RPC, 2026-07-28',
] as const
export type Agent = (typeof AGENTS)[number]

export interface RpcReply {
  status: number
  headers: Headers
  /** The JSON-RPC message that came back, from a JSON or an event stream body. */
  message: {
    id?: unknown
    result?: Record<string, unknown>
    error?: { code: number; message: string; data?: unknown }
  }
  text: string
}

/** The headers with which a caller says who it is. */
export type Credential = Record<string, string>

const INFO = { name: 'end-to-end-tests', version: '1.0.0' }

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The plain request of a JSON-RPC call in one era. */
export function rpcRequest(era: Era, method: string, params: Record<string, unknown> = {}) {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': era,
  }
  if (era === '2025-11-25') return { headers, body: { jsonrpc: '2.0', id: 7, method, params } }
  headers['Mcp-Method'] = method
  if (typeof params['name'] === 'string') headers['Mcp-Name'] = params['name']
  return {
    headers,
    body: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: envelope } },
  }
}

/** With this header a message means the same, and is not plain: the SDK answers it. */
export const PAST_PLAIN_PATH = { 'Content-Type': 'application/json; charset="utf-8"' }

/** Posts anything to the MCP endpoint and reads back the one message. */
export async function postMcp(url: string, init: RequestInit): Promise<RpcReply> {
  const response = await fetch(new URL('/mcp', url), { method: 'POST', ...init })
  const text = await response.text()
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .at(-1)
    ?.slice('data: '.length)
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
  const json = isStream ? data : text
  return {
    status: response.status,
    headers: response.headers,
    message: json ? (JSON.parse(json) as RpcReply['message']) : {},
    text,
  }
}

/** Asks for a method in one era, as a plain request. */
export function askMcp(
  url: string,
  era: Era,
  method: string,
  params: Record<string, unknown> = {},
  more: Credential = {},
): Promise<RpcReply> {
  const { headers, body } = rpcRequest(era, method, params)
  const { uri } = params
  const named: Credential =
    era === '2026-07-28' && typeof uri === 'string' ? { 'Mcp-Name': uri } : {}
  return postMcp(url, { headers: { ...headers, ...named, ...more }, body: JSON.stringify(body) })
}

export interface ToolAnswer {
  isError?: boolean | undefined
  content: { type: string; text?: string }[]
  structuredContent?: Record<string, unknown> | undefined
  _meta?: Record<string, unknown> | undefined
}

interface Connected {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<ToolAnswer>
  close(): Promise<void>
}

/** A 1.x client that has listed the tools, so that it checks every answer against the output schema by itself. */
export async function sdk1(url: string, headers: Credential = {}): Promise<Client1> {
  const client = new Client1(INFO)
  const transport = new Transport1(new URL('/mcp', url), { requestInit: { headers } })
  // It predates exactOptionalPropertyTypes; what it is is a Transport.
  await client.connect(transport as unknown as Parameters<Client1['connect']>[0])
  await client.listTools()
  return client
}

/** A 2.x client that speaks the 2025 era, or finds out which eras there are and takes the latest. */
export async function client2(
  url: string,
  mode: 'legacy' | 'auto',
  headers: Credential = {},
): Promise<Client2> {
  const client = new Client2(INFO, { versionNegotiation: { mode } })
  await client.connect(new Transport2(new URL('/mcp', url), { requestInit: { headers } }))
  await client.listTools()
  return client
}

function rpcAgent(url: string, era: Era, credential: Credential): Connected {
  return {
    async callTool(call) {
      const { message, text } = await askMcp(url, era, 'tools/call', { ...call }, credential)
      if (!message.result) throw new Error(`No result: ${text}`)
      return message.result as unknown as ToolAnswer
    },
    close: () => Promise.resolve(),
  }
}

const connect: Record<Agent, (url: string, credential: Credential) => Promise<Connected>> = {
  'sdk 1.x': async (url, credential) => (await sdk1(url, credential)) as unknown as Connected,
  'client 2.x, 2025-11-25': async (url, credential) =>
    (await client2(url, 'legacy', credential)) as unknown as Connected,
  'client 2.x, 2026-07-28': async (url, credential) =>
    (await client2(url, 'auto', credential)) as unknown as Connected,
  'JSON-RPC, 2025-11-25': async (url, credential) => rpcAgent(url, '2025-11-25', credential),
  'JSON-RPC, 2026-07-28': async (url, credential) => rpcAgent(url, '2026-07-28', credential),
}

/** The agents of one caller, each connected when it is first used. */
export function agentsOf(url: string, credential: Credential) {
  const connected = new Map<Agent, Promise<Connected>>()
  return {
    async call(agent: Agent, name: string, given: Record<string, unknown>): Promise<ToolAnswer> {
      const client = connected.get(agent) ?? connect[agent](url, credential)
      connected.set(agent, client)
      // Who asks again connects again.
      client.catch(() => connected.delete(agent))
      return (await client).callTool({ name, arguments: given })
    },
    async close(): Promise<void> {
      await Promise.all([...connected.values()].map(async (client) => (await client).close()))
    },
  }
}
