import * as z from 'zod'

import { Problem } from '../../core/domain/problem/problem.ts'
import { instantOf, spokenTime } from '../../core/domain/time/time.ts'
import { clientReason, reasonField, shownReasonField } from './booking/client-reason.ts'
import { eventTypeOf, presentLimit } from './booking/event-type.ts'
import { alsoTold, otherPeopleField } from './booking/other-people.ts'
import {
  EXAMPLE_BOOKING,
  FIND_BOOKING,
  bookingEndRecord,
  bookingFields,
  bookingIdField,
  bookingSchema,
  bookingNow,
  pinnedWithPeople,
} from './booking/schema.ts'
import { activeBooking } from './booking/view.ts'
import { defineMutation } from './operation.ts'
import { namedObject } from './schemas.ts'

/** A kind that is gone or cannot be booked any more keeps no booking from being cancelled. */
async function unlessGone<T>(details: Promise<T>): Promise<T | undefined> {
  try {
    return await details
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.refusal.code === 'provider_misconfigured')
      return undefined
    throw thrown
  }
}

/**
 * Cal.com pays back, or takes the fee of one who does not come, by the settings of the event type
 * (`handleCancelBooking.ts` of its source).
 */
const MAY_MOVE_MONEY =
  'The calendar charges for this kind of consult: the cancellation may pay money back or take a fee, ' +
  'as the practice set it up there.'

export const cancelBooking = defineMutation({
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description:
    'Cancels a booked consult (appointment, meeting), in two calls, preview and commit. Use ' +
    'this when a person cancels without rebooking. reschedule_booking moves it to another time. ' +
    `The booking_id is from book_consult or reschedule_booking. ${FIND_BOOKING} ` +
    'Returns the booking with the state cancelled. The scheduling provider notifies the invitee. ' +
    'Cannot be undone: the person has to book again.',
  scope: 'bookings:write',
  route: 'POST /v1/bookings/{booking_id}/cancel',
  provider: 'scheduling',
  destructive: true,
  problems: ['booking_not_found', 'booking_not_active'],
  input: z.strictObject({
    booking_id: bookingIdField,
    reason: reasonField('Why it is cancelled.'),
  }),
  preview: namedObject('PreviewedCancellation', {
    ...bookingFields,
    ...otherPeopleField,
    reason: shownReasonField,
  }),
  committed: bookingSchema,
  async facts({ booking_id }, reading) {
    const { practice, scheduling, now } = reading.ports
    const booking = await activeBooking(booking_id, reading)
    const kind = eventTypeOf(practice, booking.eventTypeId)
    const details = await unlessGone(scheduling.eventType(kind, 'uncached'))
    const limits = presentLimit('cancellations', details, booking.start, now())
    const mayMoveMoney = Boolean(details?.price) && MAY_MOVE_MONEY
    return { pinned: { ...pinnedWithPeople(booking), limits }, booking, mayMoveMoney }
  },
  show(input, { pinned, booking, mayMoveMoney }, { practice }) {
    const { reason, warnings } = clientReason(input.reason)
    const preview = { ...bookingNow(booking, practice), reason }
    return {
      preview,
      summary:
        `Cancel the ${preview.event_type} on ` +
        `${spokenTime(booking.start, practice.timezone, booking.timezone)} for ` +
        `${booking.maskedEmail}.`,
      warnings: [
        'The time becomes free, and others can book it.',
        alsoTold(booking),
        pinned.limits,
        mayMoveMoney,
        warnings,
      ],
      sealed: [{ readers: ['caller', 'approver', 'provider'], texts: { reason } }],
    }
  },
  lockKeys: (pinned) => [`booking:${pinned.booking_id}`],
  steps: (pinned) => [
    {
      retryWindowMs: Infinity,
      execute: ({ ports, marker, clientText }) =>
        ports.scheduling.cancel(pinned.booking_id, clientText, marker),
      reconcile: ({ ports, marker }) => ports.scheduling.findCancelled(pinned.booking_id, marker),
    },
  ],
  changes: ['state'],
  result: ({ preview: { reason: _reason, other_people: _others, ...booking } }) => ({
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
