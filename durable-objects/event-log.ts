import { DurableObject } from 'cloudflare:workers'
import { eventId } from '../src/crypto/event-id.ts'
import { DAY, SECOND } from '../src/domain/duration.ts'
import { type HappenedEvent, factOf } from '../src/domain/event-topics.ts'
import type { Env } from '../src/env.ts'
import type { EventPage, EventQuery, LoggedEvent } from '../src/ports/events.ts'

/** How long an event can be read. */
const KEPT = 30 * DAY
/** How many events are dropped at once, and how long to wait before the next. */
const DROPPED_AT_ONCE = 5000
const DROP_ON = SECOND

type Row = { seq: number; event: string }

/**
 * What happened in the practice, in one object: facts in the order in which the records were written, each once. It keeps
 * ids, states and times. The alarm drops what is too old.
 */
export class EventLog extends DurableObject<Env> {
  readonly #sql: SqlStorage
  #alarmIsSet = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, event TEXT NOT NULL)',
    )
  }

  /** Appends events, all or none; one that is there already stays as it is. */
  async append(events: readonly HappenedEvent[]): Promise<void> {
    const logged: LoggedEvent[] = await Promise.all(
      events.map(async (event) => ({ id: await eventId(factOf(event), event.mode), ...event })),
    )
    this.ctx.storage.transactionSync(() => {
      for (const event of logged)
        this.#sql.exec(
          'INSERT OR IGNORE INTO log (id, type, at, event) VALUES (?, ?, ?, ?)',
          event.id,
          event.type,
          Date.now(),
          JSON.stringify(event),
        )
    })
    if (this.#alarmIsSet) return
    this.#alarmIsSet = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + DAY)
  }

  /** A page of events, the newest last. */
  page({ types, after, limit }: EventQuery): EventPage | 'unknown place' {
    const [{ first, newest }] = this.#sql
      .exec<{ first: number; newest: number }>(
        'SELECT COALESCE(MIN(seq), 1) AS first, COALESCE(MAX(seq), 0) AS newest FROM log',
      )
      .toArray() as [{ first: number; newest: number }]
    if (after !== undefined && after > newest) return 'unknown place'
    const rows = this.#sql
      .exec<Row>(
        `SELECT seq, event FROM log WHERE seq > ? AND type IN (SELECT value FROM json_each(?))
         ORDER BY seq ${after === undefined ? 'DESC' : ''} LIMIT ?`,
        after ?? 0,
        JSON.stringify(types),
        limit,
      )
      .toArray()
    const isLastPage = after === undefined || rows.length < limit
    return {
      events: (after === undefined ? rows.toReversed() : rows).map(
        ({ event }) => JSON.parse(event) as LoggedEvent,
      ),
      next: isLastPage ? newest : rows.at(-1)!.seq,
      truncated: after !== undefined && after < first - 1,
    }
  }

  /** Drops what is too old, a bounded number at a time. */
  override async alarm(): Promise<void> {
    // If this fails too often the platform gives up: then the next event sets the alarm again.
    this.#alarmIsSet = false
    const now = Date.now()
    const { rowsWritten } = this.#sql.exec(
      // The newest event stays, so that its place is never given again.
      'DELETE FROM log WHERE seq IN (SELECT seq FROM log WHERE at < ? ORDER BY seq LIMIT ?) AND seq < (SELECT MAX(seq) FROM log)',
      now - KEPT,
      DROPPED_AT_ONCE,
    )
    const [more] = this.#sql.exec('SELECT 1 FROM log LIMIT 1 OFFSET 1').toArray()
    if (!more) return
    await this.ctx.storage.setAlarm(now + (rowsWritten < DROPPED_AT_ONCE ? DAY : DROP_ON))
    this.#alarmIsSet = true
  }
}
