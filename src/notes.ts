import type { Context as HonoContext } from 'hono'
import type { AppEnv } from './app-env.ts'
import { rush } from './domain/rush.ts'
import type { AuditNote } from './ports/audit.ts'
import { auditFrom } from './wiring.ts'

/** Whoever sends refused calls without end, one after the other, must not be able to fill the trail. */
const refused = rush()

/** A path that is not there is no call of anything. */
const NO_CALLS = new Set(['not_found', 'method_not_allowed'])

/**
 * Tells the trail of what has no flow: after the answer, once, as well as it can. An isolate that ends meanwhile, or a
 * trail that does not answer, loses it.
 */
export function note(c: HonoContext<AppEnv>, what: AuditNote): void {
  const { log, requestId } = c.var
  const at = Date.now()
  const { caller = log.caller, operation = log.operation } = what
  const isRefusal = what.event === 'refusal'
  const isRepeated = isRefusal || what.event === 'replay' || what.event === 'doubt'
  if (isRefusal && (operation === 'none' || NO_CALLS.has(what.code))) return
  const times = isRepeated ? refused(`${caller} ${operation} ${what.code}`, at) : 1
  if (times === 0) return
  const about = { app: null, record_id: null, operation_id: null, shown: null, about: null, ...what, caller, operation }
  const entry = { ...about, id: crypto.randomUUID(), at, request_id: requestId, times }
  const telling = auditFrom(c.env)
    .append([entry])
    .catch(() => console.log(JSON.stringify({ event: 'trail_failed', request_id: requestId })))
  keepAlive(c, telling)
}

/** Lets the request end before its note has arrived; where nothing can be kept alive, it simply goes on. */
function keepAlive(c: HonoContext<AppEnv>, task: Promise<void>): void {
  try {
    c.executionCtx.waitUntil(task)
  } catch {
    void task
  }
}
