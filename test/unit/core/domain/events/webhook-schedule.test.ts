import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  type DeliveryAnswer,
  type Progress,
  afterAnswer,
  freshProgress,
  givenUp,
  isQuick,
  resultOfStatus,
  resumed,
  retryAfterMs,
  MOST_REFUSED,
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

  test.each([400, 413, 415, 422])('three times by %i is set aside within a minute', (status) => {
    const { progress, steps } = refused(status, 3)
    expect(progress).toMatchObject({
      cursor: 1,
      skipped: 0,
      state: 'active',
      tries: 0,
      failing_since: null,
    })
    expect(progress.refused).toMatchObject([{ seq: 1 }])
    expect(steps[1]!.next_at - NOON).toBeLessThan(MINUTE)
    expect(refused(status, 2).progress).toMatchObject({ cursor: 0, refused: [] })
  })

  test('is set aside as soon after an outage, and however long it asks to wait', () => {
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
    expect(progress).toMatchObject({ cursor: 1, refused: [{ seq: 1 }] })
    expect(progress.next_at - away.next_at).toBeLessThan(MINUTE)
  })

  test.each([301, 401, 403, 404, 408, 429, 500])('by %i is not: what follows waits', (status) => {
    expect(refused(status, 9).progress).toMatchObject({ cursor: 0, refused: [] })
  })

  /** Tries it alone until it is listed no more; how long that took. */
  function tryAlone(answered: (tries: number) => DeliveryAnswer) {
    let { progress } = refused(422, 3)
    const began = progress.next_at
    const before = progress
    let now = began
    for (let tries = 1; progress.refused[0] && tries < 1000; tries++) {
      now = progress.refused[0].next_at
      progress = afterAnswer(progress, 1, answered(tries), now, 0)
    }
    return { before, progress, took: now - began }
  }

  test('is tried alone for a day, and then given up and counted', () => {
    const { before, progress, took } = tryAlone(() => answer(422))
    expect(progress).toEqual({ ...before, refused: [], skipped: 1 })
    expect(took).toBeGreaterThanOrEqual(DAY)
    expect(took).toBeLessThan(DAY + HOUR)
  })

  test('arrives as soon as it is taken, and changes nothing of what follows', () => {
    const { before, progress, took } = tryAlone((tries) => (tries < 3 ? DOWN : OK))
    expect(progress).toEqual({ ...before, refused: [], last_ok_at: before.next_at + took })
    expect(took).toBeLessThan(10 * MINUTE)
  })

  test('ends its webhook by a 410, and pauses it without a secret, as any other', () => {
    const { progress } = refused(422, 3)
    expect(afterAnswer(progress, 1, answer(410), NOON, 0.5)).toMatchObject({ state: 'ended' })
    expect(afterAnswer(progress, 1, { result: 'secret_lost', ms: 0 }, NOON, 0.5).state).toBe(
      'paused',
    )
  })

  test('is set aside with a hundred at most: with more, what follows waits', () => {
    const { progress } = refused(422, 3 * 110)
    expect(progress).toMatchObject({ cursor: MOST_REFUSED, state: 'active', skipped: 0 })
    expect(progress.refused).toHaveLength(MOST_REFUSED)
    const room = afterAnswer(progress, 1, OK, progress.next_at, 0.5)
    expect(afterAnswer(room, 101, answer(422), room.next_at, 0.5).cursor).toBe(101)
  })

  test('is tried at once when its webhook is resumed, and in its turn by a replay', () => {
    const { progress } = refused(422, 6)
    const later = NOON + HOUR
    expect(resumed(progress, 2, later).refused).toMatchObject([
      { seq: 1, next_at: later },
      { seq: 2, next_at: later },
    ])
    expect(resumed(progress, 1, later)).toMatchObject({ cursor: 1, refused: [{ seq: 1 }] })
  })
})

test('an event that cannot be read is given up, also one that was set aside', () => {
  const aside = run(Array.from({ length: 3 }, () => answer(422))).progress
  expect(givenUp(freshProgress(0, NOON), 4)).toMatchObject({ cursor: 4, skipped: 1 })
  expect(givenUp({ ...aside, cursor: 7 }, 1)).toMatchObject({ cursor: 7, skipped: 1, refused: [] })
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

  test('the cursor never goes back or past the event that was sent, and only forwards on a success or what is set aside', () => {
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
            expect(moved).toBe(
              one.result === 'ok' || after.refused.length > before.refused.length ? 1 : 0,
            )
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
