import type { MockBooking } from '../../domain/mock-booking.ts'
import { type Slot, weekdaySlots } from '../../domain/availability.ts'
import { type Booking, bookingIdOf, providerIdOf } from '../../domain/booking.ts'
import { maskEmail } from '../../domain/email.ts'
import type { Facts } from '../../domain/facts.ts'
import { initials } from '../../domain/name.ts'
import { problem } from '../../domain/problem.ts'
import { isoUtc } from '../../domain/time.ts'
import type { Scheduling } from '../../ports/index.ts'
import { type Faults, underFault } from '../mock-faults.ts'

/** What the mock needs of its calendar; the Durable Object `MockCalendar` is one. */
export interface Calendar {
  taken(from: number, to: number): Promise<number[]>
  book(booking: Omit<MockBooking, 'id' | 'cancelled_by'>): Promise<'taken' | { id: string }>
  booking(id: string): Promise<MockBooking | undefined>
  bookedUnder(marker: string): Promise<MockBooking | undefined>
  cancel(id: string, marker: string): Promise<'cancelled' | 'not active'>
}

/** The mock practice is open on weekdays, in its own zone, for sixteen consults a day. */
const OPENING = { start: '09:00', end: '17:00', minutes: 30 }

/** The mock scheduling provider: behaves like a real one, and like a bad one when the faults say so. */
export function mockScheduling({
  calendar,
  timezone,
  faults,
  now,
}: {
  calendar: Calendar
  timezone: string
  faults: Faults
  now(): number
}): Scheduling {
  const read = async (bookingId: string): Promise<MockBooking | undefined> => {
    const id = providerIdOf(bookingId)
    return id === undefined ? undefined : calendar.booking(id)
  }

  return {
    mode: 'mock',
    via: 'mock',

    async slots(_eventType, from, to): Promise<Slot[]> {
      const fault = faults('slots')
      if (fault === 'busy') throw problem('provider_busy', { retry_after_seconds: 5 })
      if (fault === 'misconfigured') throw problem('provider_misconfigured')
      if (fault === 'refused') return []
      const taken = new Set(await calendar.taken(from, to))
      const first = Math.max(from, now() + 1)
      return weekdaySlots(first, to, timezone, OPENING).filter((slot) => !taken.has(slot.start))
    },

    async booking(bookingId) {
      const found = await read(bookingId)
      return found && bookingOf(found)
    },

    async invitee(bookingId) {
      const found = await read(bookingId)
      return found && { email: found.masked_email, name: found.initials, timezone: found.timezone }
    },

    book: ({ eventTypeId, start, end, invitee }, marker) =>
      underFault(faults, 'book', { code: 'slot_unavailable' }, async () => {
        const booked = await calendar.book({
          event_type_id: eventTypeId,
          start,
          end,
          timezone: invitee.timezone,
          masked_email: maskEmail(invitee.email),
          initials: invitee.name === null ? null : initials(invitee.name),
          marker,
        })
        if (booked === 'taken')
          return { is: 'refused', refusal: { code: 'slot_unavailable', effect: 'none' } }
        return { is: 'ok', facts: bookedFacts({ id: booked.id, start, end }) }
      }),

    async findBooked(_slot, _eventTypeId, marker) {
      const found = await calendar.bookedUnder(marker)
      return found ? { is: 'ok', facts: bookedFacts(found) } : { is: 'absent' }
    },

    cancel: (bookingId, _reason, marker) =>
      underFault(faults, 'cancel', { code: 'booking_not_active' }, async () => {
        const id = providerIdOf(bookingId) ?? ''
        if ((await calendar.cancel(id, marker)) === 'cancelled') return { is: 'ok', facts: {} }
        return { is: 'refused', refusal: { code: 'booking_not_active', effect: 'none' } }
      }),

    async findCancelled(bookingId, marker) {
      const found = await read(bookingId)
      if (found && found.cancelled_by === null) return { is: 'absent' }
      if (found?.cancelled_by === marker) return { is: 'ok', facts: {} }
      return { is: 'refused', refusal: { code: 'booking_not_active', effect: 'none' } }
    },
  }
}

const bookingOf = (row: MockBooking): Booking => ({
  bookingId: bookingIdOf(row.id),
  eventTypeId: row.event_type_id,
  start: row.start,
  end: row.end,
  state: row.cancelled_by === null ? 'confirmed' : 'cancelled',
  timezone: row.timezone,
  maskedEmail: row.masked_email,
  initials: row.initials,
})

const bookedFacts = ({ id, start, end }: { id: string } & Slot): Facts => ({
  booking_id: bookingIdOf(id),
  state: 'confirmed',
  start_time: isoUtc(start),
  end_time: isoUtc(end),
})
