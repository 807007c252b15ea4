import type { Context, MiddlewareHandler } from 'hono'

import type { AppEnv } from '../../api/http/app-env.ts'
import { ADVERTISED_SCOPES, APP_SCOPES } from './oauth-server.ts'
import { hasOwner } from './owner-services.ts'

/**
 * Sets the challenges of 401 and 403 by which an MCP host learns where to sign in, and what to ask
 * the owner for.
 */
export const oauthChallenge: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  if (c.res.status === 401 && (await hasOwner(c)))
    c.res.headers.set('WWW-Authenticate', unauthorized(c))
  if (c.var.log.code === 'insufficient_scope' && c.var.log.caller.startsWith('oauth:'))
    c.res = await insufficientScope(c)
}

const metadata = (c: Context<AppEnv>): string =>
  `resource_metadata="${c.var.site().origin}/.well-known/oauth-protected-resource/mcp"`

function unauthorized(c: Context<AppEnv>): string {
  const error = c.req.header('Authorization') === undefined ? '' : 'error="invalid_token", '
  return `Bearer ${error}${metadata(c)}, scope="${ADVERTISED_SCOPES.join(' ')}"`
}

/** A 403 that makes a host ask the owner for more: it names all the scopes that the host will then need. */
async function insufficientScope(c: Context<AppEnv>): Promise<Response> {
  const body = await c.res.text()
  const missing = [...body.matchAll(/"required_scope":"([a-z:]+)"/g)].map((match) => match[1])
  const context = await c.var.context()
  const needed = APP_SCOPES.filter(
    (scope) => context.scopes.includes(scope) || missing.includes(scope),
  )
  const headers = new Headers(c.res.headers)
  const challenge = `Bearer error="insufficient_scope", ${metadata(c)}, scope="${needed.join(' ')}"`
  headers.set('WWW-Authenticate', challenge)
  // Hono keeps the headers of the old response unless it is cleared first.
  c.res = undefined
  return new Response(body, { status: 403, headers })
}
