import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { secureHeaders } from 'hono/secure-headers'
import { hashApiKey, newApiKey } from './access/api-key.ts'
import { type OwnerDoor, isOpen } from './access/oauth-door.ts'
import { oauthEdge } from './access/oauth-edge.ts'
import { addOAuthRoutes } from './access/oauth-routes.ts'
import { principalOfToken } from './access/oauth-token.ts'
import { principalOf } from './access/principal.ts'
import { addAdminRoutes } from './admin/routes.ts'
import { App, type AppEnv, type Site } from './app-env.ts'
import { addDiscoveryRoutes } from './discovery/routes.ts'
import { Problem, type Refusal, problem } from './domain/problem.ts'
import { requireScope } from './domain/scopes.ts'
import { mcpEndpoint } from './mcp/endpoint.ts'
import type { Context } from './operations/perform.ts'
import { readBody, readJson } from './rest/body.ts'
import { mcpRoute, openApiDocument } from './rest/openapi.ts'
import { problemResponse } from './rest/problem-response.ts'
import { addOperationRoutes } from './rest/routes.ts'
import { LOOPBACK_HOSTS, originOf, settingsFrom } from './settings.ts'
import {
  confirmationsFrom,
  credentialsFrom,
  doubtsFrom,
  mockInvoice,
  modesFrom,
  ownerFrom,
  portsFrom,
} from './wiring.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The whole HTTP face: request id and log line, security headers, then discovery, REST and MCP. */
export function createApp(): App {
  const app = new App()
  app.use(observed)
  app.use(oauthEdge(ownerDoor))
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
  addDiscoveryRoutes(app, {
    openApi: (origin) => openApiDocument(app, origin),
    mockInvoice,
    unresolved: (c) => doubtsFrom(c.env).count(),
  })
  addOperationRoutes(app)
  addAdminRoutes(app, {
    asOwner,
    credentials: (c) => credentialsFrom(c.env),
    doubts: (c) => doubtsFrom(c.env),
    newSecret,
    readJson,
  })
  addOAuthRoutes(app, ownerDoor)
  app.document(mcpRoute)
  app.post(mcpRoute.getRoutingPath(), (c) => {
    c.var.log.operation = 'mcp'
    const { origin } = c.var.site()
    return mcpEndpoint(c.req.raw, {
      hosts: servedHosts(origin, c.req.url),
      readJson,
      session: async () => ({ context: await c.var.context(), log: c.var.log }),
    })
  })
  app.notFound((c) => refuse(c, { code: 'not_found', effect: 'none' }))
  app.onError((thrown, c) =>
    thrown instanceof Problem
      ? refuse(c, thrown.refusal, thrown.replayed)
      : refuse(c, { code: 'internal_error', effect: c.req.method === 'GET' ? 'none' : 'unknown' }),
  )
  return app
}

const ownerDoor: OwnerDoor = {
  owner: (c) => ownerFrom(c.env),
  credentials: (c) => credentialsFrom(c.env),
  oauthEnv: (c) => c.env,
  enrolmentHash: (c) => settingsFrom(c.env).OWNER_ENROLMENT_SHA256,
  readBody,
}

/** The host names of this service: the public one, and on loopback those of loopback. Any other is DNS rebinding. */
const servedHosts = (origin: string, called: string): string[] => [
  ...(origin === '' ? [] : [new URL(origin).hostname]),
  ...(isLoopback(called) ? LOOPBACK_HOSTS : []),
]

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
  if (log.status >= 400 && log.code === 'ok') log.code = 'protocol_error'
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
  if (origin === '') throw problem('not_configured', { detail: 'PUBLIC_URL is not set.' })
  const ports = await portsFrom(c.env, origin)
  const principal = await principalOf(c.req.raw, {
    allowAnonymous: settings.allowAnonymous,
    ownerKeyHash: settings.OWNER_KEY_SHA256,
    credentials: credentialsFrom(c.env),
    hasOwner: () => isOpen(c, ownerDoor),
    // An access token is for /mcp and nothing else (RFC 8707).
    ...(c.req.path === '/mcp' && {
      accessToken: (token: string) =>
        principalOfToken(token, { origin, env: c.env, owner: ownerFrom(c.env) }),
    }),
    deployed: !isLoopback(c.req.url),
  })
  c.var.log.caller = principal.caller
  return { ...principal, ports, confirmations: confirmationsFrom(c.env), origin }
}

async function asOwner(c: HonoContext<AppEnv>, operation: string): Promise<Context> {
  c.var.log.operation = operation
  const context = await c.var.context()
  requireScope(context.scopes, 'admin')
  return context
}

async function newSecret(c: HonoContext<AppEnv>): Promise<{ key: string; hash: string }> {
  const { scheduling, payments } = modesFrom(c.env)
  const kind = scheduling === 'live' || payments === 'live' ? 'live' : 'test'
  const key = newApiKey(kind, crypto.getRandomValues(new Uint8Array(32)))
  return { key, hash: await hashApiKey(key) }
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
