import * as z from 'zod'

import { BOOKINGS_ON_PAGE } from '../../core/domain/booking.ts'
import { emailSchema } from '../../core/domain/email.ts'
import { invalidField } from '../../core/domain/problem/problem.ts'
import { DAY, HOUR } from '../../core/domain/time/duration.ts'
import { boundOf } from '../../core/domain/time/time.ts'
import type { Ports } from '../../core/ports/services.ts'
import {
  EXAMPLE_SHOWN_BOOKING,
  bookingsInWindow,
  shownInZone,
  shownInZoneDefault,
  stateField,
  statesOf,
  windowLines,
  windowOfBookings,
} from './booking/view.ts'
import { defineRead } from './operation.ts'
import { windowFields } from './pagination.ts'
import { answerOfRead } from './schemas.ts'

/** How far ahead and back a search goes from now. */
const A_YEAR = 366 * DAY

const input = z.strictObject({
  invitee_email: emailSchema.meta({
    description:
      'The whole email address of the invitee; sent to the scheduling provider, and ' +
      'neither kept nor returned.',
    examples: ['jordan@example.com'],
  }),
  ...windowFields,
  state: stateField,
  timezone: shownInZone,
})

export const findBookings = defineRead({
  name: 'find_bookings',
  title: 'Find bookings',
  description:
    'Finds the consults (appointments, meetings) of a person by their whole email address, ' +
    'wherever they were booked, soonest first. Use this when a person says that they have an ' +
    'appointment. By default those of the coming year; ' +
    'from and to reach a year back and a year ahead. Returns the booking_id; the ' +
    'invitee is masked. reschedule_booking and cancel_booking take the booking_id. ' +
    `At most ${BOOKINGS_ON_PAGE}.`,
  scope: 'bookings:read',
  // The email address is sent in the body, since URLs end up in logs.
  route: 'POST /v1/bookings/search',
  provider: 'scheduling',
  problems: [],
  input,
  defaults: shownInZoneDefault,
  output: answerOfRead(
    'find_bookings',
    'FoundBookings',
    'The bookings of a person, soonest first.',
    {
      ...windowOfBookings,
      not_shown: z
        .int()
        .min(0)
        .describe(
          'Bookings of the person that cannot be shown one by one, such as seats of a ' +
            'group or parts of a series; see them with the provider.',
        ),
      complete: z
        .boolean()
        .describe(
          'false: the person may have other bookings in this window. Search a shorter window.',
        ),
      every_spelling: z
        .boolean()
        .describe(
          'false: the calendar may count letter case. It was asked for the address as typed and ' +
            'in lower case, so a booking under another spelling is not found.',
        ),
    },
  ),
  async run({ invitee_email: email, state, timezone: zone, ...bounds }, ports) {
    const { practice, scheduling } = ports
    const window = windowOf(bounds, ports)
    const eventTypeIds = practice.eventTypes.map(({ id }) => id)
    const wanted = { email, ...window, states: statesOf(state), eventTypeIds }
    const found = await scheduling.bookingsOf(wanted)
    return {
      ...(await bookingsInWindow(found.bookings, window, zone ?? practice.timezone, ports)),
      not_shown: found.notShown,
      complete: found.complete,
      every_spelling: found.everySpelling,
    }
  },
  lines: (output) => [
    windowLines(output, ' under this email address'),
    whetherAll(output.complete, output.every_spelling),
  ],
  example: {
    input: { invitee_email: 'jordan@example.com' },
    result: {
      from: '2037-11-23T08:00:00-05:00',
      to: '2038-11-24T08:00:00-05:00',
      timezone: 'America/New_York',
      bookings: [EXAMPLE_SHOWN_BOOKING],
      not_shown: 0,
      complete: true,
      every_spelling: true,
    },
  },
})

function whetherAll(complete: boolean, everySpelling: boolean) {
  if (!complete) return 'There may be others: search again with a shorter from and to.'
  if (everySpelling) return 'That is all.'
  return (
    'That is all for the address as typed and in lower case. Whether there are others under ' +
    'another spelling, such as with capital letters, is not known.'
  )
}

function windowOf(
  { from: first, to: last }: Pick<z.infer<typeof input>, 'from' | 'to'>,
  { now, practice: { timezone } }: Ports,
): { from: number; to: number } {
  const hour = Math.floor(now() / HOUR) * HOUR
  // A date is a whole day, which may end after the year does.
  const [earliest, latest] = [hour - A_YEAR - DAY, hour + A_YEAR + DAY]
  const to = last === undefined ? undefined : boundOf(last, timezone, 'to')
  const from = first === undefined ? hour : boundOf(first, timezone, 'from')
  const until = to ?? hour + A_YEAR
  if (from < earliest || from > latest)
    throw invalidField('/from', 'Expected a time at most 366 days before or after now.')
  if (until < earliest || until > latest)
    throw invalidField('/to', 'Expected a time at most 366 days before or after now.')
  if (until <= from)
    throw invalidField('/to', 'Expected a time after from, which is now by default.')
  return { from, to: until }
}
