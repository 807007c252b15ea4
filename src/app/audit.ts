import type { Context as HonoContext } from 'hono'
import { afterwards } from '../http/afterwards.ts'
import type { AppEnv } from '../http/app-env.ts'
import { eventSampler } from '../domain/event-sampler.ts'
import { type AuditEntry, type AuditEvent, auditEntry } from '../domain/audit-entry.ts'
import type { AuditNote } from '../ports/audit.ts'

/** Whoever sends such calls without end must not be able to fill the audit log. */
const SAMPLED: ReadonlySet<AuditEvent> = new Set(['refusal', 'replay', 'doubt'])
const sampled = eventSampler()

/** A request for an unknown path is not audited. */
const NO_CALLS = new Set(['not_found', 'method_not_allowed'])

/**
 * Writes an entry of what changed nothing to the audit log: after the answer, once, as well as it can. An isolate that
 * ends meanwhile, or a log that does not answer, loses it.
 */
export function note(c: HonoContext<AppEnv>, what: AuditNote): void {
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
    written.catch(() => console.log(JSON.stringify({ event: 'audit_failed', request_id: requestId }))),
  )
}

/** Writes an audit entry before an act. Rejects if that fails: then the act must not happen. */
export const noteBefore = (c: HonoContext<AppEnv>, what: AuditNote): Promise<void> =>
  c.var.services.audit.append([entryOf(c, what, Date.now(), 1)])

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
