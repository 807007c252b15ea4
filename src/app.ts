import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { hashApiKey, newApiKey } from './access/api-key.ts'
import { crossOrigin } from './access/cors.ts'
import type { OwnerDoor } from './access/oauth-door.ts'
import { oauthEdge } from './access/oauth-edge.ts'
import { addOAuthRoutes } from './access/oauth-routes.ts'
import { guardLocalTrial, isKnownOrigin, isOwnHost } from './addresses.ts'
import { addAdminRoutes } from './admin/routes.ts'
import { App, type AppEnv } from './app-env.ts'
import { allowedOrigins, contextOf, limitsOf, siteOf } from './context.ts'
import { addDiscoveryRoutes, isPublicDocument } from './discovery/routes.ts'
import { makeSafe } from './answer.ts'
import { Problem } from './domain/problem.ts'
import { requireScope } from './domain/scopes.ts'
import type { Reason } from './domain/trouble.ts'
import { mcpEndpoint } from './mcp/endpoint.ts'
import { note } from './notes.ts'
import type { Context } from './operations/perform.ts'
import { readBody, readJson } from './rest/body.ts'
import { documentCredentials, mcpRoute, openApiDocument } from './rest/openapi.ts'
import { refuse, refuseMethod } from './refusals.ts'
import { queryOf } from './rest/query.ts'
import { addOperationRoutes } from './rest/routes.ts'
import { lookAgain, selfCheck } from './self-check.ts'
import { settingsFrom } from './settings.ts'
import {
  accessFrom,
  auditFrom,
  clientDeletionFrom,
  doubtsFrom,
  keyringFrom,
  mockInvoice,
  modesFrom,
  selfChecksFrom,
} from './wiring.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The whole HTTP face: request id, log line and the headers of every answer, then discovery, REST and MCP. */
export function createApp(): App {
  const app = new App()
  app.use(observed)
  app.use(crossOrigin(allowedOrigins, isPublicDocument))
  app.use(guardLocalTrial)
  app.use(oauthEdge(ownerDoor))
  app.use(methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }))
  documentCredentials(app)
  addDiscoveryRoutes(app, {
    openApi: (site) => openApiDocument(app, site),
    mockInvoice,
    health,
  })
  addOperationRoutes(app)
  addAdminRoutes(app, {
    asOwner,
    audit: (c) => auditFrom(c.env),
    access: (c) => accessFrom(c.env),
    doubts: (c) => doubtsFrom(c.env),
    clientDeletion: (c) => clientDeletionFrom(c.env),
    newSecret,
    readJson,
    examine: (c) => selfCheck(c.env, c.var.site().origin, 'examine_installation', c.var.log.caller),
    readQuery: (request) => queryOf(request.url),
  })
  addOAuthRoutes(app, ownerDoor)
  app.document(() => mcpRoute)
  app.post(mcpRoute.getRoutingPath(), (c) => {
    const log = c.get('log')
    log.operation = 'mcp'
    return mcpEndpoint(c.req.raw, {
      isOwnHost: isOwnHost(c),
      isKnownOrigin: (from) => isKnownOrigin(c, from),
      readJson,
      async session() {
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
  app.notFound((c) => refuse(c, { code: 'not_found', effect: 'none' }))
  app.onError((thrown, c) =>
    thrown instanceof Problem
      ? refuse(c, thrown.refusal, thrown)
      : refuse(c, { code: 'internal_error', effect: c.req.method === 'GET' ? 'none' : 'unknown' }),
  )
  return app
}

const ownerDoor: OwnerDoor = {
  access: (c) => accessFrom(c.env),
  keyring: (c) => keyringFrom(settingsFrom(c.env)),
  oauthEnv: (c) => c.env,
  enrolmentHash: (c) => settingsFrom(c.env).OWNER_ENROLMENT_SHA256,
  readBody,
}

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
  c.set('note', (what) => note(c, what))
  let context: Promise<Context> | undefined
  c.set('context', () => (context ??= contextOf(c, ownerDoor)))
  await next()
  // Not c.header: that makes the whole response anew each time.
  const { headers } = c.res
  makeSafe(headers)
  headers.set('Request-Id', requestId)
  const policies = c.get('policies')
  if (policies !== undefined && !headers.has('RateLimit-Policy')) headers.set('RateLimit-Policy', policies)
  log.status = c.res.status
  if (log.status >= 400 && log.code === 'ok') log.code = 'protocol_error'
  log.duration_ms = Date.now() - started
  console.log(JSON.stringify(log))
  if (log.code === 'provider_misconfigured') afterwards(c, lookAgain(c.env))
}

/** Goes on after the answer; what comes of it must not change the answer. */
function afterwards(c: HonoContext<AppEnv>, work: Promise<void>): void {
  c.executionCtx.waitUntil(work.catch(() => {}))
}

/** What needs the owner; while something is wrong, it is looked at again now and then. */
async function health(
  c: HonoContext<AppEnv>,
): Promise<{ reasons: Reason[]; needs_attention: number | null }> {
  const known = await selfChecksFrom(c.env)
    .health()
    .catch(() => undefined)
  if (known === undefined) return { reasons: ['storage_unreadable'], needs_attention: null }
  const { troubles, told, unresolved } = known
  if (troubles.length > 0 || told.length > 0) afterwards(c, lookAgain(c.env))
  return { reasons: troubles.map(({ reason }) => reason), needs_attention: unresolved }
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
