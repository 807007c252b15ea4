import { describe, expect, it, test } from 'vitest'

import type { BookingState } from '../../src/core/domain/booking.ts'
import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import type { Scheduling } from '../../src/core/ports/scheduling.ts'
import { findBookings } from '../../src/practice/operations/find-bookings.ts'
import { answerBefore } from '../support/fakes/http.ts'
import { NOW as CALCOM_NOW, startCalcom } from './calcom-rig.ts'
import { NOW, startCalendly } from './calendly-rig.ts'
import { refusalOf } from './outcomes.ts'

const PEOPLE = 12
const BOOKINGS = 60
const HALF_HOUR = 30 * MINUTE
const PERSONAL = /practice-client|Canarybird/i

const addressOf = (person: number): string => `Person.${person}@practice-client.example`
const ACTIVE: BookingState[] = ['confirmed', 'pending_host_approval']

/** Case as people, phones and providers leave it. */
const inSomeCase = (email: string, way: number): string =>
  [email, email.toLowerCase(), email.toUpperCase()][way % 3]!

const windowFrom = (now: number) => ({ from: now, to: now + 366 * DAY })

/** Searches as `find_bookings` does; nothing that comes back shows a person. */
const searcher =
  (scheduling: Scheduling, eventTypeId: string, now: number) =>
  async (email: string, states: readonly BookingState[] = ACTIVE) => {
    const asked = { ...windowFrom(now), states, eventTypeIds: [eventTypeId], email }
    const found = await scheduling.bookingsOf(asked)
    expect(JSON.stringify(found)).not.toMatch(PERSONAL)
    return { ...found, ids: found.bookings.map(({ bookingId }) => bookingId) }
  }

/** Each person finds exactly their bookings, soonest first, and nothing is left out. */
async function expectEachFinds(
  find: ReturnType<typeof searcher>,
  truth: ReadonlyMap<number, readonly string[]>,
): Promise<void> {
  for (let person = 0; person < PEOPLE; person += 1) {
    const found = await find(addressOf(person))
    expect([person, found.ids.toSorted(inOrder)]).toEqual([
      person,
      (truth.get(person) ?? []).toSorted(inOrder),
    ])
    expect(found).toMatchObject({ notShown: 0, complete: true })
    expect(found.bookings).toEqual(found.bookings.toSorted((a, b) => a.start - b.start))
  }
}

describe(`of ${BOOKINGS} bookings of ${PEOPLE} people`, () => {
  it.each([true, false])(
    'Calendly returns those of each, where case counts: %s',
    async (caseCounts) => {
      const { fake, scheduling } = await startCalendly({ caseCounts })
      const truth = new Map<number, string[]>()
      for (let at = 0; at < BOOKINGS; at += 1) {
        const person = (at * 7) % PEOPLE
        // Where case counts, an address is kept as it was typed or in lower case.
        const email = inSomeCase(addressOf(person), caseCounts ? at % 2 : at)
        const start = NOW + ((at * 37) % BOOKINGS) * HALF_HOUR + DAY
        const id = fake.bookOnPage(start, { email, name: 'Jane Canarybird', timezone: 'UTC' })
        const now = at % 11 === 0 ? fake.moveOnPage(id, start + 10 * DAY) : id
        if (at % 13 !== 0) truth.set(person, [...(truth.get(person) ?? []), `bk_${now}`])
        else fake.cancelOnPage(now)
      }
      const find = searcher(scheduling, fake.eventType.id, NOW)
      await expectEachFinds(find, truth)
      expect((await find('nobody@practice-client.example')).ids).toEqual([])
    },
    60_000,
  )

  it.each([true, false])(
    'Cal.com returns those of each, where case counts: %s',
    async (caseCounts) => {
      const { fake, scheduling, eventType } = await startCalcom({ caseCounts })
      const truth = new Map<number, string[]>()
      for (let at = 0; at < BOOKINGS; at += 1) {
        const person = (at * 7) % PEOPLE
        const email = inSomeCase(addressOf(person), caseCounts ? at % 2 : at)
        const attendee = { email, name: 'Jane Canarybird', timeZone: 'UTC' }
        const start = CALCOM_NOW + ((at * 37) % BOOKINGS) * HALF_HOUR + DAY
        const made = fake.bookOnPage(start, attendee)
        // Everybody is someone else's guest as well.
        made.attendees.push({
          ...attendee,
          email: inSomeCase(addressOf((person + 1) % PEOPLE), at),
        })
        const { uid } = at % 11 === 0 ? fake.moveOnPage(made.uid, start + 10 * DAY) : made
        if (at % 13 !== 0) truth.set(person, [...(truth.get(person) ?? []), `bk_${uid}`])
        else fake.endOnPage(uid)
      }
      const find = searcher(scheduling, eventType.id, CALCOM_NOW)
      await expectEachFinds(find, truth)
      expect((await find('erson.1@practice-client.example')).ids).toEqual([])
    },
    60_000,
  )
})

const inOrder = (one: string, other: string): number => (one < other ? -1 : 1)

describe('Calendly', () => {
  const email = addressOf(1)
  const JANE = { email, name: 'Jane Canarybird', timezone: 'UTC' }

  it('is asked for the address as typed and in lower case, once where they are the same', async () => {
    const { fake, scheduling } = await startCalendly()
    const find = searcher(scheduling, fake.eventType.id, NOW)
    await find(email)
    await find(email.toLowerCase())
    const asked = fake.requests
      .filter(({ path }) => path === '/scheduled_events')
      .map(({ query }) => query.get('invitee_email'))
    expect(asked).toEqual([email, email.toLowerCase(), email.toLowerCase()])
  })

  it('that ignores the filter leads to no one else’s booking', async () => {
    const { fake, scheduling } = await startCalendly()
    for (let at = 0; at < 5; at += 1)
      fake.bookOnPage(NOW + DAY + at * HALF_HOUR, { ...JANE, email: addressOf(at) })
    // Whatever is asked for, all are listed.
    fake.state.events.forEach((event) =>
      event.invitees.push({ ...event.invitees[0]!, status: 'canceled', email }),
    )
    const found = await searcher(scheduling, fake.eventType.id, NOW)(email)
    expect(found.ids).toHaveLength(1)
  })

  it('counts a seat in a group, and shows none of it', async () => {
    const { fake, scheduling } = await startCalendly()
    fake.bookOnPage(NOW + DAY, JANE)
    const [event] = fake.state.events
    event!.limit = 10
    event!.invitees.push({ ...event!.invitees[0]!, email: addressOf(2) })
    const find = searcher(scheduling, fake.eventType.id, NOW)
    for (const person of [1, 2])
      expect(await find(addressOf(person))).toMatchObject({ ids: [], notShown: 1, complete: true })
    event!.invitees[1]!.status = 'canceled'
    expect(await find(addressOf(2))).toMatchObject({ ids: [], notShown: 0 })
  })

  it('with more than 20 of one person shows the first 20 and says that there may be others', async () => {
    const { fake, scheduling } = await startCalendly()
    for (let at = 0; at < 40; at += 1) fake.bookOnPage(NOW + DAY + at * HALF_HOUR, JANE)
    const before = fake.requests.length
    const found = await searcher(scheduling, fake.eventType.id, NOW)(email)
    expect(found.ids).toHaveLength(20)
    expect(found.complete).toBe(false)
    expect(fake.requests.length - before).toBeLessThan(40)
  })

  it('finds the cancelled ones where they are wanted', async () => {
    const { fake, scheduling } = await startCalendly()
    const gone = fake.bookOnPage(NOW + DAY, JANE)
    fake.bookOnPage(NOW + 2 * DAY, JANE)
    fake.cancelOnPage(gone)
    const find = searcher(scheduling, fake.eventType.id, NOW)
    expect((await find(email, ['cancelled'])).ids).toEqual([`bk_${gone}`])
  })

  it('that fails in the middle fails the search, never shortens it', async () => {
    const { fake, scheduling } = await startCalendly()
    for (let at = 0; at < 8; at += 1) fake.bookOnPage(NOW + DAY + at * HALF_HOUR, JANE)
    fake.fault('invitees', {}, 6)
    fake.fault('invitees', answerBefore(500, { title: 'Internal' }))
    const search = searcher(scheduling, fake.eventType.id, NOW)(email)
    expect(await refusalOf(search)).toMatchObject({ code: 'provider_busy' })
  })
})

describe('Cal.com', () => {
  const email = addressOf(1)
  const JANE = { email, name: 'Jane Canarybird', timeZone: 'UTC' }

  it('counts seats and parts of a series of the person, and shows none of them', async () => {
    const { fake, scheduling, eventType } = await startCalcom({}, {}, { compared: false })
    const seated = fake.bookOnPage(CALCOM_NOW + DAY, { ...JANE, seatUid: 'seat-1' })
    seated.attendees.push({ ...JANE, email: addressOf(2), seatUid: 'seat-2' })
    fake.bookOnPage(CALCOM_NOW + 2 * DAY, JANE).recurringBookingUid = 'series'
    const find = searcher(scheduling, eventType.id, CALCOM_NOW)
    expect(await find(email)).toMatchObject({ ids: [], notShown: 2, complete: true })
    expect(await find(addressOf(2))).toMatchObject({ ids: [], notShown: 1, complete: true })
  })

  it('counts a seat in a group that hides who comes', async () => {
    const { fake, scheduling, eventType } = await startCalcom({}, {}, { compared: false })
    const [start, end] = [1, 1.02].map((days) => new Date(CALCOM_NOW + days * DAY).toISOString())
    const data = [{ uid: 'group', status: 'accepted', start, end, attendees: [] }]
    fake.fault('bookings', answerBefore(200, { status: 'success', data, pagination: {} }))
    const find = searcher(scheduling, eventType.id, CALCOM_NOW)
    expect(await find(email)).toMatchObject({ ids: [], notShown: 1, complete: true })
  })

  it('of people who may be hosts is read for its kind once, also where that fails', async () => {
    const { fake, scheduling, eventType } = await startCalcom({}, {}, { compared: false })
    fake.eventType.schedulingType = 'collective'
    for (const day of [1, 2, 3]) fake.bookOnPage(CALCOM_NOW + day * DAY, JANE)
    fake.fault('eventType', answerBefore(429, {}), 3)
    const { bookings } = await searcher(scheduling, eventType.id, CALCOM_NOW)(email)
    expect(bookings.map(({ otherPeople }) => otherPeople)).toEqual([1, 1, 1])
    expect(fake.requests.filter(({ path }) => path.includes('/event-types/'))).toHaveLength(1)
  })

  it('waits for the host: such a booking is found in its state', async () => {
    const { fake, scheduling, eventType } = await startCalcom()
    fake.eventType.confirms = true
    fake.bookOnPage(CALCOM_NOW + DAY, JANE)
    const { bookings } = await searcher(scheduling, eventType.id, CALCOM_NOW)(email)
    expect(bookings).toMatchObject([{ state: 'pending_host_approval' }])
  })

  it('with an entry that cannot be read is not complete', async () => {
    const { fake, scheduling, eventType } = await startCalcom({}, {}, { compared: false })
    fake.bookOnPage(CALCOM_NOW + DAY, JANE)
    fake.fault(
      'bookings',
      answerBefore(200, {
        status: 'success',
        data: [{ odd: true }],
        pagination: { hasNextPage: false },
      }),
    )
    const found = await searcher(scheduling, eventType.id, CALCOM_NOW)(email)
    expect(found).toMatchObject({ complete: false })
    expect(found.ids).toHaveLength(0)
  })
})

describe('an address that a calendar may keep in another case', () => {
  const typed = [
    'Jane.Canary@Client.example',
    'jane.canary@client.example',
    'JANE.CANARY@CLIENT.EXAMPLE',
  ]
  const kept = [
    'jane.canary@client.example',
    'Jane.Canary@client.example',
    'jane.Canary@client.example',
  ]

  /** What the tool says of what a calendar found. */
  const saidOf = async (
    scheduling: Scheduling,
    eventTypeId: string,
    now: number,
    email: string,
  ) => {
    const asked = { ...windowFrom(now), states: ACTIVE, eventTypeIds: [eventTypeId], email }
    const { bookings, complete, everySpelling: every_spelling } = await scheduling.bookingsOf(asked)
    const found = bookings.length
    const window = { operation: 'find_bookings', from: '', to: '', timezone: 'UTC' }
    const result = { ...window, mode: 'live', bookings: [], not_shown: 0, complete, every_spelling }
    return { found, text: findBookings.text!(findBookings.output.parse(result), (words) => words) }
  }

  it.each(kept.flatMap((stored) => typed.map((asked) => [stored, asked] as const)))(
    'kept as %s and searched as %s: what is not known is not said to be all',
    async (stored, asked) => {
      const calendly = await startCalendly()
      calendly.fake.bookOnPage(NOW + DAY, { email: stored, name: 'J', timezone: 'UTC' })
      const calcom = await startCalcom()
      calcom.fake.bookOnPage(CALCOM_NOW + DAY, { email: stored, name: 'J', timeZone: 'UTC' })
      for (const said of [
        await saidOf(calendly.scheduling, calendly.fake.eventType.id, NOW, asked),
        await saidOf(calcom.scheduling, calcom.eventType.id, CALCOM_NOW, asked),
      ]) {
        expect(said.text).not.toContain('That is all.')
        expect(said.text).toContain('is not known')
        if (stored === asked.toLowerCase()) expect(said.found).toBe(1)
      }
    },
  )
})

test('a kind that the practice does not offer here is searched for by neither', async () => {
  const calendly = await startCalendly()
  calendly.fake.bookOnPage(NOW + DAY, { email: addressOf(1), name: 'J', timezone: 'UTC' })
  const asked = { ...windowFrom(NOW), states: ACTIVE, eventTypeIds: ['OTHER000000000AA'] }
  const found = await calendly.scheduling
    .bookingsOf({ ...asked, email: addressOf(1) })
    .catch(() => null)
  expect(found?.bookings ?? []).toEqual([])
})
