import { beforeEach, describe, expect, it } from 'vitest'

import { calcomError } from '../support/fakes/calcom-bodies.ts'
import {
  answerAfter,
  garbageAfter,
  redirectBefore,
  resetAfter,
  resetBefore,
} from '../support/fakes/http.ts'
import { type CalcomRig, JANE, slotAt, startCalcom } from './calcom-rig.ts'

const MARKER = 'AbC-dEf_123456789012.0'

let rig: CalcomRig
beforeEach(async () => {
  rig = await startCalcom()
})

const book = (index = 0, marker = MARKER, invitee = JANE) =>
  rig.scheduling.book({ eventTypeId: rig.eventType.id, ...slotAt(index), invitee }, marker)
const find = (index = 0, marker = MARKER) =>
  rig.scheduling.findBooked(slotAt(index), rig.eventType.id, marker)
const creates = () =>
  rig.fake.requests.filter(({ method, path }) => method === 'POST' && path === '/v2/bookings')

const A_BOOKING = {
  status: 'success',
  data: {
    uid: 'not-ours',
    status: 'accepted',
    start: '2026-11-23T14:00:00.000Z',
    end: '2026-11-23T14:30:00.000Z',
    attendees: [],
  },
}

describe('the request of a Cal.com booking', () => {
  it('carries the time in UTC, the invitee, and the marker in the metadata', async () => {
    await book()
    const [sent] = creates()
    expect(sent?.body).toEqual({
      eventTypeId: 4711,
      start: '2026-11-23T14:00:00Z',
      attendee: { name: JANE.name, email: JANE.email, timeZone: JANE.timezone },
      metadata: { consult_ref: MARKER },
    })
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer cal_live_fake',
      'cal-api-version': '2024-08-13',
      'content-type': 'application/json',
    })
  })

  it('names the invitee by the address if no name was given', async () => {
    await book(0, MARKER, { ...JANE, name: null })
    expect(creates()[0]?.body).toMatchObject({ attendee: { name: JANE.email, email: JANE.email } })
  })
})

describe('the outcome of a Cal.com booking', () => {
  it('has the end that Cal.com chose, and says that the host still has to accept', async () => {
    Object.assign(rig.fake.eventType, { lengthInMinutes: 45, confirms: true })
    expect(await book()).toEqual({
      is: 'ok',
      facts: {
        booking_id: expect.stringMatching(/^bk_fake1/) as string,
        state: 'pending_host_approval',
        start_time: '2026-11-23T14:00:00Z',
        end_time: '2026-11-23T14:45:00Z',
        event_type_id: '4711',
      },
    })
    const facts = expect.objectContaining({ state: 'pending_host_approval' }) as object
    expect(await find()).toEqual({ is: 'ok', facts })
  })

  it('is that of its marker where the answer shows no attendees', async () => {
    rig = await startCalcom({}, {}, { compared: false })
    const data = { ...A_BOOKING.data, metadata: { consult_ref: MARKER } }
    rig.fake.fault('book', answerAfter(201, { status: 'success', data }))
    expect(await book()).toMatchObject({ is: 'ok', facts: { booking_id: 'bk_not-ours' } })
  })

  it.each([
    ['garbage', garbageAfter(201)],
    ['nothing', answerAfter(201, '')],
    ['another form', answerAfter(201, { status: 'success', data: { bookingId: 1 } })],
    ['no id', answerAfter(201, { status: 'success', data: { status: 'accepted' } })],
    [
      'an id that is none',
      answerAfter(201, { status: 'success', data: { uid: '../me', status: 'accepted' } }),
    ],
    [
      'an error in a 201',
      answerAfter(201, { status: 'error', error: { code: 'BadRequestException', message: '' } }),
    ],
    [
      '500',
      answerAfter(500, { status: 'error', error: { message: 'no_available_users_found_error' } }),
    ],
    ['a booking in a 500', answerAfter(500, A_BOOKING)],
    ['502', answerAfter(502, 'bad gateway')],
    ['408', answerAfter(408, '')],
    ['a reset', resetAfter],
  ] as const)('is unknown after %s, and found', async (_what, fault) => {
    rig.fake.fault('book', fault)
    expect(await book()).toMatchObject({ is: 'unknown' })
    expect(await find()).toMatchObject({ is: 'ok', facts: { state: 'confirmed' } })
    expect(creates()).toHaveLength(1)
  })

  it('is found where a second delivery is refused in words that may be of a conflict', async () => {
    rig.fake.fault('book', answerAfter(400, calcomError(400, 'This is not possible.').body))
    expect(await book()).toMatchObject({ is: 'ok', facts: { state: 'confirmed' } })
  })

  it('is unknown after a redirect, which is not followed', async () => {
    rig.fake.fault('book', redirectBefore(`${rig.fake.url}/v2/me`, 308))
    expect(await book()).toMatchObject({ is: 'unknown' })
    expect(rig.fake.requests).toHaveLength(1)
  })

  it('is unknown when a whole series was made, which no one asked for', async () => {
    rig.fake.eventType.recurrence = { interval: 1, occurrences: 4, frequency: 'weekly' }
    expect(await book()).toMatchObject({ is: 'unknown' })
  })
})

describe('the lookup of a Cal.com booking', () => {
  const lookups = () =>
    rig.fake.requests.filter(({ method, path }) => method === 'GET' && path === '/v2/bookings')

  it('asks for bookings of every status around the time, without an address', async () => {
    await find()
    expect(Object.fromEntries(lookups()[0]?.query ?? [])).toEqual({
      eventTypeIds: '4711',
      status: 'upcoming,recurring,past,cancelled,unconfirmed',
      afterStart: '2026-11-23T13:59:00Z',
      beforeEnd: '2026-11-24T14:00:00Z',
      take: '100',
      skip: '0',
    })
  })

  it('reads page after page', async () => {
    rig = await startCalcom({ pageSize: 2 })
    for (const index of [1, 2, 3, 4]) await rig.book(index, `other.${index}`)
    await rig.book(0, MARKER)
    expect(await find()).toMatchObject({ is: 'ok' })
    expect(lookups().map(({ query }) => query.get('skip'))).toEqual(['0', '2', '4'])
  })

  it('stops after some pages, and then says that it does not know', async () => {
    rig = await startCalcom({ pageSize: 1 })
    for (let index = 0; index < 7; index += 1) await rig.book(index, `other.${index}`)
    expect(await find()).toMatchObject({ is: 'unknown' })
    expect(lookups()).toHaveLength(5)
  })

  it('proves nothing while the list is behind, and finds the booking later', async () => {
    rig.fake.lists(false)
    await book()
    expect(await find()).toEqual({ is: 'not_found' })
    rig.fake.lists(true)
    expect(await find()).toMatchObject({ is: 'ok' })
  })

  it.each([
    ['an administrator', 'roundRobin', false, 'not_found'],
    ['a member, who is shown no bookings of other hosts', 'roundRobin', true, 'unknown'],
    ['a member, who attends all', 'collective', true, 'not_found'],
  ] as const)('by %s of a team: %s', async (_who, schedulingType, isMember, is) => {
    rig.fake.eventType.schedulingType = schedulingType
    rig.fake.state.isMember = isMember
    expect(await find()).toMatchObject({ is })
  })

  it('by a member does not deny the booking that another host got', async () => {
    rig.fake.eventType.schedulingType = 'roundRobin'
    rig.fake.fault('book', resetAfter)
    await book()
    Object.assign(rig.fake.state.bookings[0]!, { hosts: [8] })
    expect(await find()).toMatchObject({ is: 'ok' })
    rig.fake.state.isMember = true
    expect(await find()).toMatchObject({ is: 'unknown' })
  })

  it('finds the booking cancelled when someone cancelled it since', async () => {
    const id = await rig.book(0, MARKER)
    rig.fake.endOnPage(id.slice(3), 'Something came up')
    expect(await find()).toMatchObject({ is: 'ok', facts: { booking_id: id, state: 'cancelled' } })
  })

  it('finds a booking that was moved on the same day, since a move keeps the metadata', async () => {
    const id = await rig.book(0, MARKER)
    const next = rig.fake.moveOnPage(id.slice(3), slotAt(3).start)
    const facts = { booking_id: `bk_${next.uid}`, state: 'confirmed' }
    expect(await find()).toMatchObject({ is: 'ok', facts })
  })

  it.each([
    ['no answer', resetBefore],
    ['garbage', garbageAfter()],
    [
      'a form without a list',
      answerAfter(200, { status: 'success', data: { bookings: [], totalCount: 0 } }),
    ],
    ['429', answerAfter(429, '')],
    ['401', answerAfter(401, '')],
    ['500', answerAfter(500, '')],
  ] as const)('is unknown after %s', async (_what, fault) => {
    await rig.book(0, MARKER)
    rig.fake.fault('bookings', fault, 3)
    expect(await find()).toMatchObject({ is: 'unknown' })
  })

  it('is found under the newer API version once Cal.com retires the older one', async () => {
    rig = await startCalcom({ retired: ['2024-08-13'] }, {}, { compared: false })
    expect(rig.scheduling.apiVersion?.()).toBeUndefined()
    expect(await find()).toMatchObject({ is: 'not_found' })
    expect(rig.scheduling.apiVersion?.()).toBe('2026-02-25')
    await rig.book(0, MARKER)
    expect(await find()).toMatchObject({ is: 'ok' })
    const versions = rig.fake.requests
      .filter(({ path }) => path === '/v2/bookings')
      .map(({ headers }) => headers['cal-api-version'])
    expect(versions).toEqual(['2024-08-13', ...Array<string>(3).fill('2026-02-25')])
  })

  it('is unknown once Cal.com answers no API version in a known form', async () => {
    const retired = ['2024-08-13', '2026-02-25', '2026-05-01']
    rig = await startCalcom({ retired }, {}, { compared: false })
    expect(await find()).toMatchObject({ is: 'unknown' })
  })
})
