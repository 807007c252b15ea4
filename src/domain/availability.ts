import * as z from 'zod'
import { DAY, MINUTE } from './time/duration.ts'
import { clockSpans, WEEKDAYS } from './time/time.ts'
import type { EventType } from './practice.ts'

/** A time that can be booked, in epoch ms, `end` not included. */
export type Slot = { start: number; end: number }

/** The same in an answer. Its zone, kind and length are said once, beside the list. */
export const slotSchema = z
  .strictObject({ start_time: z.string().meta({ format: 'date-time' }) })
  .meta({ id: 'Slot', description: 'A time at which a consult can be booked.' })

/** The daily opening, in local wall time (`09:00`, up to `24:00`), cut into slots of a fixed number of minutes. */
export type Opening = { start: string; end: string; minutes: number }

function msOf(clock: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]|24(?=:00)):([0-5]\d)$/.exec(clock) ?? []
  if (hours === undefined || minutes === undefined) throw new RangeError('Expected a time such as 09:00.')
  return (Number(hours) * 60 + Number(minutes)) * MINUTE
}

/**
 * The slots of Monday to Friday in `zone` wholly inside [from, to), epoch ms, in order. A local time the clock skips is
 * never offered, one it repeats is offered once per real moment, and no slot spans a clock change.
 */
export function weekdaySlots(from: number, to: number, zone: string, opening: Opening): Slot[] {
  const open = msOf(opening.start)
  const close = msOf(opening.end)
  const length = opening.minutes * MINUTE
  if (!Number.isSafeInteger(length) || length <= 0) throw new RangeError('Expected a minute or more.')
  const slots: Slot[] = []
  for (const span of clockSpans(from, to, zone)) {
    // Between two clock changes local time is real time plus a constant, so sums do: no calendar is needed.
    const firstDay = Math.floor((span.start + span.offset) / DAY) * DAY
    for (let day = firstDay; day < span.end + span.offset; day += DAY) {
      const weekday = new Date(day).getUTCDay()
      if (weekday === 0 || weekday === 6) continue
      for (let wall = day + open; wall + length <= day + close; wall += length) {
        const start = wall - span.offset
        if (start >= span.start && start + length <= span.end) slots.push({ start, end: start + length })
      }
    }
  }
  return slots
}

/** A time that somebody wanted, epoch ms, and may take another for. */
export interface WantedTime {
  eventType: EventType
  start: number
  timezone: string
}

const PARTS = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)(.+)$/

/** Times as lines from which each can be rebuilt, one for a day and offset: `Monday 2026-11-23 -05:00: 09:00 09:30`. */
export function dayLines(times: readonly string[]): string[] {
  const days = new Map<string, string[]>()
  for (const time of times) {
    const [, date = '', clock = '', seconds = '', offset = ''] = PARTS.exec(time) ?? []
    const day = `${date} ${offset}`
    const shown = seconds === ':00' ? clock : clock + seconds
    const clocks = days.get(day)
    if (clocks) clocks.push(shown)
    else days.set(day, [shown])
  }
  return [...days].map(([day, clocks]) => `${weekdayOf(day.slice(0, 10))} ${day}: ${clocks.join(' ')}`)
}

const weekdayOf = (date: string): string => WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''
