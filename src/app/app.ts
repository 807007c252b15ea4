import { addClientLinkRoutes } from '../api/client-link/routes.ts'
import { addDiscoveryRoutes } from '../api/discovery/routes.ts'
import { addNotificationRoutes } from '../api/hooks/routes.ts'
import { App } from '../api/http/app-env.ts'
import { mcpEndpoint } from '../api/mcp/endpoint.ts'
import { documentCredentials, openApiDocument, mcpRoute } from '../api/openapi/document.ts'
import { addOperationRoutes } from '../api/rest/routes.ts'
import { faultLine } from '../core/domain/log-line.ts'
import { Problem } from '../core/domain/problem/problem.ts'
import { addOAuthRoutes, setOAuthChallenge } from '../owner/access/oauth-routes.ts'
import { AUTHORIZE } from '../owner/access/oauth-server.ts'
import { OWNERS_PAGES, PageInstead, keepOpener, pagePolicy } from '../owner/access/owner-pages.ts'
import { addAdminRoutes } from '../owner/admin/routes.ts'
import { addConsoleRoutes } from '../owner/console/routes.ts'
import { healthOf } from '../owner/health/self-check.ts'
import { mockInvoice } from '../practice/wiring/providers.ts'
import {
  crossOrigin,
  guardLocalTrial,
  isKnownOrigin,
  isOwnHost,
  refuseUntilRestored,
} from './admission.ts'
import { addBackupRoutes } from './backup.ts'
import { methodRefusal, refusalResponse } from './refusals.ts'
import { isSafe, limitsOf, observed } from './request-context.ts'

/**
 * The HTTP interface: middleware for every request, then each group of routes, then the refusals.
 */
export function createApp(): App {
  const app = new App()
  app.use(observed)
  app.use(refuseUntilRestored)
  app.use(crossOrigin)
  app.use(guardLocalTrial)
  for (const page of OWNERS_PAGES) app.use(`${page}/*`, pagePolicy)
  app.use(AUTHORIZE, keepOpener)
  app.use(mcpRoute.path, async (c, next) => {
    await next()
    if (c.res.status === 401 || c.var.log.code === 'insufficient_scope') await setOAuthChallenge(c)
  })

  documentCredentials(app)
  addDiscoveryRoutes(app, {
    openApi: (site) => openApiDocument(app, site),
    mockInvoice,
    health: healthOf,
  })
  addOperationRoutes(app)
  addAdminRoutes(app)
  addBackupRoutes(app)
  addOAuthRoutes(app)
  addConsoleRoutes(app)
  addClientLinkRoutes(app, limitsOf)
  addNotificationRoutes(app)
  addMcpRoute(app)

  app.notFound((c) => {
    const methods = methodsOf(app, c.req.path)
    const isOther = methods.length > 0 && !methods.includes(c.req.method)
    return isOther
      ? methodRefusal(c, methods)
      : refusalResponse(c, { code: 'not_found', effect: 'none' })
  })
  app.onError((thrown, c) => {
    if (thrown instanceof PageInstead) return thrown.page
    if (thrown instanceof Problem) return refusalResponse(c, thrown.refusal, thrown)
    console.error(faultLine(thrown, { request_id: c.get('requestId') }))
    const effect = isSafe(c) ? 'none' : 'unknown'
    return refusalResponse(c, { code: 'internal_error', effect })
  })
  return app
}

/** The methods that a path has; none where no route has the path. Middleware is there for all methods. */
function methodsOf({ routes, router }: App, path: string): string[] {
  const methods = new Set(routes.map(({ method }) => method))
  const found = [...methods].filter((one) =>
    router.match(one, path)[0].some(([[, { method }]]) => method === one && method !== 'ALL'),
  )
  return found.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : one))
}

/** Adds `/mcp`; each message counts as a call. */
function addMcpRoute(app: App) {
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
        return {
          context,
          log,
          count: (kind) => limits.count(context.caller, kind),
          note: context.audit,
        }
      },
    })
  })
}
