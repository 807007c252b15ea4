import { DurableObject } from 'cloudflare:workers'

import type { Decision } from '../src/core/domain/booking.ts'
import type {
  MockBooking,
  MockBookingsWanted,
  MockLink,
  MockPayment,
  NewMockBooking,
  NewMockLink,
} from '../src/core/domain/mock-booking.ts'
import { DAY } from '../src/core/domain/time/duration.ts'
import type { Env } from '../src/practice/env.ts'
import { type Sql, among, sqlOf } from './shared/sql.ts'

const KEEP = 90 * DAY

/** The mock scheduling provider: one calendar, one host, one booking per time. */
export class MockCalendar extends DurableObject<Env> {
  readonly #sql: Sql

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = sqlOf(ctx.storage.sql)
    this.#sql`
      CREATE TABLE IF NOT EXISTS bookings (id TEXT PRIMARY KEY, event_type_id TEXT NOT NULL,
        start INTEGER NOT NULL, end INTEGER NOT NULL, timezone TEXT NOT NULL,
        masked_email TEXT NOT NULL, initials TEXT, marker TEXT NOT NULL, cancelled_by TEXT,
        created_at INTEGER NOT NULL, no_show INTEGER NOT NULL, moved_from TEXT, moved_to TEXT)`
    this.#sql`
      CREATE TABLE IF NOT EXISTS invitees (booking_id TEXT PRIMARY KEY, contact TEXT NOT NULL)`
    this.#sql`
      CREATE TABLE IF NOT EXISTS requests (booking_id TEXT PRIMARY KEY, request TEXT NOT NULL)`
    this.#sql`
      CREATE TABLE IF NOT EXISTS payments (invoice_id TEXT PRIMARY KEY, status TEXT NOT NULL,
        failures INTEGER NOT NULL)`
    this.#sql`
      CREATE TABLE IF NOT EXISTS payment_links (id TEXT PRIMARY KEY, invoice_id TEXT NOT NULL,
        amount INTEGER NOT NULL, currency TEXT NOT NULL, marker TEXT NOT NULL,
        active INTEGER NOT NULL, completed INTEGER NOT NULL)`
    this.#sql`CREATE INDEX IF NOT EXISTS by_start ON bookings (start)`
  }

  /** The starts of all active bookings that begin in this window. */
  taken(from: number, to: number): number[] {
    return this.#sql<{ start: number }>`
      SELECT start FROM bookings
      WHERE start >= ${from} AND start < ${to} AND cancelled_by IS NULL`.map((row) => row.start)
  }

  /** Books the time, unless it is taken. Not idempotent, like the real ones. */
  book(booking: NewMockBooking, movedFrom: string | null = null): 'taken' | { id: string } {
    if (this.taken(booking.start, booking.start + 1).length > 0) return 'taken'
    const id = newId()
    const { event_type_id, start, end, timezone, masked_email, initials, marker } = booking
    this.#sql`
      INSERT INTO bookings (id, event_type_id, start, end, timezone, masked_email, initials,
        marker, cancelled_by, created_at, no_show, moved_from, moved_to)
      VALUES (${id}, ${event_type_id}, ${start}, ${end}, ${timezone}, ${masked_email},
        ${initials}, ${marker}, NULL, ${Date.now()}, 0, ${movedFrom}, NULL)`
    if (booking.contact)
      this.#sql`INSERT INTO invitees (booking_id, contact)
        VALUES (${id}, ${booking.contact})`
    if (booking.request)
      this.#sql`INSERT INTO requests (booking_id, request)
        VALUES (${id}, ${'open'})`
    this.#drop(Date.now() - KEEP)
    return { id }
  }

  /** Drops what ended before this. The start is what the index knows. */
  #drop(over: number) {
    const dropped = this.#sql<{ id: string }>`
      DELETE FROM bookings WHERE start < ${over} AND end < ${over} RETURNING id`
    for (const { id } of dropped) {
      this.#sql`DELETE FROM invitees WHERE booking_id = ${id}`
      this.#sql`DELETE FROM requests WHERE booking_id = ${id}`
    }
  }

  booking(id: string): MockBooking | undefined {
    return this.#sql<MockBooking>`
      SELECT bookings.*, contact, request FROM bookings
      LEFT JOIN invitees ON invitees.booking_id = id LEFT JOIN requests ON requests.booking_id = id
      WHERE id = ${id}`[0]
  }

  /** Those that begin in the window, by start and id, after the last one that is known. */
  listed({
    from,
    to,
    active,
    waiting,
    cancelled,
    eventTypeIds,
    after,
    afterId,
    most,
    contacts,
  }: MockBookingsWanted): MockBooking[] {
    const wanted = contacts === undefined ? null : JSON.stringify(contacts)
    return this.#sql<MockBooking>`
      SELECT bookings.*, request FROM bookings LEFT JOIN requests ON booking_id = id
      WHERE start >= ${from} AND start < ${to} AND (start, id) > (${after}, ${afterId})
      AND event_type_id IN ${among(eventTypeIds)}
      AND CASE WHEN cancelled_by IS NOT NULL THEN ${Number(cancelled)}
        WHEN request = 'open' THEN ${Number(waiting)} ELSE ${Number(active)} END
      AND (${wanted} IS NULL OR id IN (SELECT booking_id FROM invitees
        WHERE contact IN (SELECT value FROM json_each(${wanted}))))
      ORDER BY start, id LIMIT ${most}`
  }

  bookedUnder(marker: string): MockBooking | undefined {
    return this.#sql<MockBooking>`
      SELECT bookings.*, request FROM bookings LEFT JOIN requests ON booking_id = id
      WHERE marker = ${marker}`[0]
  }

  cancel(id: string, marker: string): 'cancelled' | 'not active' {
    const cancelled = this.#sql`
      UPDATE bookings SET cancelled_by = ${marker}
      WHERE id = ${id} AND cancelled_by IS NULL RETURNING id`
    return cancelled.length > 0 ? 'cancelled' : 'not active'
  }

  /** The practice answers a booking that waits for it. */
  respond(id: string, decision: Decision): 'answered' | 'not waiting' {
    const row = this.booking(id)
    if (!row || row.cancelled_by !== null || row.request !== 'open') return 'not waiting'
    this.#sql`UPDATE requests SET request = ${decision} WHERE booking_id = ${id}`
    if (decision === 'decline')
      this.#sql`UPDATE bookings SET cancelled_by = ${'declined'} WHERE id = ${id}`
    return 'answered'
  }

  /**
   * Moves a booking as a person on the page of the provider does: the old one ends, and each names
   * the other.
   */
  move(id: string, start: number, end: number): 'taken' | 'not active' | { id: string } {
    const old = this.booking(id)
    if (!old || old.cancelled_by !== null) return 'not active'
    const made = this.book({ ...old, start, end }, id)
    if (made !== 'taken')
      this.#sql`
        UPDATE bookings SET cancelled_by = ${'by hand'}, moved_to = ${made.id}
        WHERE id = ${id}`
    return made
  }

  /** Marks that no one came, or takes the mark off; false if there is no such booking. */
  markNoShow(id: string, isOn: boolean) {
    const marked = this.#sql`
      UPDATE bookings SET no_show = ${Number(isOn)} WHERE id = ${id} RETURNING id`
    return marked.length > 0
  }

  /** What people did to an invoice. */
  payment(invoiceId: string): MockPayment | undefined {
    return this.#sql<MockPayment>`
      SELECT status, failures FROM payments WHERE invoice_id = ${invoiceId}`[0]
  }

  /** Makes a link once per marker, or gives the one for the same that can still be paid. */
  makeLink({ invoice_id, amount, currency, marker }: NewMockLink): MockLink {
    const [known] = this.#sql<MockLink>`
      SELECT * FROM payment_links WHERE marker = ${marker} OR (active AND
        invoice_id = ${invoice_id} AND amount = ${amount} AND currency = ${currency})
      ORDER BY marker <> ${marker} LIMIT 1`
    if (known) return known
    const id = `plink_${newId()}`
    this.#sql`
      INSERT INTO payment_links (id, invoice_id, amount, currency, marker, active, completed)
      VALUES (${id}, ${invoice_id}, ${amount}, ${currency}, ${marker}, 1, 0)`
    return { id, invoice_id, amount, currency, marker, active: 1, completed: 0 }
  }

  link(id: string): MockLink | undefined {
    return this.#sql<MockLink>`SELECT * FROM payment_links WHERE id = ${id}`[0]
  }

  linkUnder(marker: string): MockLink | undefined {
    return this.#sql<MockLink>`SELECT * FROM payment_links WHERE marker = ${marker}`[0]
  }

  endLink(id: string) {
    this.#sql`UPDATE payment_links SET active = 0 WHERE id = ${id}`
  }

  /** Someone completes the page of every link of an invoice that is on. */
  completeLinks(invoiceId: string) {
    this.#sql`
      UPDATE payment_links SET active = 0, completed = 1
      WHERE invoice_id = ${invoiceId} AND active`
  }

  /** Someone pays an invoice, fails to, or the practice voids it. */
  pay(invoiceId: string, how: 'paid' | 'failed' | 'void') {
    const { status, failures } = this.payment(invoiceId) ?? { status: 'open', failures: 0 }
    this.#sql`
      INSERT OR REPLACE INTO payments (invoice_id, status, failures)
      VALUES (${invoiceId}, ${how === 'failed' ? status : how},
        ${failures + Number(how === 'failed')})`
  }
}

/**
 * Never with so many digits in a row that a text with this id in it seems to hold the number of an
 * account.
 */
function newId() {
  for (;;) {
    const id = crypto.randomUUID().replaceAll('-', '').slice(0, 16)
    if (!/\d{6}/.test(id)) return `mock_${id}`
  }
}
