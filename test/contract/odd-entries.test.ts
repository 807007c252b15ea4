import { describe, expect, it, test } from 'vitest'

import { isoUtc } from '../../src/core/domain/time/time.ts'
import { calcomEventTypes } from '../../src/practice/adapters/scheduling/calcom/event-type.ts'
import { calendlyEventTypes } from '../../src/practice/adapters/scheduling/calendly/event-type.ts'
import { bookingBody, eventTypeBody } from '../support/fakes/calcom-bodies.ts'
import { answerAfter } from '../support/fakes/http.ts'
import { JANE as CALCOM_JANE, NOW, slotAt as calcomSlot, startCalcom } from './calcom-rig.ts'
import { JANE, MARKER, slotAt, startCalendly } from './calendly-rig.ts'

/** Entries that no list should have, and that hide nothing else in it. */
const ODD: [string, unknown][] = [
  ['null', null],
  ['a text', 'an entry'],
  ['an empty object', {}],
  ['a list', []],
  ['a number', 7],
  [
    'an unknown status',
    { uri: 'https://api.calendly.com/scheduled_events/ODD', status: 'ongoing' },
  ],
  ['a time that is none', { uid: 'odd', start: 'soon', start_time: 'soon', status: 'available' }],
]

const withOdd = (odd: unknown) => (body: unknown) => {
  const page = body as { collection: unknown[] }
  return { ...page, collection: [odd, ...page.collection, odd] }
}

const WINDOW = { from: NOW, to: NOW + 86_400_000 }

describe.each(ODD)('beside %s, Calendly’s', (_what, odd) => {
  it('booking in doubt is found, and none is not called absent', async () => {
    const rig = await startCalendly()
    rig.fake.distort('events', withOdd(odd))
    const find = () => rig.scheduling.findBooked(slotAt(0), rig.fake.eventType.id, MARKER)
    expect(await find()).toEqual({ is: 'unknown' })
    const request = { eventTypeId: rig.fake.eventType.id, ...slotAt(0), invitee: JANE }
    await rig.scheduling.book(request, MARKER)
    expect(await find()).toMatchObject({ is: 'ok', facts: { start_time: isoUtc(slotAt(0).start) } })
  })

  it('invitees are read', async () => {
    const rig = await startCalendly()
    const id = rig.fake.bookOnPage(slotAt(0).start, JANE)
    rig.fake.distort('invitees', withOdd(odd))
    expect(await rig.scheduling.invitee(`bk_${id}`)).toMatchObject({ email: JANE.email })
  })

  it('bookings are listed, and the odd ones counted', async () => {
    const rig = await startCalendly()
    rig.fake.bookOnPage(slotAt(0).start, JANE)
    rig.fake.distort('events', withOdd(odd))
    const eventTypeIds = [rig.fake.eventType.id]
    const wanted = { ...WINDOW, eventTypeIds, states: ['confirmed'] as const, limit: 20 }
    const page = await rig.scheduling.bookings(wanted, undefined)
    expect(page).toMatchObject({ bookings: [{ start: slotAt(0).start }], notShown: 2 })
  })

  it('free times are offered', async () => {
    const rig = await startCalendly()
    const type = { name: 'consult', id: rig.fake.eventType.id }
    const free = await rig.scheduling.slots(type, WINDOW.from, WINDOW.to)
    rig.fake.distort('times', withOdd(odd))
    expect(await rig.scheduling.slots(type, WINDOW.from, WINDOW.to)).toEqual(free)
  })
})

describe.each(ODD)('beside %s, Cal.com’s', (_what, odd) => {
  const success = (data: unknown, more = {}) =>
    answerAfter(200, { status: 'success', data, ...more })

  it('booking in doubt is found, and none is not called absent', async () => {
    const rig = await startCalcom({}, {}, { compared: false })
    const find = () => rig.scheduling.findBooked(calcomSlot(0), rig.eventType.id, 'mine.0')
    rig.fake.fault('bookings', success([odd], { pagination: { hasNextPage: false } }))
    expect(await find()).toEqual({ is: 'unknown' })
    await rig.book(0, 'mine.0')
    const asked = {
      headers: { Authorization: 'Bearer cal_live_fake', 'cal-api-version': '2024-08-13' },
    }
    const list = await rig.fake.fetch(`${rig.fake.url}/v2/bookings?status=upcoming`, asked)
    const { data } = (await list.json()) as { data: unknown[] }
    rig.fake.fault('bookings', success([odd, ...data, odd], { pagination: { hasNextPage: false } }))
    expect(await find()).toMatchObject({ is: 'ok' })
    rig.fake.fault('bookings', success([odd, ...data], { pagination: { hasMore: false } }))
    const eventTypeIds = [rig.eventType.id]
    const wanted = { ...WINDOW, eventTypeIds, states: ['confirmed'] as const, limit: 20 }
    expect(await rig.scheduling.bookings(wanted, undefined)).toMatchObject({
      bookings: [{ maskedEmail: expect.any(String) as string }],
      notShown: 1,
      next: undefined,
    })
  })

  it('free times are offered, on every day', async () => {
    const rig = await startCalcom({}, {}, { compared: false })
    const start = isoUtc(calcomSlot(0).start)
    const days = { '2026-11-23': [odd, { start }, odd], '2026-11-24': odd }
    rig.fake.fault('slots', success(days))
    const free = await rig.scheduling.slots(rig.eventType, WINDOW.from, WINDOW.to)
    expect(free.map((slot) => slot.start)).toEqual([calcomSlot(0).start])
  })
})

describe('what is written otherwise means the same', () => {
  it('of Calendly: letter case, numbers as texts, the offset of a time', async () => {
    const rig = await startCalendly()
    const id = `bk_${rig.fake.bookOnPage(slotAt(5).start, JANE)}`
    const type = { name: 'consult', id: rig.fake.eventType.id }
    const reads = async () => [
      await rig.scheduling.slots(type, WINDOW.from, WINDOW.to),
      await rig.scheduling.eventType(type, 'uncached'),
      await rig.scheduling.booking(id),
    ]
    const plain = await reads()
    const resource = (changes: object) => (body: unknown) => {
      return { resource: { ...(body as { resource: object }).resource, ...changes } }
    }
    rig.fake.distort('times', (body) => {
      const { collection } = body as { collection: object[] }
      return { collection: collection.map((one) => ({ ...one, status: 'Available' })) }
    })
    rig.fake.distort(
      'eventType',
      resource({ kind: 'SOLO', booking_method: 'Instant', duration: '30' }),
    )
    const start_time = isoUtc(slotAt(5).start).replace('Z', '.000000+0000')
    const invitees_counter = { total: '1', active: '1', limit: '1' }
    rig.fake.distort('event', resource({ status: 'ACTIVE', start_time, invitees_counter }))
    expect(await reads()).toEqual(plain)
  })

  it('of Cal.com, beside an attendee who is none', async () => {
    const rig = await startCalcom({}, {}, { compared: false })
    const id = await rig.book(5)
    const plain = await rig.scheduling.booking(id)
    const [booking] = rig.fake.state.bookings
    const body = bookingBody(booking!, rig.fake.state) as { attendees: unknown[] }
    const data = {
      ...body,
      status: 'ACCEPTED',
      eventType: { id: rig.eventType.id },
      start: isoUtc(calcomSlot(5).start).replace('Z', '+0000'),
      attendees: [null, ...body.attendees],
    }
    rig.fake.fault('booking', answerAfter(200, { status: 'SUCCESS', data }))
    expect(await rig.scheduling.booking(id)).toEqual(plain)
    const type = { ...eventTypeBody(rig.fake.eventType), schedulingType: 'ROUND_ROBIN' }
    const asText = { ...type, id: rig.eventType.id, lengthInMinutes: '30' }
    rig.fake.fault('eventType', answerAfter(200, { status: 'success', data: asText }))
    expect(await rig.scheduling.eventType(rig.eventType, 'uncached')).toMatchObject({
      minutes: 30,
      hostsTakeTurns: true,
    })
    rig.fake.fault('slots', answerAfter(200, { status: 'success', data: [] }))
    expect(await rig.scheduling.slots(rig.eventType, WINDOW.from, WINDOW.to)).toEqual([])
  })
})

test('a booking that ends before it begins is not read', async () => {
  const calendly = await startCalendly()
  const onPage = `bk_${calendly.fake.bookOnPage(slotAt(0).start, JANE)}`
  calendly.fake.distort('event', (body) => {
    const { resource } = body as { resource: { start_time: string } }
    return { resource: { ...resource, end_time: resource.start_time } }
  })
  const calcom = await startCalcom({}, {}, { compared: false })
  const made = await calcom.book(0)
  calcom.fake.state.bookings[0]!.end = calcomSlot(0).start
  for (const read of [calendly.scheduling.booking(onPage), calcom.scheduling.booking(made)])
    await expect(read).rejects.toMatchObject({ refusal: { code: 'provider_misconfigured' } })
})

describe('a booking that was not asked for', () => {
  it('is neither read nor taken for the one that was cancelled', async () => {
    const rig = await startCalcom({}, {}, { compared: false })
    const id = await rig.book(5)
    const [booking] = rig.fake.state.bookings
    const data = { ...bookingBody(booking!, rig.fake.state), uid: 'other' }
    rig.fake.fault('booking', answerAfter(200, { status: 'success', data }), 2)
    await expect(rig.scheduling.booking(id)).rejects.toMatchObject({
      refusal: { code: 'provider_misconfigured' },
    })
    const ended = { ...data, status: 'cancelled' }
    rig.fake.fault('cancel', answerAfter(200, { status: 'success', data: ended }))
    expect(await rig.scheduling.cancel(id, null, 'mine.0')).toMatchObject({ is: 'unknown' })
  })
})

describe('times of Calendly', () => {
  const timesOf = async (changes: object) => {
    const rig = await startCalendly()
    rig.fake.distort('times', (body) => {
      const { collection } = body as { collection: object[] }
      return { collection: collection.map((one) => ({ ...one, ...changes })) }
    })
    const type = { name: 'consult', id: rig.fake.eventType.id }
    return rig.scheduling.slots(type, WINDOW.from, WINDOW.to)
  }
  it('with no place left are not offered', async () =>
    expect(await timesOf({ invitees_remaining: 0 })).toEqual([]))
  it('with a status that is not known are not the same as none', () =>
    expect(timesOf({ status: 'free' })).rejects.toMatchObject({
      refusal: { code: 'provider_misconfigured' },
    }))
})

describe('a time of Cal.com at which the host is away', () => {
  test.each([true, 'true', { from: '2026-11-23' }])('is not offered: %j', async (away) => {
    const rig = await startCalcom({}, {}, { compared: false })
    const [first, second] = [isoUtc(calcomSlot(0).start), isoUtc(calcomSlot(1).start)]
    const data = {
      '2026-11-23': [
        { start: first, away },
        { start: second, away: false },
      ],
    }
    rig.fake.fault('slots', answerAfter(200, { status: 'success', data }))
    const free = await rig.scheduling.slots(rig.eventType, WINDOW.from, WINDOW.to)
    expect(free.map((slot) => slot.start)).toEqual([calcomSlot(1).start])
  })
})

describe('a list in which nothing can be read', () => {
  it.each([['odd'], [{ totalCount: 3 }], [{ '2026-11-23': [{ begins: 'soon' }] }]])(
    'is not the same as no free times: %j',
    async (data) => {
      const rig = await startCalcom({}, {}, { compared: false })
      rig.fake.fault('slots', answerAfter(200, { status: 'success', data }))
      await expect(
        rig.scheduling.slots(rig.eventType, WINDOW.from, WINDOW.to),
      ).rejects.toMatchObject({ refusal: { code: 'provider_misconfigured' } })
    },
  )
})

describe('event types for setup', () => {
  it('are listed beside odd ones', async () => {
    const rig = await startCalendly()
    const connection = { token: 'fake-calendly-token', baseUrl: rig.fake.url, timeoutMs: 5_000 }
    const asked = { ...connection, now: rig.now, fetch: rig.fake.fetch }
    const sound = await calendlyEventTypes(asked)
    expect(sound.length).toBeGreaterThan(0)
    rig.fake.distort('eventTypes' as never, withOdd(null))
    expect(await calendlyEventTypes(asked)).toEqual(sound)
    const calcom = await startCalcom({}, {}, { compared: false })
    const [type] = calcom.fake.state.eventTypes
    const data = [null, { ...type, title: 'Consult' }, { id: 'odd' }]
    calcom.fake.fault('eventTypes', answerAfter(200, { status: 'success', data }))
    expect(
      await calcomEventTypes({
        token: 'cal_live_fake',
        baseUrl: calcom.fake.url,
        timeoutMs: 5_000,
        now: calcom.now,
        fetch: calcom.fake.fetch,
      }),
    ).toMatchObject([{ title: 'Consult' }])
    expect(CALCOM_JANE.email).toContain('canary')
  })
})
