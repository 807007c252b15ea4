import { describe, expect, test } from 'vitest'

import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { MUTATIONS } from '../../../../src/practice/operations/index.ts'
import { practice } from '../../../support/fake-host.ts'
import { BOOKING, callerOf, fieldsOf, LINK, previewedBooking, previewedLink } from './caller.ts'

// `registerFlow` notes with the records which flow holds data of a client; no one sees that change.
const READS = [
  'slots',
  'eventType',
  'booking',
  'invitee',
  'invoice',
  'link',
  'get',
  'linkedTo',
  'knowsClient',
  'newestWith',
  'registerFlow',
]

describe('a preview changes nothing', () => {
  test.each(MUTATIONS.map(({ name }) => name))('%s only reads', async (operation) => {
    const world = practice()
    const caller = callerOf(world, operation, await fieldsOf(operation, world))
    await world.idle()
    world.log.splice(0)
    world.puts.splice(0)
    const before = JSON.stringify(world.calendar.rows)
    expect(await caller.preview()).toMatchObject({
      is: 'answer',
      status: 'preview',
      replayed: false,
    })
    expect(world.log.filter((name) => !READS.includes(name))).toEqual([])
    expect(JSON.stringify(world.calendar.rows)).toBe(before)
    expect(world.puts).toEqual([])
    expect((await caller.record())?.state).toBe('previewed')
  })

  test('a repeated preview gives the same token, and asks the provider nothing', async () => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    const first = await booking.preview()
    world.log.splice(0)
    world.pass(14 * MINUTE)
    expect(JSON.stringify(await booking.preview())).toBe(JSON.stringify(first))
    expect(world.log).toEqual([])
  })

  test.each([
    ['slots', 'refused', 'slot_unavailable'],
    ['slots', 'misconfigured', 'provider_misconfigured'],
    ['slots', 'busy', 'provider_busy'],
  ] as const)(
    'one that fails (%s %s) is not kept and leaves the key free',
    async (action, fault, code) => {
      const world = practice()
      const key = `free after ${fault}`
      world.fail(action, fault)
      const booking = callerOf(world, 'book_consult', BOOKING, { key })
      expect(await booking.preview()).toMatchObject({
        is: 'problem',
        code,
        refusal: { effect: 'none' },
      })
      expect(await booking.record()).toBeUndefined()
      expect(await booking.commit()).toMatchObject({ code: 'confirmation_token_missing' })
      const other = callerOf(world, 'create_payment_link', LINK, { key })
      expect(await other.preview()).toMatchObject({ status: 'preview' })
    },
  )

  test('what refuses one refuses all who asked for it meanwhile, and none of them asks in turn', async () => {
    const world = practice()
    const key = 'asked for by many'
    world.fail('slots', 'busy*')
    const one = callerOf(world, 'book_consult', BOOKING, { key })
    const other = callerOf(world, 'book_consult', { ...BOOKING, invitee_name: 'Ada' }, { key })
    const asked = [one, one, one, other].map((caller) => caller.preview())
    expect(await Promise.all(asked)).toMatchObject(Array(4).fill({ code: 'provider_busy' }))
    expect(world.log.filter((name) => name === 'slots')).toHaveLength(2)
    world.allIsWell()
    expect(await one.preview()).toMatchObject({ status: 'preview' })
  })

  test('a preview of something unknown is not kept', async () => {
    const cancel = callerOf(practice(), 'cancel_booking', { booking_id: 'bk_nobody' })
    expect(await cancel.preview()).toMatchObject({ code: 'booking_not_found' })
    expect(await cancel.record()).toBeUndefined()
  })
})

describe('nothing commits without the token of its preview', () => {
  test('the token of another key is refused', async () => {
    const { world, booking: other } = await previewedBooking()
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    expect(await booking.commit({ confirmation_token: other.token() })).toMatchObject({
      code: 'confirmation_token_invalid',
      refusal: { effect: 'none' },
    })
    expect(world.mutations()).toEqual([])
  })
})

describe('what was shown is what commits', () => {
  test('a commit that began in time continues after the expiry', async () => {
    const ttlMs = 15 * MINUTE
    const { world, booking } = await previewedBooking({ ttlMs })
    world.pass(ttlMs - 1)
    const sent = world.stop('before', 'book')
    const answer = booking.commit()
    await sent.reached
    world.pass(2)
    sent.go()
    expect(await answer).toMatchObject({ status: 'committed' })
  })

  test('an invoice that changed makes the preview stale until there is a fresh one', async () => {
    const { world, link } = await previewedLink()
    const old = link.token()
    world.fail('invoice', 'changed*')
    const stale = {
      code: 'preview_stale',
      refusal: { effect: 'none', changes: [{ was: 25_000, now: 25_500 }, { now: '$255.00' }] },
    }
    expect(await link.commit()).toMatchObject({ ...stale, replayed: false })
    world.log.splice(0)
    expect(await link.commit()).toMatchObject({ ...stale, replayed: true })
    expect(world.log).toEqual([])
    expect(await link.preview()).toMatchObject({
      status: 'preview',
      body: { preview: { amount: 25_500 } },
    })
    expect(link.token()).not.toBe(old)
    expect(await link.commit({ confirmation_token: old })).toMatchObject({
      code: 'confirmation_expired',
    })
    expect(await link.commit()).toMatchObject({
      status: 'committed',
      body: { result: { amount: 25_500 } },
    })
    expect(world.mutations()).toEqual(['createLink'])
  })
})
