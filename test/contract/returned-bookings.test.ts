import { describe, expect, it, test } from 'vitest'

import { HOUR } from '../../src/core/domain/time/duration.ts'
import { isoUtc } from '../../src/core/domain/time/time.ts'
import { ALREADY_BOOKED } from '../../src/core/domain/whose-booking.ts'
import { type FakeEventType, bookingBody } from '../support/fakes/calcom-bodies.ts'
import { type CalcomRig, JANE, slotAt, startCalcom } from './calcom-rig.ts'
import { JANE as CALENDLY_JANE, MARKER, startCalendly } from './calendly-rig.ts'

const MINE = 'AbC-dEf_123456789012.0'
const PERSON = { name: 'Jane Canarybird', email: JANE.email, timeZone: 'UTC' }

const KINDS: [string, Partial<FakeEventType>][] = [
  ['hosts accept', { confirms: true }],
  ['hosts take turns', { schedulingType: 'roundRobin' }],
]

async function rigWith(type: Partial<FakeEventType>): Promise<CalcomRig> {
  const rig = await startCalcom()
  Object.assign(rig.fake.eventType, type)
  return rig
}

const book = ({ scheduling, eventType }: CalcomRig, marker = MINE) =>
  scheduling.book({ eventTypeId: eventType.id, ...slotAt(0), invitee: JANE }, marker)

describe.each(KINDS)('where %s, Cal.com returns the booking that a person has', (_what, type) => {
  it('made on its page an hour ago: nothing was booked', async () => {
    const rig = await rigWith(type)
    rig.fake.bookOnPage(slotAt(0).start, PERSON)
    rig.pass(HOUR)
    expect(await book(rig)).toEqual(ALREADY_BOOKED)
    expect(rig.fake.state.bookings).toHaveLength(1)
  })

  it('made on its page just now: nothing is claimed', async () => {
    const rig = await rigWith(type)
    rig.fake.bookOnPage(slotAt(0).start, PERSON)
    expect(await book(rig)).toMatchObject({ is: 'unknown' })
  })

  it('made here under another key just now: nothing was booked', async () => {
    const rig = await rigWith(type)
    expect(await book(rig, 'another-marker_123456.0')).toMatchObject({ is: 'ok' })
    expect(await book(rig)).toEqual(ALREADY_BOOKED)
  })

  it('made by the first delivery of this very request: it is ours', async () => {
    const rig = await rigWith(type)
    rig.fake.twice('book')
    const booking_id = expect.stringMatching(/^bk_fake1/) as string
    expect(await book(rig)).toMatchObject({ is: 'ok', facts: { booking_id } })
    expect(rig.fake.state.bookings).toHaveLength(1)
  })

  it('in answer to a move, and the old booking stays: nothing was moved', async () => {
    const rig = await rigWith(type)
    const old = rig.fake.bookOnPage(slotAt(4).start, PERSON)
    rig.fake.bookOnPage(slotAt(0).start, PERSON)
    const request = { bookingId: `bk_${old.uid}`, eventTypeId: rig.eventType.id, ...slotAt(0) }
    expect(await rig.scheduling.reschedule?.execute(request, MINE)).toEqual(ALREADY_BOOKED)
    expect(old.status).not.toBe('cancelled')
  })
})

describe('a booking that Cal.com has just made', () => {
  test.each(['missing', 'null'] as const)('is ours if its metadata is %s', async (how) => {
    const rig = await startCalcom({ omitted: [{ path: 'metadata', how }] }, {}, { compared: false })
    expect(await book(rig)).toMatchObject({ is: 'ok' })
  })

  it('is not claimed if it shows neither a marker nor its age', async () => {
    const omitted = ['metadata', 'createdAt'].map((path) => ({ path, how: 'missing' as const }))
    const rig = await startCalcom({ omitted }, {}, { compared: false })
    expect(await book(rig)).toMatchObject({ is: 'unknown' })
  })

  it('and moved to another hour than was asked for is still the one that was moved', async () => {
    const rig = await startCalcom({ silent: true }, {}, { compared: false })
    const old = rig.fake.bookOnPage(slotAt(0).start, PERSON)
    const next = rig.fake.moveOnPage(old.uid, slotAt(4).start)
    const data = bookingBody(next, rig.fake.state)
    rig.fake.fault('move', { before: { status: 201, body: { status: 'success', data } } })
    const request = { bookingId: `bk_${old.uid}`, eventTypeId: rig.eventType.id, ...slotAt(2) }
    expect(await rig.scheduling.reschedule?.execute(request, MINE)).toMatchObject({
      is: 'ok',
      facts: { booking_id: `bk_${next.uid}`, start_time: isoUtc(slotAt(4).start) },
    })
  })
})

describe('an answer of Calendly that names a booking', () => {
  const returned = async (change: (invitee: Record<string, unknown>) => object) => {
    const rig = await startCalendly()
    rig.fake.distort('book', (body) => {
      const { resource } = body as { resource: Record<string, unknown> }
      return { resource: { ...resource, ...change(resource) } }
    })
    const request = { eventTypeId: rig.fake.eventType.id, ...slotAt(0), invitee: CALENDLY_JANE }
    return rig.scheduling.book(request, MARKER)
  }
  const carrying = (utm_content: string | null) => () => ({ tracking: { utm_content } })

  it('under the marker of another request is refused, and never ours', async () => {
    expect(await returned(carrying('q3Zr8mXo2LwT5vKc9bNf1B.0'))).toEqual(ALREADY_BOOKED)
    expect(await returned(carrying('newsletter'))).toEqual(ALREADY_BOOKED)
  })

  it('made long before the request is refused', async () => {
    const before = new Date(slotAt(0).start - 100 * HOUR).toISOString()
    expect(await returned(() => ({ tracking: null, created_at: before }))).toEqual(ALREADY_BOOKED)
  })

  it('without its marker is ours once its invitee is read', async () => {
    expect(await returned(carrying(null))).toMatchObject({ is: 'ok' })
    expect(await returned(() => ({ tracking: null, created_at: null }))).toMatchObject({ is: 'ok' })
  })
})

describe('a long list of Cal.com in its newer form', () => {
  it('is read page after page, by the cursor of the page before', async () => {
    const rig = await startCalcom(
      { pageSize: 2, retired: ['2024-08-13', '2026-02-25'] },
      {},
      { compared: false },
    )
    for (const index of [1, 2, 3, 4])
      rig.fake.bookOnPage(slotAt(index).start, { ...PERSON, email: `${index}@example.com` })
    const ours = rig.fake.bookOnPage(slotAt(0).start, PERSON)
    ours.metadata = { consult_ref: MINE }
    const find = (marker: string) => rig.scheduling.findBooked(slotAt(0), rig.eventType.id, marker)
    expect(await find(MINE)).toMatchObject({ is: 'ok', facts: { booking_id: `bk_${ours.uid}` } })
    expect(rig.scheduling.apiVersion?.()).toBe('2026-05-01')
    const asked = rig.fake.requests.slice(2).map(({ query }) => query.get('cursor'))
    expect(asked).toEqual([null, 'page:2', 'page:4'])
    expect(await find('another-marker_123456.0')).toEqual({ is: 'not_found' })
  })

  it('does not end where a page names the next one', async () => {
    const rig = await startCalcom({}, {}, { compared: false })
    const page = { status: 'success', data: [], pagination: { nextCursor: 'more' } }
    rig.fake.fault('bookings', { after: { status: 200, body: page } }, 5)
    expect(await rig.scheduling.findBooked(slotAt(0), rig.eventType.id, MINE)).toEqual({
      is: 'unknown',
    })
  })
})
