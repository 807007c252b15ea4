import { beforeEach, describe, expect, test } from 'vitest'

import { practice } from '../support/fake-host.ts'
import { answerAfter, resetAfter } from '../support/fakes/http.ts'
import { type CalendlyRig, slotAt, startCalendly } from './calendly-rig.ts'
import { iso, practiceAt } from './practice-at.ts'

const JANE = { email: 'jane@client.example', name: 'Jane Canarybird', timezone: 'America/New_York' }

let world: ReturnType<typeof practice>
let rig: CalendlyRig
let changes: ReturnType<typeof practiceAt>
/** The whole flow of a change, from its preview to its last lookup, with Calendly behind it. */
beforeEach(async () => {
  world = practice()
  rig = await startCalendly({}, { now: world.now })
  rig.fake.state.now = world.now
  changes = practiceAt(rig.fake.eventType.id, { scheduling: rig.scheduling }, world)
})

const START = slotAt(8).start
const NEW_START = slotAt(12).start
const aBooking = () => changes.aBooking(START, JANE.email)
const aMove = () => changes.aMove(`bk_${rig.fake.bookOnPage(START, JANE)}`, NEW_START)
const active = () =>
  rig.fake.state.events
    .filter(({ status }) => status === 'active')
    .map(({ start, end }) => ({ start, end }))
const minutes = (many: number) => many * 60_000

describe('a consult whose length changed after its preview', () => {
  test('is not booked: the commit names the end that changed', async () => {
    const booking = aBooking()
    expect(await booking.preview()).toMatchObject({
      body: { summary: expect.stringContaining('30-minute') as string },
    })
    rig.fake.eventType.duration = 60
    world.pass(minutes(0.5))
    expect(await booking.commit()).toMatchObject({
      code: 'preview_stale',
      refusal: {
        effect: 'none',
        changes: [
          {
            field: 'end_time',
            was: iso(START + minutes(30)).replace('.000', ''),
            now: iso(START + minutes(60)).replace('.000', ''),
          },
        ],
      },
    })
    expect(active()).toEqual([])
  })

  test('is not moved either', async () => {
    const move = aMove()
    await move.preview()
    rig.fake.eventType.duration = 60
    expect(await move.commit()).toMatchObject({
      code: 'preview_stale',
      refusal: { effect: 'none' },
    })
    expect(active()).toEqual([{ start: START, end: START + minutes(30) }])
  })
})

describe('a move whose cancellation lost its answer', () => {
  test.each([null, undefined, '(ref id00'])(
    'and whose reason then reads %j is in doubt, not refused',
    async (reason) => {
      const move = aMove()
      await move.preview()
      rig.fake.fault('cancel', resetAfter)
      expect(await move.commit()).toMatchObject({ code: 'outcome_unknown' })
      const { cancellation } = rig.fake.state.events[0]!
      rig.fake.distort('event', (body) => {
        const { resource } = body as { resource: object }
        return { resource: { ...resource, cancellation: { ...cancellation, reason } } }
      })
      expect(await move.commit()).toMatchObject({
        code: 'outcome_unknown',
        refusal: { effect: 'unknown' },
      })
      rig.fake.distort('event')
      await move.ring()
      expect(await move.commit()).toMatchObject({ status: 'committed' })
      expect(active()).toEqual([{ start: NEW_START, end: NEW_START + minutes(30) }])
    },
  )
})

describe('a change that is delivered twice', () => {
  test.each(['cancel', 'book'] as const)(
    'makes one move, whichever step it was (%s)',
    async (route) => {
      const move = aMove()
      await move.preview()
      const answers = {
        cancel: answerAfter(403, {
          title: 'Permission Denied',
          message: 'Event is already canceled',
        }),
        book: answerAfter(400, {
          title: 'Invalid Argument',
          message: 'no',
          details: [{ code: 'already_filled' }],
        }),
      }
      rig.fake.fault(route, answers[route])
      expect(await move.commit()).toMatchObject({ status: 'committed' })
      expect(active()).toEqual([{ start: NEW_START, end: NEW_START + minutes(30) }])
    },
  )
})
