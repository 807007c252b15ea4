import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { inTurn, sending } from '../../durable-objects/shared/changes-in-turn.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** How many milliseconds after they were asked for together so many changes begin, each of which takes `ms`. */
async function beginnings(count: number, ms: number): Promise<number[]> {
  const asked = Date.now()
  const begun: number[] = []
  const change = async () => {
    begun.push(Date.now() - asked)
    await wait(ms)
  }
  const all = Promise.all(Array.from({ length: count }, () => inTurn(change)))
  await vi.advanceTimersByTimeAsync(2000)
  await all
  return begun
}

/** Sends something that is answered after so long. */
const send = (ms: number) => void sending(() => wait(ms))

/** Of each of these beginnings, how long after the one before it comes. */
const gaps = (begun: readonly number[]) => begun.slice(1).map((at, i) => at - begun[i]!)

describe('changes of one isolate', () => {
  let day = Date.parse('2026-11-23T12:00:00Z')
  beforeEach(() => {
    vi.useFakeTimers({ now: (day += DAY) })
    onTestFinished(async () => {
      await vi.advanceTimersByTimeAsync(5000)
      vi.useRealTimers()
    })
  })

  it('run together while nothing is sent', async () => {
    expect(await beginnings(4, 5)).toEqual([0, 0, 0, 0])
  })

  it('run one after the other while something is sent, with a pause after each', async () => {
    send(200)
    const begun = await beginnings(4, 5)
    expect(begun[0]).toBe(0)
    for (const gap of gaps(begun)) expect(gap).toBeGreaterThanOrEqual(5 + 8)
    expect(begun.at(-1)).toBeLessThan(100)
  })

  it('run together again once that was answered, or failed', async () => {
    expect(await sending(async () => 'answer')).toBe('answer')
    await expect(sending(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
    expect(await beginnings(4, 5)).toEqual([0, 0, 0, 0])
  })

  it('wait no longer than 300 ms, however many there are and however much is sent', async () => {
    for (let at = 0; at < 2000; at += 100) setTimeout(() => send(200), at)
    send(200)
    expect(Math.max(...(await beginnings(100, 20)))).toBe(300)
  })

  it('wait a quarter of a second at most for a receiver that does not answer, and for a change that does not end', async () => {
    send(4000)
    expect(Math.max(...(await beginnings(40, 40)))).toBeLessThanOrEqual(252)
    send(200)
    void inTurn(() => wait(4000))
    setTimeout(() => send(200), 200)
    const [begun] = await beginnings(1, 5)
    expect(begun).toBeGreaterThanOrEqual(248)
    expect(begun).toBeLessThanOrEqual(256)
  })

  it('return what they return, and fail as they fail', async () => {
    expect(await inTurn(async () => 'reply')).toBe('reply')
    await expect(inTurn(() => Promise.reject(new Error('no reply')))).rejects.toThrow('no reply')
  })
})
