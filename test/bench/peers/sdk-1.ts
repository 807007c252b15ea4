import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'

import { type Env, Calendar } from './practice.ts'
import { registerTools } from './tools.ts'

export { Calendar }

/** `@modelcontextprotocol/sdk` 1.x with its web-standard transport, stateless. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const server = new McpServer({ name: 'peer', version: '1.0.0' })
    registerTools(server.registerTool.bind(server), env, 'first')
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    return transport.handleRequest(request)
  },
}
