import { AuditLog as PlainAuditLog } from '../../durable-objects/audit-log.ts'
import { MockCalendar as PlainCalendar } from '../../durable-objects/mock-calendar.ts'
import type { Env } from '../../src/env.ts'
import worker from '../../src/worker.ts'
import { DAY } from '../../src/domain/time/duration.ts'

export { Access } from '../../durable-objects/access.ts'
export { Confirmation } from '../../durable-objects/confirmation.ts'
export { Coordinator } from '../../durable-objects/coordinator.ts'
export { EventLog } from '../../durable-objects/event-log.ts'
export { ProviderSync } from '../../durable-objects/provider-sync.ts'
export { Records } from '../../durable-objects/records.ts'

const AT_ONCE = 50_000

/** Calls `insert` with numbers from 0 on, a bounded number at a time. */
function inParts(count: number, insert: (from: number, to: number) => void): void {
  for (let from = 0; from < count; from += AT_ONCE) insert(from, Math.min(from + AT_ONCE, count))
}

const NUMBERS = 'WITH RECURSIVE n(i) AS (VALUES (?1) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)'

/** The audit log, and a way to make it long. */
export class AuditLog extends PlainAuditLog {
  fill(count: number): void {
    inParts(count, (from, to) =>
      this.ctx.storage.sql.exec(
        `${NUMBERS} INSERT OR IGNORE INTO entries (at, id, event, caller, app, operation, code, record_id, operation_id, request_id, times)
         SELECT ?3 - i, 'seed' || i, 'committed', 'key:bench', NULL, 'create_client_profile', 'ok', 'record' || i, 'operation' || i, NULL, 1 FROM n`,
        from,
        to,
        Date.now(),
      ),
    )
  }
}

/** The mock calendar, and a way to fill it: half-hours from two months ahead on. */
export class MockCalendar extends PlainCalendar {
  fill(count: number): void {
    const first = Date.now() + 60 * DAY
    inParts(count, (from, to) =>
      this.ctx.storage.sql.exec(
        `${NUMBERS} INSERT OR IGNORE INTO bookings (id, event_type_id, start, end, timezone, masked_email, initials, marker, cancelled_by)
         SELECT 'mock_seed' || i, 'mock_consult', ?3 + i * 1800000, ?3 + (i + 1) * 1800000, 'America/New_York', 'j***@***.com', 'J. D.', 'seed' || i, NULL FROM n`,
        from,
        to,
        first,
      ),
    )
  }
}

/** The connector, with a door through which the bench fills its objects; it is never deployed. */
export default {
  ...worker,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/bench/fill')
      return (worker.fetch as ExportedHandlerFetchHandler<Env>)(request as never, env, ctx)
    const count = Number(searchParams.get('count'))
    const objects = (searchParams.get('what') === 'audit'
      ? env.AUDIT_LOG
      : env.MOCK_CALENDAR) as unknown as DurableObjectNamespace<MockCalendar>
    await objects.get(objects.idFromName(searchParams.get('name')!)).fill(count)
    return new Response('filled')
  },
}
