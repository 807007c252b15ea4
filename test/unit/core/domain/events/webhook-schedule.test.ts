import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  type DeliveryAnswer,
  type Progress,
  afterAnswer,
  freshProgress,
  isQuick,
  resultOfStatus,
  resumed,
  skipping,
  retryAfterMs,
} from '../../../../../src/core/domain/events/webhook-schedule.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../../src/core/domain/time/duration.ts'
import { randomFrom } from '../../../../support/random.ts'

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
  expect(progress).toMatchObject({
    cursor: 2,
    state: 'active',
    tries: 0,
    last_ok_at: NOON,
    next_at: NOON,
  })
})

/** The waits of an endpoint that answers nothing but this, until it is paused. */
function waitsOf(
  answered: DeliveryAnswer,
  random: number,
): { waits: number[]; progress: Progress } {
  let progress = freshProgress(0, NOON)
  const waits: number[] = []
  while (progress.state === 'active' && waits.length < 1000) {
    const at = progress.next_at
    progress = afterAnswer(progress, 1, answered, at, random)
    waits.push(progress.next_at - at)
  }
  return { waits, progress }
}

test('an endpoint that is down is tried after seconds, a minute, quarters of an hour for a day, hours for three, and then paused', () => {
  const { waits, progress } = waitsOf(DOWN, 0)
  expect(waits.slice(0, 6)).toEqual([
    SECOND,
    5 * SECOND,
    20 * SECOND,
    MINUTE,
    5 * MINUTE,
    15 * MINUTE,
  ])
  let passed = 0
  for (const wait of waits.slice(5, -1)) {
    expect(wait).toBe(passed < DAY - 10 * MINUTE ? 15 * MINUTE : HOUR)
    passed += wait
  }
  expect(progress).toMatchObject({
    state: 'paused',
    cursor: 0,
    failing_since: NOON,
    last_result: 'http_5xx',
  })
  expect(passed).toBeGreaterThan(3 * DAY - HOUR)
  expect(passed).toBeLessThan(3 * DAY + HOUR)
})

test('one that was not tried, since this service was off, is not paused for that', () => {
  const failed = run([DOWN, DOWN]).progress
  const later = afterAnswer(failed, 1, DOWN, NOON + 5 * DAY, 0.5)
  expect(later).toMatchObject({ state: 'active', tries: 3 })
})

test('waits are up to a fifth shorter, never longer; a Retry-After is waited for, an hour at most', () => {
  const waitOf = (random: number, more = {}) =>
    run([answer(429, more)], random).progress.next_at - NOON
  expect([waitOf(0), waitOf(1)]).toEqual([SECOND, 0.8 * SECOND])
  expect(waitOf(0, { retryAfterMs: HOUR })).toBe(HOUR)
})

test('a success in between restarts the schedule', () => {
  const { progress } = run([DOWN, DOWN, OK, DOWN])
  expect(progress).toMatchObject({ cursor: 1, tries: 1, state: 'active' })
})

test('a receiver of which three in ten tries fail is seconds behind, and after two hours away a quarter of an hour at most', () => {
  const random = randomFrom(7)
  let progress = freshProgress(0, NOON)
  for (let seq = 1; seq <= 20_000; seq++)
    while (progress.cursor < seq)
      progress = afterAnswer(progress, seq, random.chance(0.3) ? DOWN : OK, progress.next_at, 0)
  expect((progress.next_at - NOON) / 20_000).toBeLessThan(5 * SECOND)

  let away = freshProgress(0, NOON)
  while (away.next_at < NOON + 2 * HOUR) away = afterAnswer(away, 1, DOWN, away.next_at, 0)
  expect(away.next_at).toBeLessThanOrEqual(NOON + 2 * HOUR + 15 * MINUTE)
})

describe('an event that is refused', () => {
  const refused = (status: number, times: number) =>
    run(Array.from({ length: times }, () => answer(status)))

  test.each([400, 413, 415, 422])('three times by %i is skipped within a minute', (status) => {
    const { progress, steps } = refused(status, 3)
    expect(progress).toMatchObject({
      cursor: 1,
      skipped: 1,
      state: 'active',
      tries: 0,
      failing_since: null,
    })
    expect(steps[1]!.next_at - NOON).toBeLessThan(MINUTE)
    expect(refused(status, 2).progress).toMatchObject({ cursor: 0, skipped: 0 })
  })

  test('is skipped as soon after an outage, and however long it asks to wait', () => {
    const away = run(Array.from({ length: 20 }, () => DOWN)).progress
    let progress = away
    for (let times = 0; times < 3; times++)
      progress = afterAnswer(
        progress,
        1,
        answer(413, { retryAfterMs: HOUR }),
        progress.next_at,
        0.5,
      )
    expect(progress).toMatchObject({ cursor: 1, skipped: 1 })
    expect(progress.next_at - away.next_at).toBeLessThan(MINUTE)
  })

  test.each([301, 401, 403, 404, 408, 429, 500])('by %i is not: what follows waits', (status) => {
    expect(refused(status, 9).progress).toMatchObject({ cursor: 0, skipped: 0 })
  })
})

test('an event that cannot be read is skipped', () => {
  expect(skipping(freshProgress(0, NOON), 4)).toMatchObject({ cursor: 4, skipped: 1 })
})

test('410 ends it', () => {
  expect(run([answer(410)]).progress).toMatchObject({
    state: 'ended',
    cursor: 0,
    last_result: 'gone',
  })
})

test('a secret that cannot be opened pauses it', () => {
  expect(run([{ result: 'secret_lost', ms: 0 }]).progress).toMatchObject({
    state: 'paused',
    cursor: 0,
  })
})

test('resumed it is as if nothing had failed, from any place', () => {
  const { progress } = waitsOf(DOWN, 0.5)
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
    .chain((status) =>
      fc.integer({ min: 0, max: HOUR }).map((wait) => answer(status, { retryAfterMs: wait })),
    )

  test('the cursor never goes back or past the event that was sent, and only forwards on a success or what is skipped', () => {
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
            expect(after.next_at - before.next_at).toBeLessThanOrEqual(HOUR)
            before = after
          }
        },
      ),
    )
  })
})

test.each([
  ['120', 2 * MINUTE],
  ['999999999', HOUR],
  ['Mon, 23 Nov 2026 12:01:00 GMT', MINUTE],
  ['Mon, 23 Nov 2026 11:00:00 GMT', undefined],
  ['0', undefined],
  ['-5', undefined],
  ['soon', undefined],
  [null, undefined],
])('a Retry-After of %s', (header, wait) => {
  expect(retryAfterMs(header, NOON)).toBe(wait)
})
