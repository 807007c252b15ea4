import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Budget } from './explored-state.ts'
import { explore, type Found } from './explorer.ts'
import { type Shape, SHAPES, shortenWaits } from './shapes.ts'

/** Races: two previews, two commits, and one of everything that can go wrong. */
const races: Budget = {
  commits: 2,
  previews: 2,
  crashes: 1,
  others: 1,
  blindLookups: 0,
  busy: 1,
  alarms: 2,
  decisions: 0,
  revisions: 0,
  restores: 0,
}
/** Doubt: the provider is asked again and again, and its lookups cannot be trusted. */
const unknown: Budget = { ...races, previews: 1, blindLookups: 1, busy: 0 }
/** Patience: alarm after alarm, until the lookups are used up and the owner is alerted. */
const patience: Budget = { ...races, commits: 1, previews: 1, alarms: 6 }
/** Approval: every preview needs a person, who decides at any moment, also about a preview that is gone. */
const approval: Budget = { ...races, busy: 0, alarms: 1, decisions: 3 }
/** A page of ours, in two tabs: each previews other values, and commits what it showed. */
const revision: Budget = { ...races, previews: 1, revisions: 2, busy: 0, alarms: 1 }
/** Loss: a backup of a commit at work comes back at any moment after it. */
const loss: Budget = { ...races, commits: 1, previews: 1, crashes: 0, alarms: 3, restores: 1 }

/** An alarm may send these again for ever, so there is much more to search. */
const repeats = ({ rules }: Shape): boolean =>
  rules.some(({ retryWindowMs = 0 }) => retryWindowMs > 0)

/** Each search once, whatever is asked of what it found. */
const searches = new Map<string, Found>()
const search = (shape: Shape, budget: Budget): Found => {
  const what = `${shape.name} ${JSON.stringify(budget)}`
  const found = searches.get(what) ?? explore(shape, budget)
  searches.set(what, found)
  return found
}

beforeAll(shortenWaits)
afterAll(() => {
  for (const [what, { states, ends }] of searches)
    console.info(`${what}: ${states} states ${JSON.stringify(ends)}`)
})

const shapeNamed = (name: string) => SHAPES.find((shape) => shape.name === name)!

/** The searches of every change; the rest are slow tests. */
const QUICK = ['book, one host', 'reschedule in one call', 'no provider']
const isQuick = ({ name }: Shape): boolean => QUICK.includes(name)

describe.each([
  { which: 'the shapes that are searched soonest', tags: [], isOneOf: isQuick },
  { which: 'all other shapes', tags: ['slow'], isOneOf: (shape: Shape) => !isQuick(shape) },
])('every promise holds whatever happens in any order: $which', ({ tags, isOneOf }) => {
  const shapes = SHAPES.filter(isOneOf)
  const options = { tags }

  test.each(shapes.filter((shape) => !repeats(shape) || shape.keyed))(
    'races: $name',
    options,
    (shape) => {
      expect(search(shape, races).violation).toBeUndefined()
    },
  )

  test.each(shapes)('doubt: $name', options, (shape) => {
    expect(search(shape, unknown).violation).toBeUndefined()
  })

  test.each(shapes)('patience: $name', options, (shape) => {
    const budget = repeats(shape) ? { ...patience, busy: 0, alarms: 4 } : patience
    expect(search(shape, budget).violation).toBeUndefined()
  })

  test.each(shapes)('loss: $name', options, (shape) => {
    expect(search(shape, loss).violation).toBeUndefined()
  })
})

test.each(['book, one host', 'no provider'])(
  'every promise holds whatever happens in any order, with an approval: %s',
  { tags: 'slow' },
  (name) => expect(search(shapeNamed(name), approval).violation).toBeUndefined(),
)

describe('a page of ours that takes back what it showed breaks no promise', () => {
  const breaksNone = (name: string) => () => {
    const { violation, answers } = search(shapeNamed(name), revision)
    expect(violation).toBeUndefined()
    expect(answers).toEqual(
      expect.arrayContaining(['committed', 'idempotency_key_reused', 'confirmation_expired']),
    )
  }
  test('no provider', breaksNone('no provider'))
  test('book, one host', { tags: 'slow' }, breaksNone('book, one host'))
})

describe('the search reaches every answer and every end', () => {
  test('of a booking', () => {
    const { answers, ends } = search(shapeNamed('book, one host'), races)
    expect(answers).toEqual([
      'commit_in_progress',
      'committed',
      'confirmation_expired',
      'outcome_unknown',
      'preview',
      'provider_busy',
      'slot_unavailable',
    ])
    expect(Object.keys(ends).sort()).toEqual([
      'committed',
      'needs attention',
      'nothing kept',
      'previewed',
    ])
  })

  test('of a booking that a person has to approve', { tags: 'slow' }, () => {
    const { answers } = search(shapeNamed('book, one host'), approval)
    expect(answers).toEqual(
      expect.arrayContaining([
        'approval_declined',
        'approval_pending',
        'committed',
        'confirmation_expired',
      ]),
    )
  })

  test('of a cancellation that someone else made first', { tags: 'slow' }, () => {
    const { answers } = search(shapeNamed('cancel'), races)
    expect(answers).toContain('booking_not_active')
    expect(answers).toContain('preview_stale')
  })

  test('of an outcome that only the owner can find out', () => {
    const { answers } = search(shapeNamed('book, one host'), patience)
    expect(answers).toContain('resolved_by_owner')
  })

  test(
    'of a move that ends with the old time booked again, or with nothing',
    { tags: 'slow' },
    () => {
      const budget = { ...races, previews: 1, alarms: 5, others: 2, busy: 0, commits: 1 }
      const { answers, ends } = search(shapeNamed('reschedule, other address'), budget)
      expect(answers).toEqual(
        expect.arrayContaining([
          'committed',
          'outcome_unknown',
          'partially_applied',
          'reschedule_restored',
        ]),
      )
      expect(Object.keys(ends)).toContain('refused')
    },
  )
})
