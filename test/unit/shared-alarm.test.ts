import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { type AlarmPart, SharedAlarm } from '../../durable-objects/shared/shared-alarm.ts'

const NOON = Date.parse('2026-11-23T12:00:00Z')
const MINUTE = 60_000

beforeEach(() => void vi.useFakeTimers({ now: NOON }))
afterEach(() => void vi.useRealTimers())

/** An object with one alarm, and parts that want to be woken in so many minutes. */
function objectWith(...minutes: number[]) {
  const parts = minutes.map((wait) => {
    const part: AlarmPart & { due: number; rung: number } = {
      due: NOON + wait * MINUTE,
      rung: 0,
      dueAt: () => part.due,
      ring: vi.fn<() => Promise<void>>(async () => {
        part.rung += 1
        part.due = Infinity
      }),
    }
    return part
  })
  let at: number | null = null
  const setAlarm = vi.fn<(time: number) => Promise<void>>(async (time) => void (at = time))
  const alarm = new SharedAlarm({ getAlarm: async () => at, setAlarm }, parts)
  const ring = () => {
    vi.setSystemTime(at ?? 0)
    at = null
    return alarm.ring()
  }
  const comesIn = () => at && (at - NOON) / MINUTE
  return { alarm, parts, ring, setAlarm, comesIn }
}

it('comes when the first part wants to be woken, wakes that one only, and then comes for the next', async () => {
  const { alarm, parts, ring, comesIn } = objectWith(10, 5, Infinity)
  await alarm.set()
  expect(comesIn()).toBe(5)
  await ring()
  expect(parts.map(({ rung }) => rung)).toEqual([0, 1, 0])
  expect(comesIn()).toBe(10)
  await ring()
  expect([parts.map(({ rung }) => rung), comesIn()]).toEqual([[1, 1, 0], null])
})

it('is set again only if a part wants to be woken earlier', async () => {
  const { alarm, parts, setAlarm, comesIn } = objectWith(10, Infinity)
  await alarm.set()
  parts[1]!.due = NOON + 20 * MINUTE
  await alarm.set()
  expect(setAlarm).toHaveBeenCalledOnce()
  parts[1]!.due = NOON - MINUTE
  await alarm.set()
  expect(comesIn()).toBe(0)
})

it('comes again in a minute for a part that failed, and in time for the others', async () => {
  const { alarm, parts, ring, comesIn } = objectWith(0, 0)
  parts[0]!.ring = vi
    .fn<() => Promise<void>>(async () => void (parts[0]!.due = Infinity))
    .mockRejectedValueOnce(new Error('no'))
  await alarm.set()
  await ring()
  expect([parts[1]!.rung, comesIn()]).toEqual([1, 1])
  parts[1]!.due = NOON + MINUTE / 2
  await alarm.set()
  expect(comesIn()).toBe(0.5)
  await ring()
  expect([parts[1]!.rung, comesIn()]).toEqual([2, 1])
  await ring()
  expect(comesIn()).toBe(null)
})

it('does not fail for a part that cannot say when it wants to be woken, and tries that one again every minute', async () => {
  const { alarm, parts, ring, comesIn } = objectWith(10, 5)
  parts[0]!.dueAt = () => {
    throw new Error('wrong settings')
  }
  parts[0]!.ring = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('wrong settings'))
  await alarm.set()
  await ring()
  expect([parts[1]!.rung, comesIn()]).toEqual([0, 1])
  for (let minutes = 0; minutes < 5; minutes += 1) await ring()
  expect([parts[1]!.rung, comesIn()]).toEqual([1, 6])
})

it('is held for five seconds by a part that takes long, which is not rung twice meanwhile', async () => {
  const { alarm, parts, ring, comesIn } = objectWith(0, 0)
  const slow = Promise.withResolvers<void>()
  const slowRing = vi.fn<() => Promise<void>>(() => slow.promise)
  parts[0]!.ring = slowRing
  await alarm.set()
  const ringing = ring()
  await vi.advanceTimersByTimeAsync(5_000)
  await ringing
  expect([parts[1]!.rung, comesIn()]).toEqual([1, 5])
  parts[1]!.due = NOON + MINUTE
  await alarm.set()
  await ring()
  expect([parts[1]!.rung, slowRing.mock.calls.length]).toEqual([2, 1])
  parts[0]!.due = NOON + 2 * MINUTE
  slow.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(comesIn()).toBe(2)
})

it('is set by the next who asks, if it could not be set', async () => {
  const { alarm, setAlarm, comesIn } = objectWith(10)
  setAlarm.mockRejectedValueOnce(new Error('no'))
  await expect(alarm.set()).rejects.toThrow('no')
  await alarm.set()
  expect(comesIn()).toBe(10)
})

it('is set again by the next who asks, if it was lost and the storage still says that it comes', async () => {
  const { alarm, setAlarm, comesIn } = objectWith(1)
  await alarm.set()
  vi.setSystemTime(NOON + MINUTE + 4_000)
  await alarm.set()
  expect(setAlarm).toHaveBeenCalledOnce()
  vi.setSystemTime(NOON + 2 * MINUTE)
  await alarm.set()
  expect([setAlarm.mock.calls.length, comesIn()]).toEqual([2, 2])
})

it('does not come again at once for a part that cannot say when it wants to be woken, even if ringing it succeeds', async () => {
  const { alarm, parts, ring, comesIn } = objectWith(10)
  parts[0]!.dueAt = () => {
    throw new Error('wrong settings')
  }
  await alarm.set()
  await ring()
  expect([parts[0]!.rung, comesIn()]).toEqual([1, 1])
})

it('rings a part that has not ended for five minutes a second time, and no third time as soon as the first ends', async () => {
  const { alarm, parts, ring, comesIn } = objectWith(0)
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let rung = 0
  parts[0]!.ring = () => ends[rung++]!.promise
  const rings = async () => {
    const ringing = ring()
    await vi.advanceTimersByTimeAsync(5_000)
    await ringing
  }
  await alarm.set()
  await rings()
  await rings()
  ends[0]!.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect([rung, comesIn()]).toEqual([2, 10])
})
