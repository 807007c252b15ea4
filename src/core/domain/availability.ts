import * as z from 'zod'

import type { EventType } from './practice.ts'
import { DAY } from './time/duration.ts'
import { clockSpans, WEEKDAYS } from './time/time.ts'

/** A time at which a consult can be booked, in epoch ms; `end` is not included. */
export type Slot = { start: number; end: number }

/** A slot in an answer. The answer says zone, kind and length once, beside the list. */
export const slotSchema = z
  .strictObject({ start_time: z.string().meta({ format: 'date-time' }) })
  .meta({ id: 'Slot', description: 'A time at which a consult can be booked.' })

/** Opening hours of a day, in ms of local time after its midnight, and how long each slot in them is. */
export type Opening = { start: number; end: number; length: number }

/** The slots from Monday to Friday inside [from, to), in epoch ms, in order; none spans a clock change. */
export function weekdaySlots(from: number, to: number, zone: string, opening: Opening): Slot[] {
  const { start: open, end: close, length } = opening
  const slots: Slot[] = []
  for (const span of clockSpans(from, to, zone)) {
    // Between two clock changes local time is UTC plus a constant, so plain sums replace a calendar.
    const firstDay = Math.floor((span.start + span.offset) / DAY) * DAY
    for (let day = firstDay; day < span.end + span.offset; day += DAY) {
      const weekday = new Date(day).getUTCDay()
      if (weekday === 0 || weekday === 6) continue
      for (let wall = day + open; wall + length <= day + close; wall += length) {
        const start = wall - span.offset
        if (start >= span.start && start + length <= span.end)
          slots.push({ start, end: start + length })
      }
    }
  }
  return slots
}

/**
 * A start time, in epoch ms, that a caller asked for and that may be taken. A booking that is to be
 * moved there has its id, and its length in minutes where it keeps that. Days are those of `timezone`.
 */
export type WantedTime = {
  eventType: EventType & {
    moved?: string
    minutes?: number | undefined
    timezone?: string | undefined
  }
  start: number
  timezone: string
}

const DATE_LENGTH = '2026-11-23'.length
const LENGTH = '2026-11-23T09:00:00'.length

/**
 * Times of `isoInZone` as text, without loss: a line for each day and offset, `Monday 2026-11-23
 * -05:00: 09:00 09:30`.
 */
export function dayLines(times: readonly string[]): string[] {
  const days = Map.groupBy(times, (time) => `${time.slice(0, DATE_LENGTH)} ${time.slice(LENGTH)}`)
  return [...days].map(
    ([day, those]) =>
      `${weekdayOf(day.slice(0, DATE_LENGTH))} ${day}: ${those.map(clockOf).join(' ')}`,
  )
}

const clockOf = (time: string) => time.slice(DATE_LENGTH + 1, LENGTH).replace(/:00$/, '')

const weekdayOf = (date: string) => WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]!
