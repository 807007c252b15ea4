import type { Context, MiddlewareHandler } from 'hono'

import type { AppEnv } from '../../api/http/app-env.ts'
import { REGISTER, TOKEN } from './oauth-server.ts'

const ASKED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, ' +
  'MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Request-Id, X-API-Key, ' +
  'X-Request-Id'

const EXPOSED_HEADERS =
  'Allow, ETag, Idempotent-Replayed, Link, MCP-Protocol-Version, Mcp-Session-Id, ' +
  'RateLimit, RateLimit-Policy, Request-Id, Retry-After, WWW-Authenticate'

/** Browsers remember the answer to a preflight for two hours at most. */
const REMEMBERED_SECONDS = '7200'

/** Paths that every page may ask: how to sign in, and for tokens. No cookie identifies a caller there. */
export const isAskedByAll = (path: string): boolean =>
  path.startsWith('/.well-known/oauth-') || path === TOKEN || path === REGISTER

/** The paths of the owner's own pages; more lie below each. */
export const OWNERS_PAGES = ['/authorize', '/owner', '/approve'] as const

/** Whether a path is one of the owner's own pages, or lies below one. No other site's page may ask for it. */
export const isOwnersOnly = (path: string): boolean =>
  OWNERS_PAGES.some((page) => path === page || path.startsWith(`${page}/`))

/** CORS: pages of `allowed` origins may call all but the owner's pages, others only what signing in takes. */
export const crossOrigin =
  (
    allowed: (c: Context<AppEnv>) => readonly string[],
    isPublicDocument: (path: string) => boolean,
  ): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const origin = c.req.header('Origin')
    const origins = isOwnersOnly(c.req.path) ? [] : allowed(c)
    const anyone = isAskedByAll(c.req.path) || isPublicDocument(c.req.path)
    const named = origin !== undefined && origins.includes(origin)
    const grant = (headers: Headers): void => {
      if (origins.length > 0 && !anyone) headers.append('Vary', 'Origin')
      if (!named && !anyone) return
      headers.set('Access-Control-Allow-Origin', anyone ? '*' : origin!)
      headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    }
    if ((named || anyone) && isPreflight(c)) {
      c.var.log.operation = 'preflight'
      const headers = new Headers({
        'Access-Control-Allow-Methods': anyone ? 'GET, POST' : 'GET, POST, DELETE',
        'Access-Control-Allow-Headers': ASKED_HEADERS,
        'Access-Control-Max-Age': REMEMBERED_SECONDS,
      })
      grant(headers)
      return new Response(null, { status: 204, headers })
    }
    await next()
    grant(c.res.headers)
  }

const isPreflight = (c: Context<AppEnv>): boolean =>
  c.req.method === 'OPTIONS' &&
  c.req.header('Origin') !== undefined &&
  c.req.header('Access-Control-Request-Method') !== undefined
