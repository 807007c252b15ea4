import { beforeEach, describe, expect, it } from 'vitest'

import type { StepOutcome, LookupOutcome } from '../../src/core/domain/outcome.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import type { Scheduling } from '../../src/core/ports/scheduling.ts'
import { practice } from '../support/fake-host.ts'
import {
  answerAfter,
  answerBefore,
  garbageAfter,
  resetAfter,
  resetBefore,
} from '../support/fakes/http.ts'
import { type CalcomRig, JANE, slotAt, startCalcom } from './calcom-rig.ts'
import { misconfigured, refused } from './outcomes.ts'
import { practiceAt } from './practice-at.ts'

const MARKER = 'AbC-dEf_123456789012.0'

let rig: CalcomRig
let id: string
beforeEach(async () => {
  rig = await startCalcom()
  id = await rig.book(0, 'made-first.0')
})

const uidOf = (bookingId: string) => bookingId.slice('bk_'.length)
const changes = () =>
  rig.fake.requests.filter(({ method, path }) => method === 'POST' && path !== '/v2/bookings')

describe('a cancellation', () => {
  const cancel = (reason: string | null = null) => rig.scheduling.cancel(id, reason, MARKER)
  const find = () => rig.scheduling.findCancelled(id, MARKER)

  it('carries the reason of the caller and a reference', async () => {
    expect(await cancel('The client is travelling.')).toEqual({ is: 'ok', facts: {} })
    expect(changes()[0]?.path).toBe(`/v2/bookings/${uidOf(id)}/cancel`)
    expect(changes()[0]?.body).toEqual({
      cancellationReason: `(ref ${MARKER}) The client is travelling.`,
    })
    expect(changes()[0]?.headers['cal-api-version']).toBe('2024-08-13')
  })

  it('carries a reason where the caller gave none, since hosts may have to give one', async () => {
    await cancel()
    expect(changes()[0]?.body).toEqual({ cancellationReason: `(ref ${MARKER}) Cancelled.` })
  })

  it.each([
    ['garbage', garbageAfter()],
    ['another form', answerAfter(200, { status: 'success', data: { bookingId: 1 } })],
    ['a booking that is still active', 'active'],
    ['a reset', resetAfter],
    [
      '500',
      answerAfter(500, { statusCode: 500, message: 'This booking has already been cancelled.' }),
    ],
  ] as const)('is unknown after %s, and found', async (_what, fault) => {
    rig.fake.fault('cancel', fault === 'active' ? answerAfter(200, await activeBody()) : fault)
    expect(await cancel('Mine')).toMatchObject({ is: 'unknown' })
    expect(await find()).toEqual({ is: 'ok', facts: {} })
  })

  /** What a read of the booking answers while it is active. */
  async function activeBody(): Promise<unknown> {
    const headers = { Authorization: 'Bearer cal_live_fake', 'cal-api-version': '2024-08-13' }
    return (await fetch(`${rig.fake.url}/v2/bookings/${uidOf(id)}`, { headers })).json()
  }

  it('by a host who declined is not ours', async () => {
    rig.fake.endOnPage(uidOf(id), undefined, 'rejected')
    expect(await find()).toEqual(refused('booking_not_active'))
    expect(await cancel()).toEqual(refused('booking_not_active'))
  })

  it('by a move is not ours', async () => {
    rig.fake.moveOnPage(uidOf(id), slotAt(2).start)
    expect(await cancel()).toEqual(refused('booking_not_active'))
  })

  it('without a reason could be ours: nothing is claimed', async () => {
    rig.fake.endOnPage(uidOf(id))
    expect(await find()).toMatchObject({ is: 'unknown' })
    expect(await cancel()).toMatchObject({ is: 'unknown' })
  })

  it('that Cal.com returns without its reason is not denied', async () => {
    rig.fake.state.silent = true
    await cancel('Mine')
    expect(await find()).toMatchObject({ is: 'unknown' })
  })

  it('of a booking in the past is refused', async () => {
    rig.pass(DAY)
    expect(await cancel()).toEqual(refused('booking_not_active'))
  })

  it('that the event type forbids is reported as misconfigured', async () => {
    rig.fake.eventType.disableCancelling.disabled = true
    expect(await cancel()).toMatchObject(misconfigured(/does not allow cancellations/))
  })

  it('of a booking that is gone is refused, and its lookup is unknown', async () => {
    rig.fake.state.bookings.length = 0
    expect(await cancel()).toEqual(refused('booking_not_found'))
    expect(await find()).toMatchObject({ is: 'unknown' })
  })

  it.each([resetBefore, garbageAfter(), answerBefore(500), answerBefore(429), answerBefore(401)])(
    'is not looked up by a read that fails',
    async (fault) => {
      await cancel()
      rig.fake.fault('booking', fault)
      expect(await find()).toMatchObject({ is: 'unknown' })
    },
  )
})

describe('a move', () => {
  const request = (index = 2) => ({
    bookingId: id,
    eventTypeId: rig.eventType.id,
    ...slotAt(index),
  })
  const mover = (): NonNullable<Scheduling['reschedule']> => {
    const { reschedule } = rig.scheduling
    if (!reschedule) throw new Error('it cannot move')
    return reschedule
  }
  const move = (index?: number): Promise<StepOutcome> => mover().execute(request(index), MARKER)
  const find = (index?: number): Promise<LookupOutcome> => mover().reconcile(request(index), MARKER)

  it('sends the new time and a reference, and nothing else', async () => {
    expect(await move()).toMatchObject({
      is: 'ok',
      facts: {
        state: 'confirmed',
        start_time: '2026-11-23T15:00:00Z',
        end_time: '2026-11-23T15:30:00Z',
      },
    })
    expect(changes()[0]?.path).toBe(`/v2/bookings/${uidOf(id)}/reschedule`)
    expect(changes()[0]?.body).toEqual({
      start: '2026-11-23T15:00:00Z',
      reschedulingReason: `(ref ${MARKER}) Rescheduled.`,
    })
  })

  it('that the host has to accept is not answered as confirmed', async () => {
    rig.fake.eventType.confirms = true
    rig.fake.state.hostsBookings = false
    expect(await move()).toMatchObject({ is: 'ok', facts: { state: 'pending_host_approval' } })
  })

  describe('from its preview on', () => {
    async function movedTo(index: number, changes: object) {
      const world = practice()
      const { fake, scheduling } = await startCalcom({ now: world.now }, { now: world.now })
      Object.assign(fake.eventType, changes)
      const { uid } = fake.bookOnPage(slotAt(5).start, { ...JANE, name: 'Jane', timeZone: 'UTC' })
      const { aMove } = practiceAt(String(fake.eventType.id), { scheduling }, world)
      const later = aMove(`bk_${uid}`, slotAt(index).start)
      await later.preview()
      return { commit: await later.commit(), fake }
    }

    it('may do so', async () => {
      const { commit } = await movedTo(4, { lengthInMinutes: 60 })
      expect(commit).toMatchObject({ status: 'committed' })
    })

    it('asks the host again where the host has not accepted it, and accepts nothing', async () => {
      const { commit, fake } = await movedTo(6, { confirms: true })
      expect(commit).toMatchObject({ body: { result: { state: 'pending_host_approval' } } })
      expect(fake.state.bookings.map(({ status }) => status)).toEqual(['cancelled', 'pending'])
    })
  })

  it.each([
    ['garbage', garbageAfter(201)],
    ['another form', answerAfter(201, { status: 'success', data: { bookingId: 1 } })],
    ['a reset', resetAfter],
    ['500', answerAfter(500, { message: 'no_available_users_found_error' })],
  ] as const)('is unknown after %s, and found', async (_what, fault) => {
    rig.fake.fault('move', fault)
    expect(await move()).toMatchObject({ is: 'unknown' })
    expect(await find()).toMatchObject({ is: 'ok', facts: { start_time: '2026-11-23T15:00:00Z' } })
  })

  it('whose answer shows the old booking is not believed', async () => {
    const times = { start: '2026-11-23T15:00:00Z', end: '2026-11-23T15:30:00Z' }
    const data = {
      uid: uidOf(id),
      status: 'accepted',
      ...times,
      eventType: { id: 4711 },
      attendees: [],
    }
    rig.fake.fault('move', answerBefore(201, { status: 'success', data }))
    expect(await move()).toMatchObject({ is: 'unknown' })
    expect(await find()).toEqual({ is: 'not_found' })
  })

  it('by someone else, with a reason, is not ours', async () => {
    rig.fake.moveOnPage(uidOf(id), slotAt(2).start, 'I am late')
    expect(await move()).toEqual(refused('booking_not_active'))
    expect(await find()).toEqual(refused('booking_not_active'))
  })

  it('by someone else to another time is not ours, even without a reason', async () => {
    rig.fake.moveOnPage(uidOf(id), slotAt(5).start)
    expect(await move()).toEqual(refused('booking_not_active'))
    expect(await find()).toEqual(refused('booking_not_active'))
  })

  it('that Cal.com tells without its reason is known by its time', async () => {
    rig.fake.state.silent = true
    const ran = await move()
    expect(await find()).toEqual(ran)
  })

  it('under another marker is not ours', async () => {
    await mover().execute(request(), `${MARKER}1`)
    expect(await find()).toEqual(refused('booking_not_active'))
  })

  it('is found although the old booking does not name it yet', async () => {
    const ran = await move()
    Object.assign(rig.fake.state.bookings[0]!, { status: 'accepted', rescheduledToUid: undefined })
    expect(await find()).toEqual(ran)
    Object.assign(rig.fake.state.bookings[0]!, { status: 'cancelled' })
    expect(await find()).toEqual(ran)
  })

  it('is distinguished from a later one that carries its reason on', async () => {
    const ran = await move()
    const [, next] = rig.fake.state.bookings
    rig.fake.moveOnPage(next!.uid, slotAt(6).start, next!.reschedulingReason)
    delete rig.fake.state.bookings[0]!.rescheduledToUid
    const facts = ran.is === 'ok' ? ran.facts : {}
    expect(await find()).toEqual({ is: 'ok', facts: { ...facts, state: 'cancelled' } })
  })

  it('is neither found nor denied while nothing names it yet', async () => {
    rig.fake.lists(false)
    await move()
    delete rig.fake.state.bookings[0]!.rescheduledToUid
    expect(await find()).toMatchObject({ is: 'unknown' })
  })

  it('of a booking that someone cancelled is refused', async () => {
    rig.fake.endOnPage(uidOf(id), 'Something came up')
    expect(await move()).toEqual(refused('booking_not_active'))
    expect(await find()).toEqual(refused('booking_not_active'))
  })

  it('to a time that is taken is refused, and leaves the old booking as it was', async () => {
    await rig.book(2, 'other.0')
    expect(await move()).toEqual(refused('slot_unavailable'))
    expect((await rig.scheduling.booking(id))?.state).toBe('confirmed')
  })

  it('of a booking that does not exist is refused without being sent where the id is none', async () => {
    const { execute, reconcile } = mover()
    const moved = (bookingId: string) => execute({ ...request(), bookingId }, MARKER)
    expect(await moved('bk_0123456789')).toEqual(refused('booking_not_found'))
    rig.fake.requests.length = 0
    expect(await moved('bk_../me')).toEqual(refused('booking_not_found'))
    expect(await reconcile({ ...request(), bookingId: 'bk_../me' }, MARKER)).toEqual({
      is: 'unknown',
    })
    expect(rig.fake.requests).toEqual([])
  })

  it('of one booking of a series is not looked into', async () => {
    rig.fake.state.bookings[0]!.recurringBookingUid = 'series-1'
    expect(await find()).toMatchObject({ is: 'unknown' })
  })
})
