import { beforeEach, describe, expect, it, test } from 'vitest'

import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { FIX } from '../../src/practice/adapters/scheduling/calendly/errors.ts'
import type { CalendlyRoute } from '../support/fakes/calendly.ts'
import {
  answerAfter,
  answerBefore,
  type Fault,
  resetAfter,
  resetBefore,
  tooMany,
} from '../support/fakes/http.ts'
import { type CalendlyRig, JANE, MARKER, slotAt, startCalendly } from './calendly-rig.ts'
import { refused } from './outcomes.ts'

const FIRST = { ...JANE, email: 'first@example.com' }
const TAKEN = refused('slot_unavailable')
const UNKNOWN = { is: 'unknown' }

let rig: CalendlyRig
beforeEach(async () => {
  rig = await startCalendly()
})

const slot = slotAt(0)
const book = () =>
  rig.scheduling.book({ eventTypeId: rig.fake.eventType.id, ...slot, invitee: JANE }, MARKER)
const find = () => rig.scheduling.findBooked(slot, rig.fake.eventType.id, MARKER)
const events = () => rig.fake.state.events
const posts = () => rig.fake.requests.filter(({ method }) => method === 'POST')

const faults: [string, Fault][] = [
  ['a reset', resetBefore],
  ['a 500', answerBefore(500)],
  ['a 429', tooMany({})],
  ['a 403', answerBefore(403, { title: 'Permission Denied', message: 'no' })],
  ['another form', answerAfter(200, { resource: 1 })],
]

describe('a booking whose answer was lost', () => {
  test.each([
    ['no invitee', []],
    ['no tracking', [{ email: FIRST.email, status: 'active' }]],
    ['tracking that is null', [{ email: FIRST.email, status: 'active', tracking: null }]],
    ['tracking of another form', [{ email: FIRST.email, tracking: ['utm'] }]],
  ])('is not called absent beside one that shows %s', async (_what, collection) => {
    rig.fake.bookOnPage(slot.start, FIRST)
    const page = { collection, pagination: { next_page_token: null } }
    rig.fake.fault('invitees', answerAfter(200, page))
    expect(await find()).toEqual(UNKNOWN)
  })

  it('is absent beside one that shows that it carries nothing', async () => {
    rig.fake.bookOnPage(slot.start, FIRST)
    expect(await find()).toEqual({ is: 'not_found' })
  })
})

describe('a booking that was delivered twice', () => {
  const bookTwice = () => {
    rig.twice()
    return book()
  }

  test.each(['', null])(
    'is made, whatever the refusal of the second delivery leaves out (%j)',
    async (text) => {
      const details = [{ message: text }]
      for (const body of [
        { title: 'Invalid Argument', message: text, details },
        { title: 'Invalid Argument', message: 'The supplied parameters are invalid.' },
        { details: [{ code: 'already_filled' }] },
        { details: [{ parameter: 'start_time', message: 'is not available' }] },
      ]) {
        for (const status of [400, 403, 409, 422]) {
          rig.fake.state.events = []
          Object.assign(rig.fake.state.filled, { status })
          rig.fake.distort('book', () => body)
          const ran = await bookTwice()
          expect(ran).toMatchObject({ is: 'ok', facts: { booking_id: `bk_${events()[0]?.id}` } })
          expect(events()).toHaveLength(1)
        }
      }
    },
  )

  it('is made, where the first delivery used up the limit that turns the second one away', async () => {
    rig.fake.fault('book', answerAfter(429, {}))
    expect(await book()).toMatchObject({
      is: 'ok',
      facts: { booking_id: `bk_${events()[0]?.id}` },
    })
  })

  it.each(faults)(
    'is unknown where a limit turns it away, and the lookup meets %s',
    async (_name, fault) => {
      rig.fake.fault('book', answerAfter(429, {}))
      rig.fake.fault('events', fault)
      expect(await book()).toMatchObject(UNKNOWN)
    },
  )

  for (const route of ['me', 'events', 'invitees'] as const satisfies CalendlyRoute[]) {
    test.each(faults)(`is unknown where a lookup meets %s (${route})`, async (_name, fault) => {
      rig.fake.fault(route, fault)
      expect(await bookTwice()).toMatchObject(UNKNOWN)
      expect(events()).toHaveLength(1)
      expect(posts()).toHaveLength(2)
    })
  }

  it('is unknown while the lists are behind, also where someone had the time and cancelled', async () => {
    rig.fake.cancelOnPage(rig.fake.bookOnPage(slot.start, FIRST))
    rig.fake.staleLists()
    expect(await bookTwice()).toMatchObject(UNKNOWN)
    rig.fake.freshLists()
    expect((await find()).is).toBe('ok')
  })

  it('is unknown if its own booking does not show its marker', async () => {
    const pagination = { next_page_token: null }
    for (const tracking of [
      {},
      ...[null, '', MARKER.slice(0, 9)].map((utm_content) => ({ utm_content })),
    ]) {
      rig.fake.state.events = []
      rig.fake.fault('book', answerAfter(409, {}))
      // Beside her, another person may have a place in a group event.
      const collection = [JANE.email, FIRST.email].map((email) => ({
        email,
        status: 'active',
        tracking,
      }))
      rig.fake.fault('invitees', answerAfter(200, { collection, pagination }))
      expect(await book()).toMatchObject(UNKNOWN)
    }
  })

  it('is unknown if another host of a team holds the time, which leaves room for ours', async () => {
    Object.assign(rig.fake.eventType, { hosts: 2, pooling_type: 'round_robin', locations: null })
    rig.fake.bookOnPage(slot.start, FIRST)
    rig.fake.staleLists()
    expect(await bookTwice()).toMatchObject(UNKNOWN)
    expect(events()).toHaveLength(2)
  })
})

describe('a time that someone else holds', () => {
  it('is refused where a longer booking of another kind runs into it', async () => {
    const id = rig.fake.bookOnPage(slot.start, FIRST)
    const event = events().find((one) => one.id === id)!
    Object.assign(event, { start: slot.start - 15 * MINUTE, eventType: 'TYPE0000000000ZZ' })
    expect(await book()).toEqual(TAKEN)
  })

  it('is unknown if nothing shows who holds it', async () => {
    for (const status of [400, 409]) {
      rig.fake.fault('book', answerBefore(status, { details: [{ code: 'already_filled' }] }))
      expect(await book()).toMatchObject(UNKNOWN)
    }
  })

  it('is unknown if a list still shows a booking that is over', async () => {
    const id = rig.fake.bookOnPage(slot.start, FIRST)
    rig.fake.fault('book', answerBefore(409))
    rig.fake.fault('event', answerAfter(404))
    expect(await book()).toMatchObject(UNKNOWN)
    expect(id).toBe(events()[0]!.id)
  })

  it('that cannot be booked at all is refused without a lookup', async () => {
    const body = { details: [{ parameter: 'start_time', message: 'must be in the future' }] }
    rig.fake.fault('book', answerBefore(400, body))
    expect(await book()).toEqual(TAKEN)
    expect(rig.fake.requests.some(({ path }) => path === '/scheduled_events')).toBe(false)
  })
})

describe('a refusal without a reason', () => {
  it('is believed if nothing of ours is there', async () => {
    rig.fake.fault('book', answerBefore(400, { message: 'no' }))
    expect(await book()).toMatchObject({ is: 'busy', refusal: { detail: FIX.request } })
    const id = rig.fake.bookOnPage(slotAt(1).start, JANE)
    rig.fake.fault('cancel', answerBefore(403, { title: 'Permission Denied', message: 'no' }))
    const ran = await rig.scheduling.cancel(`bk_${id}`, '', MARKER)
    expect(ran).toMatchObject({ is: 'busy', refusal: { detail: FIX.right } })
  })
})

describe('a cancellation that was delivered twice', () => {
  let id: string
  beforeEach(() => {
    id = rig.fake.bookOnPage(slot.start, JANE)
  })
  const cancel = () => rig.scheduling.cancel(`bk_${id}`, 'Travelling', MARKER)

  test.each(['Event is already canceled', 'Event is al', '', null, undefined])(
    'is done, though its second answer says %j',
    async (message) => {
      for (const status of [400, 403]) {
        rig.fake.fault('cancel', answerAfter(status, { title: 'Permission Denied', message }))
        expect(await cancel()).toEqual({ is: 'ok', facts: {} })
      }
    },
  )

  test.each([...faults, ['a 404', answerBefore(404)] as [string, Fault]])(
    'is unknown where a lookup meets %s',
    async (_name, fault) => {
      rig.twice()
      rig.fake.fault('event', fault)
      expect(await cancel()).toMatchObject(UNKNOWN)
      expect(events()[0]?.status).toBe('canceled')
    },
  )

  it('is unknown where the booking still reads as active', async () => {
    rig.fake.fault('cancel', answerBefore(403, { message: 'Event is already canceled' }))
    expect(await cancel()).toMatchObject(UNKNOWN)
  })
})

describe('a lookup among many events of one start', () => {
  const cancelled = (many: number) => {
    for (let i = 0; i < many; i += 1) rig.fake.cancelOnPage(rig.fake.bookOnPage(slot.start, FIRST))
  }
  const asked = () => rig.fake.requests.length

  test.each([12, 60, 450])('finds its own booking behind %i cancelled ones', async (many) => {
    cancelled(many)
    rig.fake.fault('book', resetAfter)
    expect(await book()).toMatchObject(UNKNOWN)
    expect(await find()).toMatchObject({
      is: 'ok',
      facts: { booking_id: `bk_${events().at(-1)?.id}` },
    })
  })

  it('finds it among several pages of them, in whatever order they come', async () => {
    rig = await startCalendly({ pageSize: 5 })
    rig.fake.fault('book', resetAfter)
    await book()
    cancelled(30)
    rig.pass(60_000)
    expect((await find()).is).toBe('ok')
  })

  it('finds it among the newest when it was cancelled too', async () => {
    cancelled(60)
    rig.pass(60_000)
    rig.fake.fault('book', resetAfter)
    await book()
    const [own] = events().slice(-1)
    rig.fake.cancelOnPage(own!.id)
    const facts = { booking_id: `bk_${own!.id}`, state: 'cancelled' }
    expect(await find()).toMatchObject({ is: 'ok', facts })
  })

  it('says absent if it saw them all, and unknown otherwise', async () => {
    cancelled(20)
    expect(await find()).toEqual({ is: 'not_found' })
    cancelled(40)
    const before = asked()
    expect(await find()).toMatchObject(UNKNOWN)
    expect(asked() - before).toBeLessThan(40)
  })

  it('says unknown if a list does not say whether it goes on', async () => {
    for (const pagination of [undefined, null, {}, { next_page_token: undefined }]) {
      rig.fake.fault('events', answerAfter(200, { collection: [], pagination }))
      expect(await find()).toMatchObject(UNKNOWN)
    }
    rig.fake.fault(
      'events',
      answerAfter(200, { collection: [], pagination: { next_page: null } }),
      2,
    )
    expect(await find()).toEqual({ is: 'not_found' })
  })

  it('says unknown if the invitees of one of them cannot be read', async () => {
    rig.fake.bookOnPage(slot.start, FIRST)
    rig.fake.fault('invitees', answerBefore(404, { title: 'Resource Not Found' }))
    expect(await find()).toMatchObject(UNKNOWN)
  })
})

describe('the name of a new booking', () => {
  const event = 'https://api.calendly.com/scheduled_events/EVNT000000000001'
  test.each([
    { event: event.slice(0, -1), uri: `${event}/invitees/INVT000000000002` },
    { event: event.slice(0, -1) },
    { event: event.slice(0, -1), uri: null },
    { event: null, uri: `${event}/invitees/INVT000000000002` },
  ])('is not passed on when it is cut or missing: %j', async (resource) => {
    rig.fake.fault('book', answerAfter(201, { resource }))
    expect(await book()).toMatchObject(UNKNOWN)
    expect(await find()).toMatchObject({ is: 'ok', facts: { booking_id: 'bk_EVNT000000000001' } })
  })
})
