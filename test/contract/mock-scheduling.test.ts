import { bookingIdOf, providerIdOf } from '../../src/core/domain/booking.ts'
import { caselessEmail, maskEmail } from '../../src/core/domain/email.ts'
import type { MockBooking } from '../../src/core/domain/mock-booking.ts'
import { initials } from '../../src/core/domain/name.ts'
import { type Calendar, mockScheduling } from '../../src/practice/adapters/scheduling/mock.ts'
import { UNTOUCHED, answerAmong, listedAmong, moveByHand } from '../support/in-memory-calendar.ts'
import { mockFaults } from './mock-faults.ts'
import { carriedOutTwiceContract, type TwiceRig, schedulingContract } from './scheduling.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')

/** The calendar of the mock, in memory: the rules of the Durable Object without its storage. */
function calendarInMemory(): { calendar: Calendar; rows: MockBooking[] } {
  const rows: MockBooking[] = []
  const active = (from: number, to: number) =>
    rows.filter((row) => row.cancelled_by === null && row.start >= from && row.start < to)
  return {
    rows,
    calendar: {
      taken: async (from, to) => active(from, to).map(({ start }) => start),
      async book(booking) {
        if (active(booking.start, booking.start + 1).length > 0) return 'taken'
        const id = `mock_${rows.length}`
        rows.push({ ...booking, id, ...UNTOUCHED, created_at: NOW })
        return { id }
      },
      booking: async (id) => rows.find((row) => row.id === id),
      listed: async (question) => listedAmong(rows, question),
      bookedUnder: async (marker) => rows.find((row) => row.marker === marker),
      async cancel(id, marker) {
        const row = rows.find((one) => one.id === id && one.cancelled_by === null)
        if (!row) return 'not active'
        row.cancelled_by = marker
        return 'cancelled'
      },
      respond: async (id, decision) => answerAmong(rows, id, decision),
    },
  }
}

async function make(): Promise<TwiceRig> {
  const { calendar, rows } = calendarInMemory()
  const twice = new Set<string>()
  const doubled: Calendar = {
    ...calendar,
    async book(booking) {
      changes += 1
      if (twice.delete('book')) await calendar.book(booking)
      return calendar.book(booking)
    },
    async cancel(id, marker) {
      changes += 1
      if (twice.delete('cancel')) await calendar.cancel(id, marker)
      return calendar.cancel(id, marker)
    },
  }
  let clock = NOW
  let asked = 0
  let changes = 0
  const { fail, next } = mockFaults()
  return {
    eventType: { name: 'consult', id: 'mock_consult' },
    now: () => clock,
    pass: (ms) => void (clock += ms),
    asked: () => asked,
    changes: () => changes,
    scheduling: mockScheduling({
      calendar: () => doubled,
      timezone: 'America/New_York',
      now: () => clock,
      contactsOf: async (email) => [`hash of ${caselessEmail(email)}`],
      faults(action) {
        asked += 1
        return next(action)
      },
    }),
    twice: (action) => void twice.add(action),
    fail: (action, fault) => fail(action === 'eventType' ? 'event_type' : action, fault),
    async bookElsewhere({ start, end }, { email, name, timezone }) {
      const booked = await calendar.book({
        event_type_id: 'mock_consult',
        start,
        end,
        timezone,
        masked_email: maskEmail(email),
        initials: name === null ? null : initials(name),
        marker: 'elsewhere',
      })
      if (booked === 'taken') throw new Error('taken already')
      return bookingIdOf(booked.id)
    },
    moveElsewhere: async (bookingId, { start }) =>
      bookingIdOf(await moveByHand(calendar, rows, providerIdOf(bookingId)!, start)),
    async cancelElsewhere(bookingId) {
      await calendar.cancel(providerIdOf(bookingId) ?? '', 'elsewhere')
    },
    effects: async () => ({
      made: rows.length,
      cancelled: rows.filter((row) => row.cancelled_by !== null).length,
    }),
  }
}

schedulingContract('the mock', make)
carriedOutTwiceContract('the mock', make)
