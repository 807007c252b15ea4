import { beforeEach, describe, expect, it, test } from 'vitest'

import { type BookingField, fieldsAsked } from '../../src/core/domain/booking-asks.ts'
import type { Refusal } from '../../src/core/domain/problem/problem.ts'
import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import { FIX } from '../../src/practice/adapters/scheduling/calendly/errors.ts'
import { eventTypeBody, type FakeEventType } from '../support/fakes/calendly-bodies.ts'
import type { CalendlyRoute } from '../support/fakes/calendly.ts'
import {
  answerAfter,
  answerBefore,
  type Fault,
  garbageAfter,
  redirectBefore,
  resetBefore,
  slowAfter,
  tooMany,
} from '../support/fakes/http.ts'
import { type CalendlyRig, JANE, NOW, slotAt, startCalendly } from './calendly-rig.ts'
import { refusalOf } from './outcomes.ts'

let rig: CalendlyRig
beforeEach(async () => {
  rig = await startCalendly()
})

const slots = (from = NOW, to = NOW + 7 * DAY, id = rig.fake.eventType.id) =>
  rig.scheduling.slots({ name: 'consult', id }, from, to)
const asked = (path: string) => rig.fake.requests.filter((request) => request.path.startsWith(path))

const busy: Partial<Refusal> = { code: 'provider_busy', effect: 'none' }
const misconfigured = (detail: string): Partial<Refusal> => ({
  code: 'provider_misconfigured',
  effect: 'none',
  detail,
})

describe('open times of Calendly', () => {
  it('are requested in windows of at most 31 days, from a minute ahead', async () => {
    await slots(NOW - DAY, NOW + 70 * DAY)
    const windows = asked('/event_type_available_times').map(({ query }) => ({
      start: Date.parse(query.get('start_time') ?? ''),
      end: Date.parse(query.get('end_time') ?? ''),
    }))
    expect(windows).toHaveLength(3)
    expect(windows[0]?.start).toBe(NOW + 60_000)
    expect(windows.at(-1)?.end).toBe(NOW + 70 * DAY)
    for (const [index, { start, end }] of windows.entries()) {
      expect(end - start).toBeLessThanOrEqual(31 * DAY)
      expect(start).toBe(windows[index - 1]?.end ?? start)
    }
  })

  it('are the available ones, once, in order, and inside the window', async () => {
    const at = (start_time: string, status = 'available') => ({ status, start_time })
    rig.fake.fault(
      'times',
      answerAfter(200, {
        collection: [
          at('2026-11-24T15:00:00.000000Z'),
          at('2026-11-24T14:00:00Z'),
          at('2026-11-24T14:00:00Z'),
          at('2026-11-24T14:30:00Z', 'unavailable'),
          at('2026-11-20T14:00:00Z'),
          at('2026-11-30T11:45:00Z'),
          at('2027-11-24T14:00:00Z'),
        ],
      }),
    )
    expect(await slots()).toEqual(
      ['2026-11-24T14:00:00Z', '2026-11-24T15:00:00Z'].map((start) => ({
        start: Date.parse(start),
        end: Date.parse(start) + 30 * MINUTE,
      })),
    )
  })

  it('have the present length of the event type, since a commit checks its preview by them', async () => {
    const [before] = await slots()
    rig.fake.eventType.duration = 60
    const [after] = await slots()
    expect(before!.end - before!.start).toBe(30 * MINUTE)
    expect(after!.end - after!.start).toBe(60 * MINUTE)
  })

  it('cache the event type for a minute, for the booking that follows', async () => {
    const book = (slot: number) =>
      rig.scheduling.book(
        { eventTypeId: rig.fake.eventType.id, ...slotAt(slot), invitee: JANE },
        `m.${slot}`,
      )
    await slots()
    rig.pass(59_000)
    await book(1)
    expect(asked('/event_types/')).toHaveLength(1)
    rig.pass(2_000)
    await book(2)
    expect(asked('/event_types/')).toHaveLength(2)
  })

  it('cache only the latest event types', async () => {
    const ids = Array.from({ length: 33 }, (_, index) => `TYPE${index}`)
    rig.fake.state.eventTypes = ids.map((id) => ({ ...rig.fake.eventType, id }))
    for (const id of ids) await slots(NOW, NOW + DAY, id)
    for (const eventTypeId of ['TYPE32', 'TYPE0'])
      await rig.scheduling.book({ eventTypeId, ...slotAt(0), invitee: JANE }, 'm.0')
    expect(asked('/event_types/TYPE32')).toHaveLength(1)
    expect(asked('/event_types/TYPE0')).toHaveLength(2)
  })

  test.each([-90, 61, 90, 179, 300, 900])(
    'are found by a provider whose clock is %i s ahead',
    async (seconds) => {
      rig = await startCalendly({ now: () => NOW + seconds * 1000 })
      expect((await slots()).map(({ start }) => start)).toContain(slotAt(0).start)
      const later = await slots(slotAt(4).start, slotAt(8).end)
      expect(later[0]).toEqual(slotAt(4))
    },
  )

  it('of the next minute and a half are none by a provider whose clock is ahead', async () => {
    rig = await startCalendly({ now: () => NOW + 90_000 })
    expect(await slots(NOW, NOW + 80_000)).toEqual([])
  })

  it('that the provider refuses for another reason than its clock are requested a few times only', async () => {
    rig.fake.fault('times', answerBefore(400, { title: 'Invalid Argument', message: 'no' }), 9)
    expect(await refusalOf(slots())).toMatchObject(misconfigured(FIX.request))
    expect(asked('/event_type_available_times')).toHaveLength(4)
    expect(await refusalOf(slots(NOW + DAY))).toMatchObject(misconfigured(FIX.request))
    expect(asked('/event_type_available_times')).toHaveLength(5)
  })

  it.each([
    'https://api.calendly.com/event_types/TYPE0000000000AA',
    'TYPE0000000000AA',
    ' TYPE0000000000AA ',
  ])('are found for an event type named %j', async (id) => {
    expect((await slots(NOW, NOW + DAY, id)).length).toBeGreaterThan(0)
  })

  it.each([
    'mock_consult',
    'https://elsewhere.example/event_types/TYPE0000000000AA',
    'https://calendly.com/practice/consult',
    '../users/me',
    'TYPE 1',
    '',
  ])('are not sought for an event type named %j', async (id) => {
    expect(await refusalOf(slots(NOW, NOW + DAY, id))).toMatchObject(misconfigured(FIX.eventType))
    expect(asked('/event_type_available_times')).toEqual([])
  })
})

describe('an event type that cannot be booked honestly is named with all that must change', () => {
  type Locations = NonNullable<FakeEventType['locations']>
  const at = (...locations: Locations) => ({ locations })
  const ASKED = { kind: 'ask_invitee' }
  const CALLED = { kind: 'outbound_call' }
  const STREETS = ['1 High Street', '2 Low Street'].map((location) => ({
    kind: 'physical',
    location,
  }))
  const ROUND_ROBIN = { pooling_type: 'round_robin' as const }
  const REQUIRED = { name: 'Jane Canary?', enabled: true, required: true }

  test.each<[string, Partial<FakeEventType>, RegExp]>([
    ['switched off', { active: false }, /: switch it on/],
    ['deleted', { deleted_at: '2026-01-01T00:00:00Z' }, /: switch it on/],
    ['for groups', { kind: 'group' }, /: make it one-on-one/],
    ['a poll', { booking_method: 'poll' }, /: make it bookable at once/],
    ['paid', { is_paid: true }, /: take off its price/],
    [
      'of a round robin where the invitee is called',
      { ...ROUND_ROBIN, ...at(CALLED) },
      /invitee does not/,
    ],
    ['at a place without address', at({ kind: 'physical' }), /fill in the address/],
    ['at a place with a blank address', at({ kind: 'custom', location: ' ' }), /fill in/],
    [
      'with several faults',
      { is_paid: true, kind: 'group', ...at(ASKED) },
      /one-on-one.*; take off its price.*; choose a location/,
    ],
  ])('%s', async (_name, change, words) => {
    Object.assign(rig.fake.eventType, change)
    const refusal = await refusalOf(slots())
    expect(refusal).toMatchObject({ code: 'provider_misconfigured', effect: 'none' })
    expect(refusal.detail).toMatch(words)
    const invitee = { ...JANE, name: null }
    const request = { eventTypeId: rig.fake.eventType.id, ...slotAt(0), invitee }
    const ran = await rig.scheduling.book(request, 'one.0')
    expect(ran).toEqual({ is: 'busy', refusal })
    expect(rig.fake.state.events).toEqual([])
  })

  test.each<[string, Partial<FakeEventType>, BookingField[], boolean]>([
    ['with a required question', { questions: [REQUIRED] }, ['answers'], false],
    ['where the invitee is called', at(CALLED), ['phone'], false],
    ['at one of several places', at(...STREETS), ['location'], true],
    ['by video or telephone', at({ kind: 'zoom_conference' }, CALLED), ['phone', 'location'], true],
  ])(
    '%s has free times, and says what a booking needs besides name and address',
    async (_name, change, fields, isSent) => {
      Object.assign(rig.fake.eventType, change)
      expect((await slots()).length).toBeGreaterThan(0)
      const { id } = rig.fake.eventType
      const { bookable, asks } = await rig.scheduling.eventType({ name: 'consult', id })
      expect([bookable, fieldsAsked(asks)]).toEqual([true, fields])
      const request = { eventTypeId: id, ...slotAt(0), invitee: JANE }
      const ran = await rig.scheduling.book(request, 'one.0')
      expect(ran.is).toBe(isSent ? 'ok' : 'busy')
    },
  )

  test('where the invitee names the place has free times, and cannot be booked', async () => {
    Object.assign(rig.fake.eventType, at(ASKED))
    expect((await slots()).length).toBeGreaterThan(0)
    const { id } = rig.fake.eventType
    expect(await rig.scheduling.eventType({ name: 'consult', id })).toMatchObject({
      bookable: false,
      advice: expect.stringMatching(/invitee does not/) as string,
    })
  })

  it('and it names a place of an unknown kind', async () => {
    const resource = eventTypeBody({ ...rig.fake.eventType, locations: [{ kind: 'hologram' }] })
    rig.fake.fault('eventType', answerAfter(200, { resource }))
    expect((await refusalOf(slots())).detail).toMatch(/a location of another kind/)
  })

  test.each<[string, Partial<FakeEventType>]>([
    [
      'a question that is switched off',
      { questions: [{ name: '?', enabled: false, required: true }] },
    ],
    [
      'a team that takes turns',
      { ...ROUND_ROBIN, ...at({ kind: 'zoom_conference' }, { kind: 'inbound_call' }) },
    ],
    ['a team that comes together', { pooling_type: 'collective' }],
  ])('but %s is no fault', async (_name, change) => {
    Object.assign(rig.fake.eventType, change)
    expect((await slots()).length).toBeGreaterThan(0)
  })
})

describe('a failed read of Calendly', () => {
  const readings: [CalendlyRoute, () => Promise<unknown>][] = [
    ['eventType', () => slots()],
    ['times', () => slots()],
    ['event', () => rig.scheduling.booking('bk_EVNT000000000001')],
    ['invitees', () => rig.scheduling.booking('bk_EVNT000000000001')],
    ['event', () => rig.scheduling.invitee('bk_EVNT000000000001')],
    ['invitees', () => rig.scheduling.invitee('bk_EVNT000000000001')],
  ]
  const FORM = misconfigured(FIX.form)
  const faults: [string, Fault, Partial<Refusal>][] = [
    ['a reset before', resetBefore, busy],
    ['a 500', answerBefore(500, { message: 'Jane Canary' }), busy],
    [
      'a 503 that says how long',
      answerBefore(503, '<html>', { 'Retry-After': '41' }),
      { ...busy, retry_after_seconds: 41 },
    ],
    ['garbage', garbageAfter(), busy],
    [
      'JSON of another shape',
      answerAfter(200, { resource: { email: 'jane@canary.example' } }),
      FORM,
    ],
    ['JSON that is no object', answerAfter(200, [1]), FORM],
    ['a redirect', redirectBefore('https://elsewhere.example/'), busy],
    ['a 429', tooMany({ 'X-RateLimit-Reset': '37' }), { ...busy, retry_after_seconds: 37 }],
    [
      'a 401',
      answerBefore(401, { title: 'Unauthenticated', message: 'Jane Canary' }),
      misconfigured(FIX.token),
    ],
    ['a 401 of a proxy', answerBefore(401, '<html>'), { code: 'provider_busy', effect: 'none' }],
    ['a 403 of a gateway', answerBefore(403, { message: 'Forbidden' }), { code: 'provider_busy' }],
    ['a 404 of a proxy', answerBefore(404, '<html>'), { code: 'provider_busy', effect: 'none' }],
    ['a 404 of a gateway', answerBefore(404, { message: 'Not Found' }), { code: 'provider_busy' }],
    [
      'a 403',
      answerBefore(403, { title: 'Permission Denied', message: 'Jane Canary' }),
      misconfigured(FIX.right),
    ],
  ]
  for (const [route, reading] of readings) {
    test.each(faults)(`${route} meets %s`, async (_name, fault, expected) => {
      rig.fake.bookOnPage(slotAt(0).start, JANE)
      rig.fake.fault(route, fault)
      expect(await refusalOf(reading())).toMatchObject(expected)
    })
  }

  it('ends at a deadline', async () => {
    rig = await startCalendly({}, { timeoutMs: 150 })
    rig.fake.fault('eventType', slowAfter(60_000))
    expect(await refusalOf(slots())).toMatchObject(busy)
  })

  test.each([
    ['event_types:read', () => slots()],
    ['availability:read', () => slots()],
  ])('for want of the scope %s says so', async (scope, reading) => {
    rig.fake.state.scopes.delete(scope)
    expect((await refusalOf(reading())).detail).toMatch(new RegExp(`lacks the scope ${scope}\\.`))
  })

  it('for want of the scope to read bookings says so', async () => {
    rig.fake.bookOnPage(slotAt(0).start, JANE)
    rig.fake.state.scopes.delete('scheduled_events:write')
    const { detail } = await refusalOf(rig.scheduling.booking('bk_EVNT000000000001'))
    expect(detail).toMatch(/lacks the scope scheduled_events:read\./)
  })

  it('because the event type is gone says where to name another', async () => {
    rig.fake.state.eventTypes = []
    expect(await refusalOf(slots())).toMatchObject(misconfigured(FIX.eventType))
    rig.fake.state.eventTypes = [rig.fake.eventType]
    rig.fake.fault('times', answerBefore(404, { title: 'Resource Not Found' }))
    expect(await refusalOf(slots())).toMatchObject(misconfigured(FIX.eventType))
  })
})

describe('a booking read from Calendly', () => {
  const booking = (invitee: { email: string; name: string; timezone: string | null } = JANE) =>
    rig.scheduling.booking(`bk_${rig.fake.bookOnPage(slotAt(0).start, invitee)}`)

  it('is masked', async () => {
    expect(await booking()).toEqual({
      bookingId: 'bk_EVNT000000000001',
      eventTypeId: rig.fake.eventType.id,
      ...slotAt(0),
      state: 'confirmed',
      timezone: 'Europe/London',
      maskedEmail: 'j***@***.example',
      initials: 'J. C.',
      host: expect.stringMatching(/\/users\/\w+$/) as string,
    })
  })

  it('names its event type as the settings do', async () => {
    const inFull = 'https://api.calendly.com/event_types/TYPE0000000000AA'
    rig = await startCalendly({}, { eventTypeIds: ['OTHER', inFull] })
    expect((await booking())?.eventTypeId).toBe(inFull)
  })

  test.each([
    ['america/new_york', 'America/Los_Angeles', 'America/New_York'],
    ['Eastern Time (US & Canada)', 'America/Los_Angeles', 'America/Los_Angeles'],
    [null, 'America/Los_Angeles', 'America/Los_Angeles'],
    ['Nowhere/Land', 'Pacific Time', 'UTC'],
  ])('has a zone of the database: %j, host %j', async (theirs, host, expected) => {
    rig = await startCalendly({ timezone: host })
    expect((await booking({ ...JANE, timezone: theirs }))?.timezone).toBe(expected)
  })

  it('has a zone even if the host cannot be read', async () => {
    rig.fake.fault('me', answerBefore(500))
    expect((await booking({ ...JANE, timezone: null }))?.timezone).toBe('UTC')
  })

  it('made with an address as its name has no initials', async () => {
    const read = await booking({ ...JANE, name: JANE.email })
    expect(read?.initials).toBeNull()
    expect((await rig.scheduling.invitee('bk_EVNT000000000001'))?.name).toBeNull()
  })

  it('with a deleted invitee is still read, without one', async () => {
    const id = rig.fake.bookOnPage(slotAt(0).start, JANE)
    for (const event of rig.fake.state.events) event.invitees = []
    expect(await rig.scheduling.booking(`bk_${id}`)).toMatchObject({
      maskedEmail: '***',
      initials: null,
    })
    expect(await rig.scheduling.invitee(`bk_${id}`)).toBeUndefined()
  })

  it('names the invitee who comes, not one who has cancelled', async () => {
    await booking()
    const [event] = rig.fake.state.events
    const gone = { ...event!.invitees[0]!, email: 'gone@example.com', status: 'canceled' as const }
    event!.invitees.unshift(gone)
    expect((await rig.scheduling.invitee('bk_EVNT000000000001'))?.email).toBe(JANE.email)
  })

  it('that is one seat of a group is not touched while it is active', async () => {
    rig.fake.eventType.kind = 'group'
    const { code, detail } = await refusalOf(booking())
    expect(code).toBe('provider_misconfigured')
    expect(detail).toMatch(/one seat of a Calendly group event/)
    const [{ invitees }] = rig.fake.state.events as [(typeof rig.fake.state.events)[number]]
    invitees.push({ ...invitees[0]!, email: 'other@example.com' })
    rig.fake.cancelOnPage('EVNT000000000001')
    const cancelled = { state: 'cancelled', maskedEmail: '***' }
    expect(await rig.scheduling.booking('bk_EVNT000000000001')).toMatchObject(cancelled)
  })

  it.each([
    'bk_',
    'bk_../users/me',
    'bk_a%2Fb',
    'bk_é',
    `bk_${'x'.repeat(129)}`,
    'EVNT000000000001',
  ])('under a malformed id is not even asked for: %s', async (id) => {
    expect(await rig.scheduling.booking(id)).toBeUndefined()
    expect(await rig.scheduling.invitee(id)).toBeUndefined()
    expect(rig.fake.requests).toEqual([])
  })

  it.each([400, 404])('is not found when the provider answers %i', async (status) => {
    rig.fake.fault('event', answerBefore(status, { title: 'Resource Not Found' }))
    expect(await booking()).toBeUndefined()
  })
})
