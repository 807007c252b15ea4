import { DurableObject } from 'cloudflare:workers'
import { DAY } from '../src/domain/duration.ts'
import type { MockBooking, MockBookingsWanted } from '../src/domain/mock-booking.ts'
import type { Env } from '../src/env.ts'

type Row = Record<string, SqlStorageValue> & MockBooking

const KEEP = 90 * DAY

/** The mock scheduling provider: one calendar, one host, one booking per time. */
export class MockCalendar extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS bookings (id TEXT PRIMARY KEY, event_type_id TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, timezone TEXT NOT NULL, masked_email TEXT NOT NULL, initials TEXT, marker TEXT NOT NULL, cancelled_by TEXT)',
    )
    this.#sql.exec('CREATE INDEX IF NOT EXISTS by_start ON bookings (start)')
  }

  /** The starts of all active bookings that begin in this window. */
  taken(from: number, to: number): number[] {
    return this.#sql
      .exec<{ start: number }>(
        'SELECT start FROM bookings WHERE start >= ? AND start < ? AND cancelled_by IS NULL',
        from,
        to,
      )
      .toArray()
      .map((row) => row.start)
  }

  /** Books the time, unless it is taken. Not idempotent, like the real ones. */
  book(booking: Omit<MockBooking, 'id' | 'cancelled_by'>): 'taken' | { id: string } {
    if (this.taken(booking.start, booking.start + 1).length > 0) return 'taken'
    const id = `mock_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`
    const { event_type_id, start, end, timezone, masked_email, initials, marker } = booking
    this.#sql.exec(
      'INSERT INTO bookings VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)',
      id,
      event_type_id,
      start,
      end,
      timezone,
      masked_email,
      initials,
      marker,
    )
    const over = Date.now() - KEEP
    // The start is what the index knows.
    this.#sql.exec('DELETE FROM bookings WHERE start < ? AND end < ?', over, over)
    return { id }
  }

  booking(id: string): MockBooking | undefined {
    return this.#sql.exec<Row>('SELECT * FROM bookings WHERE id = ?', id).toArray()[0]
  }

  /** Those that begin in the window, by start and id, after the last one that is known. */
  listed({
    from,
    to,
    active,
    cancelled,
    eventTypeIds,
    after,
    afterId,
    most,
  }: MockBookingsWanted): MockBooking[] {
    return this.#sql
      .exec<Row>(
        `SELECT * FROM bookings WHERE start >= ? AND start < ? AND (start, id) > (?, ?) AND event_type_id IN (SELECT value FROM json_each(?)) AND ((cancelled_by IS NULL AND ?) OR (cancelled_by IS NOT NULL AND ?)) ORDER BY start, id LIMIT ?`,
        from,
        to,
        after,
        afterId,
        JSON.stringify(eventTypeIds),
        Number(active),
        Number(cancelled),
        most,
      )
      .toArray()
  }

  bookedUnder(marker: string): MockBooking | undefined {
    return this.#sql.exec<Row>('SELECT * FROM bookings WHERE marker = ?', marker).toArray()[0]
  }

  cancel(id: string, marker: string): 'cancelled' | 'not active' {
    const cancelled = this.#sql.exec(
      'UPDATE bookings SET cancelled_by = ? WHERE id = ? AND cancelled_by IS NULL RETURNING id',
      marker,
      id,
    )
    return cancelled.toArray().length > 0 ? 'cancelled' : 'not active'
  }
}
