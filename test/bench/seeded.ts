import { AuditLog as PlainAuditLog } from '../../durable-objects/audit-log.ts'
import { EventLog as PlainEventLog } from '../../durable-objects/event-log.ts'
import { MockCalendar as PlainCalendar } from '../../durable-objects/mock-calendar.ts'
import { Records as PlainRecords } from '../../durable-objects/records.ts'
import { auditEntry } from '../../src/core/domain/audit/entry.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import type { Env } from '../../src/practice/env.ts'
import worker from '../../src/worker.ts'

export { Access } from '../../durable-objects/access.ts'
export { Backup } from '../../durable-objects/backup.ts'
export { Confirmation } from '../../durable-objects/confirmation.ts'
export { Coordinator } from '../../durable-objects/coordinator.ts'
export { ProviderSync } from '../../durable-objects/provider-sync.ts'

const AT_ONCE = 2000

/** Numbers up to a count, a bounded number at a time. */
const parts = (count: number): number[][] =>
  Array.from({ length: Math.ceil(count / AT_ONCE) }, (_, part) =>
    Array.from(
      { length: Math.min(AT_ONCE, count - part * AT_ONCE) },
      (_none, n) => part * AT_ONCE + n,
    ),
  )

/** The audit log, and a way to make it long: what is there already is not added again. */
export class AuditLog extends PlainAuditLog {
  async fill(count: number): Promise<void> {
    const of = {
      event: 'commit',
      caller: 'key:bench',
      operation: 'create_client_profile',
      code: 'committed',
    } as const
    const began = Date.now() - DAY
    for (const part of parts(count))
      await this.append(
        part.map((n) => auditEntry({ ...of, id: `seed${n}`, at: began, record_id: `record${n}` })),
      )
  }
}

/** The records, with bookings of many clients, all published and copied long ago. */
export class Records extends PlainRecords {
  async fill(count: number): Promise<void> {
    for (const part of parts(count))
      this.upsert(
        part.map((n) => {
          const booking_id = `bk_mock_seed${n}`
          const value = {
            booking_id,
            state: 'confirmed',
            start_time: '2027-11-24T10:00:00-05:00',
            mode: 'mock',
          }
          return { key: `booking:${booking_id}`, mode: 'mock', value, links: [`seed:${n % 1000}`] }
        }),
        'seed',
      )
    this.ctx.storage.sql.exec(`
      INSERT INTO progress SELECT 1, MAX(seq), MAX(seq) FROM records WHERE true
      ON CONFLICT DO UPDATE SET published = excluded.published, copied = excluded.copied`)
    await this.ctx.storage.sync()
  }

  /** Ends this instance: the next one reads how far records are published and copied. */
  end(): void {
    this.ctx.abort('filled')
  }

  /** Copies that KV has refused: they are tried again in an hour. */
  fillOutbox(count: number): void {
    for (const n of parts(count).flat())
      this.ctx.storage.sql.exec(
        "INSERT OR IGNORE INTO outbox VALUES ('copy', ?, '', ?, 9, 0)",
        `booking:bk_mock_seed${n}`,
        Date.now() + HOUR,
      )
  }
}

/** The log of events, with subscriptions to what does not happen. */
export class EventLog extends PlainEventLog {
  async fill(count: number): Promise<void> {
    for (const n of parts(count).flat())
      await this.subscribe({
        caller: `key:bench${n % 500}`,
        url: `http://127.0.0.1:9/${n}`,
        topics: ['client.deleted'],
        origin: 'http://127.0.0.1',
      })
  }
}

const NUMBERS = 'WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)'

/** The mock calendar, and a way to fill it: half-hours from two months ahead on. */
export class MockCalendar extends PlainCalendar {
  fill(count: number): void {
    this.ctx.storage.sql.exec(
      `${NUMBERS} INSERT OR IGNORE INTO bookings
       SELECT 'mock_seed' || i, 'mock_consult', ?2 + i * 1800000, ?2 + (i + 1) * 1800000, 'America/New_York', 'j***@***.com', 'J. D.', 'seed' || i, NULL, 0, 0, NULL, NULL FROM n`,
      count,
      Date.now() + 60 * DAY,
    )
  }
}

/** What the bench fills, by name. */
const FILLED = {
  audit: (env: Env, count: number) => the<AuditLog>(env.AUDIT_LOG, 'audit-log').fill(count),
  calendar: (env: Env, count: number) =>
    the<MockCalendar>(env.MOCK_CALENDAR, 'calendar').fill(count),
  async records(env: Env, count: number) {
    await the<Records>(env.RECORDS, 'records').fill(count)
    await the<Records>(env.RECORDS, 'records')
      .end()
      .catch(() => {})
  },
  outbox: (env: Env, count: number) => the<Records>(env.RECORDS, 'records').fillOutbox(count),
  subscriptions: (env: Env, count: number) => the<EventLog>(env.EVENT_LOG, 'event-log').fill(count),
}

const the = <T extends Rpc.DurableObjectBranded>(objects: unknown, name: string) =>
  (objects as DurableObjectNamespace<T>).getByName(name)

/** The connector, with a door through which the bench fills its objects; it is never deployed. */
export default {
  ...worker,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/bench/fill')
      return (worker.fetch as ExportedHandlerFetchHandler<Env>)(request as never, env, ctx)
    await FILLED[searchParams.get('what') as keyof typeof FILLED](
      env,
      Number(searchParams.get('count')),
    )
    return new Response('filled')
  },
}
