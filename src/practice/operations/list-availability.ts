import * as z from 'zod'

import { dayLines, slotSchema } from '../../core/domain/availability.ts'
import { invalidField } from '../../core/domain/problem/problem.ts'
import { DAY, HOUR } from '../../core/domain/time/duration.ts'
import {
  dateTimeSchema,
  instantOf,
  isoInZone,
  localDay,
  timeRoles,
} from '../../core/domain/time/time.ts'
import {
  eventTypeChoices,
  eventTypeField,
  eventTypeNamed,
  wantedEventType,
  timedKind,
} from './booking/event-type.ts'
import { minutesOf } from './booking/schema.ts'
import { shownInZone, shownInZoneDefault } from './booking/view.ts'
import { defineRead, mockMark } from './operation.ts'
import { firstOf, moreField, searchedFrom, searchedTo } from './pagination.ts'
import { answerOfRead, numberField, orNull, textOrNull, textField } from './schemas.ts'

const DEFAULT_WINDOW = 7 * DAY
const LONGEST_WINDOW = 31 * DAY
const MOST_SLOTS = 500
/** Of its tool, unless limit says more: all times of a month are more than a model can use. */
const SLOTS_OF_TOOL = 200

const canSearchOn = ({ start_time, end_time }: { start_time: string; end_time: string }) =>
  instantOf(end_time) - instantOf(start_time) < LONGEST_WINDOW

/** Over REST it is a moment, as the specification says; a tool takes a date, too. */
const windowBound = (is: 'from' | 'to') => dateTimeSchema.meta({}).register(timeRoles, { is })

export const listAvailability = defineRead({
  name: 'list_availability',
  title: 'List consult availability',
  description:
    'Lists the free times (availability, open slots of the calendar) at which a consult, ' +
    'appointment or meeting can be booked. Use this when a person asks when a consult is ' +
    'possible. book_consult and reschedule_booking take a start_time from here. Returns the ' +
    'start_time of each, soonest first, with duration_minutes, timezone and the date of today; ' +
    'limit=3 gives the next three. Searches the next 7 days unless you name a window, at most ' +
    '31. Cannot reserve a time: it can be taken before you book it.',
  scope: 'availability:read',
  route: 'GET /v1/availability',
  provider: 'scheduling',
  problems: [],
  input: z.strictObject({
    start_time: windowBound('from')
      .optional()
      .describe('Start of the window, RFC 3339 with an offset; a past time means now.'),
    end_time: windowBound('to')
      .optional()
      .describe(
        'End of the window, RFC 3339 with an offset; at most 31 days after its start, by default 7.',
      ),
    timezone: shownInZone,
    event_type: wantedEventType,
    limit: numberField(MOST_SLOTS)
      .optional()
      .meta({
        description:
          'How many of the soonest times to return: 3 for the next three. ' +
          'Without end_time it searches up to 31 days for them.',
        examples: [3],
      }),
  }),
  defaults: shownInZoneDefault,
  choices: eventTypeChoices,
  output: answerOfRead('list_availability', 'Availability', 'Bookable times, soonest first.', {
    event_type: eventTypeField,
    duration_minutes: orNull(z.int()).describe(
      'The length of the consult; null if no time is free.',
    ),
    timezone: textField('IANA zone of the times in this answer.'),
    practice_timezone: textField('IANA zone of the practice.'),
    today: textField('The day that it is now in timezone, in words.'),
    start_time: searchedFrom,
    end_time: searchedTo,
    slots: z.array(slotSchema),
    more: moreField,
    scheduling_page_url: textOrNull.describe(
      'Where a person can book by hand, if the practice has such a page.',
    ),
  }),
  async run(input, { practice, scheduling, now }) {
    const eventType = eventTypeNamed(practice, input.event_type)
    const timezone = input.timezone ?? practice.timezone
    const from = Math.max(now(), input.start_time === undefined ? 0 : instantOf(input.start_time))
    let to = input.end_time === undefined ? from + DEFAULT_WINDOW : instantOf(input.end_time)
    if (to <= from)
      throw invalidField('/end_time', 'Expected a time after now and after start_time.')
    // On one of 31 days clocks may be set back.
    if (to - from > LONGEST_WINDOW + HOUR)
      throw invalidField('/end_time', 'Expected at most 31 days after start_time.')
    const wanted = { ...eventType, timezone }
    let free = await scheduling.slots(wanted, from, to)
    if (input.end_time === undefined && free.length < (input.limit ?? 0)) {
      to = from + LONGEST_WINDOW
      free = await scheduling.slots(wanted, from, to)
    }
    const slots = free.slice(0, input.limit)
    return {
      event_type: eventType.name,
      duration_minutes: free[0] ? minutesOf(free[0]) : null,
      timezone,
      practice_timezone: practice.timezone,
      today: localDay(now(), timezone),
      start_time: isoInZone(from, timezone),
      end_time: isoInZone(to, timezone),
      slots: slots.map(({ start }) => ({ start_time: isoInZone(start, timezone) })),
      more: free.length - slots.length,
      scheduling_page_url: practice.schedulingPageUrl,
    }
  },
  shortened: (output, { limit }) =>
    limit === undefined ? { ...output, ...firstOf('slots', output.slots, SLOTS_OF_TOOL) } : output,
  lines({ slots, more, scheduling_page_url, ...about }) {
    const [first] = slots
    const { duration_minutes: minutes } = about
    const zones =
      `The practice is in ${about.practice_timezone}. In ${about.timezone} today is ` +
      `${about.today}.`
    const searchOn = canSearchOn(about) ? ' limit=3 without end_time finds the next ones.' : ''
    const free =
      first && minutes !== null
        ? [
            `Free times of ${timedKind(minutes, about.event_type)}${mockMark(about.mode)} in ` +
              `${about.timezone}, by date, offset and clock. Combine date, time and offset for a ` +
              `start_time; the first is ${first.start_time}`,
            ...dayLines(slots.map(({ start_time }) => start_time)),
          ]
        : [
            `No ${about.event_type} can be booked from ${about.start_time} to ${about.end_time}.${searchOn}`,
          ]
    return [
      zones,
      free,
      more > 0 &&
        `${more} more until ${about.end_time}: ask with a later start_time, or with limit, ` +
          `at most ${MOST_SLOTS}.`,
      scheduling_page_url && `Scheduling page for people: ${scheduling_page_url}`,
    ]
  },
  example: {
    input: { timezone: 'America/New_York' },
    result: {
      event_type: 'consult',
      duration_minutes: 30,
      timezone: 'America/New_York',
      practice_timezone: 'America/New_York',
      today: 'Monday, November 23, 2037',
      start_time: '2037-11-23T08:00:00-05:00',
      end_time: '2037-11-30T08:00:00-05:00',
      slots: [
        { start_time: '2037-11-24T10:00:00-05:00' },
        { start_time: '2037-11-24T10:30:00-05:00' },
      ],
      more: 0,
      scheduling_page_url: null,
    },
  },
})
