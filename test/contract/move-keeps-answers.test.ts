import { describe, expect, test } from 'vitest'

import { practice } from '../support/fake-host.ts'
import { type FakeAttendee, customField, defaultFields } from '../support/fakes/calcom-bodies.ts'
import { keptPlace } from '../support/fakes/calcom-rules.ts'
import { resetAfter } from '../support/fakes/http.ts'
import { callerOf, replace } from '../unit/core/confirm/caller.ts'
import { startCalcom } from './calcom-rig.ts'
import { slotAt, startCalendly } from './calendly-rig.ts'
import { practiceAt } from './practice-at.ts'

/** What a stranger wrote on the provider's page; none of it may be kept, logged or returned. */
const WROTE = 'My brother Zebulon owes back taxes since 2019'
const NUMBER = '+1 312 555 0147'
const CANARIES = /zebulon|brother|5550147|555 0147/i
const OLD = slotAt(4).start
const NEW = slotAt(6).start
const ABOUT = 'What is it about?'
const SIZE = 'How large is your household?'

async function calendly() {
  const world = practice()
  const rig = await startCalendly({ now: world.now }, { now: world.now })
  const { fake } = rig
  const changes = practiceAt(fake.eventType.id, { scheduling: rig.scheduling }, world)
  fake.eventType.questions = [
    { name: ABOUT, enabled: true, required: true },
    {
      name: SIZE,
      enabled: true,
      required: false,
      type: 'single_select',
      answer_choices: ['1', '2'],
    },
  ]
  const JANE = { email: 'jane@client.example', name: 'Jane Canarybird', timezone: 'UTC' }
  const answers = [
    { question: ABOUT, answer: WROTE, position: 0 },
    { question: SIZE, answer: '2', position: 1 },
  ]
  const bookOnPage = (place?: Parameters<typeof fake.bookOnPage>[2], said = answers) =>
    `bk_${fake.bookOnPage(OLD, { ...JANE, answers: said }, place)}`
  const active = () => fake.state.events.filter(({ status }) => status === 'active')
  return { world, rig, fake, changes, answers, bookOnPage, active }
}

type Rig = Awaited<ReturnType<typeof calendly>>
const moveOf = ({ changes }: Rig, id: string) => changes.aMove(id, NEW)

const warningsIn = (reply: unknown) =>
  (reply as { body: { warnings: string[] } }).body.warnings.join('\n')

describe('a booking made on the page of Calendly, of a kind that asks questions', () => {
  test('is moved with all that its invitee said, of which the preview names the questions alone', async () => {
    const at = await calendly()
    const move = moveOf(at, at.bookOnPage())
    const preview = await move.preview()
    expect(warningsIn(preview)).toContain(
      `The invitee's answers to 2 questions go along: “${ABOUT}”, “${SIZE}”.`,
    )
    const commit = await move.commit()
    expect(commit).toMatchObject({ status: 'committed' })
    await at.world.idle()
    const [now] = at.active()
    expect(now).toMatchObject({ start: NEW, invitees: [{ answers: at.answers }] })
    const kept = [preview, commit, at.world.puts, await move.record(), at.world.auditLog()]
    expect(JSON.stringify(kept)).not.toMatch(CANARIES)
  })

  test.each<[string, { kind: string; location?: string }[], { kind: string; location?: string }]>([
    [
      'a call to its number',
      [{ kind: 'outbound_call' }],
      { kind: 'outbound_call', location: NUMBER },
    ],
    [
      'a call, where video would be the first place',
      [{ kind: 'zoom_conference' }, { kind: 'outbound_call' }],
      { kind: 'outbound_call', location: NUMBER },
    ],
    [
      'the second of two addresses',
      ['1 High Street', '2 Low Street'].map((location) => ({ kind: 'physical', location })),
      { kind: 'physical', location: '2 Low Street' },
    ],
    [
      'where the invitee says',
      [{ kind: 'ask_invitee' }],
      { kind: 'ask_invitee', location: 'Café' },
    ],
    [
      'video, where an address would be the first place',
      [{ kind: 'physical', location: '1 High Street' }, { kind: 'zoom_conference' }],
      { kind: 'zoom_conference' },
    ],
  ])('keeps its place, %s', async (_what, locations, place) => {
    const at = await calendly()
    at.fake.eventType.locations = locations
    const move = moveOf(at, at.bookOnPage(place))
    const preview = await move.preview()
    const supplies = place.kind === 'outbound_call' ? 'number of the invitee goes along' : ''
    expect(warningsIn(preview)).toContain(supplies)
    const commit = await move.commit()
    expect(commit).toMatchObject({ status: 'committed' })
    expect(at.active()).toMatchObject([{ start: NEW, place }])
    await at.world.idle()
    const kept = [preview, commit, at.world.puts, await move.record()]
    expect(JSON.stringify(kept)).not.toMatch(CANARIES)
  })

  test('whose old time is booked again, since the new one was taken, has its answers still', async () => {
    const at = await calendly()
    const move = moveOf(at, at.bookOnPage())
    await move.preview()
    at.fake.bookOnPage(NEW, { email: 'first@example.com', name: 'F', timezone: 'UTC' })
    replace(at.world, 'scheduling', () => ({
      slots: () => Promise.resolve([slotAt(6)]),
    }))
    expect(await move.commit()).toMatchObject({ code: 'reschedule_restored' })
    expect(at.active().find(({ start }) => start === OLD)?.invitees[0]?.answers).toEqual(at.answers)
  })

  test('has its answers where the alarm books the new time after a lost cancellation', async () => {
    const at = await calendly()
    const move = moveOf(at, at.bookOnPage())
    await move.preview()
    at.fake.fault('cancel', resetAfter)
    await move.commit()
    await move.ring()
    expect(await move.commit()).toMatchObject({ status: 'committed' })
    expect(at.active()).toMatchObject([{ start: NEW, invitees: [{ answers: at.answers }] }])
  })

  test('is not moved as shown once an answer is another one, and the refusal repeats none', async () => {
    const at = await calendly()
    const move = moveOf(at, at.bookOnPage())
    await move.preview()
    at.fake.state.events[0]!.invitees[0]!.answers[0]!.answer = `${WROTE}, and more`
    const commit = await move.commit()
    expect(commit).toMatchObject({
      code: 'preview_stale',
      refusal: { effect: 'none', changes: [{ field: 'answers' }] },
    })
    expect(JSON.stringify(commit)).not.toMatch(CANARIES)
    expect(at.active()).toMatchObject([{ start: OLD }])
  })

  test('that lacks an answer which is demanded since keeps its time, and the question is named', async () => {
    const at = await calendly()
    const id = at.bookOnPage()
    at.fake.eventType.questions.push({ name: 'Which state?', enabled: true, required: true })
    expect(await moveOf(at, id).preview()).toMatchObject({
      code: 'provider_misconfigured',
      refusal: {
        effect: 'none',
        detail: expect.stringContaining('an answer to “Which state?”') as string,
      },
    })
    expect(at.active()).toMatchObject([{ start: OLD }])
  })

  const choices = (given: object) => ({ name: SIZE, enabled: true, required: false, ...given })
  test.each<[string, string, object, boolean]>([
    ['is gone', '2', { answer_choices: ['1', '3'] }, false],
    ['is gone among several', '1\n2', { type: 'multi_select', answer_choices: ['1', '3'] }, false],
    ['is there', '2', { answer_choices: ['2', '3'] }, true],
    ['is there beside a space', '2', { answer_choices: ['2 '] }, true],
    ['are there', '1\n2', { type: 'multi_select', answer_choices: ['2', '1'] }, true],
    ['was another one than the choices', '2', { answer_choices: ['1'], include_other: true }, true],
  ])('whose choice %s is moved, with it or without', async (_what, answer, given, goes) => {
    const at = await calendly()
    const id = at.bookOnPage(undefined, [{ question: SIZE, answer, position: 0 }])
    at.fake.eventType.questions = [choices({ type: 'single_select', ...given })]
    const move = moveOf(at, id)
    const words = warningsIn(await move.preview())
    expect(words).toContain(goes ? 'goes along' : '1 answer of the invitee stays behind')
    expect(await move.commit()).toMatchObject({ status: 'committed' })
    const kept = goes ? [{ question: SIZE, answer, position: 0 }] : []
    expect(at.active()).toMatchObject([{ start: NEW, invitees: [{ answers: kept }] }])
  })

  test('whose demanded choice is gone keeps its time, and the question is named', async () => {
    const at = await calendly()
    const id = at.bookOnPage()
    at.fake.eventType.questions[1] = choices({ required: true, answer_choices: ['3'] })
    expect(await moveOf(at, id).preview()).toMatchObject({
      code: 'provider_misconfigured',
      refusal: { detail: expect.stringContaining(`an answer to “${SIZE}”`) as string },
    })
    expect(at.active()).toMatchObject([{ start: OLD }])
  })

  test('whose question is gone is moved without that answer, and the preview says so', async () => {
    const at = await calendly()
    const id = at.bookOnPage()
    at.fake.eventType.questions = at.fake.eventType.questions.slice(1)
    const move = moveOf(at, id)
    const words = warningsIn(await move.preview())
    expect(words).toContain(`1 question goes along: “${SIZE}”.`)
    expect(words).toContain('1 answer of the invitee stays behind')
    expect(await move.commit()).toMatchObject({ status: 'committed' })
    expect(at.active()[0]?.invitees[0]?.answers).toEqual([
      { question: SIZE, answer: '2', position: 0 },
    ])
  })

  test('keeps the number for its reminders', async () => {
    const at = await calendly()
    const JANE = { email: 'jane@client.example', name: 'Jane', timezone: 'UTC' }
    const id = at.fake.bookOnPage(OLD, { ...JANE, answers: at.answers, reminderNumber: NUMBER })
    const move = moveOf(at, `bk_${id}`)
    expect(warningsIn(await move.preview())).toContain('The telephone number of the invitee goes')
    await move.commit()
    expect(at.active()[0]?.invitees[0]?.reminderNumber).toBe(NUMBER)
  })

  test('of a kind that has a price by now is not moved', async () => {
    const at = await calendly()
    const id = at.bookOnPage()
    at.fake.eventType.is_paid = true
    expect(await moveOf(at, id).preview()).toMatchObject({ code: 'provider_misconfigured' })
  })
})

async function calcom(responses: object) {
  const world = practice()
  const rig = await startCalcom({ now: world.now }, { now: world.now })
  const { fake } = rig
  const { aMove } = practiceAt(rig.eventType.id, { scheduling: rig.scheduling }, world)
  fake.eventType.bookingFields = [
    ...defaultFields(),
    customField('about', true),
    customField('needs', false, false, 'multiselect'),
    customField('size', false, false, 'number'),
    customField('agree', false, false, 'boolean'),
  ]
  const JANE: FakeAttendee = { email: 'jane@client.example', name: 'Jane', timeZone: 'UTC' }
  const id = `bk_${fake.bookOnPage(OLD, JANE, responses).uid}`
  const toAnother = () =>
    callerOf(world, 'reschedule_booking', {
      booking_id: id,
      start_time: new Date(NEW).toISOString(),
      invitee_email: 'jane.new@client.example',
    })
  const last = () => fake.state.bookings.at(-1)!
  return { world, fake, id, aMove: () => aMove(id, NEW), toAnother, last }
}

/** The page keeps a number as a text. */
const ANSWERS = { about: WROTE, needs: ['1040', 'W-2'], size: '3', agree: true }
const CALL = { value: 'phone', optionValue: NUMBER }

describe('a booking made on the page of Cal.com, of a kind that asks questions', () => {
  test('is moved with its answers by Cal.com itself, and the preview names the questions', async () => {
    const { fake, aMove, last, world } = await calcom(ANSWERS)
    const move = aMove()
    const preview = await move.preview()
    expect(warningsIn(preview)).toMatch(/answers to 4 questions go along/)
    expect(await move.commit()).toMatchObject({ status: 'committed' })
    expect(last()).toMatchObject({ start: NEW, responses: ANSWERS })
    expect(fake.requests.filter(({ path }) => path.endsWith('/reschedule'))).toHaveLength(1)
    await world.idle()
    expect(JSON.stringify([preview, world.puts, await move.record()])).not.toMatch(CANARIES)
  })

  test('and is moved again as it was: the reason of a move is no answer', async () => {
    const { world, aMove, last } = await calcom(ANSWERS)
    const move = aMove()
    await move.preview()
    await move.commit()
    const booking_id = `bk_${last().uid}`
    const start_time = new Date(OLD).toISOString()
    const back = callerOf(world, 'reschedule_booking', { booking_id, start_time })
    expect(warningsIn(await back.preview())).not.toMatch(/stays behind/)
  })

  test.each(['attendeePhoneNumber', 'smsReminderNumber'])(
    'takes its number along, which was given as %s',
    async (slug) => {
      const { toAnother, last } = await calcom({ about: WROTE, [slug]: NUMBER })
      const move = toAnother()
      const words = warningsIn(await move.preview())
      expect(words).toContain('The telephone number of the invitee goes along.')
      expect(words).not.toContain('behind')
      expect(await move.commit()).toMatchObject({ status: 'committed' })
      expect(last().attendees).toMatchObject([{ phoneNumber: NUMBER }])
    },
  )

  test('takes them along to another address, each in the form of its question', async () => {
    const { toAnother, last, world, fake } = await calcom({ ...ANSWERS, location: CALL })
    fake.eventType.locations = [
      { type: 'integration', integration: 'cal-video' },
      { type: 'attendeePhone' },
    ]
    const move = toAnother()
    const preview = await move.preview()
    expect(preview).toMatchObject({
      body: { preview: { location: 'phone: the practice calls the invitee' } },
    })
    // Cal.com takes no number from a program.
    expect(warningsIn(preview)).toMatch(
      /answers to 3 questions go along[^]*1 answer .* stays behind/,
    )
    expect(await move.commit()).toMatchObject({ status: 'committed' })
    const { size: _size, ...taken } = ANSWERS
    expect(last()).toMatchObject({
      start: NEW,
      attendees: [{ email: 'jane.new@client.example' }],
      responses: { ...taken, location: CALL },
    })
    expect(last().responses).not.toHaveProperty('size')
    await world.idle()
    expect(JSON.stringify([preview, world.puts, await move.record()])).not.toMatch(CANARIES)
  })

  test('goes to another address without a choice that is gone, and by itself with it', async () => {
    const { fake, aMove, toAnother, last } = await calcom(ANSWERS)
    const needs = { ...customField('needs', false, false, 'multiselect'), options: ['1040'] }
    fake.eventType.bookingFields = [...defaultFields(), customField('about', true), needs]
    expect(warningsIn(await aMove().preview())).toMatch(/2 questions go along[^]*2 answers .* stay/)
    const move = toAnother()
    expect(warningsIn(await move.preview())).toMatch(/1 question goes along[^]*3 answers .* stay/)
    expect(await move.commit()).toMatchObject({ status: 'committed' })
    expect(last().responses).toMatchObject({ about: WROTE })
    expect(last().responses).not.toHaveProperty('needs')
  })

  test.each(['office365-video', 'google-meet', 'cal-video', 'element-call-video'])(
    'takes its second place along to another address, %s',
    async (integration) => {
      const second = { type: 'integration', integration }
      const value = (keptPlace(second) as typeof CALL).value
      const { toAnother, last, fake } = await calcom({ ...ANSWERS, location: { value } })
      fake.eventType.locations = [{ type: 'attendeePhone' }, second]
      const move = toAnother()
      await move.preview()
      expect(await move.commit()).toMatchObject({ status: 'committed' })
      expect(last().responses).toMatchObject({ location: { value } })
    },
  )

  test('that lacks a demanded answer is not moved to another address, and keeps its time', async () => {
    for (const responses of [{}, { about: WROTE, number: '3' }]) {
      const { toAnother, last, fake } = await calcom(responses)
      if ('about' in responses)
        fake.eventType.bookingFields.push(customField('number', true, false, 'number'))
      expect(await toAnother().preview()).toMatchObject({
        code: 'provider_misconfigured',
        refusal: { detail: expect.stringContaining('“A question”') as string },
      })
      expect(last()).toMatchObject({ start: OLD, status: 'accepted' })
    }
  })
})
