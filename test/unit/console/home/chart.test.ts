import { expect, test } from 'vitest'
import { textOfPage } from '../../../../src/http/html.ts'
import { chart } from '../../../../src/console/home/home.ts'

const DAY = 86_400_000
/** Midnight in New York; the days in between are those of a clock change. */
const FIRST = Date.parse('2026-10-26T04:00:00Z')
const days = (counts: [made: number, refused: number][]) =>
  counts.map(([made, refused], i) => ({ day: FIRST + i * DAY + (i > 6 ? DAY / 24 : 0), made, refused }))
const drawn = (counts: [number, number][]): string => textOfPage(chart(days(counts), 'America/New_York'))
const none = (length: number): [number, number][] => Array.from({ length }, () => [0, 0])

test('each bar is a link to the entries of its day, and says its numbers', () => {
  const html = drawn([[3, 1], ...none(13)])
  expect(html.match(/<a\s/g)).toHaveLength(14)
  expect(html).toContain('href="/owner/audit?from=2026-10-26&amp;to=2026-10-26"')
  expect(html).toContain('aria-label="Monday, October 26, 2026: 3 made, 1 refused or ended otherwise"')
  expect(html).toContain('href="/owner/audit?from=2026-11-08&amp;to=2026-11-08"')
})

test('the tallest day reaches the top, and all others are in proportion, refused ones on top of those made', () => {
  const html = drawn([[10, 10], [5, 0], ...none(12)])
  const heights = [...html.matchAll(/class="(made|refused)"[^/]*?y="([\d.]+)"[^/]*?height="([\d.]+)"/g)].map(
    ([, kind, y, height]) => [kind, Number(y), Number(height)],
  )
  expect(heights).toEqual([
    ['made', 73, 55],
    ['refused', 18, 55],
    ['made', 100.5, 27.5],
  ])
})

test('a fortnight without changes is drawn without bars', () => {
  expect(drawn(none(14))).not.toMatch(/class="(made|refused)"\s+x=/)
})
