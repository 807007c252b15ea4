import * as z from 'zod'
import type { Booking } from '../domain/booking.ts'
import { zoneSchema } from '../domain/time.ts'
import type { Ports } from '../ports/index.ts'
import { bookingFields } from './booked.ts'
import { eventTypeNameOf, momentOf } from './moment.ts'

/** A booking as the provider tells it now. */
export const shownBookingSchema = z.strictObject(bookingFields).meta({
  id: 'ShownBooking',
  description: 'A booking as it stands with the scheduling provider now, masked.',
})

/** The zone in which a look shows its times. */
export const shownInZone = zoneSchema.optional().meta({
  description: 'IANA zone for the times in the answer; by default the zone of the practice.',
  examples: ['America/New_York'],
})

/** The shown form of a booking, its times in this zone. */
export const shownBooking = (
  booking: Booking,
  timezone: string,
  { practice }: Pick<Ports, 'practice'>,
): z.infer<typeof shownBookingSchema> => ({
  booking_id: booking.bookingId,
  state: booking.state,
  ...momentOf(booking, timezone),
  event_type: eventTypeNameOf(practice, booking.eventTypeId),
  invitee_email: booking.maskedEmail,
  invitee_name: booking.initials,
})

export const EXAMPLE_BOOKING = {
  booking_id: 'bk_mock_4f1c2a9b7d3e8f60',
  state: 'confirmed',
  start_time: '2026-11-24T10:00:00-05:00',
  end_time: '2026-11-24T10:30:00-05:00',
  timezone: 'America/New_York',
  local_time: 'Tuesday, November 24, 2026, 10:00 AM EST',
  event_type: 'consult',
  invitee_email: 'j***@***.com',
  invitee_name: 'J. D.',
}
