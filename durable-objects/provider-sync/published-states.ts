import {
  type Published,
  type PublishedBooking,
  type PublishedLink,
  isActive,
} from '../../src/core/domain/events/provider-changes.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import type { Sql } from '../shared/sql.ts'

/** How long what is over is remembered: after the meeting, or after the link was paid or closed. */
const KEPT = 30 * DAY
/** How long a link that no one pays is followed. */
const LONGEST_OPEN = 366 * DAY

type Row = { published: string }

const bookingKey = (bookingId: string) => `booking:${bookingId}`
const linkKey = (paymentLinkId: string) => `payment_link:${paymentLinkId}`

/** What was last published about each booking and each payment link: ids, states and times. */
export class PublishedStates {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
    // `start` of a booking that can still change, `invoice` of a link; null in all other rows.
    sql`
      CREATE TABLE IF NOT EXISTS provider_states (resource TEXT PRIMARY KEY, start INTEGER,
        invoice TEXT, published TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID`
  }

  booking(bookingId: string): PublishedBooking | undefined {
    return this.#read<PublishedBooking>(bookingKey(bookingId))
  }

  link(paymentLinkId: string): PublishedLink | undefined {
    return this.#read<PublishedLink>(linkKey(paymentLinkId))
  }

  linksOf(invoiceId: string): PublishedLink[] {
    return this.#sql<Row>`
      SELECT published FROM provider_states
      WHERE invoice = ${invoiceId} ORDER BY resource`.map(
      ({ published }) => JSON.parse(published) as PublishedLink,
    )
  }

  /** The invoices of the links that are neither paid nor closed. */
  openInvoices(): string[] {
    return this.#sql<{ invoice: string }>`
      SELECT DISTINCT invoice FROM provider_states
      WHERE invoice IS NOT NULL AND published LIKE '%"state":"open"%'`.map(({ invoice }) => invoice)
  }

  /** The active bookings that begin in a window. */
  activeBetween(from: number, to: number): PublishedBooking[] {
    return this.#sql<Row>`
      SELECT published FROM provider_states WHERE start >= ${from} AND start < ${to}`.map(
      ({ published }) => JSON.parse(published) as PublishedBooking,
    )
  }

  write(published: Published, now: number) {
    const { resource, start, invoice, until } = rowOf(published, now)
    this.#sql`
      INSERT OR REPLACE INTO provider_states (resource, start, invoice, published, until)
      VALUES (${resource}, ${start}, ${invoice}, ${JSON.stringify(published)}, ${until})`
  }

  /** Drops what no one asks about any more. */
  drop(now: number) {
    this.#sql`DELETE FROM provider_states WHERE until < ${now}`
  }

  #read<P extends Published>(resource: string): P | undefined {
    const [row] = this.#sql<Row>`
      SELECT published FROM provider_states WHERE resource = ${resource}`
    return row && (JSON.parse(row.published) as P)
  }
}

/** Under what a state is found, and until when it is kept. */
function rowOf(published: Published, now: number) {
  if ('bookingId' in published) {
    const start = isActive(published) ? published.start : null
    const until = Math.max(published.start, now) + KEPT
    return { resource: bookingKey(published.bookingId), start, invoice: null, until }
  }
  const { paymentLinkId, invoiceId: invoice, state } = published
  const until = now + (state === 'open' ? LONGEST_OPEN : KEPT)
  return { resource: linkKey(paymentLinkId), start: null, invoice, until }
}
