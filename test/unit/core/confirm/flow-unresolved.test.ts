import { describe, expect, test } from 'vitest'

import { SCHEDULE } from '../../../../src/core/confirm/record.ts'
import { problemBody } from '../../../../src/core/domain/problem/problem.ts'
import { MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import { ORIGIN, START, type World } from '../../../support/fake-host.ts'
import { previewedRoom, previewedCancellation, previewedLink, replace } from './caller.ts'
import { ROOM } from './toy-mutation.ts'

const unknown = { is: 'problem', code: 'outcome_unknown', refusal: { effect: 'unknown' } }

/** From now on the payment provider knows the links it made by their markers, which are returned. */
function knowsLinks(world: World): string[] {
  const markers: string[] = []
  replace(world, 'payments', (payments) => ({
    async createLink(request, marker) {
      const made = await payments.createLink(request, marker)
      if (made.is === 'ok') markers.push(marker)
      return made
    },
    findLink: async (request, marker) =>
      markers.includes(marker) ? payments.findLink(request, marker) : { is: 'not_found' },
  }))
  return markers
}

describe('a provider that times out after the effect', () => {
  test('gives an unknown outcome; a repeat of the call finds the effect and commits', async () => {
    const { world, room } = await previewedRoom()
    world.fail('book', 'timeout_after')
    expect(await room.commit()).toMatchObject({
      ...unknown,
      refusal: { effect: 'unknown', retry_after_seconds: 15 },
    })
    expect(await room.preview()).toMatchObject(unknown)
    expect(await room.commit()).toMatchObject({
      status: 'committed',
      body: { result: { room_id: 'bk_mock_0001' } },
      replayed: false,
    })
    expect(world.mutations()).toEqual(['book'])
  })
})

describe('a provider that times out before the effect', () => {
  test('leaves a change in doubt that is never sent again and in the end needs a person', async () => {
    const { world, room } = await previewedRoom()
    world.fail('book', 'timeout_before')
    expect(await room.commit()).toMatchObject(unknown)
    const rang: number[] = []
    while ((await room.alarm()) !== undefined) {
      await room.ring()
      rang.push(world.now() - START)
    }
    const [, minute, five, thirty, twoHours, twelveHours] = SCHEDULE.backoff
    let at = SCHEDULE.taskLease
    const waits = [15 * SECOND, minute, five, thirty, twoHours, twelveHours, SCHEDULE.taskLease]
    expect(rang).toEqual([at, ...waits.map((wait) => (at += wait!))])
    expect(world.log.filter((name) => name === 'findBooked')).toHaveLength(7)
    expect(world.mutations()).toEqual(['book'])
    expect(world.alerted).toEqual(['reserve_room'])

    const answer = await room.commit()
    expect(answer).toMatchObject(unknown)
    if (answer.is !== 'problem') return
    expect(problemBody(answer.refusal, 'id', ORIGIN)).toMatchObject({
      status: 503,
      code: 'outcome_unknown',
      effect: 'unknown',
      retryable: false,
      needs_attention: true,
    })
    expect(answer.refusal.retry_after_seconds).toBeUndefined()
    expect(await room.preview()).toMatchObject({ refusal: { needs_attention: true } })
    expect(world.mutations()).toEqual(['book'])
  })

  test('lets the alarm send a payment link again under the same marker', async () => {
    const { world, link } = await previewedLink()
    const markers = knowsLinks(world)
    world.fail('link', 'timeout_before', 'timeout_before')
    expect(await link.commit()).toMatchObject(unknown)
    await link.ring()
    expect((await link.record())?.state).toBe('running')
    await link.ring()
    expect((await link.record())?.state).toBe('done')
    expect(world.mutations()).toEqual(['createLink', 'createLink', 'createLink'])
    expect(new Set(markers).size).toBe(1)
  })

  test.each([{}, { reason: 'The client is travelling.' }])(
    'lets the alarm send a cancellation again: %j',
    async (more) => {
      const { world, cancel } = await previewedCancellation(more)
      world.fail('cancel', 'timeout_before')
      expect(await cancel.commit()).toMatchObject(unknown)
      await cancel.ring()
      expect((await cancel.record())?.state).toBe('done')
      expect(await cancel.commit()).toMatchObject({ status: 'committed' })
      expect(world.mutations()).toEqual(['cancel', 'cancel'])
    },
  )
})

describe('after a doubtful send', () => {
  test('a failed lookup proves nothing', async () => {
    const { world, room } = await previewedRoom()
    world.fail('book', 'timeout_after')
    await room.commit()
    const { adapt } = world
    replace(world, 'scheduling', () => ({
      findBooked: () => Promise.reject(new TypeError('reset')),
    }))
    expect(await room.commit()).toMatchObject(unknown)
    world.adapt = adapt
    expect(await room.commit()).toMatchObject({ status: 'committed' })
  })
})

describe('an operation that needs a person', () => {
  async function inDoubt() {
    const { world, room } = await previewedRoom()
    world.fail('book', 'timeout_before')
    await room.commit()
    return { world, room }
  }

  test('leaves the unresolved list when a repeat finds the outcome after all', async () => {
    const { world, room } = await inDoubt()
    await room.ringAll()
    expect(world.calmed).toBe(0)
    const { book } = (await world.ports()).scheduling
    const start = Date.parse(ROOM.from)
    const invitee = { email: 'guest@example.com', name: null, timezone: 'America/New_York' }
    const { id } = (await room.record())!
    await book({ eventTypeId: 'mock_consult', start, end: start + 30 * MINUTE, invitee }, `${id}.0`)
    expect(await room.commit()).toMatchObject({ status: 'committed' })
    await world.idle()
    expect(world.calmed).toBe(1)
  })

  test('commits when the owner resolves it as done', async () => {
    const { world, room } = await inDoubt()
    await room.ringAll()
    expect(await world.resolve(await room.name, true, { booking_id: 'bk_by_hand' })).toBe(
      'resolved',
    )
    await world.idle()
    expect(await room.commit()).toMatchObject({
      status: 'committed',
      body: { result: { room_id: 'bk_by_hand' } },
    })
    expect(world.calmed).toBe(1)
    expect(world.puts.map(({ key }) => key)).toEqual(['room:bk_by_hand'])
    expect(await world.resolve(await room.name, false)).toBe('nothing to resolve')
  })

  test('ignores a resolution that lacks the facts of the answer', async () => {
    const { world, room } = await inDoubt()
    await room.ringAll()
    await expect(world.resolve(await room.name, true)).rejects.toThrow()
    expect(await room.record()).toMatchObject({ state: 'running', escalation: 'sent' })
  })

  test('answers the owner that nothing is in doubt while a task is still running', async () => {
    const { world, room } = await previewedRoom()
    const sent = world.stop('before', 'book')
    const answer = room.commit()
    await sent.reached
    expect(await world.resolve(await room.name, false)).toBe('nothing to resolve')
    sent.go()
    expect(await answer).toMatchObject({ status: 'committed' })
  })
})
