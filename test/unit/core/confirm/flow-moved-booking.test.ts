import { describe, expect, test } from 'vitest'

import { problemText } from '../../../../src/api/mcp/tool-calls.ts'
import { providerIdOf } from '../../../../src/core/domain/booking.ts'
import { problemBody } from '../../../../src/core/domain/problem/problem.ts'
import { HOUR } from '../../../../src/core/domain/time/duration.ts'
import { getBooking } from '../../../../src/practice/operations/get-booking.ts'
import { listBookings } from '../../../../src/practice/operations/list-bookings.ts'
import { type World, practice } from '../../../support/fake-host.ts'
import { moveByHand } from '../../../support/in-memory-calendar.ts'
import {
  BOOKING,
  type Caller,
  NEW_TIME,
  type Reply,
  anExistingBooking,
  callerOf,
  resultOf,
} from './caller.ts'

const THIRD_TIME = '2026-11-26T11:00:00-05:00'
const FOURTH_TIME = '2026-11-27T09:30:00-05:00'

/** A practice with a booking. */
async function booked() {
  const world = practice()
  return { world, first: await anExistingBooking(world) }
}

const committed = async (caller: Caller): Promise<string> =>
  String((await resultOf(caller))['booking_id'])

const move = (world: World, booking_id: string, start_time: string) =>
  committed(callerOf(world, 'reschedule_booking', { booking_id, start_time }))

const moveOnPage = async (world: World, booking_id: string, start_time: string) =>
  `bk_${await moveByHand(world.calendar, world.calendar.rows, providerIdOf(booking_id)!, Date.parse(start_time))}`

const cancel = (world: World, booking_id: string) =>
  committed(callerOf(world, 'cancel_booking', { booking_id }))

/** The answers to a caller with an old id: of a cancellation, of a move, and of a read. */
async function answersTo(world: World, booking_id: string) {
  const cancelled = await callerOf(world, 'cancel_booking', { booking_id }).preview()
  const elsewhere = { booking_id, start_time: FOURTH_TIME }
  const moved = await callerOf(world, 'reschedule_booking', elsewhere).preview()
  expect(moved).toEqual(cancelled)
  return {
    refusal: textOf(cancelled),
    facts: factsOf(cancelled),
    read: await read(world, booking_id),
  }
}

const factsOf = (reply: Reply) => (reply.is === 'problem' ? reply.refusal : undefined)
function textOf(reply: Reply): string {
  if (reply.is !== 'problem') throw new Error('not refused')
  expect(reply.refusal).toMatchObject({ code: 'booking_not_active', effect: 'none' })
  return problemText(problemBody(reply.refusal, 'request', ''))
}

async function read(world: World, booking_id: string) {
  const output = await getBooking.run({ booking_id }, await world.ports())
  return {
    text: getBooking.text!(output, String),
    ...(output as { booking: Record<string, unknown> }),
  }
}

describe('an id from before a move', () => {
  test.each([
    ['here', move],
    ["on the provider's own page", moveOnPage],
  ])('names the booking that was moved %s, when it is, and how to go on', async (_where, moved) => {
    const { world, first } = await booked()
    const second = await moved(world, first, NEW_TIME)
    const { refusal, facts, read } = await answersTo(world, first)
    expect(refusal).toContain(
      `The booking was moved: it is now ${second}, on Wednesday, November 25, 2026 at 2:00 PM EST. Nothing was done.`,
    )
    expect(refusal).toContain(`Next: Use ${second} in place of the earlier booking_id`)
    expect(refusal).not.toMatch(/cancelled|Book a new/)
    expect(facts).toMatchObject({
      booking: { booking_id: second, state: 'confirmed', start_time: NEW_TIME },
    })
    expect(JSON.stringify(facts)).not.toContain(first)
    expect(read.booking).toMatchObject({ booking_id: first, next_booking_id: second })
    expect(read.text).toContain(`moved: it is now ${second}.`)
    expect(read.text).not.toContain('cancelled')
    expect(await cancel(world, second)).toBe(second)
  })

  test('is followed through all later moves, made here and elsewhere', async () => {
    const { world, first } = await booked()
    const second = await move(world, first, NEW_TIME)
    const third = await moveOnPage(world, second, THIRD_TIME)
    const fourth = await move(world, third, FOURTH_TIME)
    for (const old of [first, second, third]) {
      const { refusal, facts, read } = await answersTo(world, old)
      expect(refusal).toContain(`it is now ${fourth}`)
      expect(facts).toMatchObject({ booking: { booking_id: fourth, start_time: FOURTH_TIME } })
      expect(read.booking['next_booking_id']).toBe(fourth)
    }
    expect((await read(world, fourth)).booking).not.toHaveProperty('next_booking_id')
  })

  test.each([
    ['cancelled here', cancel],
    [
      'cancelled elsewhere',
      async (world: World, id: string) =>
        void (await world.calendar.cancel(providerIdOf(id)!, 'by hand')),
    ],
  ])('says it where the booking that took its place was %s', async (_how, end) => {
    const { world, first } = await booked()
    const second = await move(world, first, NEW_TIME)
    await end(world, second)
    const { refusal, facts, read: old } = await answersTo(world, first)
    expect(refusal).toContain(
      `The booking was moved to ${second}, which is cancelled; nothing was done.`,
    )
    expect(refusal).toContain(
      'Next: Tell the person. Book a new consult only if the person wants one.',
    )
    expect(facts).toMatchObject({ booking: { booking_id: second, state: 'cancelled' } })
    expect(old.text).toContain(`moved: it is now ${second}.`)
    expect((await read(world, second)).text).toContain('; cancelled; ')
  })

  test('says it where the booking that took its place is over', async () => {
    const { world, first } = await booked()
    const second = await move(world, first, NEW_TIME)
    world.pass(Date.parse(NEW_TIME) + HOUR - world.now())
    const { refusal } = await answersTo(world, first)
    expect(refusal).toContain(
      `The booking was moved to ${second}, which is over already; nothing was done.`,
    )
  })

  test('whose move has not reached the records yet is never told to book again', async () => {
    const { world, first } = await booked()
    world.failingPuts = Infinity
    await move(world, first, NEW_TIME)
    const { refusal } = await answersTo(world, first)
    expect(refusal).toContain('The booking is cancelled; nothing was done.')
    expect(refusal).toContain('Next: If it was moved, use the booking_id that the move returned.')
  })

  test('whose old time was booked again names that booking', async () => {
    const { world, first } = await booked()
    const moved = callerOf(world, 'reschedule_booking', { booking_id: first, start_time: NEW_TIME })
    await moved.preview()
    world.fail('book', 'refused')
    const restored = await moved.commit()
    expect(restored).toMatchObject({ code: 'reschedule_restored' })
    const again = factsOf(restored)?.booking?.booking_id
    expect((await answersTo(world, first)).refusal).toContain(
      `it is now ${again}, on Tuesday, November 24, 2026`,
    )
  })

  test('that was previewed before the move is refused at commit with the same words', async () => {
    const { world, first } = await booked()
    const slow = callerOf(world, 'cancel_booking', { booking_id: first })
    await slow.preview()
    const second = await move(world, first, NEW_TIME)
    expect(textOf(await slow.commit())).toContain(`it is now ${second}`)
    expect(world.calendar.active()).toHaveLength(1)
  })

  test('cannot be followed in a circle for ever', async () => {
    const { world, first } = await booked()
    const second = await moveOnPage(world, first, NEW_TIME)
    const row = world.calendar.rows.find(({ id }) => `bk_${id}` === second)!
    Object.assign(row, { cancelled_by: 'by hand', moved_to: providerIdOf(first) })
    expect((await answersTo(world, first)).refusal).toContain('which is cancelled')
  })

  test('that was never moved is cancelled, or over, and nothing else', async () => {
    const { world, first } = await booked()
    await cancel(world, first)
    const { refusal, facts, read } = await answersTo(world, first)
    expect(refusal).toContain('The booking is cancelled; nothing was done.')
    expect(facts).not.toHaveProperty('booking')
    expect(read.booking).not.toHaveProperty('next_booking_id')
    const second = await anExistingBooking(world)
    world.pass(Date.parse(BOOKING.start_time) - world.now())
    expect((await answersTo(world, second)).refusal).toContain(
      'The booking has begun already; nothing was done.',
    )
  })

  test('is listed among what is cancelled with the booking that it was moved to', async () => {
    const { world, first } = await booked()
    const second = await move(world, first, NEW_TIME)
    const third = await moveOnPage(world, second, THIRD_TIME)
    const listed = await listBookings.run({ state: 'cancelled' }, await world.ports())
    expect(listed).toMatchObject({
      bookings: [
        { booking_id: first, next_booking_id: second },
        { booking_id: second, next_booking_id: third },
      ],
    })
    expect(listBookings.text!(listed, String)).not.toContain('; cancelled;')
    for (const [old, next] of [
      [first, second],
      [second, third],
    ])
      expect(listBookings.text!(listed, String)).toContain(`${old}, moved to ${next}.`)
  })
})

test('a lost answer to a move is found under its own key, in the words that the old id is answered with', async () => {
  const { world, first } = await booked()
  const lost = callerOf(world, 'reschedule_booking', { booking_id: first, start_time: NEW_TIME })
  await lost.preview()
  await lost.commit()
  const status = await world.status(await lost.name)
  const { booking_id } = (status as { body: { result: { booking_id: string } } }).body.result
  const { refusal, read } = await answersTo(world, first)
  const repeat = await lost.commit()
  if (repeat.is !== 'answer') throw new Error('not repeated')
  for (const words of [JSON.stringify(status), JSON.stringify(repeat.body), refusal, read.text])
    expect(words).toContain(`it is now ${booking_id}`)
})
