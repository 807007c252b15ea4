import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'

import { type Env, Calendar } from './practice.ts'
import { registerTools } from './tools.ts'

export { Calendar }

/** `@modelcontextprotocol/server` 2.x: an `McpServer` for each request. */
export default {
  fetch(request: Request, env: Env): Promise<Response> {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'peer', version: '1.0.0' })
      registerTools(server.registerTool.bind(server), env)
      return server
    })
    return handler.fetch(request)
  },
}
