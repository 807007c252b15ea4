import * as z from 'zod'

import { problem } from '../../core/domain/problem/problem.ts'
import { eventTypeOf } from './booking/event-type.ts'
import {
  ANSWERS_NOTICE,
  writtenAnswerSchema,
  writtenAnswers,
  writtenLines,
} from './booking/questions.ts'
import { bookingIdField } from './booking/schema.ts'
import {
  EXAMPLE_SHOWN_BOOKING,
  bookingLine,
  notAsPreviewedText,
  shownBooking,
  shownBookingSchema,
  shownInZone,
  shownInZoneDefault,
  successorOf,
} from './booking/view.ts'
import { listBookings } from './list-bookings.ts'
import { type Completed, type ReadPorts, defineRead } from './operation.ts'
import { answerOfRead } from './schemas.ts'

const description =
  'Returns one booking (appointment) by its booking_id as the scheduling provider has it ' +
  'now: time, state, kind, masked invitee; whether it was made here or on the scheduling ' +
  'page.'

const ONLY_BY_NAME = 'Only for a caller to whom the owner granted booking_answers:read by name.'

export const getBooking = defineRead({
  name: 'get_booking',
  title: 'Read a booking',
  description,
  scope: 'bookings:read',
  route: 'GET /v1/bookings/{booking_id}',
  provider: 'scheduling',
  problems: ['booking_not_found'],
  input: z.strictObject({ booking_id: bookingIdField, timezone: shownInZone }),
  defaults: shownInZoneDefault,
  output: answerOfRead('get_booking', 'BookingRead', 'One booking.', {
    booking: shownBookingSchema,
    answers_notice: z
      .literal(ANSWERS_NOTICE)
      .optional()
      .describe(`The same in every answer that has answers. ${ONLY_BY_NAME}`),
    answers: z
      .array(writtenAnswerSchema)
      .optional()
      .describe(`What the invitee wrote when booking. ${ONLY_BY_NAME}`),
    answers_not_shown: z
      .int()
      .min(0)
      .optional()
      .describe(`How many answers were omitted to keep this short. ${ONLY_BY_NAME}`),
  }),
  async run({ booking_id, timezone }, ports) {
    const { scheduling, practice } = ports
    const booking = await scheduling.booking(booking_id)
    if (!booking) throw problem('booking_not_found')
    const [shown, successor] = await Promise.all([
      shownBooking(booking, timezone ?? practice.timezone, ports),
      successorOf(booking, ports),
    ])
    const last = successor && { next_booking_id: successor.bookingId }
    return { booking: { ...shown, ...last } }
  },
  granted: {
    scope: 'booking_answers:read',
    says:
      'Also returns what the invitee wrote when booking (answers to questions, notes), with ' +
      `labels in place of email addresses and phone numbers. ${ANSWERS_NOTICE}`,
    fields: ['answers_notice', 'answers', 'answers_not_shown'],
    async run({ booking_id }, ports) {
      const { shown, notShown } = await answersTo(booking_id, ports)
      return { answers_notice: ANSWERS_NOTICE, answers: shown, answers_not_shown: notShown }
    },
  },
  lines({ booking, mode, answers, answers_not_shown = 0 }) {
    const line = bookingLine(booking, 'moved: it is now')
    const made = `It was ${booking.made_here ? '' : 'not '}made through this service.`
    const differs = notAsPreviewedText(booking.differs_from_preview)
    const said =
      `${mode === 'mock' ? '(mock) ' : ''}${line} Times are in ${booking.timezone}. ` +
      `${made}${differs}`
    if (!answers?.length) return [said, answers && 'The invitee wrote nothing when booking.']
    return [
      said,
      `What the invitee wrote. ${ANSWERS_NOTICE}`,
      writtenLines(answers, answers_not_shown),
    ]
  },
  resources: [
    {
      address: 'consult://bookings/{booking_id}',
      name: 'booking',
      title: 'A booking',
      description,
      request: (booking_id) => ({ fields: {}, path: { booking_id } }),
      complete: upcomingIds,
    },
  ],
  example: {
    input: { booking_id: 'bk_mock_4f1c2a9b7d3e8f60' },
    result: { booking: EXAMPLE_SHOWN_BOOKING },
  },
})

async function answersTo(booking_id: string, { scheduling, practice }: ReadPorts) {
  const [booking, invitee] = await Promise.all([
    scheduling.booking(booking_id),
    scheduling.invitee(booking_id),
  ])
  if (!booking || !invitee?.said) return writtenAnswers(undefined, undefined)
  // Only the wording of the questions hangs on it: what was written is shown though the kind is gone.
  const details = await scheduling
    .eventType(eventTypeOf(practice, booking.eventTypeId))
    .catch(() => undefined)
  return writtenAnswers(invitee.said, details?.asks)
}

async function upcomingIds(beginning: string, ports: ReadPorts): Promise<Completed> {
  const page = await listBookings.run({}, ports)
  const values = page.bookings
    .map(({ booking_id }) => booking_id)
    .filter((id) => id.startsWith(beginning))
  return { values, more: page.next_cursor !== null }
}
