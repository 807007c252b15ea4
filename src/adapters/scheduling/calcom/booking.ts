import { type Booking, bookingIdOf, type BookingState, type Invitee } from '../../../domain/booking.ts'
import { maskEmail } from '../../../domain/email.ts'
import type { Facts } from '../../../domain/facts.ts'
import { initials } from '../../../domain/name.ts'
import { Problem, problem } from '../../../domain/problem/problem.ts'
import type { ProviderBookingState } from '../../../domain/events/provider-changes.ts'
import { isoUtc } from '../../../domain/time/time.ts'
import { ADVICE } from './errors.ts'
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

/** A booking of one person for one time. Raises `provider_misconfigured` for a series and for seats. */
export function single(found: CalcomBooking | 'series'): CalcomBooking {
  const refuse = (detail: string) => problem('provider_misconfigured', { detail })
  if (found === 'series' || found.recurringBookingUid) throw refuse(ADVICE.series)
  const seated = found.seatUid || found.attendees.some(({ seatUid }) => seatUid)
  if (seated || found.attendees.length === 0) throw refuse(ADVICE.seats)
  return found
}

export function isSingle(found: CalcomBooking | 'series'): found is CalcomBooking {
  try {
    single(found)
    return true
  } catch (thrown) {
    if (thrown instanceof Problem) return false
    throw thrown
  }
}

/** The attendee who answered the questions; guests are attendees too. */
function attendeeOf({
  bookingFieldsResponses,
  attendees,
}: CalcomBooking): CalcomBooking['attendees'][number] {
  const answered = bookingFieldsResponses?.email
  return attendees.find(({ email }) => email === answered) ?? attendees[0]!
}

export function inviteeOf(booking: CalcomBooking): Invitee {
  const attendee = attendeeOf(booking)
  const email = attendee.displayEmail || attendee.email
  // Cal.com puts the email address in place of a missing name.
  const named = attendee.name !== '' && attendee.name !== email && attendee.name !== attendee.email
  return { email, name: named ? attendee.name : null, timezone: attendee.timeZone }
}

/** The booking as the log of events follows it, without its answers and names. */
export function seenOf(booking: CalcomBooking): ProviderBookingState {
  const absent = attendeeOf(booking).absent
  const { rescheduledFromUid: from, rescheduledToUid: to } = booking
  return {
    ...listedOf(booking),
    eventTypeId: String(booking.eventType?.id ?? booking.eventTypeId),
    end: booking.end,
    ...(typeof absent === 'boolean' && { noShow: absent }),
    ...(from && { movedFrom: bookingIdOf(from) }),
    ...(to && { movedTo: bookingIdOf(to) }),
  }
}

/** The part of it that a list says. */
export const listedOf = ({ uid, status, start, createdAt }: CalcomBooking) => ({
  bookingId: bookingIdOf(uid),
  state: STATES[status],
  start,
  createdAt: createdAt ?? null,
})

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
    ...(booking.rescheduledToUid && { movedTo: bookingIdOf(booking.rescheduledToUid) }),
  }
}
