import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Refusal } from '../../../../../src/core/domain/problem/problem.ts'
import { type KeptRules, NO_RULES } from '../../../../../src/core/domain/rules/house-rules.ts'
import type { Ports, Services } from '../../../../../src/core/ports/services.ts'
import { settingsFrom } from '../../../../../src/core/settings.ts'
import { bookConsult } from '../../../../../src/practice/operations/book-consult.ts'
import { withNearbyTimes } from '../../../../../src/practice/operations/booking/alternatives.ts'
import type { MutationOperation } from '../../../../../src/practice/operations/operation.ts'
import { rescheduleBooking } from '../../../../../src/practice/operations/reschedule-booking.ts'
import { noHouseRules } from '../../../../support/fakes/house-rules.ts'
import { noQuota } from '../../../../support/fakes/provider-quota.ts'

const NOW = Date.parse('2026-11-23T13:00:00Z')
const MINUTE = 60_000
const WANTED = '2026-11-24T10:00:00-05:00'
const at = (text: string): number => Date.parse(text)
const slotAt = (text: string) => ({ start: at(text), end: at(text) + 30 * MINUTE })

const taken: Refusal = { code: 'slot_unavailable', effect: 'none' }
const FREE = [
  slotAt('2026-11-23T16:00:00-05:00'),
  slotAt('2026-11-24T09:00:00-05:00'),
  slotAt('2026-11-24T09:30:00-05:00'),
  slotAt(WANTED),
  slotAt('2026-11-24T11:00:00-05:00'),
  slotAt('2026-11-25T10:00:00-05:00'),
]

/** The refusal as it is answered, while the provider tells these times. */
function answered(
  refusal: Refusal,
  slots: (
    eventType: { id: string },
    from: number,
    to: number,
  ) => Promise<{ start: number; end: number }[]>,
  {
    operation = bookConsult as MutationOperation,
    input = {},
    page = '',
    rules = [] as KeptRules[],
  } = {},
): Promise<Refusal> {
  const { practice } = settingsFrom(page ? { SCHEDULING_PAGE_URL: page } : {})
  const booking = async () => ({ eventTypeId: 'type-of-the-booking', timezone: 'America/Chicago' })
  const ports = { practice, scheduling: { slots, booking }, now: () => NOW } as unknown as Ports
  const fields = { start_time: WANTED, timezone: 'America/New_York', ...input }
  const services = {
    ...ports,
    houseRules: { ...noHouseRules, copyOf: async () => rules },
    providerQuota: noQuota,
  } as unknown as Services
  const context = { caller: 'key:one', services }
  return withNearbyTimes(refusal, (asked) => operation.wantedTime!(fields, asked), context)
}

describe('a refusal of a time', () => {
  test('names the three free times nearest to it, in order and in the zone that was asked for', async () => {
    const { free_slots } = await answered(taken, async () => FREE)
    expect(free_slots).toEqual([
      { start_time: '2026-11-24T09:00:00-05:00' },
      { start_time: '2026-11-24T09:30:00-05:00' },
      { start_time: '2026-11-24T11:00:00-05:00' },
    ])
  })

  test('names no other times where another time does not help', async () => {
    const full: Refusal = { ...taken, free_slots: [] }
    expect(await answered(full, async () => FREE, { page: 'https://calendar.example' })).toEqual(
      full,
    )
  })

  test('names no free times to a caller who is paused', async () => {
    const paused = { caller: 'key:one', rules: { ...NO_RULES, paused: true }, pausedSince: NOW }
    expect(await answered(taken, async () => FREE, { rules: [paused] })).not.toHaveProperty(
      'free_slots',
    )
  })

  test('asks for no more than a week, and for nothing that has passed', async () => {
    const windows: [number, number][] = []
    const slots = async (_type: unknown, from: number, to: number) => {
      windows.push([from, to])
      return FREE
    }
    await answered(taken, slots)
    await answered(taken, slots, { input: { start_time: '2026-12-24T10:00:00-05:00' } })
    expect(windows[0]![0]).toBe(NOW)
    expect(windows[1]![0]).toBe(at('2026-12-21T10:00:00-05:00'))
    for (const [from, to] of windows) expect(to - from).toBe(7 * 24 * 60 * MINUTE)
  })

  test('of a move looks for the kind of consult that is booked, in the zone of the booking', async () => {
    const asked: string[] = []
    const slots = async ({ id }: { id: string }) => {
      asked.push(id)
      return FREE
    }
    const move = {
      operation: rescheduleBooking,
      input: { booking_id: 'bk_1', timezone: undefined },
    }
    for (const code of ['slot_unavailable', 'reschedule_restored', 'partially_applied'] as const) {
      const { free_slots } = await answered({ code, effect: 'none' }, slots, move)
      expect(free_slots?.[0]).toEqual({ start_time: '2026-11-24T08:00:00-06:00' })
    }
    expect(asked).toEqual(Array.from({ length: 3 }, () => 'type-of-the-booking'))
  })

  test('names the page where a person can book by hand, if there is one', async () => {
    const page = 'https://example.com/book'
    expect(await answered(taken, async () => [], { page })).toEqual({
      ...taken,
      scheduling_page_url: page,
    })
    expect(await answered(taken, async () => [])).toEqual(taken)
  })

  test('stays as it is where the provider cannot be asked, or throws before it is', async () => {
    expect(await answered(taken, () => Promise.reject(new Error('gone')))).toEqual(taken)
    const broken = undefined as unknown as () => Promise<[]>
    expect(await answered(taken, broken)).toEqual(taken)
  })

  test.each([
    'provider_busy',
    'outcome_unknown',
    'validation_failed',
    'duplicate_in_doubt',
  ] as const)('is not a refusal with the code %s, for which no time is looked up', async (code) => {
    const slots = vi.fn(async () => FREE)
    expect(await answered({ code, effect: 'none' }, slots)).toEqual({ code, effect: 'none' })
    expect(slots).not.toHaveBeenCalled()
  })
})

describe('a provider that takes its time', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('holds a refusal back for two seconds at most', async () => {
    let answer: Refusal | undefined
    void answered(taken, () => new Promise(() => {})).then((one) => (answer = one))
    await vi.advanceTimersByTimeAsync(1_999)
    expect(answer).toBe(undefined)
    await vi.advanceTimersByTimeAsync(1)
    expect(answer).toEqual(taken)
  })
})
