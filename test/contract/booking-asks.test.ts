import { describe, expect, test } from 'vitest'

import type { Refusal } from '../../src/core/domain/problem/problem.ts'
import { practice } from '../support/fake-host.ts'
import { defaultFields } from '../support/fakes/calcom-bodies.ts'
import { type Fault, answerAfter, resetAfter, resetBefore, tooMany } from '../support/fakes/http.ts'
import { callerOf } from '../unit/core/confirm/caller.ts'
import { startCalcom } from './calcom-rig.ts'
import { slotAt, startCalendly } from './calendly-rig.ts'
import { iso, practiceAt } from './practice-at.ts'

/** What the invitee says; none of it may be kept, logged, or returned after the preview. */
const WROTE = 'My brother Zebulon owes back taxes'
const NUMBER = '+13125550147'
const CANARIES = /zebulon|brother|555\D{0,2}0147/i
const AT = slotAt(4).start

type Kind = 'text' | 'choice' | 'several' | 'phone'
interface Asked {
  question?: { kind: Kind; required: boolean }
  places: 1 | 2 | 3
  /** The first place is a call to the invitee. */
  called: boolean
}

const ANSWERS: Record<Kind, { typed: string; sent: string }> = {
  text: { typed: WROTE, sent: WROTE },
  choice: { typed: 's corp', sent: 'S corp' },
  several: { typed: 'S corp\nLLC', sent: 'S corp\nLLC' },
  phone: { typed: '(312) 555-0147', sent: NUMBER },
}
const QUESTION = 'What is it about?'
const CHOICES = ['LLC', 'S corp']

/** What a calendar holds of the booking that was made. */
interface Truth {
  start: number
  answer: unknown
  place: string
  number: string | null
}

const PLACES = ['a call', 'an address', 'video'] as const
const placesOf = ({ places, called }: Asked) =>
  PLACES.slice(called ? 0 : 1)
    .concat(called ? [] : [PLACES[0]])
    .slice(0, places)

async function calendly(asked: Asked) {
  const world = practice()
  const { fake, scheduling } = await startCalendly({ now: world.now }, { now: world.now })
  const { question } = asked
  const types = {
    text: 'text',
    choice: 'single_select',
    several: 'multi_select',
    phone: 'phone_number',
  }
  fake.eventType.questions = question
    ? [
        {
          name: QUESTION,
          enabled: true,
          required: question.required,
          type: types[question.kind],
          answer_choices: ['choice', 'several'].includes(question.kind) ? CHOICES : [],
        },
      ]
    : []
  const kinds = {
    'a call': { kind: 'outbound_call' },
    'an address': { kind: 'physical', location: '1 High Street' },
    video: { kind: 'zoom_conference' },
  }
  fake.eventType.locations = placesOf(asked).map((one) => kinds[one])
  practiceAt(fake.eventType.id, { scheduling }, world)
  const truth = (): Truth[] =>
    fake.state.events.map(({ start, place, invitees: [invitee] }) => ({
      start,
      answer: invitee?.answers[0]?.answer ?? null,
      place: Object.entries(kinds).find(([, { kind }]) => kind === place?.kind)![0],
      number: place?.kind === 'outbound_call' ? (place.location ?? null) : null,
    }))
  return { world, truth, fake, sent: (answer: string): unknown => answer }
}

async function calcom(asked: Asked) {
  const world = practice()
  const { fake, scheduling, eventType } = await startCalcom({ now: world.now }, { now: world.now })
  const { question } = asked
  const types = { text: 'textarea', choice: 'select', several: 'multiselect', phone: 'phone' }
  const field = question && {
    isDefault: false,
    type: types[question.kind],
    slug: 'about',
    label: QUESTION,
    placeholder: '',
    required: question.required,
    hidden: false,
    ...(['choice', 'several'].includes(question.kind) && { options: CHOICES }),
  }
  fake.eventType.bookingFields = [...defaultFields(), ...(field ? [field] : [])]
  const locations = {
    'a call': { type: 'attendeePhone' },
    'an address': { type: 'address', address: '1 High Street', public: true },
    video: { type: 'integration', integration: 'cal-video' },
  }
  const kept = { phone: 'a call', inPerson: 'an address', 'integrations:daily': 'video' }
  fake.eventType.locations = placesOf(asked).map((one) => locations[one])
  practiceAt(eventType.id, { scheduling }, world)
  const truth = (): Truth[] =>
    fake.state.bookings.map(({ start, responses = {} }) => {
      const { about = null, location } = responses as {
        about?: unknown
        location: { value: keyof typeof kept; optionValue: string }
      }
      return {
        start,
        answer: about,
        place: kept[location.value],
        number: location.optionValue || null,
      }
    })
  const sent = (answer: string): unknown =>
    question?.kind === 'several' ? answer.split('\n') : answer
  return { world, truth, fake, sent }
}

type Calendar = typeof calendly | typeof calcom
type Rig = Awaited<ReturnType<Calendar>>

const aBooking = ({ world }: Pick<Rig, 'world'>, more: object) =>
  callerOf(world, 'book_consult', {
    start_time: iso(AT),
    timezone: 'America/New_York',
    invitee_email: 'jane@client.example',
    ...more,
  })

const answersTo = ({ question }: Asked) =>
  question ? { answers: [{ question: QUESTION, answer: ANSWERS[question.kind].typed }] } : {}

const leaks = async ({ world }: Pick<Rig, 'world'>, said: unknown[]) => {
  await world.idle()
  const all = [world.kept(), world.puts, world.notes, world.auditLog(), ...said]
  return CANARIES.exec(JSON.stringify(all))?.[0]
}

const QUESTIONS: Pick<Asked, 'question'>[] = [
  {},
  ...(Object.keys(ANSWERS) as Kind[]).flatMap((kind) =>
    [true, false].map((required) => ({ question: { kind, required } })),
  ),
]
const KINDS: Asked[] = QUESTIONS.flatMap((question) =>
  ([1, 2, 3] as const).flatMap((places) =>
    [true, false].map((called) => ({ ...question, places, called })),
  ),
)

/** Each question beside one place, and each set of places beside one question. */
const isQuick = ({ question, places, called }: Asked): boolean =>
  (places === 1 && called) || (question?.kind === 'text' && question.required)

describe.each<[string, Calendar]>([
  ['Calendly', calendly],
  ['Cal.com', calcom],
])('at %s', (_name, start) => {
  describe.each([
    { tags: [], kinds: KINDS.filter(isQuick) },
    { tags: ['slow'], kinds: KINDS.filter((one) => !isQuick(one)) },
  ])('a kind', ({ tags, kinds }) => {
    test.each(kinds)(
      '%j is booked with all that it asks, and nothing of it stays here',
      { tags },
      async (asked) => {
        const rig = await start(asked)
        const [place] = placesOf(asked)
        const booking = aBooking(rig, {
          ...answersTo(asked),
          ...(place === 'a call' && { phone: '312-555-0147' }),
        })
        await booking.preview()
        const commit = await booking.commit()
        expect(commit).toMatchObject({ status: 'committed' })
        const answer = asked.question ? rig.sent(ANSWERS[asked.question.kind].sent) : null
        const number = place === 'a call' ? NUMBER : null
        expect(rig.truth()).toEqual([{ start: AT, answer, place, number }])
        expect(
          await leaks(rig, [commit, await booking.commit(), await booking.record()]),
        ).toBeUndefined()
      },
    )

    test.each(kinds)(
      '%j without it is refused by the field, or booked where it is optional',
      { tags },
      async (asked) => {
        const rig = await start(asked)
        const needs = [
          ...(asked.called ? ['/phone'] : []),
          ...(asked.question?.required ? ['/answers'] : []),
        ]
        const booking = aBooking(rig, {})
        const preview = await booking.preview()
        if (needs.length > 0) {
          expect(preview).toMatchObject({
            code: 'validation_failed',
            refusal: { effect: 'none', errors: needs.map((pointer) => ({ pointer })) },
          })
          expect(rig.truth()).toEqual([])
        } else {
          expect(await booking.commit()).toMatchObject({ status: 'committed' })
          expect(rig.truth()).toMatchObject([{ start: AT, answer: null, number: null }])
        }
      },
    )
  })

  test.each(PLACES)('of three places, %s is booked where it is chosen', async (place) => {
    const rig = await start({ places: 3, called: false })
    const refused = await aBooking(rig, { location: 'moon' }).preview()
    expect(refused).toMatchObject({ refusal: { errors: [{ pointer: '/location' }] } })
    const { asks } = (refused as { refusal: Refusal }).refusal
    const words = { 'a call': 'practice calls', 'an address': '1 High Street', video: 'video' }
    const { location } = asks!.locations.find(({ text }) => text.includes(words[place]))!
    const number = place === 'a call' ? { phone: NUMBER } : {}
    const booking = aBooking(rig, { location, ...number })
    expect(await booking.preview()).toMatchObject({
      body: { preview: { location: expect.stringContaining(words[place]) as string } },
    })
    expect(await booking.commit()).toMatchObject({ status: 'committed' })
    expect(rig.truth()).toMatchObject([{ place, number: place === 'a call' ? NUMBER : null }])
  })

  const ASKS: Asked = { question: { kind: 'text', required: true }, places: 1, called: true }
  const SAID = { ...answersTo(ASKS), phone: NUMBER }
  const BOOKED = [{ start: AT, answer: WROTE, place: 'a call', number: NUMBER }]
  /** A booking with all that is asked, which is previewed, and whose send meets this. */
  async function asked(fault: Fault) {
    const rig = await start(ASKS)
    const booking = aBooking(rig, SAID)
    await booking.preview()
    rig.fake.fault('book', fault)
    return { rig, booking }
  }

  test('what is lost on its way is looked up by an alarm, booked once, and says nothing', async () => {
    const { rig, booking } = await asked(resetAfter)
    const first = await booking.commit()
    await booking.crash()
    await booking.ring()
    const again = await booking.commit()
    expect(again).toMatchObject({ status: 'committed' })
    expect(rig.truth()).toEqual(BOOKED)
    expect(await leaks(rig, [first, again, await booking.record()])).toBeUndefined()
  })

  test('what was refused for a moment is sent with its answers by the repeat of the commit', async () => {
    const { rig, booking } = await asked(tooMany({}))
    expect(await booking.commit()).toMatchObject({ code: 'provider_busy' })
    await booking.crash()
    expect(await booking.commit()).toMatchObject({ status: 'committed' })
    expect(rig.truth()).toEqual(BOOKED)
    expect(await leaks(rig, [await booking.record()])).toBeUndefined()
  })

  test('what may never have arrived is not sent again, since an alarm has no answers', async () => {
    const { rig, booking } = await asked(resetBefore)
    await booking.commit()
    await booking.crash()
    expect(rig.truth()).toEqual([])
    await booking.ring()
    expect(rig.truth()).toEqual([])
    const reply = await booking.commit()
    expect(reply).toMatchObject({ code: 'outcome_unknown' })
    expect(rig.truth()).toEqual([])
    expect(await leaks(rig, [reply, await booking.record()])).toBeUndefined()
  })

  test('a calendar that refuses an answer is not quoted', async () => {
    const { rig, booking } = await asked(
      answerAfter(400, { message: `Bad answer: ${WROTE} ${NUMBER}` }),
    )
    const reply = await booking.commit()
    expect(await leaks(rig, [reply, await booking.record()])).toBeUndefined()
  })
})
