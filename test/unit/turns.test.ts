import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ownTurn, sending } from '../../durable-objects/shared/turns.ts'

/** How many milliseconds after they were asked for together so many changes begin. */
async function beginnings(count: number): Promise<number[]> {
  const asked = Date.now()
  const begun = Promise.all(Array.from({ length: count }, () => ownTurn().then(() => Date.now() - asked)))
  await vi.advanceTimersByTimeAsync(1000)
  return begun
}

/** Sends something until the test ends it. */
function send(): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const sent = sending(() => promise)
  return async () => {
    resolve()
    await sent
  }
}

describe('changes of one isolate', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
  })

  it('begin together while nothing is sent', async () => {
    expect(await beginnings(4)).toEqual([0, 0, 0, 0])
  })

  it('begin one after the other, in their order, while something is sent', async () => {
    const end = send()
    expect(await beginnings(4)).toEqual([4, 8, 12, 16])
    expect(await beginnings(2)).toEqual([4, 8])
    await end()
  })

  it('begin together again once that was answered, or failed', async () => {
    expect(await sending(async () => 'answer')).toBe('answer')
    await expect(sending(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
    expect(await beginnings(4)).toEqual([0, 0, 0, 0])
  })

  it('are put off for a tenth of a second at most, however many there are', async () => {
    const end = send()
    expect(Math.max(...(await beginnings(200)))).toBe(100)
    await end()
  })

  it('that were lost while they waited hold up none that come later', async () => {
    const end = send()
    for (let n = 0; n < 30; n++) void ownTurn()
    vi.clearAllTimers()
    await vi.advanceTimersByTimeAsync(100)
    expect(await beginnings(1)).toEqual([4])
    await end()
  })
})
