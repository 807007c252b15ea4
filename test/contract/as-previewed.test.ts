import { describe, expect, it, test } from 'vitest'

import type { Facts } from '../../src/core/domain/facts.ts'
import { HOUR, MINUTE } from '../../src/core/domain/time/duration.ts'
import { isoUtc } from '../../src/core/domain/time/time.ts'
import type { Scheduling } from '../../src/core/ports/scheduling.ts'
import { getBooking } from '../../src/practice/operations/get-booking.ts'
import { practice } from '../support/fake-host.ts'
import type { FakeBooking } from '../support/fakes/calcom-bodies.ts'
import { type Reply, callerOf } from '../unit/core/confirm/caller.ts'
import { startCalcom } from './calcom-rig.ts'
import { slotAt, startCalendly } from './calendly-rig.ts'
import { practiceAt } from './practice-at.ts'

const JANE = { email: 'jane@client.example', name: 'Jane Canarybird' }
const AT = slotAt(4).start
const OTHER = slotAt(6).start

const resultOf = (said: Reply) =>
  (said.is === 'answer' ? said.body['result'] : undefined) as { booking_id: string }

/** A provider that does something else than it was asked. */
function insteadOf(scheduling: Scheduling, facts: Facts): Scheduling {
  const altered: Scheduling['book'] = async (request, marker) => {
    const ran = await scheduling.book(request, marker)
    return ran.is === 'ok' ? { ...ran, facts: { ...ran.facts, ...facts } } : ran
  }
  const { reschedule } = scheduling
  return {
    ...scheduling,
    book: altered,
    ...(reschedule && {
      reschedule: {
        ...reschedule,
        async execute(request, marker) {
          const ran = await reschedule.execute(request, marker)
          return ran.is === 'ok' ? { ...ran, facts: { ...ran.facts, ...facts } } : ran
        },
      },
    }),
  }
}

const providers = { calendly: startCalendly, calcom: startCalcom }

async function at(provider: keyof typeof providers, facts: Facts = {}, compared = true) {
  const world = practice()
  const rig = await (provider === 'calendly'
    ? startCalendly({ now: world.now }, { now: world.now })
    : startCalcom({ now: world.now }, { now: world.now }, { compared }))
  const id = String(rig.fake.eventType.id)
  const changes = practiceAt(id, { scheduling: insteadOf(rig.scheduling, facts) }, world)
  const bookOnPage = () => {
    if ('eventType' in rig) return `bk_${rig.fake.bookOnPage(AT, { ...JANE, timeZone: 'UTC' }).uid}`
    return `bk_${rig.fake.bookOnPage(AT, { ...JANE, timezone: 'UTC' })}`
  }
  return { ...changes, rig, bookOnPage, fake: rig.fake }
}

const shifted = (ms: number, length = 30 * MINUTE): Facts => ({
  start_time: isoUtc(AT + ms),
  end_time: isoUtc(AT + ms + length),
})

describe.each(['calendly', 'calcom'] as const)('a booking at %s', (provider) => {
  test.each<[string, Facts, string[], RegExp]>([
    ['an hour later', shifted(HOUR), ['start_time', 'end_time'], /it was to begin on/],
    ['an hour earlier', shifted(-HOUR), ['start_time', 'end_time'], /it was to begin on/],
    ['a day later', shifted(24 * HOUR), ['start_time', 'end_time'], /it was to begin on/],
    ['a minute later', shifted(MINUTE), ['start_time', 'end_time'], /it was to begin on/],
    ['longer', shifted(0, HOUR), ['end_time'], /60 minutes instead of 30/],
    [
      'of another kind',
      { event_type_id: 'other' },
      ['event_type'],
      /its kind is other instead of consult/,
    ],
  ])('that the provider makes %s says so everywhere', async (_what, facts, differs, words) => {
    const { aBooking, world } = await at(provider, facts)
    const booking = aBooking(AT, JANE.email)
    await booking.preview()
    const committed = await booking.commit()
    expect(committed).toMatchObject({
      status: 'committed',
      body: { differs_from_preview: differs, summary: expect.stringMatching(words) as string },
    })
    expect(await booking.commit()).toMatchObject({ body: { differs_from_preview: differs } })
    await world.idle()
    expect(JSON.stringify(world.puts)).toContain(
      `"differs_from_preview":${JSON.stringify(differs)}`,
    )
    expect(JSON.stringify(world.auditLog())).toContain(
      `"differs_from_preview":"${differs.join(', ')}"`,
    )
    const booking_id = resultOf(committed).booking_id
    const read = await getBooking.run({ booking_id, timezone: undefined }, await world.ports())
    expect(read.booking).toMatchObject({ differs_from_preview: differs })
    expect(getBooking.text?.({ ...read, mode: 'live' } as never, String)).toContain(
      `Its preview showed something else for: ${differs.join(', ')}.`,
    )
  })

  test('that is as it was shown says nothing of it', async () => {
    const { aBooking, world } = await at(provider)
    const booking = aBooking(AT, JANE.email)
    await booking.preview()
    const committed = await booking.commit()
    await world.idle()
    expect(committed).toMatchObject({ status: 'committed' })
    expect(JSON.stringify([committed, world.puts, world.auditLog()])).not.toContain('differs')
  })

  test('that is moved to another time than was shown says so', async () => {
    const facts = { start_time: isoUtc(OTHER + HOUR), end_time: isoUtc(OTHER + 90 * MINUTE) }
    const { aMove, bookOnPage } = await at(provider, facts)
    const move = aMove(bookOnPage(), OTHER)
    await move.preview()
    expect(await move.commit()).toMatchObject({
      status: 'committed',
      body: {
        differs_from_preview: ['start_time', 'end_time'],
        summary: expect.stringMatching(/This is not what the preview showed/) as string,
      },
    })
  })
})

test.each(['booked', 'moved'])(
  'a consult of Calendly whose length changed since its preview is not %s',
  async (what) => {
    const { aBooking, aMove, bookOnPage, fake, world } = await at('calendly')
    const [change, start] =
      what === 'booked' ? [aBooking(AT, JANE.email), AT] : [aMove(bookOnPage(), OTHER), OTHER]
    await change.preview()
    Object.assign(fake.eventType, { duration: 60 })
    world.pass(MINUTE / 2)
    const ends = { was: isoUtc(start + 30 * MINUTE), now: isoUtc(start + HOUR) }
    expect(await change.commit()).toMatchObject({
      code: 'preview_stale',
      refusal: {
        effect: 'none',
        changes: expect.arrayContaining([{ field: 'end_time', ...ends }]) as object,
      },
    })
    expect(fake.requests.filter(({ method }) => method === 'POST')).toEqual([])
  },
)

describe('what the kind of consult will do', () => {
  const previewed = async (change: object) => {
    const { fake, aBooking, aMove, bookOnPage } = await at('calcom', {}, false)
    const id = bookOnPage()
    Object.assign(fake.eventType, change)
    const bodyOf = async (caller: ReturnType<typeof aBooking>) => {
      const reply = await caller.preview()
      return (reply as unknown as { body: { summary: string; warnings: string[] } }).body
    }
    // In two and a half hours.
    const booking = await bodyOf(aBooking(slotAt(7).start, JANE.email))
    return { booking, move: await bodyOf(aMove(id, OTHER)) }
  }
  const ACCEPT = /^The practice has to accept this consult/

  it.each([
    ['always', { type: 'always', blockUnconfirmedBookingsInBooker: true }, true],
    ['soon', { type: 'time', noticeThreshold: { unit: 'hours', count: 48 } }, true],
    ['soon, in whole hours', { type: 'time', noticeThreshold: { unit: 'hours', count: 2 } }, true],
    ['soon, but later', { type: 'time', noticeThreshold: { unit: 'minutes', count: 1 } }, false],
    ['in a way not known', { type: 'by-post' }, true],
    ['never', { disabled: true }, false],
    ['never, by null', null, false],
  ])('is said where the practice accepts bookings %s', async (_what, confirmationPolicy, asks) => {
    const { booking } = await previewed({ confirms: false, confirmationPolicy })
    expect(booking.warnings.some((one) => ACCEPT.test(one))).toBe(asks)
    expect(booking.summary).toMatch(
      asks ? /^Ask for a .*; the practice has to accept it\.$/ : /^Book a /,
    )
  })

  it.each([
    [{ disabled: true }, [/not allow .* moved once it is booked/], [/provider may refuse/]],
    [
      { disabled: false, minutesBefore: 1440 },
      [/moved less than 1 day before/],
      [/less than 1 day/],
    ],
    [{ disabled: false, minutesBefore: 1 }, [/less than 1 minute before/], []],
    [{ disabled: false }, [], []],
    [null, [], []],
    [{ disabled: 'yes', minutesBefore: -5 }, [], []],
  ])('is said where it cannot be moved: %j', async (disableRescheduling, before, now) => {
    const { booking, move } = await previewed({ disableRescheduling })
    expect(booking.warnings.filter((one) => one.includes('moved'))).toEqual(
      before.map((words) => expect.stringMatching(words) as string),
    )
    expect(move.warnings.filter((one) => one.includes('to be moved'))).toEqual(
      now.map((words) => expect.stringMatching(words) as string),
    )
  })

  it.each([
    [undefined, false],
    ['jordan.other@example.com', true],
  ])('is said of a move that has to cancel first: to %s', async (invitee_email, warned) => {
    const { fake, world, bookOnPage } = await at('calcom', {}, false)
    Object.assign(fake.eventType, { disableCancelling: { disabled: true } })
    const to = { start_time: isoUtc(OTHER), ...(invitee_email && { invitee_email }) }
    const move = callerOf(world, 'reschedule_booking', { booking_id: bookOnPage(), ...to })
    expect(JSON.stringify(await move.preview()).includes('to be cancelled: the')).toBe(warned)
  })

  it.each([
    ['calcom', 'America/New_York', true],
    ['calcom', 'Atlantic/Reykjavik', false],
    ['calcom', undefined, false],
    ['calendly', 'America/New_York', false],
  ] as const)('is said of a move at %s that leaves another zone than %s: %s', async (...of) => {
    const [provider, timezone, warned] = of
    const { world, bookOnPage } = await at(provider, {}, false)
    const to = { start_time: isoUtc(OTHER), ...(timezone && { timezone }) }
    const move = callerOf(world, 'reschedule_booking', { booking_id: bookOnPage(), ...to })
    const text = JSON.stringify(await move.preview())
    expect(text.includes('its messages say the time in UTC')).toBe(warned)
  })

  it.each([
    [5000, true],
    [0, false],
  ])('is said of a cancellation where the calendar charges: %i', async (price, warned) => {
    const { fake, world, bookOnPage } = await at('calcom', {}, false)
    Object.assign(fake.eventType, { price })
    const cancel = callerOf(world, 'cancel_booking', { booking_id: bookOnPage() })
    expect(JSON.stringify(await cancel.preview()).includes('may pay money back')).toBe(warned)
  })

  it.each([
    ['jordan.doe+tax@example.com', false],
    ["o'brien_2@mail.example.co.uk", false],
    ['jordan&casey@example.com', true],
    ['a/r=office@example.com', true],
    ['jordan!doe@example.com', true],
    ['jordan@example.xn--p1ai', true],
  ])('is said where Cal.com takes no such address: %s', async (address, warned) => {
    const { fake, world, aBooking, bookOnPage } = await at('calcom', {}, false)
    const move = { booking_id: bookOnPage(), start_time: isoUtc(OTHER), invitee_email: address }
    const MAY_REFUSE = 'The scheduling provider may refuse this email address'
    for (const caller of [aBooking(OTHER, address), callerOf(world, 'reschedule_booking', move)]) {
      const text = JSON.stringify(await caller.preview())
      expect(text.includes(MAY_REFUSE)).toBe(warned)
      expect(text).not.toContain(address)
    }
    expect(fake.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it.each([
    ['book_consult', { start_time: isoUtc(OTHER), timezone: 'America/New_York' }, 'invitee_email'],
    ['create_client_profile', { entity_type: 'llc', display_name: 'Doe LLC' }, 'contact_email'],
  ])('%s is told of an address that seems mistyped', async (operation, fields, field) => {
    const { world } = await at('calendly', {}, false)
    const previewOf = (address: string) =>
      callerOf(world, operation, { ...fields, [field]: address }).preview()
    const MISTYPED = 'is nearly hotmail.com: it may be mistyped'
    expect(JSON.stringify(await previewOf('dana.doe@hotmial.com'))).toContain(MISTYPED)
    expect(JSON.stringify(await previewOf('dana.doe@hotmail.com'))).not.toContain('mistyped')
  })

  it('is pinned: a practice that begins to accept bookings by hand makes a preview stale', async () => {
    const { fake, aBooking } = await at('calcom')
    const booking = aBooking(AT, JANE.email)
    await booking.preview()
    Object.assign(fake.eventType, { confirmationPolicy: { type: 'always' } })
    expect(await booking.commit()).toMatchObject({
      code: 'preview_stale',
      refusal: { changes: [{ field: 'needs_acceptance', was: false, now: true }] },
    })
  })
})

describe('a cancellation', () => {
  const previewed = async () => {
    const { world, rig, bookOnPage } = await at('calcom', {}, false)
    const booking_id = bookOnPage()
    const cancellation = callerOf(world, 'cancel_booking', { booking_id })
    expect(await cancellation.preview()).toMatchObject({ is: 'answer' })
    if (!('eventType' in rig)) throw new Error('a rig of Cal.com')
    const { state, eventType } = rig.fake
    state.eventTypes.push({ ...eventType, id: eventType.id + 1 })
    return { cancellation, made: rig.fake.state.bookings[0]!, fake: rig.fake }
  }

  test.each<[string, (made: FakeBooking) => void, string]>([
    ['time', (made) => void (made.start += HOUR / 4), 'old_start_time'],
    ['length', (made) => void (made.end += HOUR), 'old_end_time'],
    ['state', (made) => void (made.status = 'pending'), 'old_state'],
    ['kind', (made) => void (made.eventTypeId += 1), 'event_type_id'],
    ['address', (made) => void (made.attendees[0]!.email = 'other@b.org'), 'invitee_email'],
    ['name', (made) => void (made.attendees[0]!.name = 'Someone Else'), 'invitee_name'],
  ])('is not made once the %s of its booking is another one', async (_what, change, field) => {
    const { cancellation, made, fake } = await previewed()
    change(made)
    expect(await cancellation.commit()).toMatchObject({
      code: 'preview_stale',
      refusal: { changes: expect.arrayContaining([expect.objectContaining({ field })]) as object },
    })
    expect(fake.requests.filter(({ path }) => path.endsWith('/cancel'))).toEqual([])
  })
})
