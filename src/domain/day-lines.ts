import { WEEKDAYS } from './time.ts'

const PARTS = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)(.+)$/

/**
 * Times as text from which each can be rebuilt: a line for each day and offset, such as
 * `Monday 2026-11-23 -05:00: 09:00 09:30`. They are RFC 3339 with offsets, in order; seconds are shown where there are any.
 */
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
