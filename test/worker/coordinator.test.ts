import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'

import type { LockRow } from '../../durable-objects/coordinator.ts'
import { MockCalendar } from '../../durable-objects/mock-calendar.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { coordinatorOf } from '../../src/practice/adapters/cloudflare/coordinator.ts'
import { consultAt, freeTimes, previewed } from './fixtures.ts'

describe('the coordinator', () => {
  const coordinator = () => env.COORDINATOR.getByName('coordinator')
  const rows = () =>
    runInDurableObject(coordinator(), (_object, { storage }) =>
      storage.sql
        .exec('SELECT lock_key AS lockKey, holder, seq FROM locks ORDER BY lock_key')
        .toArray(),
    )

  /** The rows that prevent it; none where all locks were given. */
  async function acquire(holder: string, lockKeys: string[], seen: LockRow[]): Promise<LockRow[]> {
    const change = { caller: 'key:1', operation: 'book_consult' }
    const acquired = await coordinator().acquire(holder, lockKeys, seen, change)
    if (acquired.is === 'refused') throw new Error('there is no rule')
    return acquired.is === 'held' ? acquired.rows : []
  }

  it('gives all locks to the first caller', async () => {
    expect(await acquire('one', ['slot:a', 'booking:b'], [])).toEqual([])
    expect(await rows()).toEqual([
      { lockKey: 'booking:b', holder: 'one', seq: 1 },
      { lockKey: 'slot:a', holder: 'one', seq: 1 },
    ])
  })

  it('gives no lock if one of them is held', async () => {
    await acquire('one', ['slot:a'], [])
    expect(await acquire('two', ['slot:b', 'slot:a', 'slot:c'], [])).toEqual([
      { lockKey: 'slot:a', holder: 'one', seq: 1 },
    ])
    expect(await rows()).toEqual([{ lockKey: 'slot:a', holder: 'one', seq: 1 }])
  })

  it('gives a lock again to its holder', async () => {
    await acquire('one', ['slot:a'], [])
    expect(await acquire('one', ['slot:a'], [])).toEqual([])
    expect(await rows()).toEqual([{ lockKey: 'slot:a', holder: 'one', seq: 2 }])
  })

  it('lets a lock be taken over by a caller who names its present state', async () => {
    await acquire('one', ['slot:a'], [])
    const seen = await acquire('two', ['slot:a'], [])
    expect(await acquire('two', ['slot:a'], seen)).toEqual([])
    expect(await rows()).toEqual([{ lockKey: 'slot:a', holder: 'two', seq: 2 }])
    // The flow that held it before may have a record that is not published yet.
    expect(await coordinator().holders(['slot:a', 'slot:b'], null)).toEqual(['two', 'one'])
  })

  it('names who took any time of a kind of consult lately: a provider can book another time than was asked', async () => {
    await acquire('one', ['slot:a:2026-12-01T15:00:00Z'], [])
    await acquire('two', ['slot:ab:2026-12-01T15:00:00Z', 'booking:a:1'], [])
    await acquire('three', ['slot:a:2026-12-02T15:00:00Z'], [])
    const anyTime = ['slot:a:2026-12-01T15:07:00Z', 'slot:a:*']
    const madeAt = Date.now()
    expect((await coordinator().holders(anyTime, null)).toSorted()).toEqual(['one', 'three'])
    vi.useFakeTimers({ toFake: ['Date'], now: madeAt + 3 * DAY })
    await acquire('four', ['slot:a:2026-12-03T15:00:00Z'], [])
    // The connector may have been down since the booking was made.
    expect((await coordinator().holders(anyTime, madeAt)).toSorted()).toEqual(['one', 'three'])
    expect(await coordinator().holders(anyTime, null)).toEqual(['four'])
  })

  it('refuses a takeover by a caller who names an older state', async () => {
    await acquire('one', ['slot:a'], [])
    const seen = await acquire('two', ['slot:a'], [])
    await acquire('one', ['slot:a'], [])
    expect(await acquire('two', ['slot:a'], seen)).toEqual([
      { lockKey: 'slot:a', holder: 'one', seq: 2 },
    ])
  })

  it('lets one of two callers take over a lock that both saw', async () => {
    await acquire('one', ['slot:a'], [])
    const seenByTwo = await acquire('two', ['slot:a'], [])
    const seenByThree = await acquire('three', ['slot:a'], [])
    const answers = await Promise.all([
      acquire('two', ['slot:a'], seenByTwo),
      acquire('three', ['slot:a'], seenByThree),
    ])
    expect(answers.filter((held) => held.length === 0)).toHaveLength(1)
  })

  it('does not accept the state of one lock for another', async () => {
    await acquire('one', ['slot:a', 'slot:b'], [])
    const [seenA] = await acquire('two', ['slot:a'], [])
    expect(await acquire('two', ['slot:a', 'slot:b'], seenA ? [seenA] : [])).toEqual([
      { lockKey: 'slot:b', holder: 'one', seq: 1 },
    ])
  })

  it('keeps locks across an eviction, and drops them after 60 days', async () => {
    await acquire('one', ['slot:a'], [])
    await evictDurableObject(coordinator())
    expect(await acquire('two', ['slot:a'], [])).toHaveLength(1)

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * DAY })
    await acquire('two', ['slot:b'], [])
    expect(await runDurableObjectAlarm(coordinator())).toBe(true)
    expect(await rows()).toEqual([{ lockKey: 'slot:b', holder: 'two', seq: 1 }])
  })

  it('says with the locks whether a provider refuses a change', async () => {
    const change = { caller: 'key:1', operation: 'book_consult' }
    const acquired = () => coordinator().acquire('one', ['slot:a'], [], change)
    const tried = { operation: 'create_payment_link', what: 'usd' }
    const refused = { reason: 'payment_provider_refuses', detail: 'Set the name.' } as const
    expect(await acquired()).toEqual({ is: 'taken', knowsRefusedChange: false })
    await coordinator().providerHealth.recordChange({ ...tried, refused })
    expect(await acquired()).toEqual({ is: 'taken', knowsRefusedChange: true })
    await coordinator().providerHealth.recordChange(tried)
    expect(await acquired()).toEqual({ is: 'taken', knowsRefusedChange: false })
  })

  it('lists each operation that needs a person once, oldest first, until it is resolved', async () => {
    const one = {
      flow: 'one',
      operation_id: '1',
      operation: 'book_consult',
      since: '2026-11-21T10:00:00Z',
    }
    const two = {
      flow: 'two',
      operation_id: '2',
      operation: 'cancel_booking',
      since: '2026-11-20T10:00:00Z',
    }
    await coordinator().addUnresolved(one)
    await coordinator().addUnresolved(two)
    await coordinator().addUnresolved({ ...one, since: '2026-11-22T10:00:00Z' })
    expect(await coordinator().unresolved()).toEqual([two, one])
    await coordinator().clearUnresolved('two')
    expect(await coordinator().unresolved()).toEqual([one])
  })
})

describe('the same change under two keys', () => {
  it('happens once when many commit at the same time', async () => {
    const [time] = await freeTimes()
    const changes = await Promise.all(
      Array.from({ length: 12 }, () => previewed('/v1/bookings', consultAt(time))),
    )
    const book = vi.spyOn(MockCalendar.prototype, 'book')
    const replies = await Promise.all(changes.map((change) => change.commit()))
    expect(book).toHaveBeenCalledTimes(1)
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  it('is held as long as the flow that took it last may have it on its way', async () => {
    const take = (holder: string, isBusy: boolean) => {
      const confirmations = { getByName: () => ({ busy: async () => isBusy }) } as unknown
      return coordinatorOf(
        () => env.COORDINATOR.getByName('coordinator'),
        confirmations as typeof env.CONFIRMATIONS,
        holder,
      ).acquire(['slot:a'], { caller: 'key:1', operation: 'book_consult' })
    }
    expect(await take('one', false)).toBe('taken')
    expect(await take('two', true)).toBe('held')
    expect(await take('two', false)).toBe('taken')
  })
})
