import { describe, expect, test } from 'vitest'

import type { FlowRecord } from '../../../../src/core/confirm/record.ts'
import { HOUR } from '../../../../src/core/domain/time/duration.ts'
import { practice } from '../../../support/fake-host.ts'
import { BOOKING, callerOf, previewedBooking } from './caller.ts'
import { done, previewed, running } from './machine-cells.ts'

/** A practice whose object holds a record that a newer version wrote. */
async function newer(record: FlowRecord) {
  const world = practice()
  const caller = callerOf(world, 'book_consult', BOOKING)
  const planted = {
    ...record,
    v: 2,
    state: 'somewhere',
    brandNew: { field: 1 },
  } as unknown as FlowRecord
  const name = await caller.name
  world.plant(name, planted, undefined)
  return { world, name, caller, planted }
}

/** Adds to what is kept what only a newer version knows, and starts anew. */
async function addTo(world: ReturnType<typeof practice>, caller: ReturnType<typeof callerOf>) {
  await world.idle()
  const text = JSON.stringify(await caller.record())
  const more = text.replaceAll(/"(event_type|status)":"/g, '"added_later":"kept","$1":"')
  world.crash(await caller.name)
  world.plant(await caller.name, JSON.parse(more) as FlowRecord, undefined)
}

describe('a record that a newer version wrote', () => {
  test.each([previewed(), running(), done()])('is left alone in state $state', async (record) => {
    const { world, name, caller, planted } = await newer(record)
    for (const reply of [
      await caller.preview(),
      await caller.commit({ confirmation_token: 'ct_x.y' }),
    ]) {
      expect(reply).toMatchObject({
        code: 'not_configured',
        refusal: { effect: 'unknown', detail: expect.stringContaining('newer version') as string },
      })
    }
    expect(await world.erase(name, 'cl_mock_somebody')).toBe(false)
    expect(await world.resolve(name, true, { booking_id: 'bk_1' })).toBe('newer version')
    expect(world.isBusy(name)).toBe(true)
    expect(await world.status(name)).toMatchObject({ is: 'newer', refusal: { effect: 'unknown' } })
    expect([world.mutations(), world.puts]).toEqual([[], []])
    expect(await caller.record()).toEqual(planted)
  })

  test('is retried every hour until the version that knows it is back', async () => {
    const { world, caller, planted } = await newer(previewed())
    await caller.preview()
    for (let hours = 0; hours < 3; hours++) {
      const before = world.now()
      expect(await caller.alarm()).toBe(before + HOUR)
      await caller.ring()
    }
    expect(await caller.record()).toEqual(planted)
  })

  test.each(['preview', 'commit'] as const)(
    'and whose answer it added to is answered without that: %s',
    async (act) => {
      const { world, booking: caller } = await previewedBooking()
      const { body } = (await caller[act]()) as { body: object }
      await addTo(world, caller)
      expect(await caller[act]()).toMatchObject({ body })
      if (act === 'commit') return
      // Nobody knows whether this version does what that field says.
      expect(await caller.commit()).toMatchObject({ code: 'preview_stale' })
      expect(world.mutations()).toEqual([])
      await caller.preview()
      expect(await caller.commit()).toMatchObject({ status: 'committed' })
    },
  )

  test('and that was sent is found out by this one', async () => {
    const { world, booking: caller } = await previewedBooking()
    world.fail('book', 'timeout_after')
    expect(await caller.commit()).toMatchObject({ code: 'outcome_unknown' })
    await addTo(world, caller)
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
  })
})
