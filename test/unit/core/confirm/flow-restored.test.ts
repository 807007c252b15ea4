import { describe, expect, test } from 'vitest'

import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { type FakeBackup, practice, type World } from '../../../support/fake-host.ts'
import { type Caller, BOOKING, callerOf, fieldsOf, previewedMove } from './caller.ts'

const copied = (world: World): FakeBackup => ({
  ...world.backup.flows(),
  records: world.backup.records(),
  log: world.backup.log(),
})

/** A consult that was booked after the backup, as its caller repeats the commit once the backup is back. */
async function lostBooking(tail: (world: World) => void = () => {}) {
  const world = practice()
  const backup = copied(world)
  tail(world)
  const caller = callerOf(world, 'book_consult', BOOKING)
  await caller.preview()
  expect(await caller.commit()).toMatchObject({ status: 'committed' })
  await world.idle()
  world.restore(backup)
  // The owner has looked, and resumed all callers.
  world.rules = []
  return { world, caller }
}

const isUnknown = async (world: World, caller: Caller): Promise<void> => {
  expect(await caller.commit()).toMatchObject({
    is: 'problem',
    code: 'outcome_unknown',
    refusal: { effect: 'unknown', needs_attention: true },
  })
  expect(world.calendar.rows, 'it was booked again').toHaveLength(1)
}

describe('a commit of the time after the backup, repeated after the restore', () => {
  test('is answered as unknown, and not sent', async () => {
    const { world, caller } = await lostBooking()
    await isUnknown(world, caller)
  })

  test('is so too where the secret that made its token is lost with it', async () => {
    const { world, caller } = await lostBooking((tail) => {
      tail.secrets = ['the signing secret of a rotation, 2nd', ...tail.secrets]
    })
    await isUnknown(world, caller)
  })

  test('is so too where the caller has previewed again under the same key', async () => {
    const { world, caller } = await lostBooking()
    // Another process of the same caller. The time is taken, and so it asks for another.
    world.calendar.rows[0]!.start += 1
    await world.perform(await caller.name, await caller.asked(false))
    expect(world.record(await caller.name)).toMatchObject({ state: 'previewed' })
    await isUnknown(world, caller)
  })

  test('without a token is asked for one, as before', async () => {
    const { caller } = await lostBooking()
    expect(await caller.commit({ confirmation_token: undefined })).toMatchObject({
      code: 'confirmation_token_missing',
    })
  })
})

test('A fresh preview after a restore is committed as always', async () => {
  const world = practice()
  world.restore(copied(world))
  world.rules = []
  const caller = callerOf(world, 'book_consult', BOOKING)
  await caller.preview()
  expect(await caller.commit()).toMatchObject({ status: 'committed' })
})

describe('a move that was at work in the backup', () => {
  const active = ({ calendar }: World) => calendar.active().map(({ id, start }) => ({ id, start }))

  test.each([
    ['the cancel was in doubt', 'cancel', 'timeout_after'],
    ['the booking was to be sent again', 'book', 'busy'],
  ] as const)(
    'and was made after it is found, and no part is sent again: %s',
    async (_when, action, fault) => {
      const { world, move } = await previewedMove()
      world.fail(action, fault)
      await move.commit()
      const backup = copied(world)
      await move.ring()
      await world.idle()
      const [made, sent] = [active(world), world.mutations().length]
      expect(made).toHaveLength(1)
      world.restore(backup)
      for (let alarms = 3; world.near(await move.name) && alarms > 0; alarms--) await move.ring()
      expect(await move.commit()).toMatchObject({ status: 'committed' })
      expect(active(world)).toEqual(made)
      expect(world.mutations().slice(sent)).toEqual([])
    },
  )

  test('is not sent where it is not found: its owner is asked, once', async () => {
    const { world, move } = await previewedMove()
    world.fail('cancel', 'timeout_after')
    await move.commit()
    world.restore(copied(world))
    await move.ring()
    expect(await move.commit()).toMatchObject({ refusal: { needs_attention: true } })
    expect(world.mutations()).toEqual(['cancel'])
    expect(world.alerted).toEqual(['reschedule_booking'])
  })
})

test('An answer to a request that was at work in the backup may have been sent after it, long ago though the first one was', async () => {
  const world = practice()
  const answer = callerOf(world, 'respond_to_booking', await fieldsOf('respond_to_booking', world))
  await answer.preview()
  world.fail('respond', 'timeout_before')
  await answer.commit()
  const backup = copied(world)
  world.pass(11 * MINUTE)
  world.restore(backup)
  await answer.ring()
  expect(await answer.commit()).toMatchObject({
    code: 'outcome_unknown',
    refusal: { effect: 'unknown', needs_attention: true },
  })
})
