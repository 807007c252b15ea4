import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import { isoInZone, localDay, localTime } from '../domain/time.ts'
import type { Clock } from './rules-words.ts'

/** A day as it is written: `November 24, 2026`. */
export function dayIn(ms: number, zone: string): Html {
  const iso = isoInZone(ms, zone).slice(0, 10)
  return html`<time datetime="${iso}">${localDay(ms, zone).replace(/^\w+, /, '')}</time>`
}

/** The clock alone for a moment of today, `3:12 PM EST`, and the day with it for any other. */
export function clockOn(ms: number, { now, zone }: Clock): Html {
  const [day, whole] = [localDay(ms, zone), localTime(ms, zone)]
  const text = day === localDay(now, zone) ? whole.slice(`${day}, `.length) : whole
  return html`<time datetime="${isoInZone(ms, zone)}">${text}</time>`
}
