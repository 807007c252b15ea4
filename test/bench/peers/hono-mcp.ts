import { StreamableHTTPTransport } from '@hono/mcp'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { Hono } from 'hono'

import { type Env, Calendar } from './practice.ts'
import { registerTools } from './tools.ts'

export { Calendar }

const app = new Hono<{ Bindings: Env }>()

/** `@hono/mcp` over the 1.x SDK: a server and a transport for each request, since a Worker keeps none. */
app.all('/mcp', async (c) => {
  const server = new McpServer({ name: 'peer', version: '1.0.0' })
  registerTools(server.registerTool.bind(server), c.env, 'first')
  const transport = new StreamableHTTPTransport({ enableJsonResponse: true })
  await server.connect(transport)
  return transport.handleRequest(c)
})

export default app
