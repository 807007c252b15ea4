import { describe, expect, test } from 'vitest'

import { type FlowRecord, type Running, alarmMemory } from '../../../../src/core/confirm/record.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import { previewedRoom, previewedLink, previewedMove, replace } from './caller.ts'

describe('the alarm of a flow', () => {
  test('is set once for one time, and again for another time or after it rang or passed', () => {
    let now = 0
    const memory = alarmMemory(() => now)
    expect([memory.mustSet(5), memory.mustSet(5), memory.mustSet(6), memory.mustSet(5)]).toEqual([
      true,
      false,
      true,
      true,
    ])
    memory.gone()
    expect([memory.mustSet(5), memory.mustSet(5)]).toEqual([true, false])
    expect([memory.mustSet(undefined), memory.mustSet(undefined)]).toEqual([true, true])
    memory.mustSet(5)
    now = 5
    expect(memory.mustSet(5)).toBe(true)
  })

  test('is set again by a send while an alarm that rang early is still at work', async () => {
    const { world, room } = await previewedRoom()
    // From here on the audit log is due before the send would be looked for.
    world.pass(50 * SECOND)
    const appending = world.stop('before', 'append')
    const ringing = world.ring(await room.name, { early: true })
    await appending.reached
    const sending = world.stop('before', 'book')
    const commit = room.commit()
    await sending.reached

    expect(await room.record()).toMatchObject({ state: 'running', unconfirmedSends: 1 })
    expect(await room.alarm()).toBeGreaterThan(world.now())

    sending.go()
    expect(await commit).toMatchObject({ status: 'committed' })
    appending.go()
    await ringing
  })
})

describe('a step that the provider deduplicates for a limited time', () => {
  test('is sent each time with the same deadline, counted from the first attempt', async () => {
    const { world, link } = await previewedLink()
    const deadlines: (number | undefined)[] = []
    replace(world, 'payments', () => ({
      async createLink(_request, _marker, sendBefore) {
        deadlines.push(sendBefore)
        return { is: 'unknown' }
      },
      findLink: async () => ({ is: 'not_found' }),
    }))
    const first = world.now()
    await link.commit()
    world.pass(2 * HOUR)
    await link.commit()
    await link.commit()
    expect(deadlines).toEqual([first + 23 * HOUR, first + 23 * HOUR, first + 23 * HOUR])
    world.pass(21 * HOUR)
    await link.commit()
    expect(deadlines).toHaveLength(3)
  })

  test('is sent again after a refusal with the deadline of the first send', async () => {
    const { world, link } = await previewedLink()
    const deadlines: (number | undefined)[] = []
    const refusal = { code: 'provider_misconfigured', effect: 'none' } as const
    replace(world, 'payments', () => ({
      async createLink(_request, _marker, sendBefore) {
        deadlines.push(sendBefore)
        return deadlines.length < 3 ? { is: 'busy', refusal } : { is: 'unknown' }
      },
      findLink: async () => ({ is: 'not_found' }),
    }))
    const first = world.now()
    await link.commit()
    world.pass(5 * MINUTE)
    await link.commit()
    world.pass(5 * MINUTE)
    await link.commit()
    world.pass(22.5 * HOUR)
    await link.commit()
    expect(deadlines).toEqual(Array(4).fill(first + 23 * HOUR))
    world.pass(0.5 * HOUR)
    await link.commit()
    expect(deadlines).toHaveLength(4)
  })

  test('is not sent after its deadline, and what was sent before stays in doubt', async () => {
    const { world, link } = await previewedLink()
    let sent = 0
    replace(world, 'payments', () => ({
      async createLink(_request, _marker, sendBefore = Infinity) {
        // The reads before the second send take a day.
        if (sent > 0) world.pass(24 * HOUR)
        if (world.now() >= sendBefore)
          return { is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } }
        sent += 1
        return { is: 'unknown' }
      },
      findLink: async () => ({ is: 'not_found' }),
    }))
    await link.commit()
    expect(await link.commit()).toMatchObject({ refusal: { effect: 'unknown' } })
    await link.ringAll()
    expect(sent).toBe(1)
    expect(await link.record()).toMatchObject({
      state: 'running',
      unconfirmedSends: 1,
      escalation: 'sent',
    })
  })
})

describe('an operation that this version does not know', () => {
  test('is retried every hour while its next step is unsent, and continued by the version that knows it', async () => {
    const { world, move } = await previewedMove()
    world.fail('book', 'busy')
    await move.commit()
    const name = await move.name
    const { outbox: _outbox, ...half } = (await move.record()) as Running
    expect(half).toMatchObject({ state: 'running', step: 1, unconfirmedSends: 0 })
    const begun: FlowRecord = { ...half, operation: 'a_newer_operation' }
    world.crash(name)
    world.plant(name, begun, half.nextAlarmAt)

    for (let hours = 0; hours < 3; hours++) {
      await move.ring()
      expect(await move.alarm()).toBe(world.now() + HOUR)
      expect(await move.record()).toMatchObject({ ...begun, nextAlarmAt: world.now() + HOUR })
    }

    world.crash(name)
    world.plant(name, { ...begun, operation: 'reschedule_booking' }, world.now())
    await move.ringAll()
    expect(await move.commit()).toMatchObject({ status: 'committed' })
    expect(world.mutations()).toEqual(['cancel', 'book', 'book'])
  })

  test('is known to that version alone: how it stands is not answered, and no word of the owner ends it', async () => {
    const { world, move } = await previewedMove()
    world.fail('book', 'timeout_before')
    await move.commit()
    const name = await move.name
    const begun = (await move.record()) as Running
    world.crash(name)
    world.plant(name, { ...begun, operation: 'a_newer_operation' }, begun.nextAlarmAt)
    expect(await world.status(name)).toMatchObject({
      is: 'newer',
      refusal: { code: 'not_configured', effect: 'unknown' },
    })
    expect(await world.resolve(name, true)).toBe('newer version')
    await expect(move.status()).rejects.toMatchObject({ refusal: { code: 'not_configured' } })
    expect(await move.record()).toEqual({ ...begun, operation: 'a_newer_operation' })
    await move.ring()
    expect(world.faults).toEqual([])
  })

  test('holds what a provider names while its last step is in doubt, and nothing is looked for', async () => {
    const { world, move } = await previewedMove()
    world.fail('book', 'timeout_before')
    await move.commit()
    const name = await move.name
    const begun = (await move.record()) as Running
    expect(begun).toMatchObject({ step: 1, unconfirmedSends: 1 })
    world.crash(name)
    world.plant(name, { ...begun, operation: 'a_newer_operation' }, begun.nextAlarmAt)

    const { recordId: bookingId } = begun
    await world.look(name, bookingId!)
    const named = {
      bookingId: bookingId!,
      movedFrom: undefined,
      carried: undefined,
      createdAt: null,
    }
    expect(world.holds(name, named)).toBe(true)
    expect(await move.record()).toEqual({ ...begun, operation: 'a_newer_operation' })
  })
})
