import { describe, expect, test } from 'vitest'

import type { Previewed } from '../../../../src/core/confirm/record.ts'
import { callerOf, NEW_TIME, previewedMove, replace } from './caller.ts'

const OLD_START = Date.parse('2026-11-24T10:00:00-05:00')
const NEW_START = Date.parse(NEW_TIME)

const unknown = { is: 'problem', code: 'outcome_unknown', refusal: { effect: 'unknown' } }

async function aMove(more: object = {}) {
  const all = await previewedMove(more)
  expect(await all.move.preview()).toMatchObject({ status: 'preview' })
  return {
    ...all,
    active: () => all.world.calendar.active().map(({ id, start }) => ({ id, start })),
  }
}

describe('a move cancels the old time and books the new one', () => {
  test('and names both bookings', async () => {
    const { world, move, booking_id, active } = await aMove()
    expect(await move.commit()).toMatchObject({
      status: 'committed',
      body: {
        result: { booking_id: 'bk_mock_0002', previous_booking_id: booking_id, state: 'confirmed' },
      },
    })
    await world.idle()
    expect(active()).toEqual([{ id: 'mock_0002', start: NEW_START }])
    expect(world.puts.map(({ key }) => key)).toEqual([
      `booking:${booking_id}:end`,
      'booking:bk_mock_0002',
    ])
  })

  test('with a marker of its own for each step', async () => {
    const { world, move } = await aMove()
    const markers: string[] = []
    replace(world, 'scheduling', ({ book, cancel }) => ({
      book: (request, marker) => (markers.push(marker), book(request, marker)),
      cancel: (id, reason, marker) => (markers.push(marker), cancel(id, reason, marker)),
    }))
    world.fail('book', 'refused')
    await move.commit()
    const { id } = (await move.record())!
    expect(markers).toEqual([`${id}.0`, `${id}.1`, `${id}.0u`])
  })

  test('with the single call of a provider that has one', async () => {
    const { world, booking_id } = await aMove()
    const times = { start_time: '2026-11-25T19:00:00Z', end_time: '2026-11-25T19:30:00Z' }
    const facts = { booking_id: 'bk_moved', state: 'confirmed', ...times }
    replace(world, 'scheduling', () => ({
      reschedule: {
        execute: async () => ({ is: 'unknown' }),
        reconcile: async () => ({ is: 'ok', facts }),
      },
    }))
    const move = callerOf(world, 'reschedule_booking', { booking_id, start_time: NEW_TIME })
    await move.preview()
    expect(await move.commit()).toMatchObject(unknown)
    await move.ring()
    expect(await move.commit()).toMatchObject({
      status: 'committed',
      body: { result: { booking_id: 'bk_moved', previous_booking_id: booking_id } },
    })
    expect(world.mutations()).toEqual(['execute'])
  })
})

describe('when the provider refuses the new time of a move', () => {
  test('the old time is booked again, and the answer gives the new id of the restored booking', async () => {
    const { world, move, booking_id, active } = await aMove()
    world.fail('book', 'refused')
    const restored = {
      code: 'reschedule_restored',
      refusal: {
        effect: 'partial',
        booking: {
          booking_id: 'bk_mock_0002',
          previous_booking_id: booking_id,
          state: 'confirmed',
          start_time: '2026-11-24T10:00:00-05:00',
        },
      },
    }
    expect(await move.commit()).toMatchObject({ ...restored, replayed: false })
    await world.idle()
    expect(active()).toEqual([{ id: 'mock_0002', start: OLD_START }])
    expect(world.puts.map(({ key }) => key)).toEqual([
      `booking:${booking_id}:end`,
      'booking:bk_mock_0002',
    ])
    expect(await move.commit()).toMatchObject({ ...restored, replayed: true })
    expect(await move.preview()).toMatchObject({ ...restored, replayed: true })
    expect(await move.commit({ confirmation_token: 'ct_wrong' })).toMatchObject({
      code: 'confirmation_token_invalid',
      refusal: { effect: 'partial' },
    })
    expect(world.mutations()).toEqual(['cancel', 'book', 'book'])
  })

  test('and the old time too, the answer says that nothing is booked', async () => {
    const { world, move, booking_id, active } = await aMove()
    world.fail('book', 'refused', 'refused')
    const partly = {
      code: 'partially_applied',
      refusal: {
        effect: 'partial',
        booking: { booking_id: null, previous_booking_id: booking_id, state: 'cancelled' },
      },
    }
    expect(await move.commit()).toMatchObject({ ...partly, replayed: false })
    await world.idle()
    expect(active()).toEqual([])
    expect(world.puts.map(({ key }) => key)).toEqual([`booking:${booking_id}:end`])
    expect(await move.commit()).toMatchObject({ ...partly, replayed: true })
    expect(world.mutations()).toEqual(['cancel', 'book', 'book'])
  })
})

describe('when the new time of a move is in doubt', () => {
  test('and the owner resolves it as not booked, the old time is booked again', async () => {
    const { world, move, active } = await aMove()
    world.fail('book', 'timeout_before')
    await move.commit()
    await move.ringAll()
    for (const other of [undefined, 'was the old time cancelled?'])
      expect(await world.resolve(await move.name, false, {}, other)).toBe('other part')
    expect(await world.resolve(await move.name, false, {}, 'was the new time booked?')).toBe(
      'resolved',
    )
    await world.idle()
    expect(active()).toEqual([{ id: 'mock_0002', start: OLD_START }])
    expect(await move.commit()).toMatchObject({ code: 'reschedule_restored', replayed: true })
    expect(world.calmed).toBe(1)
  })
})

test.each([
  ['cancel', ['timeout_before'], 'was the old time cancelled?'],
  ['book', ['timeout_before'], 'was the new time booked?'],
  ['book', ['refused', 'timeout_before'], 'was the old time booked again?'],
] as const)(
  'the owner is asked about the part of a move that is in doubt: %s, %j',
  async (sent, faults, part) => {
    const { world, move } = await aMove()
    world.fail(sent, ...faults)
    expect(await move.commit()).toMatchObject({ code: 'outcome_unknown' })
    expect(world.doubt(await move.name)).toEqual({ part })
  },
)

test('a move that the alarm goes on with gives the invitee the zone that was shown', async () => {
  const { world, move } = await aMove({ timezone: 'America/Los_Angeles' })
  const cancelled = world.stop('after', 'cancel')
  const lost = move.commit().catch(() => 'lost')
  await cancelled.reached
  await move.crash()
  expect(await lost).toBe('lost')
  await move.ringAll()
  expect(world.calendar.active()).toMatchObject([
    { start: NEW_START, timezone: 'America/Los_Angeles' },
  ])
})

test('a move that an earlier version previewed gives the invitee the zone that was shown', async () => {
  const { world, move } = await aMove({ timezone: 'America/Los_Angeles' })
  const record = (await move.record()) as Previewed
  const { timezone: _notPinned, ...pinned } = record.pinned
  await move.crash()
  world.plant(await move.name, { ...record, pinned }, undefined)
  expect(await move.commit()).toMatchObject({ status: 'committed' })
  expect(world.calendar.active()).toMatchObject([{ timezone: 'America/Los_Angeles' }])
})

describe('a move to another address that crashes after the cancel', () => {
  /** The old time is given up, the step to the new one has not begun. */
  async function halfMoved() {
    const all = await aMove({ invitee_email: 'kim@example.org' })
    const { world, move } = all
    const cancelled = world.stop('after', 'cancel')
    const lost = move.commit().catch(() => 'lost')
    await cancelled.reached
    await move.crash()
    expect(await lost).toBe('lost')
    expect(all.active()).toEqual([])
    return all
  }
  const masked = 'k***@***.org'

  test('books no one by the alarm, and the right person by a repeat of the call', async () => {
    const { world, move } = await halfMoved()
    await move.ring()
    await move.ring()
    expect(world.calendar.active()).toEqual([])
    expect(await move.commit()).toMatchObject({
      status: 'committed',
      body: { result: { invitee_email: masked } },
    })
    expect(world.calendar.active()).toMatchObject([{ start: NEW_START, masked_email: masked }])
  })

  test('restores the old time for the old address if the caller does not come back', async () => {
    const { world, move } = await halfMoved()
    await move.ringAll()
    expect(world.calendar.active()).toMatchObject([
      { start: OLD_START, masked_email: 'j***@***.com' },
    ])
    expect(world.calendar.rows.filter(({ start }) => start === NEW_START)).toEqual([])
    expect(await move.commit()).toMatchObject({ code: 'reschedule_restored' })
  })

  test('stores neither address', async () => {
    const { world, move } = await halfMoved()
    expect(JSON.stringify(await move.record())).not.toMatch(/kim|example\.org/)
    await move.ringAll()
    await world.idle()
    expect(JSON.stringify([...world.stored])).not.toMatch(/kim|example\.org/)
  })
})
