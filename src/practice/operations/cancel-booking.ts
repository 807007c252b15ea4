import * as z from 'zod'

import type { FactsContext } from '../../core/confirm/mutation.ts'
import type { Booking } from '../../core/domain/booking.ts'
import { instantOf, spokenTime } from '../../core/domain/time/time.ts'
import { clientReason, reasonField, shownReasonField } from './booking/client-reason.ts'
import {
  EXAMPLE_BOOKING,
  bookingEndRecord,
  bookingFields,
  bookingIdField,
  bookingSchema,
  pinnedBooking,
} from './booking/schema.ts'
import { eventTypeNameOf, timeFieldsOf } from './booking/time-fields.ts'
import { successorOf } from './booking/view.ts'
import { presentLimit } from './booking/what-the-kind-does.ts'
import { type Refuse, defineMutation } from './operation.ts'
import { namedObject } from './schemas.ts'

/** The booking, still active and still ahead. Raises `booking_not_found` or `booking_not_active`. */
export async function activeBooking(
  bookingId: string,
  {
    ports,
    refuse,
  }: Pick<FactsContext, 'ports'> & { refuse: Refuse<'booking_not_found' | 'booking_not_active'> },
  inWords = { cancelled: 'cancelled' },
): Promise<Booking> {
  const booking = await ports.scheduling.booking(bookingId)
  if (!booking) throw refuse('booking_not_found')
  const end = endOf(booking, ports.now())
  if (end === undefined) return booking
  const next = await successorOf(booking, ports)
  if (!next)
    throw refuse('booking_not_active', {
      detail: `The booking is ${end === 'cancelled' ? inWords.cancelled : end}; nothing was done.`,
    })
  const { bookingId: booking_id, state, start, timezone } = next
  const nextEnd = endOf(next, ports.now())
  const when = spokenTime(start, ports.practice.timezone, timezone)
  const words =
    nextEnd === undefined
      ? {
          detail: `The booking was moved: it is now ${booking_id}, on ${when}. Nothing was done.`,
          next_step: `Use ${booking_id} in place of the earlier booking_id, under a new idempotency key.`,
        }
      : {
          detail: `The booking was moved to ${booking_id}, which is ${nextEnd}; nothing was done.`,
          next_step: 'Tell the person. Book a new consult only if the person wants one.',
        }
  const shown = { booking_id, state, ...timeFieldsOf(next, timezone) }
  throw refuse('booking_not_active', { booking: shown, ...words })
}

/** For callers who may list bookings: how to find a booking_id that they did not make. */
export const FIND_BOOKING =
  'Or find the booking_id with find_bookings, by the email address, or list_bookings.'

function endOf({ state, start }: Booking, now: number): 'cancelled' | 'over already' | undefined {
  if (state === 'cancelled') return 'cancelled'
  return start <= now ? 'over already' : undefined
}

export const cancelBooking = defineMutation({
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description:
    'Cancels a booked consult (appointment, meeting), in two calls: a preview, then the ' +
    'commit. Use this when a person cancels without rebooking; ' +
    'for another time use reschedule_booking. The booking_id is from book_consult or ' +
    'reschedule_booking. Returns the booking with the state cancelled. ' +
    'The scheduling provider notifies the invitee. Cannot be undone: the time is free for ' +
    'others, and the person has to book again.',
  whenGranted: { 'bookings:read': FIND_BOOKING },
  scope: 'bookings:write',
  http: { method: 'post', path: '/v1/bookings/{booking_id}/cancel' },
  provider: 'scheduling',
  destructive: true,
  problems: ['booking_not_found', 'booking_not_active'],
  input: z.strictObject({
    booking_id: bookingIdField,
    reason: reasonField('Why it is cancelled.'),
  }),
  preview: namedObject('PreviewedCancellation', { ...bookingFields, reason: shownReasonField }),
  committed: bookingSchema,
  async facts({ booking_id }, reading) {
    const { practice, scheduling } = reading.ports
    const booking = await activeBooking(booking_id, reading)
    const kind = { id: booking.eventTypeId, name: eventTypeNameOf(practice, booking.eventTypeId) }
    // Only a warning hangs on it: a kind that is gone keeps no booking from being cancelled.
    const details = reading.isPreview
      ? await scheduling.eventType(kind).catch(() => undefined)
      : undefined
    const pinned = {
      ...pinnedBooking(booking),
      event_type_id: booking.eventTypeId,
      invitee_email: booking.maskedEmail,
      invitee_name: booking.initials,
    }
    return { pinned, booking, kind, details }
  },
  show(input, { booking, kind, details }, { practice, now }) {
    const { reason, warnings } = clientReason(input.reason)
    const preview = {
      booking_id: booking.bookingId,
      ...timeFieldsOf(booking, booking.timezone),
      event_type: kind.name,
      invitee_email: booking.maskedEmail,
      invitee_name: booking.initials,
      state: booking.state,
      reason,
    }
    return {
      preview,
      summary:
        `Cancel the ${preview.event_type} on ` +
        `${spokenTime(booking.start, practice.timezone, booking.timezone)} for ` +
        `${booking.maskedEmail}.`,
      warnings: [
        'The time becomes free, and others can book it.',
        ...presentLimit('cancellations', details, booking.start, now),
        ...warnings,
      ],
      sealed: [{ readers: ['caller', 'approver', 'provider'], texts: { reason } }],
    }
  },
  lockKeys: (pinned) => [`booking:${pinned.booking_id}`],
  steps: (pinned) => [
    {
      unattended: true,
      retryWindowMs: Infinity,
      execute: ({ ports, marker, clientText }) =>
        ports.scheduling.cancel(pinned.booking_id, clientText, marker),
      reconcile: ({ ports, marker }) => ports.scheduling.findCancelled(pinned.booking_id, marker),
    },
  ],
  changes: ['state'],
  result: ({ preview: { reason: _reason, ...booking } }) => ({
    ...booking,
    state: 'cancelled' as const,
  }),
  summary: ({ event_type, start_time, timezone, invitee_email }, { practiceZone }) =>
    `Cancelled the ${event_type} on ` +
    `${spokenTime(instantOf(start_time), practiceZone, timezone)} for ${invitee_email}.`,
  recordId: ['booking_id'],
  records: (result, finished) => [bookingEndRecord(result.booking_id, finished)],
  example: {
    input: { booking_id: EXAMPLE_BOOKING.booking_id, reason: 'The client is travelling.' },
    preview: { ...EXAMPLE_BOOKING, reason: 'The client is travelling.' },
    result: { ...EXAMPLE_BOOKING, state: 'cancelled' },
  },
})
