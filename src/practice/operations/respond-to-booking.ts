import * as z from 'zod'

import { DECISIONS, type Decision } from '../../core/domain/booking.ts'
import { UNKNOWN, busy } from '../../core/domain/outcome.ts'
import { invalidField } from '../../core/domain/problem/problem.ts'
import { SCHEDULING_PROVIDERS } from '../../core/domain/providers.ts'
import { recordKey } from '../../core/domain/records.ts'
import { MINUTE } from '../../core/domain/time/duration.ts'
import { instantOf, spokenTime } from '../../core/domain/time/time.ts'
import type { Scheduling } from '../../core/ports/scheduling.ts'
import { clientReason, reasonField, shownReasonField } from './booking/client-reason.ts'
import { alsoTold, otherPeopleField } from './booking/other-people.ts'
import {
  EXAMPLE_BOOKING,
  bookedSlot,
  bookingEndRecord,
  bookingFields,
  bookingIdField,
  bookingNow,
  pinnedWithPeople,
  timeFieldsOf,
} from './booking/schema.ts'
import { activeBooking } from './booking/view.ts'
import { defineMutation, recordWrite } from './operation.ts'
import { namedObject } from './schemas.ts'

const decisionField = z
  .enum(DECISIONS)
  .describe('accept: the consult is confirmed. decline: the request is turned down.')

const STATES = { accept: 'confirmed', decline: 'cancelled' } as const
const SAYS = {
  accept: { asked: 'Accept the request for', done: 'Accepted the request for' },
  decline: { asked: 'Decline the request for', done: 'Declined the request for' },
} as const satisfies Record<Decision, object>

const WARNINGS = {
  accept: 'The scheduling provider confirms the consult to the invitee.',
  decline:
    'The scheduling provider tells the invitee. The time becomes free, and others can book it.',
} as const satisfies Record<Decision, string>

/**
 * How long an answer that was sent may be on its way: no handler of a provider works that long.
 * Until then a request that still waits proves nothing, and it is not sent again: two at once might
 * make two entries in the calendar of the practice.
 */
const ON_ITS_WAY_MS = 10 * MINUTE

/** Why there is nothing to answer with this provider, whatever the booking. */
function withoutRequests({ provider }: Scheduling) {
  const label = provider === 'mock' ? 'The mock' : SCHEDULING_PROVIDERS[provider].label
  return {
    detail:
      `${label} has no bookings that wait for the practice: every booking is confirmed at ` +
      'once. Nothing was done.',
    next_step: 'Tell the person. cancel_booking ends a booking.',
  }
}

/** A request that was declined is kept as cancelled. */
const ENDED = 'is declined or cancelled already'

const REQUESTED = { ...EXAMPLE_BOOKING, state: 'pending_host_approval' as const }

export const respondToBooking = defineMutation({
  name: 'respond_to_booking',
  title: 'Respond to a booking request',
  description:
    'Accepts or declines a booking (appointment) that waits for the practice, in two calls, ' +
    'preview and commit. Use this when the practice has decided about a consult whose state is ' +
    'pending_host_approval. list_bookings finds its booking_id with ' +
    'state=pending_host_approval. Returns the booking (booking_id) as confirmed, or as ' +
    'cancelled. The scheduling provider tells the invitee. A decision cannot be taken back ' +
    'here: cancel an accepted consult, and book a declined one again. Only with a provider ' +
    'that lets bookings wait, such as Cal.com.',
  scope: 'bookings:respond',
  route: 'POST /v1/bookings/{booking_id}/respond',
  provider: 'scheduling',
  destructive: true,
  problems: ['booking_not_found', 'booking_not_active', 'booking_not_pending'],
  input: z.strictObject({
    booking_id: bookingIdField,
    decision: decisionField,
    reason: reasonField('Why it is declined; not with accept.'),
  }),
  preview: namedObject('PreviewedResponse', {
    ...bookingFields,
    ...otherPeopleField,
    decision: decisionField,
    reason: shownReasonField,
  }),
  committed: namedObject('AnsweredRequest', { ...bookingFields, decision: decisionField }),
  async facts({ booking_id, decision, ...input }, reading) {
    const { ports, refuse } = reading
    const { scheduling } = ports
    if (!scheduling.respond) throw refuse('booking_not_pending', withoutRequests(scheduling))
    const { reason, warnings } = clientReason(input.reason)
    if (decision === 'accept' && reason !== null)
      throw invalidField('/reason', 'Expected no reason with accept: the provider sends none.')
    const booking = await activeBooking(booking_id, reading, ENDED)
    if (booking.state !== 'pending_host_approval') throw refuse('booking_not_pending')
    return { pinned: { ...pinnedWithPeople(booking), decision }, booking, reason, warnings }
  },
  show({ decision }, { booking, reason, warnings }, { practice }) {
    const preview = { ...bookingNow(booking, practice), decision, reason }
    const when = spokenTime(booking.start, practice.timezone, booking.timezone)
    return {
      preview,
      summary: `${SAYS[decision].asked} the ${preview.event_type} on ${when} for ${booking.maskedEmail}.`,
      warnings: [WARNINGS[decision], alsoTold(booking), warnings],
      sealed: [{ readers: ['caller', 'approver', 'provider'], texts: { reason } }],
    }
  },
  lockKeys: ({ booking_id }) => [`booking:${booking_id}`],
  steps: ({ booking_id: bookingId, decision }) => [
    {
      absenceIsFinalAfterMs: ON_ITS_WAY_MS,
      execute: async ({ ports, marker, clientText }) =>
        (await ports.scheduling.respond?.execute(
          { bookingId, decision, reason: clientText },
          marker,
        )) ?? busy({ code: 'provider_misconfigured', effect: 'none' }),
      reconcile: async ({ ports, marker }) =>
        (await ports.scheduling.respond?.reconcile({ bookingId, decision }, marker)) ?? UNKNOWN,
    },
  ],
  changes: ['state'],
  result: ({ preview, pinned, stepResults }) => {
    const { reason: _reason, other_people: _others, ...booking } = preview
    const { old_start_time: start_time, old_end_time: end_time } = pinned
    return {
      ...booking,
      ...timeFieldsOf(bookedSlot(stepResults.at(-1), { start_time, end_time }), booking.timezone),
      state: STATES[booking.decision],
    }
  },
  summary: (result, { practiceZone }) => {
    const { decision, event_type, start_time, timezone, invitee_email } = result
    const when = spokenTime(instantOf(start_time), practiceZone, timezone)
    return `${SAYS[decision].done} the ${event_type} on ${when} for ${invitee_email}.`
  },
  recordId: ['booking_id'],
  // Nothing of the invitee is kept of an acceptance: only what is named here.
  records: (
    { decision, booking_id, state, event_type, start_time, end_time, timezone },
    finished,
  ) => [
    decision === 'accept'
      ? recordWrite(
          recordKey('booking_acceptance', booking_id),
          { booking_id, state, event_type, start_time, end_time, timezone },
          finished,
        )
      : bookingEndRecord(booking_id, finished),
  ],
  example: {
    input: {
      booking_id: EXAMPLE_BOOKING.booking_id,
      decision: 'decline',
      reason: 'That week is fully booked.',
    },
    preview: { ...REQUESTED, decision: 'decline', reason: 'That week is fully booked.' },
    result: { ...EXAMPLE_BOOKING, state: 'cancelled', decision: 'decline' },
  },
})
