import type { MiddlewareHandler, Context as HonoContext } from 'hono'

import { type AppEnv, afterwards } from '../api/http/app-env.ts'
import { makeSafe } from '../api/http/security-headers.ts'
import { type AuditEntry, type AuditEvent, auditEntry } from '../core/domain/audit/entry.ts'
import { eventSampler } from '../core/domain/rate-limit.ts'
import type { AuditNote } from '../core/ports/audit.ts'
import { settingsOrNone } from '../core/settings.ts'
import { recheckProviders } from '../owner/health/self-check.ts'
import type { Context } from '../practice/operations/context.ts'
import { contextOf, servicesOf, siteOf } from './request-context.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Gives the request its id and services, sets headers of the response, and writes one log line. */
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
  c.set('settings', settingsOrNone(c.env))
  c.set('site', () => siteOf(c))
  c.set('services', servicesOf(c))
  c.set('note', (what) => note(c, what))
  c.set('noteBefore', (what) => c.var.services.audit.append([entryOf(c, what, Date.now(), 1)]))
  let context: Promise<Context> | undefined
  c.set('context', (kind) => (context ??= contextOf(c, kind)))
  await next()
  // c.header would copy the whole response each time.
  const { headers } = c.res
  makeSafe(headers)
  headers.set('Request-Id', requestId)
  const policies = c.get('policies')
  if (policies !== undefined && !headers.has('RateLimit-Policy'))
    headers.set('RateLimit-Policy', policies)
  log.status = c.res.status
  if (log.status >= 400 && log.code === 'ok') log.code = 'protocol_error'
  log.duration_ms = Date.now() - started
  console.log(
    JSON.stringify(log, (_name, value: unknown) => (value === 'none' ? undefined : value)),
  )
  if (log.code === 'provider_misconfigured') afterwards(c, recheckProviders(c.env))
}

/** Events that are sampled, so that a caller who repeats them cannot fill the audit log. */
const SAMPLED: ReadonlySet<AuditEvent> = new Set(['refusal', 'replay', 'unresolved'])

const sampled = eventSampler()

/** Requests that reach no route are not audited. */
const NO_CALLS = new Set(['not_found', 'method_not_allowed'])

/** Audits what changed nothing, after the answer. The entry is lost if the isolate ends or the log fails. */
function note(c: HonoContext<AppEnv>, what: AuditNote): void {
  const { log, requestId } = c.var
  const at = Date.now()
  const { caller = log.caller, operation = log.operation } = what
  if (what.event === 'refusal' && (operation === 'none' || NO_CALLS.has(what.code))) return
  const times = SAMPLED.has(what.event) ? sampled(`${caller} ${operation} ${what.code}`, at) : 1
  if (times === 0) return
  const { audit } = c.var.services
  const written =
    caller === 'none' && what.event === 'refusal'
      ? audit.countRefusals(operation, what.code, times)
      : audit.append([entryOf(c, what, at, times)])
  afterwards(
    c,
    written.catch(() =>
      console.log(JSON.stringify({ event: 'audit_failed', request_id: requestId })),
    ),
  )
}

const entryOf = (c: HonoContext<AppEnv>, what: AuditNote, at: number, times: number): AuditEntry =>
  auditEntry({
    caller: c.var.log.caller,
    operation: c.var.log.operation,
    ...what,
    id: crypto.randomUUID(),
    at,
    request_id: c.var.requestId,
    times,
  })
