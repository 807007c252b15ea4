import { describe, expect, test } from 'vitest'

import type { Action, Fault } from '../../../../src/core/domain/mock-booking.ts'
import { practice, type World } from '../../../support/fake-host.ts'
import { anExistingBooking, BOOKING, callerOf, LINK, NEW_TIME } from './caller.ts'

interface Case {
  what: string
  operation: string
  fieldsIn(world: World): Promise<object>
  /** The call at which the object dies, and what went wrong before. */
  call: string
  faults?: [Action, ...Fault[]]
  /** The bookings that stand at the end if the call had its effect; else they are the same, or the owner is asked. */
  bookings: number
  /** A call that never left and may not be sent again without proof. */
  onlyOnce?: true
}

const aBooking = async () => BOOKING
const aCancellation = async (world: World) => ({ booking_id: await anExistingBooking(world) })
const aMove = async (world: World) => ({ ...(await aCancellation(world)), start_time: NEW_TIME })

const cases: Case[] = [
  {
    what: 'a booking',
    operation: 'book_consult',
    fieldsIn: aBooking,
    call: 'book',
    bookings: 1,
    onlyOnce: true,
  },
  {
    what: 'a cancellation',
    operation: 'cancel_booking',
    fieldsIn: aCancellation,
    call: 'cancel',
    bookings: 0,
  },
  {
    what: 'a payment link',
    operation: 'create_payment_link',
    fieldsIn: async () => LINK,
    call: 'createLink',
    bookings: 0,
  },
  {
    what: 'a move, first step',
    operation: 'reschedule_booking',
    fieldsIn: aMove,
    call: 'cancel',
    bookings: 1,
  },
  {
    what: 'a move, second step',
    operation: 'reschedule_booking',
    fieldsIn: aMove,
    call: 'book',
    bookings: 1,
    onlyOnce: true,
  },
  {
    what: 'a move, taken back',
    operation: 'reschedule_booking',
    fieldsIn: aMove,
    call: 'book',
    faults: ['book', 'refused'],
    bookings: 1,
    onlyOnce: true,
  },
]

/** The commit runs until the call is held up, then its object dies. */
async function dies({ operation, fieldsIn, call, faults }: Case, at: 'before' | 'after') {
  const world = practice()
  const caller = callerOf(world, operation, await fieldsIn(world))
  await caller.preview()
  if (faults) world.fail(...faults)
  let held = world.stop(at, call)
  const lost = caller.commit().catch(() => 'lost')
  await held.reached
  if (faults) {
    // The first call is the one that is refused; the one that takes back comes next.
    const first = held
    held = world.stop(at, call)
    first.go()
    await held.reached
  }
  await caller.crash()
  expect(await lost).toBe('lost')
  return { world, caller }
}

describe.each(cases)('a crash during $what', (one) => {
  test('after the effect: the alarm alone finds the effect and does not repeat it', async () => {
    const { world, caller } = await dies(one, 'after')
    const sent = world.mutations().length
    await caller.ringAll()
    await world.idle()
    expect((await caller.record())?.state).toBe('done')
    expect(world.calendar.active()).toHaveLength(one.bookings)
    const again = one.what === 'a move, first step' ? 1 : 0
    expect(world.mutations()).toHaveLength(sent + again)
    expect(await caller.commit()).toMatchObject({ replayed: true })
    expect(world.broken).toEqual([])
  })

  test('after the effect: a repeat of the call finds the effect, too', async () => {
    const { world, caller } = await dies(one, 'after')
    const answer = await caller.commit()
    expect(answer).toMatchObject(
      one.faults ? { code: 'reschedule_restored' } : { is: 'answer', status: 'committed' },
    )
    expect(world.calendar.active()).toHaveLength(one.bookings)
  })

  test('before the send: it is sent again only where that cannot do harm', async () => {
    const { world, caller } = await dies(one, 'before')
    await caller.ringAll()
    const answer = await caller.commit()
    if (one.onlyOnce) {
      expect(answer).toMatchObject({ code: 'outcome_unknown', refusal: { needs_attention: true } })
      expect(world.calendar.active()).toEqual([])
      expect(world.alerted).toEqual([one.operation])
    } else {
      expect(answer).toMatchObject({ status: 'committed' })
      expect(world.calendar.active()).toHaveLength(one.bookings)
    }
  })
})
