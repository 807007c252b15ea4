import { describe, expect, test } from 'vitest'

import { MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import { practice } from '../../../support/fake-host.ts'
import { callerOf, CLIENT, LINK } from './caller.ts'
import { reserveRoom, ROOM } from './toy-mutation.ts'

async function aRoom() {
  const world = practice({ mutations: [reserveRoom] })
  const room = callerOf(world, 'reserve_room', ROOM)
  const look = async () => world.status(await room.name)
  return { world, room, look }
}

async function previewed() {
  const all = await aRoom()
  await all.room.preview()
  return all
}

describe('a status request', () => {
  test('follows a change from nothing to its end, and keeps no record where there was none', async () => {
    const { world, room, look } = await aRoom()
    expect(await look()).toEqual({ is: 'never_seen' })
    expect([await room.record(), await room.alarm()]).toEqual([undefined, undefined])
    await room.preview()
    expect(await look()).toMatchObject({ is: 'previewed', operation: 'reserve_room', mode: 'mock' })
    const answer = await room.commit()
    expect(await look()).toMatchObject({
      is: 'committed',
      body: answer.is === 'answer' && answer.body,
    })
    await world.idle()
    expect((await look()).is).toBe('committed')
  })

  test('says that a preview has expired, or why it cannot be committed any more', async () => {
    const { world, room, look } = await previewed()
    world.pass(15 * MINUTE)
    expect(await look()).toMatchObject({ is: 'expired', refusal: { code: 'confirmation_expired' } })
    await room.preview()
    world.fail('book', 'refused')
    await room.commit()
    const refusal = { code: 'slot_unavailable', effect: 'none' }
    expect(await look()).toMatchObject({ is: 'failed', refusal })
  })

  test('reconciles a change in doubt without sending anything', async () => {
    const { world, room, look } = await previewed()
    world.fail('book', 'timeout_after')
    expect(await room.commit()).toMatchObject({ code: 'outcome_unknown' })
    const sent = world.mutations().length
    expect(await look()).toMatchObject({ is: 'committed' })
    expect(await room.commit()).toMatchObject({ status: 'committed', replayed: true })
    expect(world.mutations()).toHaveLength(sent)
  })

  test('says that the outcome is unknown when a lookup finds nothing, and when a person is needed', async () => {
    const { world, room, look } = await previewed()
    world.fail('book', 'timeout_before')
    await room.commit()
    expect(await look()).toMatchObject({ is: 'outcome_unknown', refusal: { effect: 'unknown' } })
    await room.ringAll()
    expect(await look()).toMatchObject({
      is: 'outcome_unknown',
      refusal: { needs_attention: true },
    })
    expect(world.mutations()).toHaveLength(1)
  })

  test('joins the commit that is under way instead of a second lookup', async () => {
    const { world, room, look } = await previewed()
    const sending = world.stop('before', 'book')
    const committing = room.commit()
    await sending.reached
    const looking = [look(), look()]
    sending.go()
    expect(await Promise.all(looking)).toMatchObject([{ is: 'committed' }, { is: 'committed' }])
    expect(await committing).toMatchObject({ status: 'committed' })
    expect(world.log.filter((name) => name === 'findBooked')).toEqual([])
  })

  test('answers after ten seconds that the change is still running', async () => {
    const { world, room, look } = await previewed()
    const sending = world.stop('before', 'book')
    const committing = room.commit()
    await sending.reached
    const looking = look()
    while (world.timers() < 2) await new Promise((later) => setImmediate(later))
    world.pass(10 * SECOND)
    expect(await looking).toMatchObject({ is: 'running', refusal: { code: 'commit_in_progress' } })
    sending.go()
    await committing
  })

  test('shares one lookup among fifty requests at once', async () => {
    const { world, room, look } = await previewed()
    world.fail('book', 'timeout_after')
    await room.commit()
    const statuses = await Promise.all(Array.from({ length: 50 }, look))
    expect(new Set(statuses.map(({ is }) => is))).toEqual(new Set(['committed']))
    expect(world.log.filter((name) => name === 'findBooked')).toHaveLength(1)
  })

  test.each([
    ['create_client_profile', CLIENT],
    ['create_payment_link', LINK],
  ] as const)('of %s writes nothing to the audit log', async (operation, fields) => {
    const world = practice()
    const one = callerOf(world, operation, fields)
    await one.preview()
    await one.commit()
    await world.idle()
    const { appends } = world
    await world.status(await one.name)
    await world.idle()
    expect(world.appends).toBe(appends)
  })
})
