import type { MiddlewareHandler } from 'hono'

import { isPublicDocument } from '../api/discovery/routes.ts'
import type { AppEnv, AppContext } from '../api/http/app-env.ts'
import { isLoopback, parseOrigin } from '../core/domain/origin.ts'
import { problem } from '../core/domain/problem/problem.ts'
import { settingsFrom } from '../core/settings.ts'
import { REGISTER, TOKEN } from '../owner/access/oauth-server.ts'
import { isOwnersOnly } from '../owner/access/owner-pages.ts'
import { MCP, originOrNone } from './request-context.ts'

/**
 * Which headers a page may send, and which of an answer it may read: all, since no cookie identifies a
 * caller here and programs add their own, such as those of a trace. The Fetch standard wants
 * Authorization by its name.
 */
const SENT_HEADERS = '*, Authorization'
const READ_HEADERS = '*'

/** Browsers remember the answer to a preflight for two hours at most. */
const REMEMBERED_SECONDS = '7200'

/**
 * The pages of which origins may ask for a path: every page for how to sign in, for tokens and for
 * documents, where no cookie identifies a caller; no page of another site for the owner's pages.
 */
function openTo(path: string): 'all' | 'allowed' | 'none' {
  // Nearly all requests are calls.
  if (path === MCP || path.startsWith('/v1/')) return 'allowed'
  if (isOwnersOnly(path)) return 'none'
  const isSignIn = path.startsWith('/.well-known/oauth-') || path === TOKEN || path === REGISTER
  return isSignIn || isPublicDocument(path) ? 'all' : 'allowed'
}

/**
 * While a restore fills this connector it answers nothing else: half of what it knows would be
 * worse than none. Raises `not_configured`, also where the settings are wrong.
 */
export const refuseUntilRestored: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { path } = c.req
  if (path === '/health' || path === '/v1/restore') return next()
  const { RESTORE_SHA256 } = c.get('settings') ?? settingsFrom(c.env)
  if (RESTORE_SHA256 === undefined) return next()
  throw problem('not_configured', {
    detail:
      'The owner is restoring this service from a backup; until that has ended it does nothing else.',
    next_step: 'Repeat the same request with the same idempotency key in some minutes.',
    retry_after_seconds: 60,
  })
}

/** CORS: pages of allowed origins may call all but the owner's pages, others only what signing in takes. */
export const crossOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = c.req.header('Origin')
  const open = openTo(c.req.path)
  const origins = open === 'none' ? [] : allowedOrigins(c)
  const anyone = open === 'all'
  const isNamed = origin !== undefined && origins.includes(origin)
  if ((isNamed || anyone) && isPreflight(c)) {
    c.var.log.operation = 'preflight'
    const headers = new Headers({
      'Access-Control-Allow-Methods': anyone ? 'GET, POST' : 'GET, POST, PUT, DELETE',
      'Access-Control-Allow-Headers': SENT_HEADERS,
      'Access-Control-Max-Age': REMEMBERED_SECONDS,
    })
    if (!anyone) headers.append('Vary', 'Origin')
    grant(headers, anyone ? '*' : origin!)
    return new Response(null, { status: 204, headers })
  }
  await next()
  if (origins.length > 0 && !anyone) c.res.headers.append('Vary', 'Origin')
  if (anyone) grant(c.res.headers, '*')
  else if (isNamed) grant(c.res.headers, origin)
  return undefined
}

function grant(headers: Headers, origin: string) {
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Expose-Headers', READ_HEADERS)
}

const isPreflight = (c: AppContext) =>
  c.req.method === 'OPTIONS' &&
  c.req.header('Origin') !== undefined &&
  c.req.header('Access-Control-Request-Method') !== undefined

/** The other origins whose pages may call; none if the settings are wrong. */
const allowedOrigins = (c: AppContext): readonly string[] =>
  c.get('settings')?.ALLOWED_ORIGINS ?? []

/** Whether a request came to the public address or to loopback; any other host is DNS rebinding. */
export const isOwnHost = (c: AppContext) =>
  isLoopback(c.req.url) ||
  parseOrigin(c.req.url)?.hostname === parseOrigin(originOrNone(c))?.hostname

/** Whether a page of this origin may call: ours, an allowed one, or on loopback any page of loopback. */
export const isKnownOrigin = (c: AppContext, origin: string) =>
  origin === parseOrigin(originOrNone(c))?.origin ||
  (isLoopback(c.req.url) && isLoopback(origin)) ||
  allowedOrigins(c).includes(origin)

/** In a local trial, refuses calls from pages of other sites, but for what every page may ask. */
export const guardLocalTrial: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { path } = c.req
  if (!c.get('settings')?.allowAnonymous || path === MCP) return next()
  if (!isOwnHost(c))
    throw problem('address_not_allowed', { detail: 'The header Host names another address.' })
  const origin = c.req.header('Origin')
  if (origin === undefined || isKnownOrigin(c, origin)) return next()
  // The owner's pages and those of client links judge their forms themselves.
  if (openTo(path) !== 'allowed' || path.startsWith('/c/')) return next()
  throw problem('address_not_allowed', {
    detail: 'The header Origin names a page of another site.',
  })
}
