import { readFileSync, readdirSync } from 'node:fs'

import { expect, test } from 'vitest'

import { RESOURCES, isTemplate } from '../../../src/api/mcp/resources.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/core/domain/time/duration.ts'
import { OPERATIONS } from '../../../src/practice/operations/index.ts'
import { previewedBooking } from '../core/confirm/caller.ts'

const page = (path: string): string => readFileSync(path, 'utf8')
const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** `1, 5 and 30` */
const listed = (numbers: number[]): string => numbers.join(', ').replace(/, (?=\S+$)/, ' and ')

test('day-to-day.md says when an outcome in doubt is looked for, and after how long a person has to', async () => {
  const { world, booking } = await previewedBooking()
  const sentAt = world.now()
  world.fail('book', 'timeout_before*')
  await booking.commit()
  const lookups: number[] = []
  while (world.alerted.length === 0) {
    const before = world.log.length
    await booking.ring()
    if (world.log.slice(before).includes('findBooked')) lookups.push(world.now() - sentAt)
    expect(world.now() - sentAt).toBeLessThan(DAY)
  }
  const soon = lookups.filter((at) => at < MINUTE)
  const waits = lookups.map((at, nth) => at - (lookups[nth - 1] ?? 0)).slice(soon.length)
  const minutes = waits.filter((wait) => wait < HOUR).map((wait) => wait / MINUTE)
  const hours = waits.filter((wait) => wait >= HOUR).map((wait) => wait / HOUR)
  const text = page('docs/operate/day-to-day.md')
  expect(text).toContain(
    `after ${listed(soon.map((at) => at / SECOND))} seconds, after further waits of ${listed(minutes)} minutes, ${listed(hours)} hours`,
  )
  const halves = Math.round((lookups.at(-1)! / HOUR) * 2)
  expect(text).toContain(
    `After some ${Math.floor(halves / 2)}${halves % 2 ? '½' : ''} hours without a finding`,
  )
})

test('providers.md says what may be sent twice, and for how long', () => {
  const files = readdirSync('src/practice/operations', { recursive: true, encoding: 'utf8' })
  const windows = files.flatMap((file) => {
    const source = file.endsWith('.ts') ? page(`src/practice/operations/${file}`) : ''
    const hours = /SAME_MARKER_WINDOW = (\d+) \* HOUR/.exec(source)?.[1]
    return [...source.matchAll(/retryWindowMs: (\w+)/g)].map(([, at]) => [
      file,
      at === 'Infinity' ? at : hours,
    ])
  })
  expect(Object.fromEntries(windows)).toEqual({
    'booking/reschedule-steps.ts': 'Infinity',
    'cancel-booking.ts': 'Infinity',
    'create-payment-link.ts': '23',
  })
  const text = page('docs/providers.md')
  for (const said of [
    'A booking in doubt is never',
    'A cancellation may be',
    'Stripe idempotency key and within 23 hours',
  ])
    expect(text).toContain(said)
})

test('reading.md counts the resources that need no id', () => {
  const listedAtOnce = RESOURCES.filter((one) => !isTemplate(one)).length
  expect(page('docs/reading.md')).toContain(`names the ${COUNTS[listedAtOnce]} that need no id`)
})

test('the README counts the operations that the demo goes through', () => {
  expect(page('README.md')).toContain(`goes through the ${COUNTS[OPERATIONS.length]} operations`)
  const demo = page('src/cli/demo/journey.ts')
  for (const { name } of OPERATIONS) expect(demo).toContain(`'${name}'`)
})

test('access.md names the owner’s pages, which are closed to every other web page', () => {
  const [, list = ''] = /OWNERS_PAGES = \[(.*)\]/.exec(page('src/owner/access/cors.ts')) ?? []
  const paths = [...list.matchAll(/'([^']+)'/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(1)
  const [, named = ''] = /the owner's pages \(([^)]*)\)/.exec(page('docs/operate/access.md')) ?? []
  for (const path of paths) expect(named).toContain(`\`${path}\``)
})
