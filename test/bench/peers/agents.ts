import { McpServer } from '@modelcontextprotocol/server'
import { createMcpHandler } from 'agents/mcp/server'

import { type Env, Calendar } from './practice.ts'
import { registerTools } from './tools.ts'

export { Calendar }

/** `createMcpHandler` of `agents`, over the 2.x SDK. */
export default {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'peer', version: '1.0.0' })
      registerTools(server.registerTool.bind(server), env)
      return server
    })
    return handler(request, env, ctx)
  },
}
