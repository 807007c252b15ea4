import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import { isoInZone, localDay } from '../domain/time.ts'
import type { ChangeCounts } from '../ports/audit.ts'
import { auditAddress } from './audit-query.ts'

/** What became of the changes of a day that began at a moment. */
export interface DayCounts extends ChangeCounts {
  day: number
}

/** Measures of a week in the units of its drawing; a bar and its label are as wide as a finger on a phone. */
const DAY_WIDTH = 48
const TOP = 18
const HEIGHT = 110
const LABELS = 40
const BAR = 30

/**
 * The changes of two weeks, a bar for each day: made ones solid, others hatched. Each bar is a link to the entries of its
 * day and says its numbers, so the drawing needs no other text.
 */
export function chart(days: readonly DayCounts[], zone: string): Html {
  const most = Math.max(1, ...days.map(({ made, refused }) => made + refused))
  const weeks = [days.slice(0, 7), days.slice(7)]
  const sum = (name: keyof ChangeCounts): number => days.reduce((total, day) => total + day[name], 0)
  return html`<p class="legend">
      <span><i class="made"></i>${sum('made')} made</span>
      <span><i class="refused"></i>${sum('refused')} refused, or ended otherwise</span>
    </p>
    <div class="chart">
      ${weeks.map(
        (week, i) =>
          html`<svg viewBox="0 0 ${week.length * DAY_WIDTH} ${TOP + HEIGHT + LABELS}">
            ${i === 0 ? HATCH : ''}
            <line x1="0" x2="${week.length * DAY_WIDTH}" y1="${TOP + HEIGHT}" y2="${TOP + HEIGHT}" />
            ${week.map((day, place) => bar(day, place * DAY_WIDTH, HEIGHT / most, zone))}
          </svg>`,
      )}
    </div>`
}

const HATCH = html`<defs>
  <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width="6" height="6" class="paper" />
    <rect width="3" height="6" class="ink" />
  </pattern>
</defs>`

function bar({ day, made, refused }: DayCounts, left: number, unit: number, zone: string): Html {
  const date = isoInZone(day, zone).slice(0, 10)
  const name = localDay(day, zone)
  const [weekday = '', monthAndDay = ''] = name.split(', ')
  const [solid, hatched] = [made * unit, refused * unit]
  const x = left + (DAY_WIDTH - BAR) / 2
  const floor = TOP + HEIGHT
  const middle = left + DAY_WIDTH / 2
  const said = `${name}: ${made} made, ${refused} refused or ended otherwise`
  const rect = (kind: string, y: number, height: number) =>
    height === 0
      ? ''
      : html`<rect
          class="${kind}"
          x="${x}"
          y="${y.toFixed(1)}"
          width="${BAR}"
          height="${height.toFixed(1)}"
        />`
  // What is written stands beside the link, which says the same in its own words.
  return html`<a href="${auditAddress({ from: date, to: date })}" aria-label="${said}">
      <title>${said}</title>
      <rect class="day" x="${left}" y="0" width="${DAY_WIDTH}" height="${floor + LABELS}" />
      ${rect('made', floor - solid, solid)} ${rect('refused', floor - solid - hatched, hatched)}
    </a>
    <g aria-hidden="true">
      ${
        made + refused === 0
          ? ''
          : html`<text x="${middle}" y="${(floor - solid - hatched - 5).toFixed(1)}" class="number">
              ${made + refused}
            </text>`
      }
      <text x="${middle}" y="${floor + 17}">${weekday.slice(0, 3)}</text>
      <text x="${middle}" y="${floor + 33}" class="date">${shortDate(monthAndDay)}</text>
    </g>`
}

/** `Nov 24` for `November 24`. */
const shortDate = (monthAndDay: string): string => monthAndDay.replace(/^(\w{3})\w*/, '$1')
