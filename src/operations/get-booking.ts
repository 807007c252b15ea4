import * as z from 'zod'
import { modeSchema } from '../domain/mode.ts'
import { problem } from '../domain/problem.ts'
import { bookingIdField } from './booked.ts'
import {
  EXAMPLE_SHOWN_BOOKING,
  shownBookings,
  shownBookingSchema,
  shownInZone,
  shownInZoneDefault,
} from './shown-booking.ts'
import { defineView } from './view.ts'

export const getBooking = defineView({
  name: 'get_booking',
  title: 'Read a booking',
  description:
    'Returns one booking as it stands with the scheduling provider now, whether it was made here or on the scheduling page. The invitee is masked.',
  scope: 'bookings:read',
  http: { method: 'get', path: '/v1/bookings/{booking_id}' },
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
  example: {
    input: { booking_id: 'bk_mock_4f1c2a9b7d3e8f60' },
    result: { operation: 'get_booking', mode: 'mock', booking: EXAMPLE_SHOWN_BOOKING },
  },
})
