import { beforeEach, describe, expect, it } from 'vitest'

import { MOCK_TAX_CALL } from '../../../../src/practice/adapters/scheduling/mock.ts'
import { type World, practice } from '../../../support/fake-host.ts'
import { BOOKING, aClient, callerOf, personApproves, replace } from './caller.ts'

/** What the invitee said; none of it may be kept or logged, and none but labels shown to the agent. */
const SECRET = 'My brother Zebulon owes back taxes; write to zeb@canary.example or 312 555 0199'
const LABELLED = 'My brother Zebulon owes back taxes; write to [email] or [phone]'
const CANARIES = /zebulon|canary\.example|555\D{0,2}0199|\(?202\D{0,2}555\D{0,2}0147/i
const ABOUT = 'What is it about?'
const WHO = 'Who is it for?'
const SAID = {
  answers: [
    { question: ABOUT, answer: SECRET },
    { question: WHO, answer: 'my business' },
  ],
  phone: '(202) 555-0147',
}
const WHOLE = [
  { question: ABOUT, answer: SECRET },
  { question: WHO, answer: 'My business' },
]

let world: World
beforeEach(() => {
  world = practice()
  world.adapt = (all) => ({
    ...all,
    practice: { ...all.practice, eventTypes: [{ name: 'tax-call', id: MOCK_TAX_CALL }] },
  })
})

const aBooking = (more: object = SAID, key?: string) =>
  callerOf(world, 'book_consult', { ...BOOKING, ...more }, key === undefined ? {} : { key })

const kept = () => JSON.stringify([world.kept(), world.auditLog(), world.puts, world.notes])

describe('a booking of a kind that asks', () => {
  it('shows its answers with labels and its number masked, and keeps them sealed alone', async () => {
    const caller = aBooking()
    const shown = {
      answers: [
        { question: ABOUT, answer: LABELLED },
        { question: WHO, answer: 'My business' },
      ],
      phone: '(•••) •••-0147',
      location: 'phone: the practice calls the invitee',
    }
    expect(await caller.preview()).toMatchObject({ body: { preview: shown } })
    // A repeat of the preview shows them again, out of the seal.
    expect(await caller.preview()).toMatchObject({ body: { preview: shown } })
    const record = await caller.record()
    expect(record?.sealedText).toBeDefined()
    expect(record).toMatchObject({ shown: { preview: { answers: null, phone: null } } })
    expect(kept()).not.toMatch(/Zebulon|0147|My business/)
  })

  it.each([
    ['a booking', '{{ $json.topic }}', 1],
    ['a booking', 'N/A', 0],
    ['an intake', 'Wants: {{notes}}', 1],
    ['an intake', 'undefined, null', 1],
    ['an intake', 'I need the K-1 {2024} please', 0],
  ])('of %s is warned of where a program did not fill it: %s', async (of, text, warned) => {
    const [, entity] = SAID.answers
    const caller =
      of === 'a booking'
        ? aBooking({ ...SAID, answers: [{ question: ABOUT, answer: text }, entity] })
        : callerOf(world, 'submit_intake_answers', {
            client_id: await aClient(world),
            answers: { primary_goal: 'other', notes: text },
          })
    const { body } = (await caller.preview()) as unknown as { body: { warnings: string[] } }
    expect(body.warnings.filter((one) => /did not fill/.test(one))).toHaveLength(warned)
  })

  it('is committed with what was shown, answers nothing of it, and forgets it', async () => {
    const caller = aBooking()
    await caller.preview()
    const commit = await caller.commit()
    expect(commit).toMatchObject({ status: 'committed' })
    await world.idle()
    const answers = [commit, await caller.commit(), await caller.status()]
    expect(JSON.stringify(answers)).not.toMatch(/Zebulon|0147|My business/)
    expect((await caller.record())?.sealedText).toBeUndefined()
    expect(kept()).not.toMatch(/Zebulon|0147|My business/)
  })

  it('is not committed with another answer or number, and the fields alone are named', async () => {
    const [, entity] = SAID.answers
    for (const [other, pointer] of [
      [{ answers: [{ question: ABOUT, answer: `${SECRET}!` }, entity] }, '/answers'],
      [{ phone: '(202) 555-0148' }, '/phone'],
    ] as const) {
      const caller = aBooking()
      await caller.preview()
      const commit = await caller.commit(other)
      expect(commit).toMatchObject({
        code: 'idempotency_key_reused',
        refusal: { errors: [{ pointer }] },
      })
      expect(JSON.stringify(commit)).not.toMatch(CANARIES)
    }
  })

  it('is the same booking where its number is written otherwise', async () => {
    const caller = aBooking()
    await caller.preview()
    expect(await caller.commit({ phone: '+1 202.555.0147' })).toMatchObject({ status: 'committed' })
  })

  it('is refused with all that is asked where it lacks some, and the same key is good then', async () => {
    const caller = aBooking({})
    expect(await caller.preview()).toMatchObject({
      code: 'validation_failed',
      refusal: {
        effect: 'none',
        errors: [{ pointer: '/phone' }, { pointer: '/answers' }, { pointer: '/answers' }],
        asks: { needs_phone: true, questions: [{ question: ABOUT }, { kind: 'choice' }, {}] },
        next_step: expect.stringContaining('"phone":"<telephone number>"') as string,
      },
    })
    await caller.preview(SAID)
    expect(await caller.commit(SAID)).toMatchObject({ status: 'committed' })
  })

  it('refuses sensitive data in an answer, and says where', async () => {
    const answers = [{ question: ABOUT, answer: 'SSN 078-05-1120' }]
    const reply = await aBooking({ ...SAID, answers }).preview()
    expect(reply).toMatchObject({
      code: 'sensitive_data_refused',
      refusal: { errors: [{ pointer: '/answers/0/answer', kind: 'ssn' }] },
    })
    expect(JSON.stringify(reply)).not.toContain('1120')
  })

  it.each([
    ['before its commit', 0],
    ['between the check of the commit and the send', 1],
  ])('is stale, and not sent, once the practice asks otherwise %s', async (_when, unchanged) => {
    const caller = aBooking()
    await caller.preview()
    const { scheduling } = await world.ports()
    let reads = 0
    replace(world, 'scheduling', () => ({
      async eventType(one: { name: string; id: string }) {
        const details = await scheduling.eventType(one)
        if (reads++ < unchanged) return details
        const questions = details.asks!.questions.map((asked) => ({ ...asked, id: `${asked.id}2` }))
        return { ...details, asks: { ...details.asks!, questions } }
      },
    }))
    expect(await caller.commit()).toMatchObject({
      code: 'preview_stale',
      refusal: { effect: 'none', changes: [{ field: 'answers' }] },
    })
    expect(reads).toBe(unchanged + 1)
    expect(await world.calendar.taken(0, Infinity)).toEqual([])
  })

  it('is moved with what the mock stands in for', async () => {
    const caller = aBooking()
    await caller.preview()
    const commit = await caller.commit()
    const { result } = (commit as unknown as { body: { result: { booking_id: string } } }).body
    const move = callerOf(world, 'reschedule_booking', {
      booking_id: result.booking_id,
      start_time: '2026-11-25T14:00:00-05:00',
    })
    await move.preview()
    expect(await move.commit()).toMatchObject({ status: 'committed' })
  })
})

describe('where a person has to approve it', () => {
  beforeEach(() => void (world.rules = personApproves('book_consult')))

  it('the page shows answers and number whole, and the agent never sees them so', async () => {
    const caller = aBooking()
    const preview = await caller.preview()
    const view = await world.approval(await caller.name)
    expect(view?.whole).toMatchObject({ answers: WHOLE, phone: '(202) 555-0147' })
    expect(JSON.stringify([preview, kept()])).not.toMatch(/zeb@|0199|555-0147/)
    await world.decide(await caller.name, 'approve')
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
    await world.idle()
    expect((await world.approval(await caller.name))?.whole).toEqual({})
    expect(kept()).not.toMatch(/Zebulon|0147|My business/)
  })
})

it('a kind that asks nothing shows neither answers nor a number', async () => {
  world.adapt = (all) => all
  const { body } = (await aBooking({}).preview()) as unknown as { body: { preview: object } }
  for (const field of ['answers', 'phone']) expect(body.preview).not.toHaveProperty(field)
})
