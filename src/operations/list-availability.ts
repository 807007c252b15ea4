import * as z from 'zod'
import { DAY } from '../domain/duration.ts'
import { modeSchema } from '../domain/mode.ts'
import { invalidField } from '../domain/problem.ts'
import { dateTimeSchema, instantOf, isoInZone, localClock, localDay, zoneSchema } from '../domain/time.ts'
import { eventTypeField, eventTypeNamed, timeFields, timeFieldsOf } from './time-fields.ts'
import { defineRead } from './operation.ts'

const DEFAULT_WINDOW = 7 * DAY
const LONGEST_WINDOW = 31 * DAY

const slotSchema = z
  .strictObject({ ...timeFields, event_type: eventTypeField })
  .meta({ id: 'Slot', description: 'A time at which a consult can be booked.' })

export const listAvailability = defineRead({
  name: 'list_availability',
  title: 'List consult availability',
  description:
    'Returns the times at which a consult can be booked, by default over the next 7 days and at most over 31. Reads only.',
  scope: 'availability:read',
  http: { method: 'get', path: '/v1/availability' },
  problems: ['provider_busy', 'provider_misconfigured'],
  input: z.strictObject({
    start_time: dateTimeSchema.optional().meta({
      description: 'Start of the window, RFC 3339 with an offset; a past time means now.',
      examples: ['2026-11-24T00:00:00-05:00'],
    }),
    end_time: dateTimeSchema.optional().meta({
      description: 'End of the window, at most 31 days after its start; by default 7 days after it.',
      examples: ['2026-11-28T00:00:00-05:00'],
    }),
    timezone: zoneSchema.optional().meta({
      description: 'IANA zone for the times in the answer; by default the zone of the practice.',
      examples: ['America/New_York'],
    }),
    event_type: z
      .string()
      .optional()
      .meta({
        description: 'The kind of consult, by its short name; by default the first the practice offers.',
        examples: ['consult'],
      }),
  }),
  defaults: ({ timezone }) => ({ timezone }),
  output: z
    .strictObject({
      operation: z.literal('list_availability'),
      mode: modeSchema,
      event_type: eventTypeField,
      timezone: z.string(),
      start_time: z
        .string()
        .meta({ format: 'date-time', description: 'Start of the window that was searched.' }),
      end_time: z.string().meta({ format: 'date-time', description: 'End of the window that was searched.' }),
      slots: z.array(slotSchema),
      scheduling_page_url: z
        .union([z.string(), z.null()])
        .meta({ description: 'Where a person can book by hand, if the practice has such a page.' }),
    })
    .meta({ id: 'Availability', description: 'Bookable times, soonest first.' }),
  mode: ({ scheduling }) => scheduling.mode,
  async run(input, { practice, scheduling, now }) {
    const eventType = eventTypeNamed(practice, input.event_type)
    const timezone = input.timezone ?? practice.timezone
    const from = Math.max(now(), input.start_time === undefined ? 0 : instantOf(input.start_time))
    const to = input.end_time === undefined ? from + DEFAULT_WINDOW : instantOf(input.end_time)
    if (to <= from) throw invalidField('/end_time', 'Expected a time after now and after start_time.')
    if (to - from > LONGEST_WINDOW)
      throw invalidField('/end_time', 'Expected at most 31 days after start_time.')
    const slots = await scheduling.slots(eventType, from, to)
    return {
      operation: 'list_availability' as const,
      mode: scheduling.mode,
      event_type: eventType.name,
      timezone,
      start_time: isoInZone(from, timezone),
      end_time: isoInZone(to, timezone),
      slots: slots.map((slot) => ({ ...timeFieldsOf(slot, timezone), event_type: eventType.name })),
      scheduling_page_url: practice.schedulingPageUrl,
    }
  },
  text({ slots, timezone, mode, scheduling_page_url }) {
    const days = new Map<string, string[]>()
    for (const { start_time } of slots) {
      const start = Date.parse(start_time)
      const day = localDay(start, timezone)
      const clocks = days.get(day)
      if (clocks) clocks.push(localClock(start, timezone))
      else days.set(day, [localClock(start, timezone)])
    }
    const lines = [...days].map(([day, clocks]) => `${day}: ${clocks.join(', ')}`)
    if (lines.length === 0) lines.push('No consult can be booked in this window.')
    if (scheduling_page_url) lines.push(`Scheduling page for people: ${scheduling_page_url}`)
    return [`Consult times in ${timezone}${mode === 'mock' ? ' (mock)' : ''}:`, ...lines].join('\n')
  },
  example: {
    input: { timezone: 'America/New_York' },
    result: {
      operation: 'list_availability',
      mode: 'mock',
      event_type: 'consult',
      timezone: 'America/New_York',
      start_time: '2026-11-23T08:00:00-05:00',
      end_time: '2026-11-30T08:00:00-05:00',
      slots: [
        {
          start_time: '2026-11-24T10:00:00-05:00',
          end_time: '2026-11-24T10:30:00-05:00',
          timezone: 'America/New_York',
          local_time: 'Tuesday, November 24, 2026, 10:00 AM EST',
          event_type: 'consult',
        },
      ],
      scheduling_page_url: null,
    },
  },
})
