import { crossOrigin } from '../access/cors.ts'
import { oauthChallenge } from '../access/oauth-challenge.ts'
import { addOAuthRoutes } from '../access/oauth-routes.ts'
import { addAdminRoutes } from '../admin/routes.ts'
import { addConsoleRoutes } from '../console/routes.ts'
import { addDiscoveryRoutes, isPublicDocument } from '../discovery/routes.ts'
import { Problem } from '../domain/problem.ts'
import { healthOf } from '../health/self-check.ts'
import { addHookRoutes } from '../hooks/routes.ts'
import { App } from '../http/app-env.ts'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { documentCredentials, openApiDocument } from '../openapi/document.ts'
import { addOperationRoutes } from '../rest/routes.ts'
import { mockInvoice } from '../wiring.ts'
import { guardLocalTrial } from './addresses.ts'
import { addMcpRoute } from './mcp-route.ts'
import { observed } from './observed.ts'
import { isSafe, methodRefusal, refusalResponse } from './refusals.ts'
import { allowedOrigins } from './request-context.ts'

/** The HTTP interface: middleware for every request, then each group of routes, then the refusals. */
export function createApp(): App {
  const app = new App()
  app.use(observed)
  app.use(crossOrigin(allowedOrigins, isPublicDocument))
  app.use(guardLocalTrial)
  app.use(oauthChallenge)
  app.use(methodNotAllowed({ app, onMethodNotAllowed: methodRefusal }))

  documentCredentials(app)
  addDiscoveryRoutes(app, { openApi: (site) => openApiDocument(app, site), mockInvoice, health: healthOf })
  addOperationRoutes(app)
  addAdminRoutes(app)
  addOAuthRoutes(app)
  addConsoleRoutes(app)
  addHookRoutes(app)
  addMcpRoute(app)

  app.notFound((c) => refusalResponse(c, { code: 'not_found', effect: 'none' }))
  app.onError((thrown, c) =>
    thrown instanceof Problem
      ? refusalResponse(c, thrown.refusal, thrown)
      : refusalResponse(c, { code: 'internal_error', effect: isSafe(c.req.method) ? 'none' : 'unknown' }),
  )
  return app
}
