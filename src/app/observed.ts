import type { MiddlewareHandler } from 'hono'
import { afterwards } from '../http/afterwards.ts'
import { recheckProviders } from '../health/self-check.ts'
import type { AppEnv } from '../http/app-env.ts'
import { makeSafe } from '../http/security-headers.ts'
import type { Context } from '../operations/perform.ts'
import { note, noteBefore } from './audit.ts'
import { contextOf, servicesOf, siteOf } from './request-context.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Gives the request its id and its services, the response its headers, and writes the one log line. */
export const observed: MiddlewareHandler<AppEnv> = async (c, next) => {
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
  c.set('services', servicesOf(c))
  c.set('note', (what) => note(c, what))
  c.set('noteBefore', (what) => noteBefore(c, what))
  let context: Promise<Context> | undefined
  c.set('context', (kind) => (context ??= contextOf(c, kind)))
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
  if (log.code === 'provider_misconfigured') afterwards(c, recheckProviders(c.env))
}
