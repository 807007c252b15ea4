import * as z from 'zod'

import { problem } from '../../core/domain/problem/problem.ts'
import { bookingIdField } from './booking/schema.ts'
import {
  EXAMPLE_SHOWN_BOOKING,
  bookingLine,
  notAsPreviewedText,
  shownBooking,
  shownBookingSchema,
  successorOf,
  shownInZone,
  shownInZoneDefault,
} from './booking/view.ts'
import { listBookings } from './list-bookings.ts'
import { type Completed, type ReadPorts, defineRead } from './operation.ts'
import { answerOfRead } from './schemas.ts'

const description =
  'Returns one booking (appointment) by its booking_id as the scheduling provider has it now: time, state, kind, masked invitee; whether it was made here or on the scheduling page.'

export const getBooking = defineRead({
  name: 'get_booking',
  title: 'Read a booking',
  description,
  scope: 'bookings:read',
  http: { method: 'get', path: '/v1/bookings/{booking_id}' },
  provider: 'scheduling',
  problems: ['booking_not_found'],
  input: z.strictObject({ booking_id: bookingIdField, timezone: shownInZone }),
  defaults: shownInZoneDefault,
  output: answerOfRead('get_booking', 'BookingRead', 'One booking.', {
    booking: shownBookingSchema,
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
  text({ booking, mode }) {
    const line = bookingLine(booking, 'moved: it is now')
    const made = `It was ${booking.made_here ? '' : 'not '}made through this service.`
    const differs = notAsPreviewedText(booking.differs_from_preview)
    return `${mode === 'mock' ? '(mock) ' : ''}${line} Times are in ${booking.timezone}. ${made}${differs}`
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

async function upcomingIds(beginning: string, ports: ReadPorts): Promise<Completed> {
  const page = await listBookings.run({}, ports)
  const values = page.bookings
    .map(({ booking_id }) => booking_id)
    .filter((id) => id.startsWith(beginning))
  return { values, more: page.next_cursor !== null }
}
