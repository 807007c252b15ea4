import * as z from 'zod'
import type { Booking } from '../domain/booking.ts'
import type { Practice } from '../domain/practice.ts'
import { recordKey } from '../domain/records.ts'
import { instantOf, zoneSchema } from '../domain/time.ts'
import type { Ports } from '../ports/index.ts'
import { EXAMPLE_BOOKING, bookingFields } from './booking-schema.ts'
import { eventTypeNameOf, minutesOf, timeFieldsOf } from './time-fields.ts'

/** A booking as the provider returns it now. */
export const shownBookingSchema = z
  .strictObject({
    ...bookingFields,
    made_here: z.boolean().meta({
      description: "It was made through this service. One that was moved on the provider's own page was not.",
    }),
  })
  .meta({
    id: 'ShownBooking',
    description: 'A booking as the scheduling provider has it now, masked.',
  })

/** The zone of the times in an answer. */
export const shownInZone = zoneSchema.optional().meta({
  description: 'IANA zone for the times in the answer; by default the zone of the practice.',
  examples: ['America/New_York'],
})

export const shownInZoneDefault = ({ timezone }: Practice) => ({ timezone })

const shownBooking = (
  booking: Booking,
  timezone: string,
  practice: Practice,
  made_here: boolean,
): z.infer<typeof shownBookingSchema> => ({
  booking_id: booking.bookingId,
  state: booking.state,
  ...timeFieldsOf(booking, timezone),
  event_type: eventTypeNameOf(practice, booking.eventTypeId),
  invitee_email: booking.maskedEmail,
  invitee_name: booking.initials,
  made_here,
})

const keyOf = ({ bookingId }: Booking): string => recordKey('booking', bookingId)

/** The shown forms of bookings, with whether each was made here. */
export async function shownBookings(
  bookings: readonly Booking[],
  timezone: string,
  { practice, records }: Pick<Ports, 'practice' | 'records'>,
) {
  const made = new Set(bookings.length === 0 ? [] : await records.known(bookings.map(keyOf)))
  return bookings.map((booking) => shownBooking(booking, timezone, practice, made.has(keyOf(booking))))
}

/** A booking in one line. */
export const bookingLine = (booking: z.infer<typeof shownBookingSchema>): string => {
  const { start_time, local_time, booking_id, event_type, state, invitee_name, invitee_email } = booking
  const minutes = minutesOf({ start: instantOf(start_time), end: instantOf(booking.end_time) })
  const invitee = invitee_name === null ? invitee_email : `${invitee_name}, ${invitee_email}`
  return `${local_time} (${start_time}), ${minutes} minutes: ${event_type} for ${invitee}; ${state}; ${booking_id}.`
}

/** The same booking as these reads show it. */
export const EXAMPLE_SHOWN_BOOKING = { ...EXAMPLE_BOOKING, made_here: true }
