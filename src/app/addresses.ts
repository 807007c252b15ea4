import type { Context as HonoContext, MiddlewareHandler } from 'hono'

import { isPublicDocument } from '../api/discovery/routes.ts'
import type { AppEnv } from '../api/http/app-env.ts'
import { isLoopback, parseOrigin } from '../core/domain/origin.ts'
import { problem } from '../core/domain/problem/problem.ts'
import { isAskedByAll, isOwnersOnly } from '../owner/access/cors.ts'
import { allowedOrigins, isLocalTrial, originOrNone } from './request-context.ts'

/** Whether a request came to the public address or to loopback; any other host is DNS rebinding. */
export const isOwnHost = (c: HonoContext<AppEnv>): boolean =>
  isLoopback(c.req.url) ||
  parseOrigin(c.req.url)?.hostname === parseOrigin(originOrNone(c))?.hostname

/** Whether a page of this origin may call: ours, an allowed one, or on loopback any page of loopback. */
export const isKnownOrigin = (c: HonoContext<AppEnv>, origin: string): boolean =>
  origin === parseOrigin(originOrNone(c))?.origin ||
  (isLoopback(c.req.url) && isLoopback(origin)) ||
  allowedOrigins(c).includes(origin)

/** In a local trial, refuses calls from pages of other sites, but for what every page may ask. */
export const guardLocalTrial: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { path } = c.req
  if (path === '/mcp' || !isLocalTrial(c)) return next()
  if (!isOwnHost(c))
    throw problem('address_not_allowed', { detail: 'The header Host names another address.' })
  const origin = c.req.header('Origin')
  const isOpen =
    isAskedByAll(path) || isPublicDocument(path) || isOwnersOnly(path) || path.startsWith('/c/')
  if (origin !== undefined && !isOpen && !isKnownOrigin(c, origin))
    throw problem('address_not_allowed', {
      detail: 'The header Origin names a page of another site.',
    })
  return next()
}
