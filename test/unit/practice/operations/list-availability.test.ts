import { describe, expect, test } from 'vitest'

import type { Slot } from '../../../../src/core/domain/availability.ts'
import { Problem } from '../../../../src/core/domain/problem/problem.ts'
import { settingsFrom } from '../../../../src/core/settings.ts'
import { listAvailability } from '../../../../src/practice/operations/list-availability.ts'
import type { ReadPorts } from '../../../../src/practice/operations/operation.ts'
import { parseInput } from '../../../../src/practice/operations/validation.ts'
import { startsInText } from '../../../support/text-answers.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-22T13:00:00Z')

interface Answer {
  slots: { start_time: string }[]
  more: number
  duration_minutes: number | null
  end_time: string
  today: string
}

/** Asks for availability while these times are free; gives the windows that the provider was asked for, too. */
async function ask(free: readonly number[], fields: Record<string, unknown> = {}) {
  const windows: number[] = []
  const zones: string[] = []
  const scheduling = {
    mode: 'mock',
    slots: async (
      { timezone }: { timezone: string },
      from: number,
      to: number,
    ): Promise<Slot[]> => {
      zones.push(timezone)
      windows.push((to - from) / HOUR / 24)
      return free
        .filter((start) => start >= from && start + HOUR / 2 <= to)
        .map((start) => ({ start, end: start + HOUR / 2 }))
    },
  }
  const { practice } = settingsFrom({})
  const input = parseInput(listAvailability.input, fields)
  const ports = { practice, scheduling, now: () => NOW } as unknown as ReadPorts
  const body = listAvailability.output.parse(await listAvailability.run(input, ports))
  const text = listAvailability.text!(body, String)
  return { body: body as unknown as Answer, text, windows, zones }
}

/** So many free times, one an hour, from so many days ahead. */
const hours = (count: number, days = 1) =>
  Array.from({ length: count }, (_, hour) => NOW + (days * 24 + hour) * HOUR)

describe('free times', () => {
  test('are given as starts only, and what all of them share is given once', async () => {
    const { body, text, windows } = await ask(hours(3))
    expect(body).toMatchObject({
      duration_minutes: 30,
      timezone: 'America/New_York',
      practice_timezone: 'America/New_York',
      today: 'Sunday, November 22, 2026',
      more: 0,
    })
    expect(Object.keys(body.slots[0]!)).toEqual(['start_time'])
    expect(startsInText(text)).toEqual(body.slots.map(({ start_time }) => start_time))
    expect(windows).toEqual([7])
  })

  test('in the requested zone are shown beside the zone of the practice and the date there', async () => {
    const { body, text, zones } = await ask(hours(1), { timezone: 'Pacific/Kiritimati' })
    expect(zones).toEqual(['Pacific/Kiritimati'])
    expect(body.today).toBe('Monday, November 23, 2026')
    expect(text).toContain(
      'The practice is in America/New_York. In Pacific/Kiritimati today is Monday',
    )
    expect(body.slots[0]!.start_time).toMatch(/\+14:00$/)
  })

  test('are cut to the limit, and the answer says how many more there are', async () => {
    const { body, text } = await ask(hours(10), { limit: 3 })
    expect(body.slots).toHaveLength(3)
    expect(body.more).toBe(7)
    expect(text).toContain('7 more until')
  })

  test('are searched further ahead if fewer than the limit are free in the default window', async () => {
    const { body, windows } = await ask([...hours(1), ...hours(5, 20)], { limit: 3 })
    expect(body.slots).toHaveLength(3)
    expect(windows).toEqual([7, 31])
    expect(Date.parse(body.end_time)).toBe(NOW + 31 * 24 * HOUR)
    const asked = await ask(hours(5, 20), { limit: 3, end_time: '2026-11-24T13:00:00Z' })
    expect(asked.windows).toEqual([2])
    expect(asked.body.slots).toEqual([])
  })

  test('are found on 31 days, of which one has an hour more where clocks are set back', async () => {
    const start_time = '2027-10-20T00:00:00-04:00'
    const asked = (end_time: string) => ask(hours(1), { start_time, end_time })
    await asked('2027-11-20T00:00:00-05:00')
    await expect(asked('2027-11-20T00:00:01-05:00')).rejects.toThrow(Problem)
  })

  test('have no length if there are none, and the text names the window', async () => {
    const { body, text } = await ask([])
    expect(body.duration_minutes).toBe(null)
    expect(text).toContain(
      'No consult can be booked from 2026-11-22T08:00:00-05:00 to 2026-11-29T08:00:00-05:00. limit=3 without end_time finds the next ones.',
    )
    expect((await ask([], { limit: 3 })).text).not.toContain('limit=3')
  })

  test.each([0, -1, 1.5, 501, '3x', true, [3]])('are refused with the limit %j', async (limit) => {
    const refused = await ask(hours(1), { limit }).catch((thrown: unknown) => thrown)
    expect(refused).toBeInstanceOf(Problem)
    expect((refused as Problem).refusal).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/limit' }],
    })
  })
})
