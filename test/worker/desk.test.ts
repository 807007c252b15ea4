import { env } from 'cloudflare:workers'
import { evictDurableObject, reset, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MockCalendar } from '../../durable-objects/mock-calendar.ts'
import { DAY, bookings, consultAt, freeTimes, previewed, recordIn } from './practice.ts'

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await reset()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the desk', () => {
  const later = Date.now() + DAY
  const desk = () => env.DESK.getByName('desk')
  const rows = () =>
    runInDurableObject(desk(), (_object, { storage }) =>
      storage.sql.exec('SELECT target, holder, seq FROM targets ORDER BY target').toArray(),
    )

  it('gives all targets to the first who asks', async () => {
    expect(await desk().take('one', ['slot:a', 'booking:b'], later, [])).toEqual([])
    expect(await rows()).toEqual([
      { target: 'booking:b', holder: 'one', seq: 1 },
      { target: 'slot:a', holder: 'one', seq: 1 },
    ])
  })

  it('gives none of the targets where one of them is held', async () => {
    await desk().take('one', ['slot:a'], later, [])
    expect(await desk().take('two', ['slot:b', 'slot:a', 'slot:c'], later, [])).toEqual([
      { target: 'slot:a', holder: 'one', seq: 1 },
    ])
    expect(await rows()).toEqual([{ target: 'slot:a', holder: 'one', seq: 1 }])
  })

  it('gives a target again to whoever holds it', async () => {
    await desk().take('one', ['slot:a'], later, [])
    expect(await desk().take('one', ['slot:a'], later, [])).toEqual([])
    expect(await rows()).toEqual([{ target: 'slot:a', holder: 'one', seq: 2 }])
  })

  it('lets a target be taken over as it was seen', async () => {
    await desk().take('one', ['slot:a'], later, [])
    const seen = await desk().take('two', ['slot:a'], later, [])
    expect(await desk().take('two', ['slot:a'], later, seen)).toEqual([])
    expect(await rows()).toEqual([{ target: 'slot:a', holder: 'two', seq: 2 }])
  })

  it('refuses to be taken over by who saw what has changed since', async () => {
    await desk().take('one', ['slot:a'], later, [])
    const seen = await desk().take('two', ['slot:a'], later, [])
    await desk().take('one', ['slot:a'], later, [])
    expect(await desk().take('two', ['slot:a'], later, seen)).toEqual([
      { target: 'slot:a', holder: 'one', seq: 2 },
    ])
  })

  it('lets one of two take over what both saw', async () => {
    await desk().take('one', ['slot:a'], later, [])
    const seenByTwo = await desk().take('two', ['slot:a'], later, [])
    const seenByThree = await desk().take('three', ['slot:a'], later, [])
    const answers = await Promise.all([
      desk().take('two', ['slot:a'], later, seenByTwo),
      desk().take('three', ['slot:a'], later, seenByThree),
    ])
    expect(answers.filter((held) => held.length === 0)).toHaveLength(1)
  })

  it('does not let one target be taken over with the sight of another', async () => {
    await desk().take('one', ['slot:a', 'slot:b'], later, [])
    const [seenA] = await desk().take('two', ['slot:a'], later, [])
    expect(await desk().take('two', ['slot:a', 'slot:b'], later, seenA ? [seenA] : [])).toEqual([
      { target: 'slot:b', holder: 'one', seq: 1 },
    ])
  })

  it('remembers across an eviction, and forgets after the time that was named', async () => {
    await desk().take('one', ['slot:a'], Date.now() + DAY, [])
    await evictDurableObject(desk())
    expect(await desk().take('two', ['slot:a'], later, [])).toHaveLength(1)

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY })
    await desk().take('two', ['slot:b'], Date.now() + DAY, [])
    expect(await runDurableObjectAlarm(desk())).toBe(true)
    expect(await rows()).toEqual([{ target: 'slot:b', holder: 'two', seq: 1 }])
  })

  it('lists who needs a person once, the oldest first, until it is over', async () => {
    const one = { operation_id: 'one', operation: 'book_consult', since: '2026-11-21T10:00:00Z' }
    const two = { operation_id: 'two', operation: 'cancel_booking', since: '2026-11-20T10:00:00Z' }
    await desk().remember(one)
    await desk().remember(two)
    await desk().remember({ ...one, since: '2026-11-22T10:00:00Z' })
    expect(await desk().unresolved()).toEqual([two, one])
    await desk().calm('two')
    expect(await desk().unresolved()).toEqual([one])
  })
})

describe('the same change under two keys', () => {
  it('is made once when both commit at the same time', async () => {
    const [time] = await freeTimes()
    const one = await previewed('/v1/bookings', consultAt(time))
    const two = await previewed('/v1/bookings', consultAt(time))

    const replies = await Promise.all([one.commit(), two.commit()])

    expect(await bookings()).toHaveLength(1)
    const [winner, loser] = replies.toSorted((a, b) => a.status - b.status)
    expect([winner?.status, winner?.body['status']]).toEqual([200, 'committed'])
    expect(loser?.status).toBe(409)
    expect(['duplicate_in_doubt', 'slot_unavailable', 'preview_stale']).toContain(loser?.body.code)
    expect(loser?.body.effect).toBe('none')
  })

  it('is made once when many commit at the same time', async () => {
    const [time] = await freeTimes()
    const changes = await Promise.all(
      Array.from({ length: 12 }, () => previewed('/v1/bookings', consultAt(time))),
    )
    const book = vi.spyOn(MockCalendar.prototype, 'book')
    const replies = await Promise.all(changes.map((change) => change.commit()))
    expect(book).toHaveBeenCalledTimes(1)
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  it('waits while the first is in doubt, and keeps its own token meanwhile', async () => {
    const [time] = await freeTimes()
    const one = await previewed('/v1/bookings', consultAt(time))
    const two = await previewed('/v1/bookings', consultAt(time))
    // Nothing is known: neither that it was booked, nor that it was not.
    const book = vi.spyOn(MockCalendar.prototype, 'book').mockImplementation(() => {
      throw new Error('the connection broke')
    })

    expect((await one.commit()).body.code).toBe('outcome_unknown')
    book.mockRestore()

    for (let repeat = 0; repeat < 2; repeat++) {
      const refused = await two.commit()
      expect([refused.status, refused.body.code, refused.body.effect]).toEqual([
        409,
        'duplicate_in_doubt',
        'none',
      ])
      expect(refused.headers.get('Retry-After')).not.toBeNull()
    }
    expect(await bookings()).toEqual([])
    expect((await recordIn(two.confirmation))?.at).toBe('previewed')
    expect((await two.previewAgain()).body.confirmation_token).toBe(two.preview.body.confirmation_token)
  })

  it('is refused for good once the first is found to have happened', async () => {
    const [time] = await freeTimes()
    const one = await previewed('/v1/bookings', consultAt(time))
    const two = await previewed('/v1/bookings', consultAt(time))
    const real = MockCalendar.prototype.book
    const book = vi.spyOn(MockCalendar.prototype, 'book').mockImplementation(function (
      this: MockCalendar,
      booking,
    ) {
      real.call(this, booking)
      throw new Error('the connection broke')
    })
    expect((await one.commit()).body.code).toBe('outcome_unknown')
    book.mockRestore()

    expect((await one.commit()).status).toBe(200)
    expect((await two.commit()).body.code).toBe('slot_unavailable')
    expect(await bookings()).toHaveLength(1)
  })
})
