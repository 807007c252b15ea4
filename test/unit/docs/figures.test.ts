import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { DAY, HOUR, MINUTE, SECOND } from '../../../src/core/domain/time/duration.ts'
import { SAME_MARKER_WINDOW } from '../../../src/practice/operations/create-payment-link.ts'
import { previewedBooking } from '../core/confirm/caller.ts'

const page = (path: string): string => readFileSync(path, 'utf8')

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
    `after ${listed(soon.map((at) => at / SECOND))} seconds, after another ${listed(minutes)} minutes, ${listed(hours)} hours`,
  )
  const halves = Math.round((lookups.at(-1)! / HOUR) * 2)
  expect(text).toContain(
    `After some ${Math.floor(halves / 2)}${halves % 2 ? '½' : ''} hours without a finding`,
  )
})

test('providers.md says for how long a payment link may be sent again', () => {
  expect(page('docs/providers.md')).toContain(
    `Stripe idempotency key and within ${SAME_MARKER_WINDOW / HOUR} hours`,
  )
})
