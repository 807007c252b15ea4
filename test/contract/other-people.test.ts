import { describe, expect, test } from 'vitest'

import type { AppliedRules } from '../../src/core/domain/rules/house-rules.ts'
import { practice } from '../support/fake-host.ts'
import { customField, defaultFields } from '../support/fakes/calcom-bodies.ts'
import { answerBefore, resetAfter } from '../support/fakes/http.ts'
import { callerOf, personApproves, replace } from '../unit/core/confirm/caller.ts'
import { startCalcom } from './calcom-rig.ts'
import { slotAt, startCalendly } from './calendly-rig.ts'
import { practiceAt } from './practice-at.ts'

const OLD = slotAt(4).start
const NEW = slotAt(6).start
const JANE = { email: 'jane@client.example', name: 'Jane Doe', timezone: 'UTC' }
/** Whose addresses may stand nowhere but at the provider. */
const GUESTS = ['Zeb@guest-canary.example', 'ann@guest-canary.example']
const CANARIES = /guest-canary/i

const TO_NEW = { start_time: new Date(NEW).toISOString() }

const bodyOf = (reply: unknown) => (reply as { body: Record<string, unknown> }).body
const warningsIn = (reply: unknown) => (bodyOf(reply)['warnings'] as string[]).join('\n')

async function calendly(guests: string[] = GUESTS, rules: AppliedRules[] = []) {
  const world = practice()
  world.rules = rules
  const rig = await startCalendly({ now: world.now }, { now: world.now })
  const { fake } = rig
  const changes = practiceAt(fake.eventType.id, { scheduling: rig.scheduling }, world)
  const id = `bk_${fake.bookOnPage(OLD, JANE)}`
  const event = fake.state.events[0]!
  event.guests = guests
  const active = () => fake.state.events.filter(({ status }) => status === 'active')
  const kept = async (...replies: unknown[]) =>
    expect(
      JSON.stringify([replies, world.puts, await move.record(), world.auditLog()]),
    ).not.toMatch(CANARIES)
  const move = changes.aMove(id, NEW)
  return { world, fake, event, move, active, kept, id }
}

describe('a Calendly booking of several people', () => {
  test.each([
    GUESTS,
    GUESTS.slice(0, 1),
    Array.from({ length: 10 }, (_, at) => `g${at}@x.example`),
  ])('is moved with all of them: %j', async (...guests) => {
    const { world, move, active, kept } = await calendly(guests)
    const preview = await move.preview()
    expect(preview).toMatchObject({ body: { preview: { other_people: guests.length } } })
    expect(warningsIn(preview)).toMatch(/new booking is made with .* other .*, too/)
    const commit = await move.commit()
    expect(commit).toMatchObject({ body: { result: { other_people: guests.length } } })
    expect(bodyOf(commit)).not.toHaveProperty('differs_from_preview')
    expect(active()).toMatchObject([{ start: NEW, guests }])
    await world.idle()
    await kept(preview, commit)
  })

  test('keeps them where an alarm books the new time, and where the old time is booked again', async () => {
    const late = await calendly()
    await late.move.preview()
    late.fake.fault('cancel', resetAfter)
    await late.move.commit()
    await late.move.ring()
    expect(late.active()).toMatchObject([{ start: NEW, guests: GUESTS }])
    const back = await calendly()
    await back.move.preview()
    back.fake.bookOnPage(NEW, { ...JANE, email: 'first@example.com' })
    replace(back.world, 'scheduling', () => ({ slots: () => Promise.resolve([slotAt(6)]) }))
    expect(await back.move.commit()).toMatchObject({ code: 'reschedule_restored' })
    expect(back.active()).toContainEqual(expect.objectContaining({ start: OLD, guests: GUESTS }))
  })

  test('says so where the old time is booked again without them', async () => {
    const { world, fake, event, move, active } = await calendly()
    await move.preview()
    fake.bookOnPage(NEW, { ...JANE, email: 'first@example.com' })
    const { cancel } = (await world.ports()).scheduling
    replace(world, 'scheduling', () => ({
      slots: () => Promise.resolve([slotAt(6)]),
      cancel: async (...given: Parameters<typeof cancel>) => {
        event.guests = []
        return cancel(...given)
      },
    }))
    expect(await move.commit()).toMatchObject({
      code: 'reschedule_restored',
      refusal: {
        detail: expect.stringMatching(/booked again.* 2 of the 2 other people/) as string,
      },
    })
    expect(active()).toContainEqual(expect.objectContaining({ start: OLD, guests: [] }))
  })

  test.each<[string, string[] | undefined]>([
    ['one more', [...GUESTS, 'new@x.example']],
    ['another one', [GUESTS[0]!, 'new@x.example']],
    ['none any more', []],
  ])('is not moved as shown once it has %s', async (_what, guests) => {
    const { event, move, active } = await calendly()
    await move.preview()
    event.guests = guests ?? []
    const commit = await move.commit()
    expect(commit).toMatchObject({ code: 'preview_stale' })
    expect(JSON.stringify(commit)).not.toMatch(CANARIES)
    expect(active()).toMatchObject([{ start: OLD }])
  })

  test('is the same in any order and case', async () => {
    const { event, move } = await calendly()
    await move.preview()
    event.guests = GUESTS.map((one) => one.toLowerCase()).toReversed()
    expect(await move.commit()).toMatchObject({ status: 'committed' })
  })

  test.each([
    ['cannot be read again', undefined],
    ['are refused by their field', { parameter: 'event_guests[0].email', message: 'is invalid' }],
    ['are refused in words', { parameter: '', message: 'Event guests are not allowed' }],
  ])('is moved without them where they %s, and the answer says so', async (_why, refused) => {
    const { fake, event, move, active, world, kept } = await calendly()
    await move.preview()
    if (refused) {
      const details = [refused]
      fake.fault('book', answerBefore(400, { title: 'Invalid Argument', message: '', details }))
    } else {
      fake.fault('cancel', { after: { waitMs: 0 } })
      const { cancel } = (await world.ports()).scheduling
      replace(world, 'scheduling', () => ({
        cancel: async (...given: Parameters<typeof cancel>) => {
          event.guests = []
          return cancel(...given)
        },
      }))
    }
    const commit = await move.commit()
    expect(commit).toMatchObject({
      body: {
        result: { other_people: 0 },
        differs_from_preview: ['other_people'],
        summary: expect.stringMatching(/2 of the 2 other people .* could not be booked/) as string,
      },
    })
    expect(active()).toMatchObject([{ start: NEW }])
    await kept(commit)
  })

  test('is moved without the one whose address Calendly does not give, and says so before', async () => {
    const { move, active } = await calendly(['', ...GUESTS])
    const preview = await move.preview()
    expect(preview).toMatchObject({ body: { preview: { other_people: 3 } } })
    expect(warningsIn(preview)).toMatch(
      /with 2 other people, too.*\n1 of the other people .* cannot/,
    )
    expect(await move.commit()).toMatchObject({ body: { result: { other_people: 2 } } })
    expect(active()).toMatchObject([{ start: NEW, guests: GUESTS }])
  })

  test('is cancelled after its preview has said how many it is of', async () => {
    const { world, id } = await calendly()
    const cancel = callerOf(world, 'cancel_booking', { booking_id: id })
    const preview = await cancel.preview()
    expect(preview).toMatchObject({ body: { preview: { other_people: 2 } } })
    expect(warningsIn(preview)).toContain('2 other people are on this booking and are told, too.')
    expect(await cancel.commit()).toMatchObject({ status: 'committed' })
  })

  test('of one person says nothing of others', async () => {
    const { move } = await calendly([])
    const preview = await move.preview()
    expect(bodyOf(preview)['preview']).not.toHaveProperty('other_people')
    expect(warningsIn(preview)).not.toMatch(/other/)
  })
})

async function calcom(change: (rig: Awaited<ReturnType<typeof startCalcom>>) => void = () => {}) {
  const world = practice()
  const rig = await startCalcom({ now: world.now }, { now: world.now }, { compared: false })
  const { fake } = rig
  change(rig)
  const { aMove, aBooking } = practiceAt(rig.eventType.id, { scheduling: rig.scheduling }, world)
  const who = { name: JANE.name, email: JANE.email, timeZone: 'UTC' }
  const booking = fake.bookOnPage(OLD, who)
  const id = `bk_${booking.uid}`
  return { world, rig, fake, booking, who, id, aMove: () => aMove(id, NEW), aBooking }
}

describe('a Cal.com booking of several people', () => {
  test('says how many in a move and a cancellation, and goes along to another address', async () => {
    const { world, fake, booking, who, id, aMove } = await calcom()
    booking.attendees = [who, ...GUESTS.map((email) => ({ ...who, name: 'G', email }))]
    const moved = await aMove().preview()
    expect(moved).toMatchObject({ body: { preview: { other_people: 2 } } })
    expect(warningsIn(moved)).toContain('2 other people are on this booking and are told, too.')
    const cancel = callerOf(world, 'cancel_booking', { booking_id: id })
    expect(warningsIn(await cancel.preview())).toContain('2 other people')
    const another = callerOf(world, 'reschedule_booking', {
      booking_id: id,
      ...TO_NEW,
      invitee_email: 'jane.new@client.example',
    })
    await another.preview()
    const commit = await another.commit()
    expect(commit).toMatchObject({ body: { result: { other_people: 2 } } })
    expect(fake.state.bookings.at(-1)?.attendees.map(({ email }) => email)).toEqual([
      'jane.new@client.example',
      ...GUESTS,
    ])
    expect(JSON.stringify([moved, commit, world.puts])).not.toMatch(CANARIES)
  })

  test('of several hosts counts and takes along whom people added, and no host', async () => {
    const { world, fake, id, booking, who } = await calcom(({ fake }) => {
      fake.eventType.schedulingType = 'collective'
    })
    const move = { booking_id: id, ...TO_NEW, invitee_email: 'jane.new@client.example' }
    const preview = await callerOf(world, 'reschedule_booking', move).preview()
    expect(bodyOf(preview)['preview']).not.toHaveProperty('other_people')
    expect(warningsIn(preview)).not.toMatch(/other pe|stays? behind/)
    booking.attendees.push({ ...who, name: '', email: GUESTS[0]! })
    booking.guests = GUESTS.slice(0, 1)
    const another = callerOf(world, 'reschedule_booking', move)
    await another.preview()
    const commit = await another.commit()
    expect(commit).toMatchObject({ body: { result: { other_people: 1 } } })
    expect(bodyOf(commit)).not.toHaveProperty('differs_from_preview')
    const sent = fake.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)
    expect(sent.at(-1)).toMatchObject({ guests: GUESTS.slice(0, 1) })
  })

  test.each([
    [[], 1, 'one other person'],
    [GUESTS.slice(0, 1), 3, '2 other people'],
  ])('says who was added after the preview: %j and then %i', async (before, after, people) => {
    const { world, booking, who, aMove } = await calcom()
    const are = (guests: string[]) => {
      booking.attendees = [who, ...guests.map((email) => ({ ...who, name: 'G', email }))]
    }
    are(before)
    const move = aMove()
    await move.preview()
    const { reschedule } = (await world.ports()).scheduling
    replace(world, 'scheduling', () => ({
      reschedule: {
        ...reschedule!,
        async execute(...given: Parameters<NonNullable<typeof reschedule>['execute']>) {
          are(
            [...before, 'late.one@guest-canary.example', 'other@guest-canary.example'].slice(
              0,
              after,
            ),
          )
          return reschedule!.execute(...given)
        },
      },
    }))
    const commit = await move.commit()
    expect(commit).toMatchObject({
      body: {
        result: { other_people: after },
        differs_from_preview: ['other_people'],
        summary: expect.stringContaining(`also for ${people}, added since the preview`) as string,
      },
    })
    expect(JSON.stringify([commit, world.puts])).not.toMatch(CANARIES)
  })
})

describe('the length of a moved consult', () => {
  const withLengths = ({ fake }: Awaited<ReturnType<typeof startCalcom>>) => {
    fake.eventType.lengthInMinutesOptions = [15, 30, 60, 90]
  }

  test.each([
    [60, true],
    [15, true],
    [60, false],
  ])('of %i minutes stays, or the answer says so (%s)', async (was, keepsLength) => {
    const { booking, aMove } = await calcom((rig) => {
      withLengths(rig)
      rig.fake.state.keepsLength = keepsLength
    })
    booking.end = booking.start + was * 60_000
    const move = aMove()
    const preview = bodyOf(await move.preview())
    const { end_time } = preview['preview'] as { end_time: string }
    expect(Date.parse(end_time)).toBe(NEW + was * 60_000)
    expect(preview['summary']).toContain(`, for ${was} minutes as now, not the 30 of its kind`)
    const commit = bodyOf(await move.commit())
    expect(commit['differs_from_preview']).toEqual(keepsLength ? undefined : ['end_time'])
    expect(/for 30 minutes instead of 60/.test(String(commit['summary']))).toBe(!keepsLength)
  })

  test('is what the new time has to be free for, and the times that are offered for it', async () => {
    const { booking, fake, who, id, world } = await calcom(withLengths)
    booking.end = booking.start + 90 * 60_000
    fake.bookOnPage(NEW + 60 * 60_000, { ...who, email: 'other@example.com' })
    for (const sent of [{}, { invitee_email: who.email }]) {
      const fields = { booking_id: id, ...TO_NEW, ...sent }
      const refused = await callerOf(world, 'reschedule_booking', fields).preview()
      expect(refused).toMatchObject({ code: 'slot_unavailable' })
      const { free_slots } = (refused as { refusal: { free_slots: { start_time: string }[] } })
        .refusal
      const ends = free_slots.map(({ start_time }) => Date.parse(start_time) + 90 * 60_000)
      expect(ends).toHaveLength(3)
      expect(ends.every((end) => end <= NEW + 60 * 60_000 || end > NEW + 180 * 60_000)).toBe(true)
    }
  })

  test.each([
    [60, 'jane.new@client.example', {}],
    [15, 'jane.new@client.example', {}],
    // Cal.com moves no booking whose length its kind has no more.
    [45, undefined, {}],
    [60, undefined, { status: 'pending' as const }],
  ])(
    'of %i minutes is that of its kind where it is booked anew (%s %o)',
    async (was, invitee_email, changed) => {
      const { booking, id, world } = await calcom(withLengths)
      Object.assign(booking, changed)
      booking.end = booking.start + was * 60_000
      const fields = { booking_id: id, ...TO_NEW, ...(invitee_email && { invitee_email }) }
      const move = callerOf(world, 'reschedule_booking', fields)
      const preview = await move.preview()
      expect(bodyOf(preview)['summary']).toContain(`, for 30 minutes instead of ${was}`)
      expect(warningsIn(preview)).toContain(`takes ${was} minutes now, and 30 after`)
      expect(bodyOf(await move.commit())['summary']).toContain(`for 30 minutes instead of ${was}`)
    },
  )

  test('is not spoken of where it stays, nor is an address that Cal.com made of a number', async () => {
    const { aMove, booking } = await calcom()
    booking.attendees[0]!.email = '12025550147@sms.cal.com'
    const { summary } = bodyOf(await aMove().preview())
    expect(summary).toMatch(/^Move the consult of \*\*\* from (?!.*(instead|as now|1\*))/)
  })
})

test('a time at Cal.com is free in the days of the person, as when it is booked', async () => {
  const { world, aBooking, fake, who } = await calcom()
  fake.eventType.rollingDays = 1
  // In New York it is still the evening before.
  world.pass(Date.parse('2026-11-24T01:00:00Z') - world.now())
  const first = Date.parse('2026-11-24T16:00:00Z')
  expect(await aBooking(first + 86_400_000, 'new@client.example').preview()).toMatchObject({
    code: 'slot_unavailable',
    refusal: { free_slots: [{}, {}, { start_time: '2026-11-24T12:30:00-05:00' }] },
  })
  const id = fake.bookOnPage(first + 3_600_000, { ...who, timeZone: 'America/New_York' }).uid
  for (const one of [{ timezone: 'UTC' }, { invitee_email: 'new@client.example' }]) {
    const move = { booking_id: `bk_${id}`, start_time: '2026-11-25T16:00:00Z', ...one }
    const said = await callerOf(world, 'reschedule_booking', move).preview()
    expect(said).toMatchObject({ code: 'slot_unavailable' })
  }
  const booking = aBooking(first, 'new@client.example')
  await booking.preview()
  expect(await booking.commit()).toMatchObject({ status: 'committed' })
})

describe('what a preview warns of', () => {
  test.each(['cancel', 'move', 'book'] as const)(
    'is pinned: a limit that is set meanwhile makes it stale (%s)',
    async (what) => {
      const { world, rig, id, aMove, aBooking, fake } = await calcom()
      const change = {
        cancel: () => callerOf(world, 'cancel_booking', { booking_id: id }),
        move: aMove,
        book: () => aBooking(NEW, 'new@client.example'),
      }[what]()
      await change.preview()
      fake.eventType.disableCancelling = { disabled: true }
      fake.eventType.disableRescheduling = { disabled: true }
      expect(await change.commit()).toMatchObject({
        code: 'preview_stale',
        refusal: { changes: [{ field: 'limits' }] },
      })
      expect(rig.fake.requests.filter(({ method }) => method === 'POST')).toEqual([])
    },
  )

  test('has the host who may be another one, where hosts take turns', async () => {
    const { aMove } = await calcom(({ fake }) => (fake.eventType.schedulingType = 'roundRobin'))
    expect(warningsIn(await aMove().preview())).toContain('may be with another host')
  })
})

describe('a booking that is made for another address than the one that was sent', () => {
  test('of Calendly says so, and one that is only cut does not', async () => {
    for (const [kept, differs] of [
      ['old@client.example', ['invitee_email']],
      ['jane@client.ex', undefined],
      ['JANE@Client.Example', undefined],
    ] as const) {
      const world = practice()
      const rig = await startCalendly({ now: world.now }, { now: world.now })
      const { aBooking } = practiceAt(rig.fake.eventType.id, { scheduling: rig.scheduling }, world)
      const change = aBooking(NEW, JANE.email)
      await change.preview()
      rig.fake.distort('book', (body) => {
        const { resource } = body as { resource: object }
        return { resource: { ...resource, email: kept } }
      })
      expect(bodyOf(await change.commit())['differs_from_preview']).toEqual(differs)
    }
  })
})

describe('the host of a moved consult', () => {
  type Pooling = 'roundRobin' | 'collective'
  const HOST = /another host has it now/i
  /** No address, name or id of a host is in any answer. */
  const NAMED = /host@practice|Dr\. Host|"host":|USER/

  async function moved(hosts: readonly unknown[], schedulingType: Pooling, fields: object = {}) {
    const { world, booking, id } = await calcom(({ fake }) => {
      fake.eventType.schedulingType = schedulingType
    })
    booking.hosts = hosts
    const start_time = new Date(NEW).toISOString()
    const move = callerOf(world, 'reschedule_booking', { booking_id: id, start_time, ...fields })
    await move.preview()
    const commit = await move.commit()
    const body = bodyOf(commit)
    expect(JSON.stringify([commit, world.puts])).not.toMatch(NAMED)
    return { body, summary: String(body['summary']), result: body['result'] as object }
  }

  test.each<[string, readonly unknown[], Pooling]>([
    ['one host of several', [8], 'roundRobin'],
    ['two hosts, of whom one goes', [7, 9], 'roundRobin'],
    ['three hosts, of whom two go', [9, 7, 8], 'roundRobin'],
  ])('of Cal.com is said to be another: %s', async (_what, hosts, kind) => {
    const { body, summary, result } = await moved(hosts, kind)
    expect(result).toMatchObject({ host_changed: true })
    expect(summary).toMatch(HOST)
    expect(body).not.toHaveProperty('differs_from_preview')
  })

  test.each<[string, readonly unknown[], Pooling]>([
    ['the same', [7], 'roundRobin'],
    ['not said', [], 'roundRobin'],
    ['said in a form that is not known', ['unknown'], 'roundRobin'],
    ['another, though hosts take no turns', [8], 'collective'],
  ])('of Cal.com is not spoken of where it is %s', async (_what, hosts, kind) => {
    const { summary, result } = await moved(hosts, kind)
    expect(result).not.toHaveProperty('host_changed')
    expect(summary).not.toMatch(HOST)
  })

  test('of Cal.com is said where the booking goes to another address, too', async () => {
    const { result } = await moved([8], 'roundRobin', { invitee_email: 'new@client.example' })
    expect(result).toMatchObject({ host_changed: true })
  })

  test('of Cal.com is not guessed where the new booking cannot be read', async () => {
    const { world, rig, booking, aMove } = await calcom(
      ({ fake }) => (fake.eventType.schedulingType = 'roundRobin'),
    )
    booking.hosts = [8]
    const move = aMove()
    await move.preview()
    const { reschedule } = (await world.ports()).scheduling
    replace(world, 'scheduling', () => ({
      reschedule: {
        ...reschedule!,
        async execute(...given) {
          const outcome = await reschedule!.execute(...given)
          rig.fake.fault('booking', answerBefore(500, {}))
          return outcome
        },
      },
    }))
    const commit = await move.commit()
    expect(commit).toMatchObject({ status: 'committed' })
    expect(bodyOf(commit)['result']).not.toHaveProperty('host_changed')
  })

  test.each([
    ['round_robin', 'another', true],
    ['multi_pool', 'another', true],
    ['collective', 'another', false],
    ['round_robin', 'same', false],
    ['multi_pool', 'same', false],
  ])('of Calendly (%s, %s): %s', async (pooling_type, host, isSaid) => {
    const { fake, event, move, world } = await calendly([])
    Object.assign(fake.eventType, { pooling_type, locations: null })
    event.place = null
    if (host === 'another') event.host = 'USERSOMEONE'
    const preview = await move.preview()
    const mayChange = pooling_type !== 'collective'
    expect(/may be with another host/.test(warningsIn(preview))).toBe(mayChange)
    const commit = await move.commit()
    expect('host_changed' in (bodyOf(commit)['result'] as object)).toBe(isSaid)
    expect(HOST.test(String(bodyOf(commit)['summary']))).toBe(isSaid)
    expect(JSON.stringify([preview, commit, world.puts])).not.toMatch(NAMED)
  })

  test('of Calendly is said where an alarm found the new booking', async () => {
    const { fake, event, move } = await calendly([])
    Object.assign(fake.eventType, { pooling_type: 'round_robin', locations: null })
    Object.assign(event, { place: null, host: 'USERSOMEONE' })
    await move.preview()
    fake.fault('book', resetAfter)
    await move.commit()
    await move.ring()
    const commit = await move.commit()
    expect(commit).toMatchObject({ body: { result: { host_changed: true } } })
  })
})

describe('an answer that a calendar may count as none', () => {
  const asked =
    (type: string, required: boolean) => (rig: Awaited<ReturnType<typeof startCalcom>>) => {
      rig.fake.eventType.bookingFields = [
        ...defaultFields(),
        { ...customField('ok', required, false, type), label: 'How many?' },
      ]
    }
  const warned = /may refuse “[^”]*” to “How many\?”/

  test.each([
    ['boolean', true, 'no', true],
    ['boolean', true, 'No', true],
    ['boolean', true, 'yes', false],
    ['boolean', false, 'no', false],
    ['text', true, 'no', false],
    ['textarea', true, '0', false],
  ])('is warned of (%s, required: %s, “%s”): %s', async (type, required, answer, isWarned) => {
    const { world } = await calcom(asked(type, required))
    const booking = callerOf(world, 'book_consult', {
      ...TO_NEW,
      timezone: 'UTC',
      invitee_email: 'new@client.example',
      answers: [{ question: 'How many?', answer }],
    })
    expect(warned.test(warningsIn(await booking.preview()))).toBe(isWarned)
  })

  test.each([
    ['boolean', false, true],
    ['boolean', true, false],
  ])('is warned of where a move takes it along (%s, %s): %s', async (type, kept, isWarned) => {
    const { world, booking, id } = await calcom(asked(type, true))
    booking.responses = { ok: kept }
    const move = callerOf(world, 'reschedule_booking', {
      booking_id: id,
      ...TO_NEW,
      invitee_email: 'jane.new@client.example',
    })
    expect(warned.test(warningsIn(await move.preview()))).toBe(isWarned)
  })
})

describe('a booking that goes to one of the other people on it', () => {
  test.each([
    ['Ann@guest-canary.example', 1],
    ['zeb@GUEST-canary.example', 1],
    ['else@client.example', 2],
  ])('counts the others alone: %s', async (invitee_email, others) => {
    const { world, active, id } = await calendly()
    const move = callerOf(world, 'reschedule_booking', {
      booking_id: id,
      ...TO_NEW,
      invitee_email,
    })
    const preview = await move.preview()
    expect(preview).toMatchObject({ body: { preview: { other_people: others } } })
    const commit = await move.commit()
    expect(commit).toMatchObject({ body: { result: { other_people: others } } })
    expect(bodyOf(commit)).not.toHaveProperty('differs_from_preview')
    expect(active()[0]!.guests).toHaveLength(others)
  })
})

describe('a limit that cannot be read', () => {
  test.each([429, 500, 503])(
    'holds a cancellation up (%i), and does not count as lifted',
    async (status) => {
      const { world, rig, id } = await calcom(({ fake }) => {
        fake.eventType.disableCancelling = { disabled: true }
      })
      const cancel = callerOf(world, 'cancel_booking', { booking_id: id })
      expect(warningsIn(await cancel.preview())).toContain('may refuse this')
      rig.fake.fault('eventType', answerBefore(status, {}))
      expect(await cancel.commit()).toMatchObject({ code: 'provider_busy' })
      expect(await cancel.commit()).toMatchObject({ code: 'provider_misconfigured' })
    },
  )
})

describe('how many other people are on a booking', () => {
  const who = (email: string) => ({ name: 'G', email, timeZone: 'UTC' })
  const invitee = { name: JANE.name, email: JANE.email, timeZone: 'UTC' }

  test.each<[string, ReturnType<typeof who>[], unknown[] | undefined, number]>([
    ['a list of guests alone', [invitee], ['a@guest-canary.example'], 1],
    [
      'attendees and the same guests',
      [invitee, who('a@guest-canary.example')],
      ['A@guest-canary.example'],
      1,
    ],
    [
      'attendees and other guests',
      [invitee, who('a@guest-canary.example')],
      ['b@guest-canary.example'],
      2,
    ],
    [
      'the invitee among the guests',
      [invitee],
      ['JANE@client.example', 'b@guest-canary.example'],
      1,
    ],
    [
      'eleven of them',
      [invitee, ...Array.from({ length: 11 }, (_, at) => who(`g${at}@guest-canary.example`))],
      [],
      11,
    ],
    [
      'guests in several forms',
      [invitee],
      ['a@guest-canary.example', { email: 'b@guest-canary.example', name: 'G' }, null, 7],
      2,
    ],
    ['one of them first', [who('a@guest-canary.example'), invitee], undefined, 1],
  ])('of Cal.com is the same in all that is said: %s', async (_what, attendees, guests, count) => {
    const { rig, world, booking, id, aMove } = await calcom()
    booking.attendees = attendees
    booking.responses = { email: JANE.email }
    if (guests) booking.guests = guests as string[]
    const read = await rig.scheduling.booking(id)
    expect(read).toMatchObject({ otherPeople: count })
    for (const change of [aMove(), callerOf(world, 'cancel_booking', { booking_id: id })]) {
      const preview = await change.preview()
      expect(preview).toMatchObject({ body: { preview: { other_people: count } } })
      expect(warningsIn(preview)).toContain(
        count === 1
          ? 'One other person is on this booking and is told, too.'
          : `${count} other people are on this booking and are told, too.`,
      )
      expect(JSON.stringify([read, preview, world.puts])).not.toMatch(CANARIES)
    }
  })

  test.each([1, 2, 3, 9, 10])(
    'of Calendly is what the approver is shown, too: %i',
    async (count) => {
      const guests = Array.from({ length: count }, (_, at) => `g${at}@guest-canary.example`)
      const { world, move, active } = await calendly(guests, personApproves('reschedule_booking'))
      await move.preview()
      await move.commit()
      const view = await world.approval(await move.name)
      const people = count === 1 ? 'one other person' : `${count} other people`
      expect(JSON.stringify(view)).toContain(`A new booking is made with ${people}, too`)
      expect(view).toMatchObject({ preview: { other_people: count } })
      expect(JSON.stringify(view)).not.toMatch(CANARIES)
      await world.decide(await move.name, 'approve')
      expect(await move.commit()).toMatchObject({ body: { result: { other_people: count } } })
      expect(active()).toMatchObject([{ start: NEW, guests }])
    },
  )

  test('is in a search and in a list as a count', async () => {
    const { rig, booking } = await calcom()
    booking.attendees = [invitee, who('a@guest-canary.example'), who('b@guest-canary.example')]
    const window = { from: OLD - 1, to: OLD + 1, states: ['confirmed'] as const }
    const asked = { ...window, eventTypeIds: [rig.eventType.id] }
    const found = await rig.scheduling.bookingsOf({ ...asked, email: JANE.email })
    const listed = await rig.scheduling.bookings({ ...asked, limit: 5 }, undefined)
    expect([found, listed]).toMatchObject([
      { bookings: [{ otherPeople: 2 }] },
      { bookings: [{ otherPeople: 2 }] },
    ])
    expect(JSON.stringify([found, listed])).not.toMatch(CANARIES)
  })
})

describe('an attendee whom Cal.com keeps under an address', () => {
  test.each([
    ['of another person', 'jane@other.example', true, 'answered'],
    ['of another person', 'jane@other.example', true, 'lost'],
    ['of the same name elsewhere', 'jane@client.example.org', true, 'answered'],
    ['with a plus', 'jane+1@client.example', true, 'answered'],
    ['in capitals', 'JANE@CLIENT.EXAMPLE', false, 'answered'],
    ['in capitals', 'JANE@CLIENT.EXAMPLE', false, 'lost'],
    ['that was sent', 'jane@client.example', false, 'answered'],
    ['that was sent', 'jane@client.example', false, 'lost'],
  ])('%s: said to be another: %s, %s (%s)', async (_what, kept, differs, answer) => {
    const { rig, aBooking } = await calcom()
    const change = aBooking(NEW, 'jane@client.example')
    await change.preview()
    rig.fake.state.rewrites = kept
    if (answer === 'lost') {
      rig.fake.fault('book', resetAfter)
      expect(await change.commit()).toMatchObject({ code: 'outcome_unknown' })
      await change.ring()
    }
    const body = bodyOf(await change.commit())
    expect(body['differs_from_preview']).toEqual(differs ? ['invitee_email'] : undefined)
    expect(/under another email address/.test(String(body['summary']))).toBe(differs)
  })
})
