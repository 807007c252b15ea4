import { describe, expect, it, test } from 'vitest'

import { isoUtc } from '../../src/core/domain/time/time.ts'
import { calcomEventTypes } from '../../src/practice/adapters/scheduling/calcom/event-type.ts'
import { calendlyEventTypes } from '../../src/practice/adapters/scheduling/calendly/event-type.ts'
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
