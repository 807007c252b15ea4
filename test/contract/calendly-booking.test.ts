import { beforeEach, describe, expect, it, test, vi } from 'vitest'

import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { isoUtc } from '../../src/core/domain/time/time.ts'
import { FIX } from '../../src/practice/adapters/scheduling/calendly/errors.ts'
import { calendlyScheduling } from '../../src/practice/adapters/scheduling/calendly/index.ts'
import { eventBody } from '../support/fakes/calendly-bodies.ts'
import {
  answerAfter,
  answerBefore,
  type Fault,
  garbageAfter,
  redirectBefore,
  resetAfter,
  resetBefore,
  slowBefore,
  tooMany,
} from '../support/fakes/http.ts'
import { type CalendlyRig, JANE, MARKER, NOW, slotAt, startCalendly } from './calendly-rig.ts'
import { keepPrinted, refused } from './outcomes.ts'

let rig: CalendlyRig
beforeEach(async () => {
  rig = await startCalendly()
})

const book = (
  slot = slotAt(0),
  invitee: { email: string; name: string | null; timezone: string } = JANE,
) => rig.scheduling.book({ eventTypeId: rig.fake.eventType.id, ...slot, invitee }, MARKER)
/** So many others book the same time on the page of the provider. */
const bookGuests = (count: number) => {
  for (let guest = 0; guest < count; guest += 1)
    rig.fake.bookOnPage(slotAt(0).start, { ...JANE, email: `guest${guest}@example.com` })
}
/** Reads open times, and with them the event type, which is then kept for a minute. */
const readTimes = () =>
  rig.scheduling.slots(
    { name: 'consult', id: rig.fake.eventType.id },
    slotAt(0).start,
    slotAt(1).end,
  )
const find = (slot = slotAt(0)) => rig.scheduling.findBooked(slot, rig.fake.eventType.id, MARKER)
const sent = () =>
  rig.fake.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)
const factsOf = (index = 0) => {
  const event = rig.fake.state.events[index]
  if (!event) throw new Error('nothing was booked')
  return {
    booking_id: `bk_${event.id}`,
    state: 'confirmed',
    start_time: isoUtc(event.start),
    end_time: isoUtc(event.end),
    event_type_id: event.eventType,
  }
}

describe('the request of a Calendly booking', () => {
  it('carries the event type, the time in UTC, the invitee, the one place, and the marker among all six keys', async () => {
    await book()
    expect(sent()).toEqual([
      {
        event_type: `https://api.calendly.com/event_types/${rig.fake.eventType.id}`,
        start_time: '2026-11-23T14:00:00Z',
        invitee: {
          name: 'Jane Canarybird',
          email: 'jane.canary@client.example',
          timezone: 'Europe/London',
        },
        location: { kind: 'zoom_conference' },
        tracking: {
          utm_source: null,
          utm_medium: null,
          utm_campaign: null,
          utm_content: MARKER,
          utm_term: null,
          salesforce_uuid: null,
        },
      },
    ])
  })

  test.each([null, ''])(
    'uses the address if a name is demanded and none was given (%j)',
    async (name) => {
      await book(slotAt(0), { ...JANE, name })
      expect(sent()).toMatchObject([{ invitee: { name: JANE.email, email: JANE.email } }])
    },
  )

  test.each([
    [{ locations: null }, undefined],
    [{ locations: [] }, undefined],
    [{ locations: [{ kind: 'zoom_conference' }], pooling_type: 'round_robin' }, undefined],
    [
      { locations: [{ kind: 'physical', location: ' 1 High Street ' }] },
      { kind: 'physical', location: '1 High Street' },
    ],
    [
      { locations: [{ kind: 'custom', location: 'The blue door' }] },
      { kind: 'custom', location: 'The blue door' },
    ],
    [{ locations: [{ kind: 'inbound_call' }] }, { kind: 'inbound_call' }],
  ])('names the place as the event type has it: %j', async (change, location) => {
    Object.assign(rig.fake.eventType, change)
    expect((await book()).is).toBe('ok')
    expect((sent()[0] as { location?: object }).location).toEqual(location)
  })

  it('goes to the event type whether the settings have its id or its whole address', async () => {
    const eventTypeId = `https://api.calendly.com/event_types/${rig.fake.eventType.id}`
    const ran = await rig.scheduling.book({ eventTypeId, ...slotAt(0), invitee: JANE }, MARKER)
    expect(ran).toMatchObject({ is: 'ok', facts: factsOf() })
    expect(await rig.scheduling.findBooked(slotAt(0), eventTypeId, MARKER)).toEqual(ran)
  })

  it('goes to the real Calendly unless another address is set', async () => {
    const urls: string[] = []
    const live = calendlyScheduling({
      token: 't',
      timeoutMs: 1_000,
      now: () => NOW,
      fetch: async (input) => {
        urls.push(String(input instanceof Request ? input.url : input))
        return Response.json({ title: 'Resource Not Found' }, { status: 404 })
      },
    })
    expect(live).toMatchObject({ mode: 'live', adapterId: 'calendly' })
    await live.booking('bk_EVNT000000000001')
    expect(urls).toEqual(['https://api.calendly.com/scheduled_events/EVNT000000000001'])
  })

  it('carries the token, and goes to no other host', async () => {
    await book()
    await find()
    for (const { headers } of rig.fake.requests)
      expect(headers.authorization).toBe('Bearer fake-calendly-token')
  })
})

describe('the facts of a Calendly booking', () => {
  it('are read back: a length that the provider chose is the length in the answer', async () => {
    await readTimes()
    rig.fake.eventType.duration = 60
    expect(await book()).toEqual({
      is: 'ok',
      facts: {
        booking_id: 'bk_EVNT000000000001',
        state: 'confirmed',
        start_time: '2026-11-23T14:00:00Z',
        end_time: '2026-11-23T15:00:00Z',
        event_type_id: rig.fake.eventType.id,
      },
    })
  })

  test.each<[string, Fault]>([
    ['a reset', resetBefore],
    ['a 404', answerBefore(404)],
    ['a redirect', redirectBefore('https://elsewhere.example/')],
  ])('are the known ones if reading back meets %s', async (_name, fault) => {
    rig.fake.fault('event', fault)
    const ran = await book()
    const { event_type_id: _unread, ...known } = factsOf()
    expect(ran).toEqual({ is: 'ok', facts: known })
  })
})

describe('a Calendly booking in doubt', () => {
  test.each<[string, Fault]>([
    ['a reset', resetAfter],
    [
      'a 502 that says the time is taken',
      answerAfter(502, { details: [{ code: 'already_filled' }] }),
    ],
    ['a 201 with garbage', garbageAfter(201)],
    [
      'a 201 that names an event on another host',
      answerAfter(201, {
        resource: { event: 'https://elsewhere.example/scheduled_events/EVNT000000000001' },
      }),
    ],
    [
      'a 201 that names an event by no id',
      answerAfter(201, {
        resource: { event: 'https://api.calendly.com/scheduled_events/../users/me' },
      }),
    ],
    ['a redirect', answerAfter(302, '', { Location: 'https://elsewhere.example/' })],
  ])('is unknown after %s, and found by its marker', async (_name, fault) => {
    rig.fake.fault('book', fault)
    expect(await book()).toMatchObject({ is: 'unknown' })
    expect(sent()).toHaveLength(1)
    expect(await find()).toEqual({ is: 'ok', facts: factsOf() })
  })

  it('that lands after our deadline is found once it is there', async () => {
    rig = await startCalendly({}, { timeoutMs: 400 })
    rig.fake.fault('book', slowBefore(800))
    expect(await book()).toMatchObject({ is: 'unknown' })
    await vi.waitFor(
      async () => expect(await find()).toEqual({ is: 'ok', facts: factsOf() }),
      5_000,
    )
  })

  it('is not found while the lists are behind, which proves nothing, and found when they are fresh', async () => {
    rig.fake.staleLists()
    rig.fake.fault('book', resetAfter)
    expect(await book()).toMatchObject({ is: 'unknown' })
    expect(await find()).toEqual({ is: 'not_found' })
    rig.fake.freshLists()
    expect(await find()).toEqual({ is: 'ok', facts: factsOf() })
  })

  it('that was made and cancelled since is answered as cancelled', async () => {
    rig.fake.fault('book', resetAfter)
    await book()
    rig.fake.cancelOnPage(rig.fake.state.events[0]?.id ?? '')
    expect(await find()).toEqual({ is: 'ok', facts: { ...factsOf(), state: 'cancelled' } })
  })

  it('is found on a later page, and the address of the next page is never followed', async () => {
    rig = await startCalendly({ pageSize: 2 })
    Object.assign(rig.fake.eventType, { hosts: 9, pooling_type: 'round_robin', locations: null })
    bookGuests(5)
    rig.fake.fault('book', resetAfter)
    expect(await book()).toMatchObject({ is: 'unknown' })
    expect(await find()).toEqual({ is: 'ok', facts: factsOf(5) })
  })

  it('is looked for first among the bookings of its own kind', async () => {
    Object.assign(rig.fake.eventType, { hosts: 99 })
    bookGuests(30)
    for (const event of rig.fake.state.events)
      Object.assign(event, { eventType: 'OTHER', host: rig.fake.eventType.owner })
    const made = rig.fake.bookOnPage(slotAt(0).start, JANE)
    const event = rig.fake.state.events.find(({ id }) => id === made)!
    event.host = rig.fake.eventType.owner
    event.invitees[0]!.tracking['utm_content'] = MARKER
    expect(await find()).toEqual({ is: 'ok', facts: factsOf(30) })
  })

  it('is found among malformed events', async () => {
    rig.fake.fault('book', resetAfter)
    await book()
    const odd = { ...eventBody(rig.fake.state.events[0]!), event_type: null, name: null }
    const event = eventBody(rig.fake.state.events[0]!)
    const pagination = { next_page_token: null }
    rig.fake.fault('events', answerAfter(200, { collection: [odd, event], pagination }))
    const collection = [{ status: 'active', email: null }]
    rig.fake.fault('invitees', answerAfter(200, { collection, pagination }))
    const { event_type_id: _unread, ...known } = factsOf()
    expect(await find()).toEqual({ is: 'ok', facts: known })
  })

  it('reads its own user once in ten minutes', async () => {
    const asked = () => rig.fake.requests.filter(({ path }) => path === '/users/me').length
    await find()
    rig.pass(9 * MINUTE)
    await find()
    expect(asked()).toBe(1)
    rig.pass(2 * MINUTE)
    await find()
    expect(asked()).toBe(2)
  })

  it('is not called absent if the lookup had to end early', async () => {
    rig = await startCalendly({ pageSize: 2 })
    Object.assign(rig.fake.eventType, { hosts: 99, pooling_type: 'round_robin', locations: null })
    bookGuests(30)
    expect(await find()).toMatchObject({ is: 'unknown' })
    expect(rig.fake.requests.length).toBeLessThan(50)
  })

  it('with another host of a team is found through the organization', async () => {
    Object.assign(rig.fake.eventType, { hosts: 2, pooling_type: 'round_robin', locations: null })
    rig.fake.bookOnPage(slotAt(0).start, { ...JANE, email: 'first@example.com' })
    rig.fake.fault('book', resetAfter)
    expect(await book()).toMatchObject({ is: 'unknown' })
    expect(rig.fake.state.events[1]?.host).not.toBe(rig.fake.state.events[0]?.host)
    expect(await find()).toEqual({ is: 'ok', facts: factsOf(1) })
  })

  it('with another host proves no absence if the token may not look there', async () => {
    rig = await startCalendly({ admin: false })
    Object.assign(rig.fake.eventType, { hosts: 2, pooling_type: 'round_robin', locations: null })
    expect(await find()).toMatchObject({ is: 'busy', refusal: { detail: FIX.right } })
  })

  test.each<[string, Fault]>([
    ['a reset', resetBefore],
    ['a 429', tooMany({ 'X-RateLimit-Reset': '7' })],
    ['a 401', answerBefore(401)],
  ])('is not called absent if the lookup meets %s', async (_name, fault) => {
    rig.fake.fault('book', resetAfter)
    await book()
    for (const route of ['me', 'events', 'invitees'] as const) {
      rig.fake.fault(route, fault)
      expect((await find()).is).toBe('busy')
    }
    expect(await find()).toEqual({ is: 'ok', facts: factsOf() })
  })
})

describe('the wait after a 429 of Calendly', () => {
  test.each<[string, Record<string, string>, number, number]>([
    ['a reset of twenty hours', { 'X-RateLimit-Reset': '72000' }, 72_000, 60],
    ['a reset of a day', { 'X-RateLimit-Reset': '86400' }, 86_400, 60],
    ['a reset of more than a day', { 'X-RateLimit-Reset': '86401' }, 60, 60],
    ['a reset of an hour', { 'X-RateLimit-Reset': '3600' }, 3600, 3600],
    ['a Retry-After of twenty hours', { 'Retry-After': '72000' }, 60, 60],
    [
      'both, of which the longer one is the wait',
      { 'X-RateLimit-Reset': '5', 'Retry-After': '90' },
      90,
      90,
    ],
  ])('is by %s: of a booking up to a day, else up to an hour', async (_name, headers, ...waits) => {
    rig.fake.fault('book', tooMany(headers))
    const booked = await book()
    rig.fake.fault('events', tooMany(headers))
    const found = await find()
    const refusals = [booked, found].map((one) => ('refusal' in one ? one.refusal : undefined))
    expect(refusals.map((refusal) => refusal?.retry_after_seconds)).toEqual(waits)
  })
})

describe('a Calendly booking is refused', () => {
  it('because the location changed since it was read: the next one reads it again', async () => {
    await readTimes()
    rig.fake.eventType.locations = [{ kind: 'google_conference' }]
    expect(await book()).toMatchObject({ is: 'busy', refusal: { detail: FIX.location } })
    expect(await book()).toEqual({ is: 'ok', facts: factsOf() })
  })

  it('because a question is required since', async () => {
    await readTimes()
    rig.fake.eventType.questions = [{ name: 'Tax number?', enabled: true, required: true }]
    expect(await book()).toMatchObject(
      refused('validation_failed', { errors: [{ pointer: '/answers' }] }),
    )
  })

  test.each<[string, Fault]>([
    ['a reset', resetBefore],
    ['a 404', answerBefore(404)],
  ])('before anything is sent, if the event type meets %s', async (_name, fault) => {
    rig.fake.fault('eventType', fault)
    expect((await book()).is).toBe('busy')
    expect(sent()).toEqual([])
  })

  it('without repeating the invitee, whatever the provider says', async () => {
    const shown: unknown[] = []
    keepPrinted(shown)
    const echo = `${JANE.name} <${JANE.email}> cannot be booked`
    const body = {
      title: echo,
      message: echo,
      details: [{ parameter: echo, message: echo, code: echo }],
    }
    for (const status of [400, 401, 403, 404, 409, 422, 429, 500, 201]) {
      rig.fake.fault('book', answerBefore(status, body))
      shown.push(await book())
    }
    vi.restoreAllMocks()
    expect(shown).toHaveLength(9)
    expect(JSON.stringify(shown)).not.toMatch(/canary/i)
  })
})
