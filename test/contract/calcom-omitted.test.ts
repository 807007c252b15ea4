import { describe, expect, it } from 'vitest'

import { bookingIdOf } from '../../src/core/domain/booking.ts'
import { Problem } from '../../src/core/domain/problem/problem.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { fieldsOfContract, type OmittedField } from '../support/fakes/contract-fields.ts'
import { CANARIES, type CalcomRig, JANE, NOW, slotAt, startCalcom } from './calcom-rig.ts'

const BOOKING = 'BookingOutput_2024_08_13'

/** What the adapter reads and Cal.com may leave out: the table where no contract file is at hand. */
const READ: OmittedField[] = [
  'metadata',
  'cancellationReason',
  'reschedulingReason',
  'rescheduledFromUid',
  'rescheduledToUid',
].flatMap((path) => (['missing', 'cut'] as const).map((how) => ({ path, how })))

const OF_CONTRACT = fieldsOfContract('calcom.json', BOOKING) ?? READ
/** The contract file allows no null in a booking; Cal.com may send one all the same. */
const NULLS: OmittedField[] = [...new Set([...OF_CONTRACT, ...READ].map(({ path }) => path))].map(
  (path) => ({
    path,
    how: 'null',
  }),
)

/** With a fake that omits these fields; what it answers is compared with the contract file where it has one. */
async function withOmitted(
  omitted: OmittedField[],
  use: (rig: CalcomRig) => Promise<void>,
): Promise<void> {
  const compared = !omitted.some(({ how }) => how === 'null')
  const rig = await startCalcom({ omitted }, {}, { compared })
  await use(rig)
}

/** Nothing of ours is denied: it is found, or nothing is claimed. */
const notDenied = expect.stringMatching(/^(ok|unknown)$/) as string

/** What a read brought, or the refusal it ended with; anything else that is thrown is a fault. */
const readOr = <T>(read: Promise<T>): Promise<T | 'refused'> =>
  read.catch((thrown: unknown) => {
    if (!(thrown instanceof Problem)) throw thrown
    expect(thrown.refusal.code).toMatch(/^provider_(busy|misconfigured)$/)
    expect(JSON.stringify(thrown.refusal)).not.toMatch(CANARIES)
    return 'refused'
  })

async function keepsItsPromises({ fake, scheduling, eventType }: CalcomRig): Promise<void> {
  const request = (index: number) => ({ eventTypeId: eventType.id, ...slotAt(index) })
  const byHand = (index: number) =>
    bookingIdOf(
      fake.bookOnPage(slotAt(index).start, { email: JANE.email, name: 'Jane C', timeZone: 'UTC' })
        .uid,
    )

  fake.twice('book')
  const booked = await scheduling.book({ ...request(0), invitee: JANE }, 'one-marker-of-the-test.0')
  expect({ booked: booked.is }).toEqual({ booked: notDenied })
  const found = await scheduling.findBooked(slotAt(0), eventType.id, 'one-marker-of-the-test.0')
  expect({ found: found.is }).toEqual({ found: notDenied })
  expect(fake.state.bookings).toHaveLength(1)
  const id = bookingIdOf(fake.state.bookings[0]!.uid)
  if (booked.is === 'ok') expect(booked.facts['booking_id']).toBe(id)

  const read = await readOr(scheduling.booking(id))
  if (read !== 'refused')
    expect(read).toMatchObject({ bookingId: id, ...slotAt(0), state: 'confirmed' })
  const wanted = { from: NOW, to: NOW + DAY, eventTypeIds: [eventType.id] }
  const page = await readOr(
    scheduling.bookings({ ...wanted, states: ['confirmed'], limit: 20 }, undefined),
  )
  if (page !== 'refused' && page !== 'unknown place')
    expect(page.bookings.length + page.notShown).toBe(1)

  const ended = byHand(2)
  fake.twice('cancel')
  const cancelled = await scheduling.cancel(
    ended,
    'The client is travelling.',
    'two-marker-of-the-test.0',
  )
  expect({ cancelled: cancelled.is }).toEqual({ cancelled: notDenied })
  const lookedUp = await scheduling.findCancelled(ended, 'two-marker-of-the-test.0')
  expect({ lookedUp: lookedUp.is }).toEqual({ lookedUp: notDenied })

  const move = { bookingId: byHand(4), ...request(6) }
  fake.twice('move')
  const moved = await scheduling.reschedule?.execute(move, 'three-marker-of-the-test.0')
  expect({ moved: moved?.is }).toEqual({ moved: notDenied })
  const sought = await scheduling.reschedule?.reconcile(move, 'three-marker-of-the-test.0')
  expect({ sought: sought?.is }).toEqual({ sought: notDenied })
  expect(fake.state.bookings).toHaveLength(4)
}

describe('whatever Cal.com leaves out of a booking, nothing of ours is denied', () => {
  it.each(OF_CONTRACT)('$path is $how, as the contract allows', (field) =>
    withOmitted([field], keepsItsPromises),
  )

  it.each(NULLS)('$path is $how, which the contract does not allow', (field) =>
    withOmitted([field], keepsItsPromises),
  )

  it('everything is missing at once', () => withOmitted(NULLS, keepsItsPromises))
})

describe('a reason that Cal.com has cut', () => {
  const MARKER = 'AbC-dEf_123456789012.0'

  it.each([1, 5, 12, 27, 30])(
    'to %i characters does not make our cancellation someone else’s',
    (length) =>
      withOmitted([], async ({ fake, scheduling, book }) => {
        const id = await book()
        await scheduling.cancel(id, 'The client is travelling.', MARKER)
        const [booking] = fake.state.bookings
        booking!.cancellationReason = booking!.cancellationReason!.slice(0, length)
        const whole = `(ref ${MARKER})`.length
        const is = length < whole ? 'unknown' : 'ok'
        expect((await scheduling.findCancelled(id, MARKER)).is).toBe(is)
        expect((await scheduling.cancel(id, 'The client is travelling.', MARKER)).is).toBe(is)
        booking!.cancellationReason = 'Travelling'
        expect((await scheduling.findCancelled(id, MARKER)).is).toBe('refused')
      }),
  )
})

describe('a list that does not say whether it goes on', () => {
  it('is not complete when a page is full', async () => {
    const rig = await startCalcom()
    const full = Array.from({ length: 100 }, (_none, index) => ({
      uid: `other${index}`,
      status: 'accepted',
      start: new Date(slotAt(0).start).toISOString(),
      end: new Date(slotAt(0).end).toISOString(),
      attendees: [],
      metadata: {},
    }))
    rig.fake.fault(
      'bookings',
      { after: { status: 200, body: { status: 'success', data: full, pagination: {} } } },
      5,
    )
    expect(await rig.scheduling.findBooked(slotAt(0), rig.eventType.id, 'one.0')).toEqual({
      is: 'unknown',
    })
  })

  it('that goes on after a page without bookings is refused, not shortened', async () => {
    const rig = await startCalcom()
    const body = { status: 'success', data: [], pagination: { hasNextPage: true } }
    rig.fake.fault('bookings', { after: { status: 200, body } })
    const wanted = {
      from: NOW,
      to: NOW + DAY,
      states: ['confirmed' as const],
      eventTypeIds: ['4711'],
      limit: 20,
    }
    await expect(rig.scheduling.bookings(wanted, undefined)).rejects.toMatchObject({
      refusal: { code: 'provider_misconfigured' },
    })
  })

  it('with a booking that cannot be read does not prove that none is ours', async () => {
    const rig = await startCalcom()
    const body = {
      status: 'success',
      data: [{ uid: 'x1', status: 'on_hold' }],
      pagination: { hasNextPage: false },
    }
    rig.fake.fault('bookings', { after: { status: 200, body } })
    expect(await rig.scheduling.findBooked(slotAt(0), rig.eventType.id, 'one.0')).toEqual({
      is: 'unknown',
    })
  })
})
