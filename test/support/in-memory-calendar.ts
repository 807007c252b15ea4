import type { Decision } from '../../src/core/domain/booking.ts'
import type {
  MockBooking,
  MockBookingsWanted,
  MockLink,
  NewMockLink,
} from '../../src/core/domain/mock-booking.ts'
import type { Calendar } from '../../src/practice/adapters/scheduling/mock.ts'

export interface InMemoryCalendar extends Calendar {
  rows: MockBooking[]
  /** The bookings that stand. */
  active(): MockBooking[]
}

/** A booking that no one has touched since it was made. */
export const UNTOUCHED = {
  cancelled_by: null,
  no_show: 0,
  moved_from: null,
  moved_to: null,
} as const

/** Invoices and links of the mock, in memory. */
export function mockLedger() {
  const links: MockLink[] = []
  const named = (id: string) => links.find((link) => link.id === id)
  return {
    links,
    payment: () => Promise.resolve(undefined),
    link: async (id: string) => named(id),
    linkUnder: async (marker: string) => links.find((link) => link.marker === marker),
    async makeLink(wanted: NewMockLink): Promise<MockLink> {
      const known = links.find(
        (one) =>
          one.marker === wanted.marker ||
          (one.active === 1 &&
            one.invoice_id === wanted.invoice_id &&
            one.amount === wanted.amount &&
            one.currency === wanted.currency),
      )
      if (known) return known
      const id = `plink_mock_${String(links.length + 1).padStart(4, '0')}`
      const link: MockLink = { ...wanted, id, active: 1, completed: 0 }
      links.push(link)
      return link
    },
    async endLink(id: string) {
      const link = named(id)
      if (link) link.active = 0
    },
  }
}

/** Moves a booking as a person on the page of the mock does: the old one ends, and each names the other. */
export async function moveByHand(
  calendar: Calendar,
  rows: readonly MockBooking[],
  id: string,
  start: number,
): Promise<string> {
  const old = rows.find((row) => row.id === id)!
  const made = await calendar.book({ ...old, start, end: start + old.end - old.start })
  if (made === 'taken') throw new Error('taken already')
  Object.assign(old, { cancelled_by: 'by hand', moved_to: made.id })
  Object.assign(
    rows.find((row) => row.id === made.id)!,
    { moved_from: id },
  )
  return made.id
}

/** What a question to the calendar finds among these bookings. */
export const listedAmong = (
  rows: readonly MockBooking[],
  {
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
  }: MockBookingsWanted,
): MockBooking[] =>
  rows
    .filter(
      (row) => row.start >= from && row.start < to && eventTypeIds.includes(row.event_type_id),
    )
    .filter((row) => {
      if (row.cancelled_by !== null) return cancelled
      return row.request === 'open' ? waiting : active
    })
    .filter((row) => contacts?.includes(row.contact ?? '') ?? true)
    .filter((row) => row.start > after || (row.start === after && row.id > afterId))
    .toSorted((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1))
    .slice(0, most)

/** Answers one of these bookings, if it waits for the practice. */
export function answerAmong(
  rows: readonly MockBooking[],
  id: string,
  decision: Decision,
): 'answered' | 'not waiting' {
  const row = rows.find((one) => one.id === id)
  if (!row || row.cancelled_by !== null || row.request !== 'open') return 'not waiting'
  row.request = decision
  if (decision === 'decline') row.cancelled_by = 'declined'
  return 'answered'
}

/** The calendar of the mock provider, in memory: one host, one booking per time. */
export function inMemoryCalendar(): InMemoryCalendar {
  const rows: MockBooking[] = []
  const active = () => rows.filter((row) => row.cancelled_by === null)
  return {
    rows,
    active,
    taken: async (from, to) =>
      active()
        .map((row) => row.start)
        .filter((start) => start >= from && start < to),
    book: async (booking) => {
      if (active().some((row) => row.start === booking.start)) return 'taken'
      const id = `mock_${String(rows.length + 1).padStart(4, '0')}`
      rows.push({ ...booking, id, ...UNTOUCHED, created_at: Date.now() })
      return { id }
    },
    booking: async (id) => rows.find((row) => row.id === id),
    listed: async (question) => listedAmong(rows, question),
    bookedUnder: async (marker) => rows.find((row) => row.marker === marker),
    cancel: async (id, marker) => {
      const row = active().find((one) => one.id === id)
      if (!row) return 'not active'
      row.cancelled_by = marker
      return 'cancelled'
    },
    respond: async (id, decision) => answerAmong(rows, id, decision),
  }
}
