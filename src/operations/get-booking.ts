import * as z from 'zod'
import { modeSchema } from '../domain/mode.ts'
import { problem } from '../domain/problem.ts'
import type { Ports } from '../ports/index.ts'
import { bookingIdField } from './booking-schema.ts'
import {
  EXAMPLE_SHOWN_BOOKING,
  bookingLine,
  shownBookings,
  shownBookingSchema,
  shownInZone,
  shownInZoneDefault,
} from './booking-view.ts'
import { listBookings } from './list-bookings.ts'
import { type Completed, defineRead } from './operation.ts'

const description =
  'Returns one booking (appointment) by its booking_id as the scheduling provider has it now: time, state, kind, masked invitee; whether it was made here or on the scheduling page.'

export const getBooking = defineRead({
  name: 'get_booking',
  title: 'Read a booking',
  description,
  scope: 'bookings:read',
  http: { method: 'get', path: '/v1/bookings/{booking_id}' },
  openWorld: true,
  problems: ['booking_not_found', 'provider_busy', 'provider_misconfigured'],
  input: z.strictObject({ booking_id: bookingIdField, timezone: shownInZone }),
  defaults: shownInZoneDefault,
  output: z
    .strictObject({
      operation: z.literal('get_booking'),
      mode: modeSchema,
      booking: shownBookingSchema,
    })
    .meta({ id: 'BookingRead', description: 'One booking.' }),
  mode: ({ scheduling }) => scheduling.mode,
  async run({ booking_id, timezone }, ports) {
    const { scheduling, practice } = ports
    const booking = await scheduling.booking(booking_id)
    if (!booking) throw problem('booking_not_found')
    const [shown] = await shownBookings([booking], timezone ?? practice.timezone, ports)
    return { operation: 'get_booking' as const, mode: scheduling.mode, booking: shown! }
  },
  text: ({ booking, mode }) =>
    `${mode === 'mock' ? '(mock) ' : ''}${bookingLine(booking)} Times are in ${booking.timezone}. It was ${booking.made_here ? 'made through this service' : 'not made through this service'}.`,
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
    result: { operation: 'get_booking', mode: 'mock', booking: EXAMPLE_SHOWN_BOOKING },
  },
})

/** The ids of upcoming bookings that begin so, from the first page of their list. */
async function upcomingIds(beginning: string, ports: Ports): Promise<Completed> {
  const page = upcomingSchema.parse(await listBookings.run({}, ports))
  const values = page.bookings.map(({ booking_id }) => booking_id).filter((id) => id.startsWith(beginning))
  return { values, more: page.next_cursor !== null }
}

const upcomingSchema = z.object({
  bookings: z.array(z.object({ booking_id: z.string() })),
  next_cursor: z.union([z.string(), z.null()]),
})
