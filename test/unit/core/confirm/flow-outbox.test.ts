import { describe, expect, test } from 'vitest'

import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { practice } from '../../../support/fake-host.ts'
import { NEW_TIME, anExistingBooking, callerOf, previewedClient, previewedRoom } from './caller.ts'

describe('the delivery of a commit to the records', () => {
  test('happens after the answer: the caller does not wait for it', async () => {
    const { world, client } = await previewedClient()
    const writing = world.stop('before', 'upsert')
    expect(await client.commit()).toMatchObject({ status: 'committed' })
    expect(world.puts).toEqual([])
    expect(await client.alarm()).toBe(world.now() + MINUTE)
    writing.go()
    await world.idle()
    expect(world.puts).toHaveLength(1)
    expect((await client.record())?.outbox).toBeUndefined()
  })

  test('does not block anybody who wants to change the same booking', async () => {
    const { world, room } = await previewedRoom()
    const writing = world.stop('before', 'upsert')
    const telling = world.stop('after', 'append')
    expect(world.isBusy(await room.name)).toBe(false)
    const committed = room.commit()
    await writing.reached
    expect(await committed).toMatchObject({ status: 'committed' })
    expect(world.isBusy(await room.name)).toBe(false)
    writing.go()
    telling.go()
    await world.idle()
  })

  test.each([1, 5, 12])('succeeds although the records store fails %i times', async (failures) => {
    const { world, client } = await previewedClient()
    world.failingPuts = failures
    const committed = await client.commit()
    await world.idle()
    expect(await client.ringAll()).toBe(failures)
    expect(world.puts).toHaveLength(1)
    expect(await client.commit()).toEqual({ ...committed, replayed: true })
  })

  test('succeeds although the object dies before it', async () => {
    const { world, client } = await previewedClient()
    const writing = world.stop('before', 'upsert')
    await client.commit()
    await writing.reached
    await client.crash()
    expect(world.puts).toEqual([])
    await client.ring()
    expect(world.puts).toHaveLength(1)
    expect(await client.commit()).toMatchObject({ status: 'committed', replayed: true })
  })

  test('is made by the next call if the alarm was lost while the instance lives on', async () => {
    const { world, client } = await previewedClient()
    world.failingPuts = 1
    const committed = await client.commit()
    await world.idle()
    world.pass(MINUTE)
    expect(world.puts).toEqual([])
    expect(await client.commit()).toEqual({ ...committed, replayed: true })
    await world.idle()
    expect(world.puts).toHaveLength(1)
  })
})

describe('what a provider names while the records of a commit are not written', () => {
  const FIELDS = {
    reschedule_booking: { start_time: NEW_TIME },
    cancel_booking: {},
  }

  test.each(['reschedule_booking', 'cancel_booking'] as const)(
    'has to wait for %s, whichever of its bookings is named',
    async (operation) => {
      const world = practice()
      const booking_id = await anExistingBooking(world)
      const caller = callerOf(world, operation, { booking_id, ...FIELDS[operation] })
      await caller.preview()
      const writing = world.stop('before', 'upsert')
      const committed = await caller.commit()
      await writing.reached
      const result =
        committed.is === 'answer' ? (committed.body['result'] as { booking_id: string }) : {}
      const named = [...new Set([booking_id, ...Object.values(result).filter(isBookingId)])]
      const holds = async (bookingId: string) =>
        world.holds(await caller.name, {
          bookingId,
          movedFrom: undefined,
          createdAt: world.now(),
          carried: null,
        })
      for (const bookingId of named) expect(await holds(bookingId), bookingId).toBe(true)
      expect(await holds('bk_another')).toBe(false)
      writing.go()
      await world.idle()
      for (const bookingId of named) expect(await holds(bookingId), bookingId).toBe(false)
    },
  )
})

const isBookingId = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('bk_')
