import { beforeEach, describe, expect, it, test } from 'vitest'

import { HOUR } from '../../src/core/domain/time/duration.ts'
import {
  answerAfter,
  answerBefore,
  type Fault,
  garbageAfter,
  resetAfter,
  resetBefore,
} from '../support/fakes/http.ts'
import { type CalendlyRig, JANE, MARKER, slotAt, startCalendly } from './calendly-rig.ts'
import { refused } from './outcomes.ts'

const NOT_ACTIVE = refused('booking_not_active')

let rig: CalendlyRig
let id: string
beforeEach(async () => {
  rig = await startCalendly()
  id = rig.fake.bookOnPage(slotAt(0).start, JANE)
})

const cancel = (reason: string | null = null) => rig.scheduling.cancel(`bk_${id}`, reason, MARKER)
const find = () => rig.scheduling.findCancelled(`bk_${id}`, MARKER)
const sent = () => rig.fake.requests.filter(({ method }) => method === 'POST')
const cancellation = () => rig.fake.state.events[0]?.cancellation
/** From now on the booking is read with these words on its cancellation. */
const reads = (change: object) =>
  rig.fake.distort('event', (body) => {
    const { resource } = body as { resource: { cancellation: object } }
    return { resource: { ...resource, cancellation: { ...resource.cancellation, ...change } } }
  })

describe('the request of a Calendly cancellation', () => {
  it('carries the reason of the caller and the reference of the step', async () => {
    expect(await cancel('Travelling')).toEqual({ is: 'ok', facts: {} })
    expect(cancellation()?.reason).toBe(`(ref ${MARKER}) Travelling`)
    expect(sent().map(({ path }) => path)).toEqual([`/scheduled_events/${id}/cancellation`])
  })

  it('carries the reference alone without a reason', async () => {
    await cancel()
    expect(cancellation()?.reason).toBe(`(ref ${MARKER})`)
  })

  it('never reaches a path that the booking id chose', async () => {
    const ran = await rig.scheduling.cancel('bk_../invitees', 'x', MARKER)
    expect(ran).toEqual(refused('booking_not_found'))
    expect(rig.fake.requests).toEqual([])
  })
})

describe('a Calendly cancellation in doubt', () => {
  test.each<[string, Fault]>([
    ['a reset', resetAfter],
    ['a 201 with garbage', garbageAfter(201)],
    ['a 504 that says it is cancelled', answerAfter(504, { message: 'Event is already canceled' })],
  ])('is unknown after %s, and found by its reference', async (_name, fault) => {
    rig.fake.fault('cancel', fault)
    expect(await cancel('Travelling')).toMatchObject({ is: 'unknown' })
    expect(await find()).toEqual({ is: 'ok', facts: {} })
  })

  test.each([
    'Travelling',
    `(ref ${MARKER}u)`,
    `(ref ${MARKER.slice(0, -1)}1)`,
    `ref ${MARKER}`,
    '(referral)',
  ])('is not ours where the reason is %j', async (reason) => {
    for (const by of ['host', 'invitee'] as const) {
      rig.fake.cancelOnPage(id, reason, by)
      expect(await find()).toEqual(NOT_ACTIVE)
    }
  })

  test.each([null, '', ' '])(
    'is not ours where the invitee cancelled with the reason %j',
    async (reason) => {
      rig.fake.cancelOnPage(id, reason, 'invitee')
      expect(await find()).toEqual(NOT_ACTIVE)
    },
  )

  test.each([null, undefined, '', '  ', '…', '...', 17, {}])(
    'is never called someone else’s where the host cancelled with the reason %j',
    async (reason) => {
      rig.fake.fault('cancel', resetAfter)
      expect(await cancel('Travelling')).toMatchObject({ is: 'unknown' })
      reads({ reason })
      expect(await find()).toMatchObject({ is: 'unknown' })
    },
  )

  it('is ours or unknown wherever its reason is cut', async () => {
    rig.fake.fault('cancel', resetAfter)
    await cancel('Travelling')
    const whole = cancellation()!.reason!
    for (let length = 0; length <= whole.length; length += 1) {
      for (const mark of ['', ' ', '…', ' …', '...']) {
        cancellation()!.reason = whole.slice(0, length) + mark
        const isOurs = length >= `(ref ${MARKER})`.length
        expect(await find()).toEqual(isOurs ? { is: 'ok', facts: {} } : { is: 'unknown' })
      }
    }
  })

  test.each(['host', 'invitee', null, undefined, 'robot', 17])(
    'is ours by its reference, no matter who is said to have cancelled (%j)',
    async (canceler_type) => {
      rig.fake.cancelOnPage(id, `(ref\u00a0${MARKER})  Travelling`)
      reads({ canceler_type })
      expect(await find()).toEqual({ is: 'ok', facts: {} })
    },
  )

  test.each([null, undefined, 'robot', 17])(
    'without a reason by %j is unknown',
    async (canceler_type) => {
      rig.fake.cancelOnPage(id, null)
      reads({ canceler_type })
      expect(await find()).toMatchObject({ is: 'unknown' })
    },
  )

  it('stays unknown if the event does not exist any more', async () => {
    rig.fake.state.events = []
    expect(await find()).toMatchObject({ is: 'unknown' })
  })

  test.each<[string, Fault]>([
    ['a reset', resetBefore],
    ['a 401', answerBefore(401)],
  ])('is not decided if the lookup meets %s', async (_name, fault) => {
    rig.fake.fault('event', fault)
    expect((await find()).is).toBe('busy')
  })
})

describe('a Calendly cancellation is refused', () => {
  it('because the booking is over', async () => {
    rig.pass(3 * HOUR)
    expect(await cancel()).toEqual(NOT_ACTIVE)
  })
})
