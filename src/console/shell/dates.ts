import { html } from 'hono/html'
import type { Html } from '../../access/pages/layout.ts'
import { isoInZone, localDay, localTime } from '../../domain/time/time.ts'

/** The moment of a page, and the zone in which it says times. */
export interface Clock {
  now: number
  zone: string
}

/** A day as it is written: `November 24, 2026`. */
export const dayText = (ms: number, zone: string): string => localDay(ms, zone).replace(/^\w+, /, '')

/** The same, for programs too. */
export const dayIn = (ms: number, zone: string): Html =>
  html`<time datetime="${isoInZone(ms, zone).slice(0, 10)}">${dayText(ms, zone)}</time>`

const clockAlone = (ms: number, zone: string): string =>
  localTime(ms, zone).slice(`${localDay(ms, zone)}, `.length)

/** The clock alone for a moment of today, `3:12 PM EST`, and the day with it for any other. */
export function clockOn(ms: number, { now, zone }: Clock): Html {
  const isToday = localDay(ms, zone) === localDay(now, zone)
  return timeOf(ms, zone, isToday ? clockAlone(ms, zone) : localTime(ms, zone))
}

/** The clock alone, where the day stands above. */
export const clockIn = (ms: number, zone: string): Html => timeOf(ms, zone, clockAlone(ms, zone))

const timeOf = (ms: number, zone: string, text: string): Html =>
  html`<time datetime="${isoInZone(ms, zone)}">${text}</time>`

/** A day as a heading: `Today, Tuesday, November 24`; the year only where it is not this one. */
export function dayHeading(ms: number, { now, zone }: Clock): string {
  const [day, today] = [localDay(ms, zone), localDay(now, zone)]
  const year = today.slice(-6)
  const short = day.endsWith(year) ? day.slice(0, -year.length) : day
  return day === today ? `Today, ${short}` : short
}

/** Items by the day of the practice on which they are, in their order. */
export function byDay<T>(items: readonly T[], at: (item: T) => number, zone: string): [ms: number, T[]][] {
  const days: [number, T[]][] = []
  for (const item of items) {
    const ms = at(item)
    const last = days.at(-1)
    if (last && localDay(last[0], zone) === localDay(ms, zone)) last[1].push(item)
    else days.push([ms, [item]])
  }
  return days
}
