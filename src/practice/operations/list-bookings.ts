import * as z from 'zod'

import {
  BOOKINGS_ON_PAGE,
  type BookingsWanted,
  bookingStateSchema,
} from '../../core/domain/booking.ts'
import { invalidField } from '../../core/domain/problem/problem.ts'
import { DAY, HOUR } from '../../core/domain/time/duration.ts'
import { boundOf, dateIn } from '../../core/domain/time/time.ts'
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
import {
  ON_PAGE,
  badCursor,
  cursorField,
  issueCursor,
  limitField,
  moreLine,
  nextCursorField,
  notAsFirstPage,
  readCursor,
  sameInitialsLine,
  windowFields,
} from './pagination.ts'
import { numberField, answerOfRead } from './schemas.ts'

const DEFAULT_WINDOW = 14 * DAY
/** So many days of the practice, one of which can have 25 hours. */
const LONGEST_WINDOW = 366 * DAY + HOUR

const input = z.strictObject({
  ...windowFields,
  days: numberField(366)
    .optional()
    .describe('Instead of to: the length of the window in days of 24 hours.'),
  state: stateField,
  timezone: shownInZone,
  limit: limitField,
  cursor: cursorField.optional(),
})

const placeSchema = z.object({
  from: z.int(),
  to: z.int(),
  state: bookingStateSchema.optional(),
  place: z.string(),
})
type Question = Pick<z.infer<typeof placeSchema>, 'from' | 'to' | 'state'> & { place?: string }

export const listBookings = defineRead({
  name: 'list_bookings',
  title: 'List bookings',
  description:
    'Lists the consults (appointments, meetings) that are booked, soonest first, from the ' +
    'beginning of this hour for 14 days, or in a window of at most 366 days, as they stand ' +
    'with the scheduling provider now: those made here and those made on the scheduling ' +
    `page. At most ${BOOKINGS_ON_PAGE} on a page, which can hold fewer and still have a next ` +
    'one. Invitees are masked.',
  scope: 'bookings:read',
  route: 'GET /v1/bookings',
  provider: 'scheduling',
  problems: [],
  input,
  defaults: shownInZoneDefault,
  output: answerOfRead('list_bookings', 'Bookings', 'Booked consults, soonest first.', {
    ...windowOfBookings,
    not_shown: z
      .int()
      .min(0)
      .describe(
        'Bookings of this page that cannot be shown one by one, such as seats of a group ' +
          'or parts of a series; see them with the provider.',
      ),
    next_cursor: nextCursorField,
  }),
  async run(asked, ports) {
    const { practice, scheduling, keyring } = ports
    const { place, state, from, to } = await questionOf(asked, ports)
    const wanted: BookingsWanted = {
      from,
      to,
      states: statesOf(state),
      eventTypeIds: practice.eventTypes.map(({ id }) => id),
      limit: Math.min(asked.limit ?? ON_PAGE, BOOKINGS_ON_PAGE),
    }
    const page = await scheduling.bookings(wanted, place)
    if (page === 'unknown place') throw badCursor()
    // A list may lag behind the bookings themselves; the state that was read counts.
    const asWanted = page.bookings.filter((booking) => wanted.states.includes(booking.state))
    const timezone = asked.timezone ?? practice.timezone
    return {
      ...(await bookingsInWindow(asWanted, wanted, timezone, ports)),
      not_shown: page.notShown,
      next_cursor:
        page.next === undefined
          ? null
          : await issueCursor(await keyring(), 'bookings', { from, to, state, place: page.next }),
    }
  },
  lines(output, says) {
    const { next_cursor } = output
    return [
      windowLines(output),
      sameInitialsLine({
        initials: output.bookings.map(({ invitee_name }) => invitee_name),
        people: 'Invitees',
        row: 'consult',
        askFor: 'the email address. find_bookings searches by it',
        says,
      }),
      next_cursor === null ? 'That is all.' : moreLine(next_cursor),
    ]
  },
  resources: [
    {
      address: 'consult://today',
      name: 'today',
      title: "Today's consults",
      description: 'The consults that begin today in the zone of the practice, soonest first.',
      request(_value, { practice, now }) {
        const today = dateIn(now(), practice.timezone)
        return { fields: { from: today, to: today } }
      },
    },
    {
      address: 'consult://bookings',
      name: 'bookings',
      title: 'Upcoming consults',
      description:
        'The consults of the next 14 days, soonest first: the first page. ' +
        'The next one is consult://bookings?cursor=, followed by the next_cursor.',
      request: () => ({ fields: {} }),
    },
    {
      address: 'consult://bookings{?cursor}',
      name: 'more_bookings',
      title: 'More upcoming consults',
      description: 'The next page of a list of consults, by its next_cursor.',
      request: (cursor) => ({ fields: { cursor } }),
    },
  ],
  example: {
    input: {},
    result: {
      from: '2037-11-23T08:00:00-05:00',
      to: '2037-12-07T08:00:00-05:00',
      timezone: 'America/New_York',
      bookings: [EXAMPLE_SHOWN_BOOKING],
      not_shown: 0,
      next_cursor: null,
    },
  },
})

async function questionOf(
  { cursor, from: first, to: last, days, state }: z.infer<typeof input>,
  { keyring, now, practice: { timezone } }: Ports,
): Promise<Question> {
  const given = {
    ...(first === undefined ? {} : { from: boundOf(first, timezone, 'from') }),
    ...(last === undefined ? {} : { to: boundOf(last, timezone, 'to') }),
    ...(state === undefined ? {} : { state }),
  }
  if (days !== undefined && last !== undefined)
    throw invalidField('/days', 'Expected either to or days.')
  if (cursor !== undefined) {
    const carried = await readCursor(await keyring(), 'bookings', cursor, placeSchema)
    for (const name of ['from', 'to', 'state'] as const) {
      if (name in given && given[name] !== carried[name]) throw notAsFirstPage(name)
    }
    if (days !== undefined && carried.to - carried.from !== days * DAY) throw notAsFirstPage('days')
    return carried
  }
  // By the hour, so that the answer stays the same for a while: it can be asked again with its ETag.
  const from = given.from ?? Math.floor(now() / HOUR) * HOUR
  const to = given.to ?? from + (days === undefined ? DEFAULT_WINDOW : days * DAY)
  if (to <= from) throw invalidField('/to', 'Expected a time after from.')
  if (to - from > LONGEST_WINDOW) throw invalidField('/to', 'Expected at most 366 days after from.')
  return { ...given, from, to }
}
