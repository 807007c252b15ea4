import { html } from 'hono/html'

import type { Html } from '../../../api/pages/layout.ts'
import { HOUR, MINUTE, SECOND } from '../../../core/domain/time/duration.ts'
import { dateIn, isoInZone, localDay, localTime } from '../../../core/domain/time/time.ts'

/** The moment of a page, and the zone in which it says times. */
export interface Clock {
  now: number
  zone: string
}

/** A day as it is written: `November 24, 2026`. */
export const dayText = (ms: number, zone: string) => localDay(ms, zone).replace(/^\w+, /, '')

/** The same, for programs too. */
export const dayIn = (ms: number, zone: string) =>
  html`<time datetime="${dateIn(ms, zone)}">${dayText(ms, zone)}</time>`

/** A day of the practice, `2026-11-24`. */
export const dayOfUse = (day: string, { now, zone }: Clock) =>
  day >= dateIn(now, zone) ? html`today` : dayIn(Date.parse(day), 'UTC')

const clockAlone = (ms: number, zone: string) =>
  localTime(ms, zone).slice(`${localDay(ms, zone)}, `.length)

/** A moment in a row: `Wed, Nov 25, 9:00 AM`; the year where it is not this one. */
export function shortTime(ms: number, { now, zone }: Clock): string {
  const date = dayThisYear(ms, zone, now).replaceAll(/([A-Z][a-z]{2})[a-z]+/g, '$1')
  return `${date}, ${clockAlone(ms, zone).replace(/ \S+$/, '')}`
}

/** The clock alone for a moment of today, `3:12 PM EST`, and the day with it for any other. */
export function clockOn(ms: number, clock: Clock) {
  const isToday = localDay(ms, clock.zone) === localDay(clock.now, clock.zone)
  return timeOf(ms, clock.zone, isToday ? clockAlone(ms, clock.zone) : shortTime(ms, clock))
}

/** The clock alone, where the day stands above and the zone is said once. */
export const clockIn = (ms: number, zone: string) =>
  timeOf(ms, zone, clockAlone(ms, zone).replace(/ \S+$/, ''))

/** How long it is to a moment, or since it: `3 h 40 min`, `2 days`. */
function span(ms: number) {
  const minutes = Math.max(1, Math.floor(Math.abs(ms) / MINUTE))
  const days = Math.floor((minutes * MINUTE) / (24 * HOUR))
  if (days > 1) return `${days} days`
  return [`${Math.floor(minutes / 60)} h`, `${minutes % 60} min`]
    .filter((one) => !one.startsWith('0 '))
    .join(' ')
}

export const timeLeft = (until: number, { now, zone }: Clock) =>
  timeOf(until, zone, span(until - now))

export const timeAgo = (ms: number, { now, zone }: Clock) =>
  timeOf(ms, zone, now - ms < MINUTE ? 'just now' : `${span(now - ms)} ago`)

/** A moment as people say it; exactly, to the second, for a program and under the pointer. */
function timeOf(ms: number, zone: string, text: string) {
  const seconds = String(Math.floor(ms / SECOND) % 60).padStart(2, '0')
  const exact = localTime(ms, zone).replace(/\d+:\d\d/, `$&:${seconds}`)
  return html`<time datetime="${isoInZone(ms, zone)}" title="${exact}">${text}</time>`
}

/** `Tuesday, November 24`; the year only where it is not this one. */
function dayThisYear(ms: number, zone: string, now: number) {
  const [day, year] = [localDay(ms, zone), localDay(now, zone).slice(-6)]
  return day.endsWith(year) ? day.slice(0, -year.length) : day
}

/** Lines of items under the day of the practice on which they are: `Today, Tuesday, November 24`. */
export const underDays = <T>(
  items: readonly T[],
  at: (item: T) => number,
  { now, zone }: Clock,
  lines: (ofDay: T[]) => Html[],
) =>
  html`${[...Map.groupBy(items, (item) => localDay(at(item), zone))].map(
    ([day, ofDay]) =>
      html`<h3 class="day">${day === localDay(now, zone) && 'Today, '}${dayThisYear(at(ofDay[0]!), zone, now)}</h3>
        <ul class="entries">
          ${lines(ofDay)}
        </ul>`,
  )}`
