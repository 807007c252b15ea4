import { expect, test } from 'vitest'

import { DAY } from '../../../../src/core/domain/time/duration.ts'
import { practice, START } from '../../../support/fake-host.ts'
import { BOOKING, callerOf, CLIENT, LINK } from './caller.ts'

const MONTH = 30 * DAY
const YEARS = 3
const MONTHS = 12 * YEARS

/** A slot of the mock calendar in each month, on a weekday in business hours. */
const slotIn = (now: number): string => {
  const day = new Date(now + 2 * DAY)
  while (day.getUTCDay() % 6 === 0) day.setUTCDate(day.getUTCDate() + 1)
  return `${day.toISOString().slice(0, 10)}T17:00:00Z`
}

test('after years of previews, commits, refusals and doubts only two months of records remain, and those that need a person', async () => {
  const world = practice()
  let most = 0
  let waiting = 0
  for (let month = 0; month < MONTHS; month++) {
    await world.until(START + month * MONTH)
    const booking = { ...BOOKING, start_time: slotIn(world.now()) }
    const started = [
      callerOf(world, 'book_consult', booking),
      callerOf(world, 'create_client_profile', CLIENT),
      callerOf(world, 'create_payment_link', LINK),
      callerOf(world, 'create_payment_link', LINK),
    ]
    for (const one of started) expect(await one.preview()).toMatchObject({ status: 'preview' })
    // The first goes well, gets lost before or after the provider, or is refused; the last is never committed.
    world.allIsWell()
    const fault = (['ok', 'timeout_after', 'refused', 'timeout_before'] as const)[month % 4]!
    world.fail('book', fault)
    world.failingPuts = month % 3
    for (const one of started.slice(0, -1)) await one.commit()
    await world.idle()
    if (fault === 'timeout_before') waiting += 1
    most = Math.max(most, world.kept().length)
  }
  expect(most - waiting).toBeLessThanOrEqual(4 * 3)
  await world.until(START + (MONTHS + 3) * MONTH)
  // By design: what no one knows the outcome of is not forgotten, and nothing wakes it for nothing.
  const kept = world.kept()
  expect(kept).toHaveLength(waiting)
  for (const one of kept)
    expect(one).toMatchObject({
      record: { state: 'running', escalation: 'sent' },
      alarm: undefined,
    })
  expect(world.broken).toEqual([])
})
