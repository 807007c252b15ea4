import { beforeEach, describe, expect, it } from 'vitest'

import type { Decision } from '../../src/core/domain/booking.ts'
import {
  answerAfter,
  answerBefore,
  garbageAfter,
  resetAfter,
  resetBefore,
} from '../support/fakes/http.ts'
import { CANARIES, type CalcomRig, JANE, slotAt, startCalcom } from './calcom-rig.ts'
import { busy, misconfigured, refused } from './outcomes.ts'

/*
 * contracts/calcom.json has neither path. Both are in Cal.com's OpenAPI description, which leaves the errors out; what is refused,
 * and that no reason comes back, was read in its source: `bookings.controller.ts` (2024-08-13 and 2026-02-25) and
 * `confirm.handler.ts`.
 */

const MARKER = 'AbC-dEf_123456789012.0'

let rig: CalcomRig
let id: string
const uid = () => id.slice('bk_'.length)
const row = () => rig.fake.state.bookings[0]!
const respond = (decision: Decision, reason: string | null = null) =>
  rig.scheduling.respond!.execute({ bookingId: id, decision, reason }, MARKER)
const find = (decision: Decision) =>
  rig.scheduling.respond!.reconcile({ bookingId: id, decision }, MARKER)
const sent = () => rig.fake.requests.filter(({ path }) => /\/(confirm|decline)$/.test(path))

beforeEach(async () => {
  rig = await startCalcom()
  rig.fake.eventType.confirms = true
  id = await rig.book(0, 'made-first.0')
})

const BOTH = [
  ['accept', 'confirm', 'confirmed', 'accepted'],
  ['decline', 'decline', 'cancelled', 'rejected'],
] as const

describe.each(BOTH)('to %s a request', (decision, route, state, status) => {
  const answered = () => ({ is: 'ok', facts: expect.objectContaining({ booking_id: id, state }) })

  it('is one call, whose answer says the state and the time', async () => {
    expect(await rig.scheduling.booking(id)).toMatchObject({ state: 'pending_host_approval' })
    const ran = await respond(decision)
    expect(ran).toEqual({
      is: 'ok',
      facts: {
        booking_id: id,
        state,
        start_time: new Date(slotAt(0).start).toISOString().replace('.000', ''),
        end_time: new Date(slotAt(0).end).toISOString().replace('.000', ''),
        event_type_id: rig.eventType.id,
      },
    })
    expect(row().status).toBe(status)
    expect(sent().map(({ path, headers }) => [path, headers['cal-api-version']])).toEqual([
      [`/v2/bookings/${uid()}/${route}`, '2024-08-13'],
    ])
    expect(await rig.scheduling.booking(id)).toMatchObject({ state })
    expect(JSON.stringify([ran, await find(decision)])).not.toMatch(CANARIES)
  })

  it('is found again, no matter who answered, and changes nothing by looking', async () => {
    expect(await find(decision)).toEqual({ is: 'not_found' })
    await respond(decision)
    expect(await find(decision)).toEqual(answered())
    expect(sent()).toHaveLength(1)
  })

  it.each([
    ['garbage', garbageAfter()],
    ['another form', answerAfter(200, { status: 'success', data: { bookingId: 1 } })],
    ['a reset', resetAfter],
    ['500', answerAfter(500, { statusCode: 500, message: 'Booking already confirmed' })],
  ] as const)('is unknown after %s, and found', async (_what, fault) => {
    rig.fake.fault(route, fault)
    expect(await respond(decision)).toMatchObject({ is: 'unknown' })
    expect(await find(decision)).toEqual(answered())
  })

  it.each([
    ['a reset', resetBefore],
    ['502', answerBefore(502, 'Bad gateway')],
  ] as const)('that %s kept away is unknown, and not found', async (_what, fault) => {
    rig.fake.fault(route, fault)
    expect(await respond(decision)).toMatchObject({ is: 'unknown' })
    expect(await find(decision)).toEqual({ is: 'not_found' })
    expect(row().status).toBe('pending')
  })

  it('that is delivered twice has acted', async () => {
    rig.fake.twice(route)
    expect(await respond(decision)).toEqual(answered())
  })

  it('is not ours to say once the booking was cancelled', async () => {
    rig.fake.endOnPage(uid(), 'The client is ill.')
    expect(await find(decision)).toEqual({ is: 'unknown' })
  })

  it('of a booking that is gone is refused, and its lookup is unknown', async () => {
    rig.fake.state.bookings.length = 0
    expect(await respond(decision)).toEqual(refused('booking_not_found'))
    expect(await find(decision)).toEqual({ is: 'unknown' })
  })

  it('by a key that is not a host’s says so, and nothing is done', async () => {
    rig.fake.state.hostsBookings = false
    expect(await respond(decision)).toMatchObject(misconfigured(/owner or a host/))
    expect(row().status).toBe('pending')
  })

  it.each([
    ['401', 401, 'ApiAuthStrategy - api key - Your api key is not valid'],
    ['403', 403, 'insufficient scope'],
  ])('with a key that Cal.com does not take (%s) has no effect', async (_what, code, message) => {
    const error = { code: 'UnauthorizedException', message }
    rig.fake.fault(route, answerBefore(code, { status: 'error', error }))
    expect(await respond(decision)).toMatchObject({ is: 'busy', refusal: { effect: 'none' } })
  })

  it('waits where there were too many calls', async () => {
    rig.fake.fault(route, answerBefore(429, {}))
    expect(await respond(decision)).toMatchObject(busy('provider_busy'))
  })

  it('is asked under the next version once Cal.com has retired the first', async () => {
    rig = await startCalcom({}, {}, { compared: false })
    rig.fake.eventType.confirms = true
    id = await rig.book(0, 'made-first.0')
    rig.fake.state.retired = ['2024-08-13']
    expect(await respond(decision)).toEqual(answered())
    expect(sent().at(-1)?.headers['cal-api-version']).toBe('2026-02-25')
  })

  it('names no booking under a malformed id', async () => {
    const answer = { bookingId: 'bk_../me', decision, reason: null }
    expect(await rig.scheduling.respond!.execute(answer, MARKER)).toEqual(
      refused('booking_not_found'),
    )
    expect(sent()).toEqual([])
  })
})

describe('a request that was answered on Cal.com’s page', () => {
  it('and accepted there is accepted, no matter who asked for it, and cannot be declined', async () => {
    rig.fake.acceptOnPage(uid())
    expect(await respond('accept')).toMatchObject({ is: 'ok', facts: { state: 'confirmed' } })
    expect(await respond('decline')).toEqual(refused('booking_not_pending'))
    expect(await find('decline')).toEqual({ is: 'not_found' })
    expect(row().status).toBe('accepted')
  })

  it('and declined there is declined, and an acceptance of it is not found', async () => {
    rig.fake.endOnPage(uid(), undefined, 'rejected')
    expect(await find('decline')).toMatchObject({ is: 'ok', facts: { state: 'cancelled' } })
    expect(await find('accept')).toEqual({ is: 'not_found' })
  })
})

it('sends the reason of a decline as it was shown, and nothing else of ours', async () => {
  await respond('decline', 'That week is fully booked.')
  expect(sent()[0]?.body).toEqual({ reason: 'That week is fully booked.' })
  expect(row()).toMatchObject({ rejectionReason: 'That week is fully booked.' })
})

it('sends no body with an acceptance, and an empty one with a decline that has no reason', async () => {
  await respond('accept')
  expect(sent()[0]?.text).toBe('')
  row().status = 'pending'
  await respond('decline')
  expect(sent()[1]?.body).toEqual({})
})

it('answers nothing in place of another booking', async () => {
  const other = rig.fake.bookOnPage(slotAt(3).start, { ...JANE, name: 'J', timeZone: 'UTC' })
  other.status = 'pending'
  const body = { status: 'success', data: { ...(await bodyOf(other.uid)), status: 'accepted' } }
  rig.fake.fault('confirm', answerAfter(200, body))
  expect(await respond('accept')).toMatchObject({ is: 'unknown' })
})

async function bodyOf(of: string): Promise<object> {
  const headers = { Authorization: 'Bearer cal_live_fake', 'cal-api-version': '2024-08-13' }
  const answer = await fetch(`${rig.fake.url}/v2/bookings/${of}`, { headers })
  return ((await answer.json()) as { data: object }).data
}
