import { describe, expect, test } from 'vitest'

import { practice } from '../support/fake-host.ts'
import { type Fault, answerBefore, tooMany } from '../support/fakes/http.ts'
import { callerOf } from '../unit/core/confirm/caller.ts'
import { JANE, slotAt, startCalendly } from './calendly-rig.ts'
import { practiceAt } from './practice-at.ts'

const OLD = slotAt(4).start
const NEW = slotAt(6).start

/** A practice at Calendly, where the old time has to be given up before the new one is booked. */
async function calendly() {
  const world = practice()
  const rig = await startCalendly({ now: world.now }, { now: world.now })
  const { fake } = rig
  const changes = practiceAt(fake.eventType.id, { scheduling: rig.scheduling }, world)
  const onPage = (start: number) => `bk_${fake.bookOnPage(start, JANE)}`
  const active = () => fake.state.events.filter(({ status }) => status === 'active')
  const cancelled = () => fake.requests.filter(({ path }) => path.endsWith('/cancellation')).length
  /** A move that is previewed, whose new time is turned away so often. */
  async function turnedAway(fault: Fault, times?: number) {
    const move = changes.aMove(onPage(OLD), NEW)
    await move.preview()
    fake.fault('book', fault, times)
    return move
  }
  return { world, fake, changes, onPage, active, cancelled, turnedAway }
}

const invalid = (parameter: string, message = 'is invalid'): Fault =>
  answerBefore(400, {
    title: 'Invalid Argument',
    message: 'The supplied parameters are invalid.',
    details: [{ parameter, message }],
  })

describe('a move whose old time is given up, and whose new time is turned away', () => {
  test.each<[string, Fault]>([
    ['by the limit of a minute', tooMany({ 'X-RateLimit-Reset': '40' })],
    ['by the limit of a day', tooMany({ 'X-RateLimit-Reset': '21600' })],
    ['by a limit without a wait', tooMany({})],
    [
      'by a plan',
      answerBefore(403, { title: '', message: 'Please upgrade to a paid Calendly account.' }),
    ],
    ['by a token that is revoked', answerBefore(401, { title: 'Unauthenticated', message: 'no' })],
    ['by a firewall', answerBefore(403, '<html>')],
  ])('%s, alerts the owner at once and once, and is booked later', async (_what, fault) => {
    const { world, active, turnedAway } = await calendly()
    const move = await turnedAway(fault, 2)
    expect(await move.commit()).toMatchObject({
      code: 'outcome_unknown',
      refusal: { detail: expect.stringMatching(/first part .* owner .* is alerted/) as string },
    })
    await world.idle()
    expect(world.alerted).toEqual(['reschedule_booking'])
    await move.ring()
    expect([world.alerted.length, world.calmed]).toEqual([1, 0])
    // Where the wait is long, an alarm that only delivers comes before the next try.
    for (let rings = 0; rings < 3 && active().length === 0; rings += 1) await move.ring()
    expect(active()).toMatchObject([{ start: NEW }])
    expect(world.calmed).toBe(1)
    expect(await move.commit()).toMatchObject({ status: 'committed' })
  })

  test('is alerted to again until the alert arrives', async () => {
    const { world, turnedAway } = await calendly()
    const move = await turnedAway(tooMany({}), 2)
    world.tellingFails = true
    await move.commit()
    await world.idle()
    expect(world.alerted).toEqual([])
    world.tellingFails = false
    await move.ring()
    expect(world.alerted).toEqual(['reschedule_booking'])
  })

  test.each([
    ['invitee.text_reminder_number', '/phone'],
    ['invitee.email', '/invitee_email'],
    ['invitee.timezone', '/timezone'],
    ['questions_and_answers[0].answer', '/answers'],
    ['invitee.name', '/invitee_name'],
  ])('for %s, has its old time again, and the field is named', async (parameter, pointer) => {
    const { world, active, turnedAway } = await calendly()
    const move = await turnedAway(invalid(parameter))
    expect(await move.commit()).toMatchObject({
      code: 'reschedule_restored',
      refusal: {
        effect: 'partial',
        errors: [{ pointer }],
        detail: expect.stringMatching(/booked again.* did not accept what errors lists/) as string,
      },
    })
    expect(active()).toMatchObject([{ start: OLD }])
    expect(world.alerted).toEqual([])
  })

  test('and whose old time is refused for the same field, says that nothing is booked and alerts', async () => {
    const { world, active, turnedAway } = await calendly()
    const move = await turnedAway(invalid('invitee.email', 'domain is not allowed'), 2)
    expect(await move.commit()).toMatchObject({
      code: 'partially_applied',
      refusal: { errors: [{ pointer: '/invitee_email' }] },
    })
    expect(active()).toEqual([])
    await world.idle()
    expect(world.alerted).toEqual(['reschedule_booking'])
    await move.ring()
    expect(world.alerted).toHaveLength(1)
  })

  test('and that ends so after it was alerted to, is not alerted to again', async () => {
    const { world, fake, active, turnedAway } = await calendly()
    const move = await turnedAway(tooMany({}))
    await move.commit()
    await world.idle()
    expect(world.alerted).toHaveLength(1)
    fake.fault('book', invalid('invitee.email', 'domain is not allowed'), 2)
    expect(await move.commit()).toMatchObject({ code: 'partially_applied' })
    await world.idle()
    expect(active()).toEqual([])
    expect(world.alerted).toHaveLength(1)
  })

  test('and whose alert fails, keeps it until it arrives', async () => {
    const { world, turnedAway } = await calendly()
    const move = await turnedAway(invalid('invitee.email', 'domain is not allowed'), 2)
    world.tellingFails = true
    await move.commit()
    await world.idle()
    await move.ring()
    expect(world.alerted).toEqual([])
    world.tellingFails = false
    await move.ring()
    expect(world.alerted).toEqual(['reschedule_booking'])
    expect((await move.record())?.outbox).toBeUndefined()
  })
})

describe('where the calendar has just said that its limit of bookings is reached', () => {
  test.each<[string, Fault, number]>([
    ['by refusing one', tooMany({ 'X-RateLimit-Reset': '300' }), 300],
    ['with the last one that it took', { after: lastOne('120') }, 120],
    ['with no wait', tooMany({}), 60],
  ])('%s, a move gives up nothing until the limit is over', async (_what, fault, seconds) => {
    const { world, fake, changes, onPage, active, cancelled } = await calendly()
    const move = changes.aMove(onPage(OLD), NEW)
    await move.preview()
    const other = changes.aBooking(slotAt(8).start, 'other@example.com')
    await other.preview()
    fake.fault('book', fault)
    await other.commit()
    expect(await move.commit()).toMatchObject({
      code: 'provider_busy',
      refusal: { effect: 'none', retry_after_seconds: seconds },
    })
    expect(cancelled()).toBe(0)
    world.pass(seconds * 1000)
    expect(await move.commit()).toMatchObject({ status: 'committed' })
    expect(active()).toContainEqual(expect.objectContaining({ start: NEW }))
  })

  test('an outage in between does not make it forgotten', async () => {
    const { fake, changes, onPage, cancelled } = await calendly()
    const move = changes.aMove(onPage(OLD), NEW)
    const [one, other] = [8, 10].map((index) => changes.aBooking(slotAt(index).start, JANE.email))
    await Promise.all([move.preview(), one!.preview(), other!.preview()])
    fake.fault('book', tooMany({ 'X-RateLimit-Reset': '300' }))
    fake.fault('book', answerBefore(503, '<html>'))
    await one!.commit()
    await other!.commit()
    expect(await move.commit()).toMatchObject({ code: 'provider_busy' })
    expect(cancelled()).toBe(0)
  })

  test('a cancellation alone is made all the same', async () => {
    const { fake, changes, onPage, cancelled, world } = await calendly()
    const other = changes.aBooking(slotAt(8).start, 'other@example.com')
    await other.preview()
    fake.fault('book', tooMany({ 'X-RateLimit-Reset': '300' }))
    await other.commit()
    const id = onPage(OLD)

    const cancel = callerOf(world, 'cancel_booking', { booking_id: id })
    await cancel.preview()
    expect(await cancel.commit()).toMatchObject({ status: 'committed' })
    expect(cancelled()).toBe(1)
  })
})

/** A success beside which the provider says that it was the last one for now. */
function lastOne(reset: string) {
  return {
    status: 500,
    body: '',
    headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': reset },
  }
}
