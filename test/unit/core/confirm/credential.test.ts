import { type Mock, describe, expect, it, vi } from 'vitest'

import { SECOND } from '../../../../src/core/domain/time/duration.ts'
import { practice } from '../../../support/fake-host.ts'
import { callerOf, personApproves, previewedBooking } from './caller.ts'
import { reserveRoom, ROOM } from './toy-mutation.ts'

/** So many calls have reached the object, and have come as far as they can. */
const waiting = async (asked: Mock, times = 1) => {
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(times))
  await new Promise((later) => setImmediate(later))
}

describe('a credential that ends while its call waits', () => {
  it('commits nothing once a person has approved, and the approval stays for a good one', async () => {
    const world = practice({ mutations: [reserveRoom] })
    world.rules = personApproves('reserve_room')
    const ada = callerOf(world, 'reserve_room', ROOM, { key: 'one idempotency key' })
    await ada.preview()
    const again = callerOf(world, 'reserve_room', ROOM, { key: 'one idempotency key' })
    await again.preview()

    const performed = vi.spyOn(world, 'perform')
    const commit = ada.commit({}, 20 * SECOND)
    await waiting(performed)
    ada.loseCredential()
    expect(await world.decide(await ada.name, 'approve')).toBe('approved')
    expect(await commit).toMatchObject({ code: 'unauthenticated' })
    await world.idle()
    expect(world.mutations()).toEqual([])
    expect(await again.commit()).toMatchObject({ status: 'committed' })
  })

  /** A commit that is held up at the provider, another that has joined it, and a status request that waits for both. */
  async function underWay() {
    const { world, booking } = await previewedBooking()
    const [performed, asked] = [vi.spyOn(world, 'perform'), vi.spyOn(world, 'status')]
    const stop = world.stop('before', 'book')
    const first = booking.commit()
    await stop.reached
    const joined = booking.commit()
    const status = booking.status().catch((thrown: unknown) => thrown)
    await waiting(performed, 2)
    await waiting(asked)
    return { world, booking, stop, first, joined, status }
  }

  it('gets no answer of a commit that it joined, but of the one that it began', async () => {
    const { world, booking, stop, first, joined, status } = await underWay()
    booking.loseCredential()
    stop.go()
    expect(await status).toMatchObject({ refusal: { code: 'unauthenticated' } })
    expect(await joined).toMatchObject({ code: 'unauthenticated' })
    expect(await first).toMatchObject({ status: 'committed' })
    expect(world.mutations()).toEqual(['book'])
  })

  it('keeps its answers where it is still good', async () => {
    const { world, stop, first, joined, status } = await underWay()
    stop.go()
    expect(await status).toMatchObject({ status: 'committed' })
    for (const one of [first, joined]) expect(await one).toMatchObject({ status: 'committed' })
    expect(world.mutations()).toEqual(['book'])
  })
})
