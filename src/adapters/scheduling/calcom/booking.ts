import { type Booking, bookingIdOf, type BookingState, type Invitee } from '../../../domain/booking.ts'
import { maskEmail } from '../../../domain/email.ts'
import type { Facts } from '../../../domain/facts.ts'
import { initials } from '../../../domain/name.ts'
import { problem } from '../../../domain/problem.ts'
import { isoUtc } from '../../../domain/time.ts'
import { ADVICE } from './messages.ts'
import type { CalcomBooking } from './schemas.ts'

const STATES: Record<CalcomBooking['status'], BookingState> = {
  accepted: 'confirmed',
  pending: 'pending_host_approval',
  awaiting_host: 'pending_host_approval',
  cancelled: 'cancelled',
  rejected: 'cancelled',
}

export const isOver = ({ status }: CalcomBooking): boolean => STATES[status] === 'cancelled'

/** The facts of a booking that was made, as Cal.com returns them. */
export const factsOf = ({ uid, status, start, end }: CalcomBooking): Facts => ({
  booking_id: bookingIdOf(uid),
  state: STATES[status],
  start_time: isoUtc(start),
  end_time: isoUtc(end),
})

/** A booking of one person for one time. Raises `provider_misconfigured` for a series, and for one with seats. */
export function single(found: CalcomBooking | 'series'): CalcomBooking {
  const refuse = (detail: string) => problem('provider_misconfigured', { detail })
  if (found === 'series' || found.recurringBookingUid) throw refuse(ADVICE.series)
  const seated = found.seatUid || found.attendees.some(({ seatUid }) => seatUid)
  if (seated || found.attendees.length === 0) throw refuse(ADVICE.seats)
  return found
}

/** The invitee of a booking: the attendee who answered its questions, since guests are attendees too. */
export function inviteeOf(booking: CalcomBooking): Invitee {
  const answered = booking.bookingFieldsResponses?.email
  const attendee = booking.attendees.find(({ email }) => email === answered) ?? booking.attendees[0]!
  const email = attendee.displayEmail || attendee.email
  // Cal.com puts the email address in place of a missing name.
  const named = attendee.name !== '' && attendee.name !== email && attendee.name !== attendee.email
  return { email, name: named ? attendee.name : null, timezone: attendee.timeZone }
}

/** The booking, masked. */
export function bookingOf(booking: CalcomBooking): Booking {
  const { email, name, timezone } = inviteeOf(booking)
  const eventTypeId = booking.eventType?.id ?? booking.eventTypeId
  if (!eventTypeId) throw problem('provider_misconfigured', { detail: ADVICE.orphan })
  return {
    bookingId: bookingIdOf(booking.uid),
    eventTypeId: String(eventTypeId),
    start: booking.start,
    end: booking.end,
    state: STATES[booking.status],
    timezone,
    maskedEmail: maskEmail(email),
    initials: name === null ? null : initials(name),
  }
}
