import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'

import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'

const HALF_HOUR = 30 * MINUTE
const START = Date.UTC(2030, 0, 14, 15)

const calendar = () => env.MOCK_CALENDAR.getByName('calendar')

const consult = (start: number, marker: string) => ({
  event_type_id: 'mock_consult',
  start,
  end: start + HALF_HOUR,
  timezone: 'America/New_York',
  masked_email: 'j***@***.example',
  initials: 'J. D.',
  marker,
})

async function book(start: number, marker: string): Promise<string> {
  const booked = await calendar().book(consult(start, marker))
  if (booked === 'taken') throw new Error('expected the time to be free')
  return booked.id
}

it('the mock calendar gives a time once to simultaneous callers', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => calendar().book(consult(START, `marker ${i}`))),
  )
  expect(answers.filter((answer) => answer !== 'taken')).toHaveLength(1)
})

it('the mock calendar frees a cancelled time once', async () => {
  const id = await book(START, 'one')
  expect(await calendar().cancel(id, 'first')).toBe('cancelled')
  expect(await calendar().cancel(id, 'second')).toBe('not active')
  expect((await calendar().booking(id))?.cancelled_by).toBe('first')
  expect(await calendar().taken(START, START + DAY)).toEqual([])
  await book(START, 'two')
  expect(await calendar().cancel('mock_0', 'third')).toBe('not active')
})

it('the mock calendar drops bookings that ended more than 90 days ago', async () => {
  const id = await book(START, 'one')
  vi.useFakeTimers({ toFake: ['Date'], now: START + HALF_HOUR + 90 * DAY })
  await book(START + 100 * DAY, 'two')
  expect((await calendar().booking(id))?.id).toBe(id)
  vi.setSystemTime(START + HALF_HOUR + 90 * DAY + 1)
  await book(START + 101 * DAY, 'three')
  expect(await calendar().booking(id)).toBeUndefined()
})
