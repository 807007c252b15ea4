import type { MockBooking } from '../../../src/domain/mock-booking.ts'
import type { Calendar } from '../../../src/adapters/scheduling/mock.ts'

export interface InMemoryCalendar extends Calendar {
  rows: MockBooking[]
  /** The bookings that stand. */
  active(): MockBooking[]
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
      rows.push({ ...booking, id, cancelled_by: null })
      return { id }
    },
    booking: async (id) => rows.find((row) => row.id === id),
    bookedUnder: async (marker) => rows.find((row) => row.marker === marker),
    cancel: async (id, marker) => {
      const row = active().find((one) => one.id === id)
      if (!row) return 'not active'
      row.cancelled_by = marker
      return 'cancelled'
    },
  }
}
