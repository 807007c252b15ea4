import * as z from 'zod'
import { freeText } from '../domain/sensitive-data.ts'
import { instantOf, spokenTime } from '../domain/time.ts'
import type { PrepareContext } from '../confirm/mutation.ts'
import type { Booking } from '../domain/booking.ts'
import {
  EXAMPLE_BOOKING,
  bookingEndRecord,
  bookingIdField,
  bookingSchema,
  pinnedBooking,
} from './booking-schema.ts'
import { eventTypeNameOf, timeFieldsOf } from './time-fields.ts'
import { type Refuse, defineMutation } from './operation.ts'

/** The booking, still active and still ahead. Raises `booking_not_found` or `booking_not_active`. */
export async function activeBooking(
  bookingId: string,
  {
    ports: { scheduling, now },
    refuse,
  }: PrepareContext & { refuse: Refuse<'booking_not_found' | 'booking_not_active'> },
): Promise<Booking> {
  const booking = await scheduling.booking(bookingId)
  if (!booking) throw refuse('booking_not_found')
  if (booking.state === 'cancelled' || booking.start <= now()) throw refuse('booking_not_active')
  return booking
}

export const cancelBooking = defineMutation({
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description:
    'Cancels a booked consult (appointment, meeting), in two calls: a preview, then the commit. Use this when a person wants no consult any more; for another time use reschedule_booking. The booking_id is from book_consult or reschedule_booking. Returns the booking with the state cancelled. The scheduling provider notifies the invitee. Cannot be undone: the time is free for others, and a new consult has to be booked.',
  scope: 'bookings:write',
  http: { method: 'post', path: '/v1/bookings/{booking_id}/cancel' },
  openWorld: true,
  destructive: true,
  problems: [
    'booking_not_found',
    'booking_not_active',
    'duplicate_in_doubt',
    'provider_busy',
    'provider_misconfigured',
  ],
  input: z.strictObject({
    booking_id: bookingIdField,
    reason: freeText(10_000).optional().meta({
      description:
        'Why it is cancelled; goes to the scheduling provider only, and is neither kept nor returned.',
    }),
  }),
  preview: bookingSchema,
  committed: bookingSchema,
  mode: ({ scheduling }) => scheduling.mode,
  adapterId: ({ scheduling }) => scheduling.adapterId,
  async prepare(input, preparing) {
    const { scheduling, practice } = preparing.ports
    const booking = await activeBooking(input.booking_id, preparing)
    const preview = {
      booking_id: booking.bookingId,
      ...timeFieldsOf(booking, booking.timezone),
      event_type: eventTypeNameOf(practice, booking.eventTypeId),
      invitee_email: booking.maskedEmail,
      invitee_name: booking.initials,
      state: booking.state,
    }
    return {
      preview,
      summary: `Cancel the ${preview.event_type} on ${spokenTime(booking.start, booking.timezone)} for ${booking.maskedEmail}.`,
      warnings: ['The time is given up and can be taken by somebody else.'],
      pinned: {
        via: scheduling.adapterId,
        ...pinnedBooking(booking),
        with_reason: input.reason !== undefined,
      },
    }
  },
  lockKeys: (pinned) => [`booking:${pinned.booking_id}`],
  steps: (pinned) => [
    {
      // Without a reason to pass on, an alarm may repeat what can only converge.
      unattended: !pinned.with_reason,
      retryWindowMs: Infinity,
      execute: ({ ports, marker }, input) =>
        ports.scheduling.cancel(pinned.booking_id, input?.reason, marker),
      reconcile: ({ ports, marker }) => ports.scheduling.findCancelled(pinned.booking_id, marker),
    },
  ],
  result: ({ preview }) => ({ ...preview, state: 'cancelled' as const }),
  summary: ({ event_type, start_time, timezone, invitee_email }) =>
    `Cancelled the ${event_type} on ${spokenTime(instantOf(start_time), timezone)} for ${invitee_email}.`,
  recordId: ['booking_id'],
  records: (result, finished) => [bookingEndRecord(result.booking_id, finished)],
  example: {
    input: { booking_id: EXAMPLE_BOOKING.booking_id, reason: 'The client is travelling.' },
    preview: EXAMPLE_BOOKING,
    result: { ...EXAMPLE_BOOKING, state: 'cancelled' },
  },
})
