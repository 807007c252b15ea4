import * as z from 'zod'

import { DAY, HOUR, MINUTE } from '../time/duration.ts'
import { WEEKDAYS, clockSpans, zoneClock } from '../time/time.ts'

const clock = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Expected a time of day in 24 hours, such as 08:00.')
const lastClock = z.union([clock, z.literal('24:00')])

/** Weekdays and times of day by the clock of the practice; the minute `to` is not included. */
export const hoursSchema = z.lazy(() =>
  z
    .strictObject({
      days: z
        .array(z.int().min(1).max(7))
        .min(1)
        .max(7)
        .meta({
          description: 'ISO weekdays: 1 is Monday, 7 is Sunday.',
          examples: [[1, 2, 3, 4, 5]],
        }),
      from: clock.meta({ description: 'The first minute, HH:MM.', examples: ['08:00'] }),
      to: lastClock.meta({
        description:
          'The minute at which the hours end, HH:MM, up to 24:00. ' +
          'If it is before `from`, they end on the next day; ' +
          '`days` are the days on which they begin.',
        examples: ['18:00'],
      }),
    })
    .check(({ value, issues }) => {
      const expected = 'Expected another time than from; for whole days send 00:00 to 24:00.'
      if (value.from === value.to)
        issues.push({
          code: 'custom',
          message: expected,
          params: { expected },
          input: value.to,
          path: ['to'],
        })
    })
    .meta({ id: 'WorkingHours' }),
)

export type Hours = z.infer<typeof hoursSchema>

const sinceMidnight = (time: string) =>
  Number(time.slice(0, 2)) * HOUR + Number(time.slice(3)) * MINUTE

/** When a window begins and how long it lasts on the clock, in milliseconds. */
function windowOf({ from, to }: Hours): { begin: number; length: number } {
  const begin = sinceMidnight(from)
  const end = sinceMidnight(to)
  return { begin, length: end > begin ? end - begin : end + DAY - begin }
}

/** The ISO weekday of a day counted from 1970-01-01, a Thursday. */
const weekdayOf = (day: number) => ((day + 3) % 7) + 1

/** A weekly window can fall into a clock change, so the next one may be nearly two weeks away. */
const LONGEST_WAIT = 15 * DAY

/** The first instant from `now` on within the hours, in epoch ms, by the clock of the zone. */
export function opensAt(hours: Hours, now: number, zone: string): number {
  const { begin, length } = windowOf(hours)
  for (const { start, end, offset } of clockSpans(now, now + LONGEST_WAIT, zone)) {
    const [first, last] = [start + offset, end + offset]
    // The window of the day before may still be open.
    for (let day = Math.floor(first / DAY) - 1; day * DAY < last; day++) {
      if (!hours.days.includes(weekdayOf(day))) continue
      const opens = Math.max(first, day * DAY + begin)
      if (opens < Math.min(last, day * DAY + begin + length)) return opens - offset
    }
  }
  return now + LONGEST_WAIT
}

const WEEK = 7 * 24 * 60

/** The minutes of a week, from Monday 00:00 on, that lie within the hours. */
function minutesOf(hours: Hours): Set<number> {
  const { begin, length } = windowOf(hours)
  const minutes = new Set<number>()
  for (const day of hours.days) {
    const first = (day - 1) * (DAY / MINUTE) + begin / MINUTE
    for (let minute = first; minute < first + length / MINUTE; minute++) minutes.add(minute % WEEK)
  }
  return minutes
}

export function areWithin(outer: Hours, inner: Hours): boolean {
  const allowed = minutesOf(outer)
  return [...minutesOf(inner)].every((minute) => allowed.has(minute))
}

function spokenDays(days: readonly number[]) {
  const sorted = [...new Set(days)].toSorted((a, b) => a - b)
  if (sorted.length === 7) return 'every day'
  const names = sorted.map((day) => WEEKDAYS[day % 7]!)
  const [first = '', ...others] = names
  const last = others.at(-1)
  if (last === undefined) return first
  const isRow = sorted.every((day, i) => day === sorted[0]! + i)
  if (isRow && sorted.length > 2) return `${first} to ${last}`
  return `${names.slice(0, -1).join(', ')} and ${last}`
}

function spokenClock(time: string) {
  if (time === '24:00') return 'midnight'
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}:${time.slice(3)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** The hours in words, with the zone's name at that moment: `Monday to Friday, 8:00 AM to 6:00 PM EST`. */
export const spokenHours = ({ days, from, to }: Hours, now: number, zone: string) =>
  `${spokenDays(days)}, ${spokenClock(from)} to ${spokenClock(to)} ${zoneClock(now, zone).name}`
