import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/duration.ts'
import {
  type DeliveryAnswer,
  type Progress,
  afterAnswer,
  freshProgress,
  isQuick,
  resultOfStatus,
  resumed,
  retryAfterMs,
} from '../../../src/domain/webhook-schedule.ts'

const NOON = Date.parse('2026-11-23T12:00:00Z')
const answer = (status: number, more: Partial<DeliveryAnswer> = {}): DeliveryAnswer => ({
  result: resultOfStatus(status),
  status,
  ms: 80,
  ...more,
})
const OK = answer(204)
const DOWN = answer(503)

/** What becomes of a subscription that gets these answers, each at the moment when it is due. */
function run(answers: readonly DeliveryAnswer[], random = 0.5) {
  let progress = freshProgress(0, NOON)
  const steps: Progress[] = []
  for (const one of answers) {
    progress = afterAnswer(progress, progress.cursor + 1, one, progress.next_at, random)
    steps.push(progress)
  }
  return { progress, steps }
}

test('an event that arrived is behind the cursor, and the next one is due at once', () => {
  const { progress } = run([OK, OK])
  expect(progress).toMatchObject({ cursor: 2, state: 'active', tries: 0, last_ok_at: NOON, next_at: NOON })
})

test('an endpoint that is down gets one event ten times in three days, and is then paused', () => {
  const { steps } = run(Array.from({ length: 10 }, () => DOWN))
  const waits = steps.slice(0, 9).map(({ next_at }, i) => next_at - (steps[i - 1]?.next_at ?? NOON))
  expect(waits).toEqual(
    [5 * SECOND, 5 * MINUTE, 30 * MINUTE].concat([2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)),
  )
  expect(steps.map(({ state }) => state)).toEqual([...Array.from({ length: 9 }, () => 'active'), 'paused'])
  expect(steps.at(-1)).toMatchObject({ cursor: 0, failing_since: NOON, last_result: 'http_5xx' })
  expect(steps[8]!.next_at - NOON).toBeGreaterThan(3 * DAY)
})

test('waits vary by a fifth, and a Retry-After is waited for', () => {
  const waitOf = (random: number, more = {}) => run([answer(429, more)], random).progress.next_at - NOON
  expect([waitOf(0), waitOf(1)]).toEqual([4 * SECOND, 6 * SECOND])
  expect(waitOf(0, { retryAfterMs: HOUR })).toBe(HOUR)
})

test('a success in between begins the schedule anew', () => {
  const { progress } = run([DOWN, DOWN, OK, DOWN])
  expect(progress).toMatchObject({ cursor: 1, tries: 1, state: 'active' })
})

test.each([400, 413, 415, 422])(
  'an event that is answered %i three times is skipped and counted',
  (status) => {
    const { progress } = run([answer(status), answer(status), answer(status)])
    expect(progress).toMatchObject({ cursor: 1, skipped: 1, state: 'active', tries: 0 })
    expect(run([answer(status), answer(status)]).progress).toMatchObject({ cursor: 0, skipped: 0 })
  },
)

test.each([301, 401, 403, 404, 408, 429, 500])('an event that is answered %i is not skipped', (status) => {
  expect(run(Array.from({ length: 9 }, () => answer(status))).progress).toMatchObject({
    cursor: 0,
    skipped: 0,
  })
})

test('ten events skipped in a row pause it; one that arrives begins the count anew', () => {
  const refused = Array.from({ length: 3 }, () => answer(422))
  const skips = (count: number) => Array.from({ length: count }, () => refused).flat()
  expect(run(skips(9)).progress.state).toBe('active')
  expect(run(skips(10)).progress).toMatchObject({ state: 'paused', skipped: 10, cursor: 10 })
  expect(run([...skips(9), OK, ...skips(9)]).progress).toMatchObject({ state: 'active', skipped: 18 })
})

test('410 ends it', () => {
  expect(run([answer(410)]).progress).toMatchObject({ state: 'ended', cursor: 0, last_result: 'gone' })
})

test('a secret that cannot be opened pauses it', () => {
  expect(run([{ result: 'secret_lost', ms: 0 }]).progress).toMatchObject({ state: 'paused', cursor: 0 })
})

test('resumed it is as if nothing had failed, from any place', () => {
  const { progress } = run(Array.from({ length: 10 }, () => DOWN))
  expect(resumed(progress, 7, NOON)).toMatchObject({
    state: 'active',
    cursor: 7,
    tries: 0,
    failing_since: null,
    next_at: NOON,
  })
})

test('it is quick while its last answer was a success within two seconds', () => {
  expect(isQuick(freshProgress(0, NOON))).toBe(false)
  expect(isQuick(run([OK]).progress)).toBe(true)
  expect(isQuick(run([answer(200, { ms: 2000 })]).progress)).toBe(false)
  expect(isQuick(run([OK, DOWN]).progress)).toBe(false)
})

describe('whatever is answered', () => {
  const anything = fc
    .constantFrom(200, 202, 301, 400, 404, 413, 422, 429, 500, 503)
    .chain((status) => fc.integer({ min: 0, max: DAY }).map((wait) => answer(status, { retryAfterMs: wait })))

  test('the cursor never goes back or past the event that was sent, and only forwards on a success or a skip', () => {
    fc.assert(
      fc.property(
        fc.array(anything, { maxLength: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (answers, random) => {
          let before = freshProgress(0, NOON)
          for (const one of answers) {
            if (before.state !== 'active') return
            const after = afterAnswer(before, before.cursor + 1, one, before.next_at, random)
            const moved = after.cursor - before.cursor
            expect(moved).toBe(one.result === 'ok' || after.skipped > before.skipped ? 1 : 0)
            expect(after.next_at - before.next_at).toBeLessThanOrEqual(1.2 * DAY)
            before = after
          }
        },
      ),
    )
  })
})

test.each([
  ['120', 2 * MINUTE],
  ['999999999', DAY],
  ['Mon, 23 Nov 2026 12:01:00 GMT', MINUTE],
  ['Mon, 23 Nov 2026 11:00:00 GMT', undefined],
  ['0', undefined],
  ['-5', undefined],
  ['soon', undefined],
  [null, undefined],
])('a Retry-After of %s', (header, wait) => {
  expect(retryAfterMs(header, NOON)).toBe(wait)
})
