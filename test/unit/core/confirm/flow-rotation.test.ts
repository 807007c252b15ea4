import { describe, expect, test } from 'vitest'

import { practice, SECRET, type World } from '../../../support/fake-host.ts'
import {
  BOOKING,
  NEW_TIME,
  callerOf,
  fieldsOf,
  previewedMove,
  previewedRoom,
  replace,
} from './caller.ts'

const NEXT = 'the signing secret of these tests, 2nd'

/** A new secret signs, the old one still verifies; the objects restart, as with a deploy. */
const rotate = (world: World): void => void (world.secrets = [NEXT, SECRET])
const drop = (world: World): void => void (world.secrets = [NEXT])

describe('a rotation of the signing secret', () => {
  test.each(['book_consult', 'create_client_profile', 'cancel_booking', 'reschedule_booking'])(
    'between preview and commit is not noticed: %s',
    async (operation) => {
      const world = practice()
      const caller = callerOf(world, operation, await fieldsOf(operation, world))
      await caller.preview()
      const token = caller.token()
      rotate(world)
      await caller.crash()
      expect(await caller.preview()).toMatchObject({ status: 'preview' })
      expect(caller.token()).toBe(token)
      expect(await caller.commit()).toMatchObject({ status: 'committed' })
      expect(await caller.commit()).toMatchObject({ status: 'committed', replayed: true })
    },
  )

  test('does not make a move lose its invitee between its steps', async () => {
    const { world, move } = await previewedMove()
    world.fail('book', 'busy')
    expect(await move.commit()).toMatchObject({ code: 'outcome_unknown' })
    rotate(world)
    await move.crash()
    await move.ringAll()
    expect(await move.commit()).toMatchObject({ status: 'committed', replayed: true })
    expect(world.mutations()).toEqual(['cancel', 'book', 'book'])
  })

  test('that has not reached every Worker makes previews under a secret that all of them know', async () => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    const [old] = (await (await world.ports()).keyring()).ids
    const asked = await booking.asked(false)
    rotate(world)
    expect(await world.perform(await booking.name, asked)).toMatchObject({
      is: 'preview',
      keyId: old,
    })
    expect(await booking.preview()).toMatchObject({ status: 'preview' })
    expect(await booking.commit()).toMatchObject({ status: 'committed' })
  })

  test('does not let other values pass under the same key, and names their fields', async () => {
    const { world, room } = await previewedRoom()
    rotate(world)
    expect(await room.commit({ purpose: 'another one' })).toMatchObject({
      code: 'idempotency_key_reused',
      refusal: { errors: [{ pointer: '/purpose' }] },
    })
  })
})

describe('a signing secret that is no longer listed', () => {
  test('does not let anybody start again what is in doubt under it', async () => {
    const { world, room } = await previewedRoom()
    world.fail('book', 'timeout_after')
    await room.commit()
    drop(world)
    expect(await room.commit()).toMatchObject({ code: 'idempotency_key_reused' })
    await room.ring()
    expect((await room.record())?.state).toBe('done')
    expect(world.mutations()).toEqual(['book'])
  })

  test.each([
    ['keeps a half-done move from being put back', 'busy*', ['cancel', 'book', 'book']],
    ['keeps a move from being found that was made', 'timeout_after', ['cancel', 'book']],
  ] as const)('never %s', async (_what, fault, sent) => {
    const { world, booking_id } = await previewedMove()
    replace(world, 'scheduling', (scheduling) => ({
      // As a live one has it.
      invitee: async (id) => ({ ...(await scheduling.invitee(id))!, email: 'kim@example.org' }),
    }))
    const move = callerOf(world, 'reschedule_booking', { booking_id, start_time: NEW_TIME })
    await move.preview()
    world.fail('book', fault)
    await move.commit()
    drop(world)
    world.allIsWell()
    await move.ringAll()
    expect(await move.record()).toMatchObject({ state: 'done' })
    expect([world.mutations(), world.faults]).toEqual([sent, []])
  })
})
