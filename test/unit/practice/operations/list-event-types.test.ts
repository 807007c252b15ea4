import { expect, test } from 'vitest'

import type { EventTypeDetails } from '../../../../src/core/domain/event-type.ts'
import { Problem, problem } from '../../../../src/core/domain/problem/problem.ts'
import { settingsFrom } from '../../../../src/core/settings.ts'
import { listEventTypes } from '../../../../src/practice/operations/list-event-types.ts'
import type { ReadPorts } from '../../../../src/practice/operations/operation.ts'

const PAID: EventTypeDetails = {
  title: 'Tax review',
  minutes: 59.6,
  location: { kind: 'in_person', text: 'in person: 12 Main Street' },
  price: { amount: 15_000, currency: 'usd' },
  bookable: false,
}

/** The kinds `intro` and `review` of a practice, as a provider answers, or what it throws. */
async function ask(
  answers: Record<string, EventTypeDetails | Error>,
  query: { limit?: number } = {},
) {
  const { practice } = settingsFrom({
    EVENT_TYPES: JSON.stringify({ intro: { id: '1' }, review: { id: '2' } }),
  })
  const scheduling = {
    mode: 'live',
    async eventType({ name }: { name: string }) {
      const one = answers[name]!
      if (one instanceof Error) throw one
      return one
    },
  }
  const answer = await listEventTypes.run(query, { practice, scheduling } as unknown as ReadPorts)
  return listEventTypes.output.parse(answer) as {
    event_types: Record<string, unknown>[]
    more: number
  }
}

const UNKNOWN = { title: null, minutes: 30, location: null, price: null, bookable: true }

test('each kind of consult is listed under its short name with its length, place and price, the default first', async () => {
  const { event_types } = await ask({ intro: UNKNOWN, review: PAID })
  expect(event_types).toEqual([
    {
      event_type: 'intro',
      title: null,
      duration_minutes: 30,
      location_kind: null,
      location: null,
      price: null,
      bookable: true,
      problem: null,
    },
    {
      event_type: 'review',
      title: 'Tax review',
      duration_minutes: 60,
      location_kind: 'in_person',
      location: 'in person: 12 Main Street',
      price: { amount: 15_000, currency: 'usd', amount_display: '$150.00' },
      bookable: false,
      problem: null,
    },
  ])
  const first = { event_types: event_types.slice(0, 1), more: 1 }
  expect(await ask({ intro: UNKNOWN, review: PAID }, { limit: 1 })).toMatchObject(first)
})

test.each(['provider_busy', 'provider_misconfigured'] as const)(
  'a kind of which nothing can be read says %s, claims nothing, and hides no other',
  async (code) => {
    const { event_types } = await ask({ intro: problem(code), review: PAID })
    const { event_type, problem: reason, ...rest } = event_types[0]!
    expect([event_type, reason]).toEqual(['intro', code])
    expect(new Set(Object.values(rest))).toEqual(new Set([null]))
    expect(event_types[1]).toMatchObject({ event_type: 'review', problem: null })
  },
)

test('where no kind can be read the list is a refusal, which says what to do', async () => {
  const refused = problem('provider_busy', { retry_after_seconds: 7 })
  const thrown = await ask({ intro: refused, review: refused }).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(Problem)
  expect((thrown as Problem).refusal).toMatchObject({
    code: 'provider_busy',
    retry_after_seconds: 7,
  })
})

test('a fault of our own is never passed off as one of the provider', async () => {
  await expect(ask({ intro: new TypeError('ours'), review: PAID })).rejects.toThrow('ours')
})
