import type { App } from '../http/app-env.ts'
import { mcpEndpoint } from '../mcp/endpoint.ts'
import { mcpRoute } from '../openapi/document.ts'
import { isKnownOrigin, isOwnHost } from './addresses.ts'
import { limitsOf } from './request-context.ts'

/** Adds `/mcp`; each message counts as a call. */
export function addMcpRoute(app: App): void {
  app.document(() => mcpRoute)
  app.post(mcpRoute.getRoutingPath(), (c) => {
    const log = c.get('log')
    log.operation = 'mcp'
    return mcpEndpoint(c.req.raw, {
      isOwnHost: isOwnHost(c),
      isKnownOrigin: (from) => isKnownOrigin(c, from),
      async context() {
        const context = await c.get('context')()
        const limits = limitsOf(c)
        return { context, log, count: (kind) => limits.count(context.caller, kind), note: context.audit }
      },
    })
  })
}
