import { describe, expect, it } from 'vitest'

import { openKeyring } from '../../src/core/crypto/keyring.ts'
import { BOOKINGS_ON_PAGE } from '../../src/core/domain/booking.ts'
import { Problem } from '../../src/core/domain/problem/problem.ts'
import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import type { Scheduling } from '../../src/core/ports/scheduling.ts'
import type { Context } from '../../src/practice/operations/context.ts'
import { listBookings } from '../../src/practice/operations/list-bookings.ts'
import { perform } from '../../src/practice/operations/perform.ts'
import { eventBody } from '../support/fakes/calendly-bodies.ts'
import { noHouseRules } from '../support/fakes/house-rules.ts'
import { answerAfter, answerBefore, resetAfter } from '../support/fakes/http.ts'
import { noQuota } from '../support/fakes/provider-quota.ts'
import { emptyRecords } from '../support/fakes/records.ts'
import { NOW as CALCOM_NOW, startCalcom } from './calcom-rig.ts'
import { NOW, startCalendly } from './calendly-rig.ts'

const MANY = 1_000
const MIDWAY = 10
const HALF_HOUR = 30 * MINUTE
const person = (i: number) => ({ email: `person-${i}@listed.example`, name: `Listed Person${i}` })
const LISTED = /listed\.example|Person\d/

interface Page {
  bookings: { booking_id: string; start_time: string }[]
  not_shown: number
  next_cursor: string | null
}

/** A caller who may read bookings, and nothing else. */
const readingWith = (services: Context['services']) =>
  ({ scopes: ['bookings:read'], services }) as unknown as Context

const servicesOf = (scheduling: Scheduling, eventTypeId: string, now: number) =>
  ({
    practice: { timezone: 'UTC', eventTypes: [{ name: 'consult', id: eventTypeId }] },
    scheduling,
    records: emptyRecords,
    houseRules: noHouseRules,
    providerQuota: noQuota,
    keyring: () => openKeyring(['the signing secret of this list of bookings']),
    now: () => now,
  }) as unknown as Context['services']

/** A practice with this provider behind it, and a caller who reads its list of bookings page by page. */
async function reader(scheduling: Scheduling, eventTypeId: string, now: number) {
  const services = servicesOf(scheduling, eventTypeId, now)
  const window = { from: new Date(now).toISOString(), to: new Date(now + 200 * DAY).toISOString() }
  const page = async (cursor: string | null) => {
    const fields = cursor === null ? window : { cursor }
    const { body } = await perform(listBookings, { fields }, readingWith(services))
    expect(JSON.stringify(body)).not.toMatch(LISTED)
    return body as unknown as Page
  }
  /** All pages; a page that failed is asked for again with the same cursor. In the middle something happens. */
  const all = async (midway: () => void) => {
    const found: Page['bookings'] = []
    const failures: string[] = []
    let pages = 0
    for (let cursor: string | null = null; ;) {
      try {
        const { bookings, next_cursor } = await page(cursor)
        expect(bookings.length).toBeLessThanOrEqual(BOOKINGS_ON_PAGE)
        pages += 1
        if (pages === MIDWAY) midway()
        found.push(...bookings)
        cursor = next_cursor
        if (cursor === null) return { found, failures, pages }
      } catch (thrown) {
        if (!(thrown instanceof Problem)) throw thrown
        failures.push(thrown.refusal.code)
      }
    }
  }
  return { page, all }
}

const expectWhole = ({ found }: { found: Page['bookings'] }, ids: string[]) => {
  expect(found).toHaveLength(ids.length)
  expect(new Set(found.map((one) => one.booking_id))).toEqual(new Set(ids))
  const starts = found.map((one) => one.start_time)
  expect(starts).toEqual(starts.toSorted())
}

describe(`a list of ${MANY} bookings`, () => {
  it('of Calendly is returned once and whole, soonest first, though reads fail in the middle', async () => {
    const rig = await startCalendly()
    const ids = Array.from({ length: MANY }, (_, i) => {
      // Booked in an order of their own, so that only the list puts them in order.
      const start = NOW + ((i * 2_741) % MANY) * HALF_HOUR
      return `bk_${rig.fake.bookOnPage(start, { ...person(i), timezone: 'UTC' })}`
    })
    const { all } = await reader(rig.scheduling, rig.fake.eventType.id, NOW)
    const before = rig.fake.requests.length
    const listed = await all(() => {
      rig.fake.fault('events', answerBefore(500, { title: 'Internal' }))
      rig.fake.fault('invitees', resetAfter)
    })
    expectWhole(listed, ids)
    expect(listed.pages).toBe(MANY / BOOKINGS_ON_PAGE)
    expect(listed.failures).toEqual(['provider_busy', 'provider_busy'])
    // One question for each page and one for each booking, besides those that were asked again.
    const questions = rig.fake.requests.length - before
    expect(questions).toBeGreaterThanOrEqual(MANY + listed.pages)
    expect(questions).toBeLessThan(MANY + listed.pages + 3 * (BOOKINGS_ON_PAGE + 1) + 5)
  })

  it('of Cal.com is returned once and whole, soonest first, though reads fail in the middle', async () => {
    const rig = await startCalcom()
    const ids = Array.from({ length: MANY }, (_, i) => {
      // Four at a time, as where several hosts share an event type: pages end between bookings of one start.
      const start = CALCOM_NOW + Math.floor(i / 4) * HALF_HOUR
      return `bk_${rig.fake.bookOnPage(start, { ...person(i), timeZone: 'UTC' }).uid}`
    })
    const { all } = await reader(rig.scheduling, rig.eventType.id, CALCOM_NOW)
    const listed = await all(() => {
      rig.fake.fault('bookings', resetAfter)
      rig.fake.fault('bookings', answerBefore(502, 'bad gateway'))
    })
    expectWhole(listed, ids)
    expect(listed.failures).toEqual(['provider_busy', 'provider_busy'])
  })
})

describe('between two pages of Cal.com', () => {
  it('a cancelled earlier booking hides no later one', async () => {
    const rig = await startCalcom()
    const uids = Array.from(
      { length: 45 },
      (_, i) =>
        rig.fake.bookOnPage(CALCOM_NOW + i * HALF_HOUR, { ...person(i), timeZone: 'UTC' }).uid,
    )
    const { page } = await reader(rig.scheduling, rig.eventType.id, CALCOM_NOW)
    const first = await page(null)
    for (const uid of uids.slice(0, 5)) rig.fake.endOnPage(uid)
    const second = await page(first.next_cursor)
    const third = await page(second.next_cursor)
    expect(third.next_cursor).toBeNull()
    const ids = [first, second, third].flatMap(({ bookings }) =>
      bookings.map((one) => one.booking_id),
    )
    expect(ids).toEqual(uids.map((uid) => `bk_${uid}`))
  })
})

describe('an event that is not exactly one booking', () => {
  it('is counted with Cal.com, and hides no other', async () => {
    const rig = await startCalcom()
    const attendee = (i: number) => ({ ...person(i), timeZone: 'UTC' })
    rig.fake.bookOnPage(CALCOM_NOW, attendee(0)).recurringBookingUid = 'a-series'
    rig.fake.bookOnPage(CALCOM_NOW + HALF_HOUR, { ...attendee(1), seatUid: 'a-seat' })
    const { uid } = rig.fake.bookOnPage(CALCOM_NOW + 2 * HALF_HOUR, attendee(2))
    const { page } = await reader(rig.scheduling, rig.eventType.id, CALCOM_NOW)
    expect(await page(null)).toMatchObject({
      bookings: [{ booking_id: `bk_${uid}` }],
      not_shown: 2,
    })
  })

  it('is counted with Calendly, and hides no other', async () => {
    const rig = await startCalendly()
    const booked = (i: number) =>
      rig.fake.bookOnPage(NOW + i * HALF_HOUR, { ...person(i), timezone: 'UTC' })
    const group = booked(0)
    rig.fake.state.events.find(({ id }) => id === group)!.limit = 10
    const id = booked(1)
    const { page } = await reader(rig.scheduling, rig.fake.eventType.id, NOW)
    expect(await page(null)).toMatchObject({ bookings: [{ booking_id: `bk_${id}` }], not_shown: 1 })
  })

  it('is not counted if it is no consult', async () => {
    const rig = await startCalendly()
    const id = rig.fake.bookOnPage(NOW + HALF_HOUR, { ...person(1), timezone: 'UTC' })
    rig.fake.state.events.find((one) => one.id === id)!.eventType = 'TYPE0000000000ZZ'
    const { page } = await reader(rig.scheduling, rig.fake.eventType.id, NOW)
    expect(await page(null)).toMatchObject({ bookings: [], not_shown: 0, next_cursor: null })
  })
})

describe('a list of one state', () => {
  it('returns only bookings in that state when they are read, whatever the provider’s own list says', async () => {
    const rig = await startCalendly()
    rig.fake.bookOnPage(NOW + HALF_HOUR, { ...person(1), timezone: 'UTC' })
    const read = async (state: string, bookings: Scheduling['bookings']) => {
      const services = servicesOf({ ...rig.scheduling, bookings }, rig.fake.eventType.id, NOW)
      const { body } = await perform(listBookings, { fields: { state } }, readingWith(services))
      return (body as unknown as Page).bookings.length
    }
    /** A list that answers every question with the bookings that are active. */
    const lagging: Scheduling['bookings'] = (wanted, place) =>
      rig.scheduling.bookings({ ...wanted, states: ['confirmed'] }, place)
    expect(await read('confirmed', lagging)).toBe(1)
    expect(await read('cancelled', lagging)).toBe(0)
  })
})

describe('the list of Calendly', () => {
  it.each(['cancelled', 'confirmed'] as const)(
    'holds only what is %s, whatever Calendly adds',
    async (state) => {
      const rig = await startCalendly()
      const [kept, ended] = [0, 1].map((i) =>
        rig.fake.bookOnPage(NOW + HALF_HOUR * (i + 1), { ...person(i), timezone: 'UTC' }),
      )
      rig.fake.cancelOnPage(ended!)
      const collection = rig.fake.state.events.map(eventBody)
      const pagination = { next_page_token: null }
      rig.fake.fault('events', answerAfter(200, { collection, pagination }))
      const eventTypeIds = [rig.fake.eventType.id]
      const wanted = {
        from: NOW,
        to: NOW + 100 * HALF_HOUR,
        states: [state],
        eventTypeIds,
        limit: 20,
      }
      const id = state === 'cancelled' ? ended : kept
      expect(await rig.scheduling.bookings(wanted, undefined)).toMatchObject({
        bookings: [{ bookingId: `bk_${id}`, state }],
        notShown: 0,
      })
    },
  )

  it('does not end at a page that does not say whether it is the last', async () => {
    const rig = await startCalendly()
    const { page } = await reader(rig.scheduling, rig.fake.eventType.id, NOW)
    rig.fake.fault('events', answerAfter(200, { collection: [], pagination: {} }))
    await expect(page(null)).rejects.toMatchObject({ refusal: { code: 'provider_misconfigured' } })
  })

  it('is the list of the organization where another host may be booked', async () => {
    const rig = await startCalendly()
    rig.fake.eventType.pooling_type = 'round_robin'
    rig.fake.eventType.hosts = 2
    for (const i of [0, 1]) rig.fake.bookOnPage(NOW + HALF_HOUR, { ...person(i), timezone: 'UTC' })
    const { page } = await reader(rig.scheduling, rig.fake.eventType.id, NOW)
    expect((await page(null)).bookings).toHaveLength(2)
    rig.fake.state.admin = false
    await expect(page(null)).rejects.toMatchObject({ refusal: { code: 'provider_misconfigured' } })
  })
})
