import { describe, expect, test } from 'vitest'

import type { AnyMutation } from '../../../../src/core/confirm/mutation.ts'
import { mutationNamed } from '../../../../src/practice/operations/index.ts'
import { practice } from '../../../support/fake-host.ts'
import { callerOf, previewedRoom, previewedClient, replace } from './caller.ts'
import { reserveRoom } from './toy-mutation.ts'

const fails = (): never => {
  throw new TypeError('a fault of ours')
}
const brokenIn = (mutation: AnyMutation): AnyMutation => ({ ...mutation, result: fails })

describe('an internal error', () => {
  test('while the answer is built after an effect leaves the outcome unknown, and asks the provider in no loop', async () => {
    const broken = brokenIn(reserveRoom)
    const { world, room } = await previewedRoom({ mutations: [broken] })
    expect(await room.commit()).toMatchObject({
      code: 'outcome_unknown',
      refusal: { effect: 'unknown' },
    })
    expect(world.log).toEqual(['slots', 'take', 'slots', 'book'])
    expect(await room.record()).toMatchObject({ state: 'running', unconfirmedSends: 1 })
    expect(world.broken).toEqual([])
  })

  test('is retried by the alarm, and the change completes once the error is fixed', async () => {
    const broken = brokenIn(reserveRoom)
    const { world, room } = await previewedRoom({ mutations: [broken] })
    await room.commit()
    await room.ring()
    expect((await room.record())?.state).toBe('running')
    broken.result = reserveRoom.result
    // A version without the fault is deployed.
    await room.crash()
    await room.ring()
    expect(await room.commit()).toMatchObject({ status: 'committed', replayed: true })
    expect(world.mutations()).toEqual(['book'])
  })

  test('before anything was sent makes no claim about the effect, and leaves the token valid', async () => {
    const broken = brokenIn(mutationNamed('create_client_profile')!)
    const { world, client } = await previewedClient({ mutations: [broken] })
    expect(await client.commit()).toMatchObject({
      code: 'internal_error',
      refusal: { effect: 'unknown' },
    })
    broken.result = mutationNamed('create_client_profile')!.result
    await client.crash()
    expect(await client.commit()).toMatchObject({ status: 'committed' })
    expect(world.broken).toEqual([])
  })

  test('during a step counts as unknown: the step may have happened', async () => {
    const { world, room } = await previewedRoom()
    world.adapt = (ports) => ({ ...ports, scheduling: { ...ports.scheduling, book: fails } })
    expect(await room.commit()).toMatchObject({ code: 'outcome_unknown' })
    expect(world.faults).toHaveLength(1)
  })

  test('of the coordinator had no effect, and leaves the token valid', async () => {
    const { world, room } = await previewedRoom()
    const { interleave } = world
    world.interleave = (name) =>
      name === 'take' ? Promise.reject(new Error('reset')) : interleave(name)
    expect(await room.commit()).toMatchObject({
      code: 'internal_error',
      refusal: { effect: 'none' },
    })
    expect(world.faults).toHaveLength(1)
    world.interleave = interleave
    expect(await room.commit()).toMatchObject({ status: 'committed' })
  })

  test('in what is read before a step is sent had no effect, and leaves the token valid', async () => {
    const { world, room } = await previewedRoom()
    let isBroken = false
    const { interleave } = world
    // The facts were read again, and now the step itself is to be sent.
    world.interleave = async (name) => {
      await interleave(name)
      if (name === 'slots') isBroken = true
    }
    world.adapt = (ports) => (isBroken ? fails() : ports)
    expect(await room.commit()).toMatchObject({
      code: 'internal_error',
      refusal: { effect: 'none' },
    })
    expect(world.mutations()).toEqual([])
    world.adapt = (ports) => ports
    expect(await room.commit()).toMatchObject({ status: 'committed' })
    expect(world.mutations()).toEqual(['book'])
  })

  test('of the records, asked for earlier links before one is made, had no effect', async () => {
    const world = practice()
    let asked = 0
    // The preview asks once, and the commit once for the facts that it compares and once for the step.
    const newestWith = async () => (++asked === 3 ? Promise.reject(new Error('gone')) : [])
    replace(world, 'payments', () => ({ reconciliation: 'manual' as const }))
    replace(world, 'records', () => ({ newestWith }))
    const link = callerOf(world, 'create_payment_link', { invoice_id: 'in_mock_open' })
    expect(await link.preview()).toMatchObject({ status: 'preview' })
    expect(await link.commit()).toMatchObject({
      code: 'provider_busy',
      refusal: { effect: 'none' },
    })
    expect(world.mutations()).toEqual([])
    expect(await link.commit()).toMatchObject({ status: 'committed' })
  })
})
