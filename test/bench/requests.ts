export type Era = '2025-11-25' | '2026-07-28'

/** A request as the bytes that go over the wire. */
export function httpRequest(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`)
}

const INFO = { name: 'bench', version: '1.0.0' }

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A JSON-RPC request as a client of one protocol era sends it. */
export function mcpRequest(
  era: Era,
  method: string,
  params: Record<string, unknown> = {},
  credential: Record<string, string> = {},
): Buffer {
  const headers: Record<string, string> = {
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': era,
    ...credential,
  }
  if (era === '2025-11-25') {
    return httpRequest('POST', '/mcp', { headers, body: { jsonrpc: '2.0', id: 7, method, params } })
  }
  headers['Mcp-Method'] = method
  if (typeof params['name'] === 'string') headers['Mcp-Name'] = params['name']
  return httpRequest('POST', '/mcp', {
    headers,
    body: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: ENVELOPE } },
  })
}

/** What `initialize` of the 2025 era sends. */
export const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO }
