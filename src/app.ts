import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { secureHeaders } from 'hono/secure-headers'
import { principalOf } from './access/principal.ts'
import { addAdminRoutes } from './admin/routes.ts'
import type { AppEnv, Site } from './app-env.ts'
import { addDiscoveryRoutes } from './discovery/routes.ts'
import { Problem, type Refusal } from './domain/problem.ts'
import { mcpEndpoint } from './mcp/endpoint.ts'
import type { Context } from './operations/perform.ts'
import { parseJson, readBody, readJson } from './rest/body.ts'
import { openApiDocument } from './rest/openapi.ts'
import { problemResponse } from './rest/problem-response.ts'
import { addOperationRoutes } from './rest/routes.ts'
import { LOOPBACK_HOSTS, originOf, settingsFrom } from './settings.ts'
import { confirmationsFrom, doubtsFrom, mockInvoice, modesFrom, portsFrom } from './wiring.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The whole HTTP face: request id and log line, security headers, then discovery, REST and MCP. */
export function createApp(): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>()
  app.use(observed)
  app.use(
    secureHeaders({
      strictTransportSecurity: 'max-age=31536000; includeSubDomains',
      referrerPolicy: 'no-referrer',
      xFrameOptions: 'DENY',
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
      },
    }),
  )
  app.use(methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }))
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the practice.',
  })
  addDiscoveryRoutes(app, {
    openApi: (origin) => openApiDocument(app, origin),
    mockInvoice,
    unresolved: (c) => doubtsFrom(c.env).count(),
  })
  addOperationRoutes(app)
  addAdminRoutes(app, { doubts: (c) => doubtsFrom(c.env), readJson })
  app.post('/mcp', (c) => {
    c.var.log.operation = 'mcp'
    const { origin } = c.var.site()
    return mcpEndpoint(c.req.raw, {
      hosts: origin === '' ? [] : isLoopback(origin) ? LOOPBACK_HOSTS : [new URL(origin).hostname],
      readBody,
      parseJson,
      session: async () => ({ context: await c.var.context(), log: c.var.log }),
    })
  })
  app.notFound((c) => refuse(c, { code: 'not_found', effect: 'none' }))
  app.onError((thrown, c) =>
    thrown instanceof Problem
      ? refuse(c, thrown.refusal, thrown.replayed)
      : refuse(c, { code: 'internal_error', effect: 'unknown' }),
  )
  return app
}

const isLoopback = (origin: string): boolean => LOOPBACK_HOSTS.includes(new URL(origin).hostname)

/** Gives the request its id, puts the request's context at hand, and writes the one log line. */
const observed: MiddlewareHandler<AppEnv> = async (c, next) => {
  const started = Date.now()
  const given = c.req.header('Request-Id') ?? c.req.header('X-Request-Id') ?? ''
  const requestId = UUID.test(given) ? given : crypto.randomUUID()
  const log = {
    request_id: requestId,
    operation: 'none',
    code: 'ok',
    status: 0,
    duration_ms: 0,
    caller: 'none',
    mode: 'none',
  }
  c.set('requestId', requestId)
  c.set('log', log)
  c.set('site', () => siteOf(c))
  c.set('context', () => contextOf(c))
  await next()
  c.header('Request-Id', requestId)
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
  log.status = c.res.status
  log.duration_ms = Date.now() - started
  console.log(JSON.stringify(log))
}

function siteOf(c: HonoContext<AppEnv>): Site {
  const settings = settingsFrom(c.env)
  return { origin: originOf(settings, c.req.url), practice: settings.practice, modes: modesFrom(c.env) }
}

async function contextOf(c: HonoContext<AppEnv>): Promise<Context> {
  const settings = settingsFrom(c.env)
  const origin = originOf(settings, c.req.url)
  const ports = await portsFrom(c.env, origin)
  const { caller, scopes } = principalOf(c.req.raw, settings)
  c.var.log.caller = caller
  return { caller, scopes, ports, confirmations: confirmationsFrom(c.env), origin }
}

function refuse(c: HonoContext<AppEnv>, refusal: Refusal, replayed = false): Response {
  c.var.log.code = refusal.code
  return problemResponse(refusal, { requestId: c.var.requestId, origin: originOrNone(c), replayed })
}

function refuseMethod(c: HonoContext<AppEnv>, methods: string[]): Response {
  const response = refuse(c, { code: 'method_not_allowed', effect: 'none' })
  response.headers.set('Allow', methods.join(', '))
  return response
}

/** A refusal must be possible even where the settings are what is refused. */
function originOrNone(c: HonoContext<AppEnv>): string {
  try {
    return c.var.site().origin
  } catch {
    return ''
  }
}
