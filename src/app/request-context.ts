import type { MiddlewareHandler } from 'hono'

import { makeSafe } from '../api/http/answers.ts'
import { type AppEnv, type Site, afterwards, type AppContext } from '../api/http/app-env.ts'
import { nameAtHead } from '../api/http/html.ts'
import { type AuditEntry, type AuditEvent, auditEntry } from '../core/domain/audit/entry.ts'
import { isLoopback } from '../core/domain/origin.ts'
import { problem } from '../core/domain/problem/problem.ts'
import { type CallKind, eventSampler } from '../core/domain/rate-limit.ts'
import { isOfTrial } from '../core/domain/scopes.ts'
import type { AuditNote } from '../core/ports/audit.ts'
import type { Limits } from '../core/ports/services.ts'
import { isRestoredLately, originOf, settingsFrom, settingsOrNone } from '../core/settings.ts'
import { principalOfToken } from '../owner/access/oauth-identity.ts'
import { clientAddress, hasOwner } from '../owner/access/owner-pages.ts'
import { lookups, noteUse, principalOf } from '../owner/access/principal.ts'
import { recheckProviders } from '../owner/health/self-check.ts'
import type { Context } from '../practice/operations/context.ts'
import { limitsFrom } from '../practice/wiring/objects.ts'
import { WorkerServices } from '../practice/wiring/services.ts'

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
  let origin: string | undefined
  c.set('origin', () => (origin ??= originOf(settingsOf(c), c.req.url)))
  c.set('site', () => siteOf(c))
  c.set('services', new WorkerServices(c.env, c.get('origin'), (work) => afterwards(c, work)))
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
  const { operation, caller, mode } = log
  console.log(
    JSON.stringify({ ...log, operation: said(operation), caller: said(caller), mode: said(mode) }),
  )
  if (log.code === 'provider_misconfigured') afterwards(c, recheckProviders(c.env))
}

/** A field of the log line; undefined, so that the line leaves it out, where there is none. */
const said = (value: string) => (value === 'none' ? undefined : value)

/** Events that are sampled, so that a caller who repeats them cannot fill the audit log. */
const SAMPLED: ReadonlySet<AuditEvent> = new Set(['refusal', 'replay', 'unresolved'])

const sampled = eventSampler()

/** Requests that reach no route are not audited. */
const NO_CALLS = new Set(['not_found', 'method_not_allowed'])

/** Audits what changed nothing, after the answer. The entry is lost if the isolate ends or the log fails. */
function note(c: AppContext, what: AuditNote) {
  const log = c.get('log')
  const at = Date.now()
  const { caller = log.caller, operation = log.operation } = what
  if (what.event === 'refusal' && (operation === 'none' || NO_CALLS.has(what.code))) return
  const times = SAMPLED.has(what.event) ? sampled(`${caller} ${operation} ${what.code}`, at) : 1
  if (times === 0) return
  const { audit } = c.get('services')
  const written =
    caller === 'none' && what.event === 'refusal'
      ? audit.countRefusals(operation, what.code, times)
      : audit.append([entryOf(c, what, at, times)])
  afterwards(
    c,
    written.catch(() =>
      console.log(JSON.stringify({ event: 'audit_failed', request_id: c.get('requestId') })),
    ),
  )
}

const entryOf = (c: AppContext, what: AuditNote, at: number, times: number): AuditEntry =>
  auditEntry({
    caller: c.var.log.caller,
    operation: c.var.log.operation,
    ...what,
    id: crypto.randomUUID(),
    at,
    request_id: c.var.requestId,
    times,
  })

/** Where all messages of MCP go. */
export const MCP = '/mcp'
/** Also read by a colleague who runs `wrangler dev`, which has no secrets. */
const WHAT_MAKES_IT =
  'Tell the owner of the practice: `npm run deploy` makes what is missing. ' +
  'For work on one machine use `npm start`, which makes it there.'
const lookUp = lookups(Date.now)

const settingsOf = (c: AppContext) => c.get('settings') ?? settingsFrom(c.env)

/** The facts for the public documents. Raises `not_configured`. */
function siteOf(c: AppContext): Site {
  const settings = settingsOf(c)
  const { practice, allowAnonymous, modes, SECURITY_CONTACT: securityContact = null } = settings
  return {
    origin: c.get('origin')(),
    practice,
    allowAnonymous,
    modes,
    securityContact,
    isRestoredLately: isRestoredLately(c.env),
  }
}

/** The public address; empty if the settings are wrong, so that their refusal can be sent, too. */
export function originOrNone(c: AppContext): string {
  return c.get('settings') ? c.get('origin')() : ''
}

/** The name at the head of the pages; none if the settings are wrong. */
export function nameOrNone(c: AppContext): string | undefined {
  const settings = c.get('settings')
  return settings && nameAtHead(settings.practice.name)
}

/** The rate limits of this request; one that fails writes a line to the log. */
export const limitsOf = (c: AppContext): Limits =>
  limitsFrom(c.env, () =>
    console.log(JSON.stringify({ event: 'rate_limiter_failed', request_id: c.var.requestId })),
  )

/** Whether a request asks for nothing to be changed (RFC 9110, section 9.2.1). */
export const isSafe = ({ req }: AppContext) => req.method === 'GET' || req.method === 'HEAD'

/** Who calls; counts a REST request first. Raises `unauthenticated`, `rate_limited`, `not_configured`. */
async function contextOf(
  c: AppContext,
  kind: CallKind = isSafe(c) ? 'reads' : 'changes',
): Promise<Context> {
  const settings = settingsOf(c)
  const origin = c.get('origin')()
  if (origin === '')
    throw problem('not_configured', { detail: 'PUBLIC_URL is not set.', next_step: WHAT_MAKES_IT })
  if (settings.signingSecrets.length === 0)
    throw problem('not_configured', {
      detail: 'SIGNING_SECRET is not set.',
      next_step: WHAT_MAKES_IT,
    })
  const services = c.get('services')
  const zone = settings.practice.timezone
  const look = (isFresh: boolean) =>
    principalOf(c.req.raw, {
      settings,
      services,
      lookUp,
      address: () => clientAddress(c),
      hasOwner: () => hasOwner(c),
      // An access token is for /mcp and nothing else (RFC 8707).
      ...(c.req.path === MCP && {
        accessToken: (token: string) =>
          principalOfToken(token, { origin, env: c.env, access: services.access, isFresh, zone }),
      }),
      deployed: !isLoopback(c.req.url),
      isFresh,
    })
  const principal = await look(false)
  c.get('log').caller = principal.caller
  if (isOfTrial(principal.caller) && services.trialKeyHash !== undefined)
    afterwards(c, noteUse(principal.caller, services.access, zone))
  const limits = limitsOf(c)
  c.set('policies', limits.policies)
  if (c.req.path !== MCP) await limits.count(principal.caller, kind)
  return {
    ...principal,
    app: principal.app ?? null,
    requestId: c.get('requestId'),
    requireCredential: () => look(true),
    services,
    origin,
    audit: (what) => note(c, { app: principal.app ?? null, ...what }),
  }
}
