import { describe, expect, test } from 'vitest'
import type { FlowRecord } from '../../src/confirm/record.ts'
import { SCHEDULE, wakeAt } from '../../src/confirm/record.ts'
import type { Event, Rule } from '../../src/confirm/transition.ts'
import type { Seen } from '../../src/domain/outcome.ts'
import type { Refusal } from '../../src/domain/problem.ts'
import {
  call,
  commit,
  committed,
  done,
  EXPIRES,
  fresh,
  FINGERPRINTS,
  NOW,
  noSteps,
  oneStep,
  previewed,
  running,
  secondStep,
  step,
  twoSteps,
  undoing,
} from './confirm/machine-cells.ts'

const taken: Refusal = { code: 'slot_unavailable', effect: 'none' }
const busyRefusal: Refusal = { code: 'provider_busy', effect: 'none', retry_after_seconds: 5 }
const ok: Seen = { is: 'ok', facts: { booking_id: 'bk_1' } }
const refused: Seen = { is: 'refused', refusal: taken }
const busy: Seen = { is: 'busy', refusal: busyRefusal }
const absent: Seen = { is: 'absent' }
const unknown: Seen = { is: 'unknown' }

const heard = (
  record: FlowRecord,
  how: 'check' | 'run' | 'find',
  what: Seen,
  payload = true,
): Extract<Event, { type: 'heard' }> => ({ type: 'heard', how, seq: record.seq, heard: what, payload })

const saysDoubt = { is: 'refused', refusal: { code: 'outcome_unknown', effect: 'unknown' }, replayed: false }
const says = (code: string, effect = 'none', replayed = false) => ({
  is: 'refused',
  refusal: { code, effect },
  replayed,
})

describe('a preview of the same payload', () => {
  test('with no record, is prepared', () =>
    expect(step(undefined, call())).toEqual({ record: undefined, todo: 'prepare' }))

  test('once prepared, is kept and shown', () => {
    const out = step(undefined, { type: 'prepared', fresh: fresh(), fingerprints: FINGERPRINTS })
    expect(out).toEqual({ record: previewed(), say: { is: 'preview' } })
    expect(wakeAt(out.record!)).toBe(EXPIRES + SCHEDULE.retain)
  })

  test('once previewed, is the same preview', () => {
    const record = previewed()
    expect(step(record, call())).toEqual({ record, say: { is: 'preview' } })
  })

  test.each([
    ['expired', previewed(), EXPIRES],
    ['spent', previewed({ spent: taken }), NOW],
  ])('once %s, is prepared afresh', (_what, record, now) => {
    expect(step(record, call(), { now })).toEqual({ record, todo: 'prepare' })
    const again = fresh({ id: 'another id' })
    const out = step(record, { type: 'prepared', fresh: again, fingerprints: FINGERPRINTS }, { now })
    expect(out.record).toEqual(previewed({ id: 'another id', seq: 2 }))
    expect(out.record).not.toHaveProperty('spent')
  })

  test('prepared twice at once, the first stays', () => {
    const record = previewed()
    const second = fresh({ id: 'another id' })
    expect(step(record, { type: 'prepared', fresh: second, fingerprints: FINGERPRINTS })).toEqual({
      record,
      say: { is: 'preview' },
    })
  })

  test('prepared while a commit began, says that it runs', () => {
    const record = running()
    const out = step(record, { type: 'prepared', fresh: fresh({ id: 'x' }), fingerprints: FINGERPRINTS })
    expect(out).toMatchObject({ record, say: says('commit_in_progress', 'unknown') })
  })

  test('prepared with other values than those that won, is refused', () => {
    const record = previewed()
    const other = { today: 'other' }
    const out = step(record, {
      type: 'prepared',
      fresh: fresh({ fingerprint: 'other' }),
      fingerprints: other,
    })
    expect(out).toMatchObject({ record, say: says('idempotency_key_reused') })
  })

  test('while running, says so', () => {
    const record = running()
    const out = step(record, call({ live: true }))
    expect(out).toEqual({
      record,
      say: {
        is: 'refused',
        replayed: false,
        refusal: { code: 'commit_in_progress', effect: 'unknown', retry_after_seconds: 2 },
      },
    })
  })

  test('while in doubt, says so and does not look', () => {
    const record = running()
    expect(step(record, call())).toMatchObject({ record, say: saysDoubt })
    expect(step(record, call())).not.toHaveProperty('todo')
  })

  test('once done, is the stored answer', () => {
    const record = done()
    expect(step(record, call())).toEqual({ record, say: { ...committed, replayed: true } })
  })
})

describe('a commit of the same payload with a genuine token', () => {
  test('with no record, needs a preview', () =>
    expect(step(undefined, commit())).toEqual({ record: undefined, say: says('preview_required') }))

  test('once previewed, is checked, or joins the check that is under way', () => {
    const record = previewed()
    expect(step(record, commit())).toEqual({ record, todo: 'check' })
    expect(step(record, commit({ live: true }))).toEqual({ record, todo: 'join' })
  })

  test('once expired, is refused, also with an older token', () => {
    const record = previewed()
    const expired = { record, say: says('confirmation_expired') }
    expect(step(record, commit(), { now: EXPIRES - 1 })).toEqual({ record, todo: 'check' })
    expect(step(record, commit(), { now: EXPIRES })).toEqual(expired)
    expect(step(record, commit({ token: { id: 'an older one' } }))).toEqual(expired)
  })

  test('once spent, is the answer that spent it, replayed', () => {
    const record = previewed({ spent: taken })
    const replay = { record, say: { is: 'refused', refusal: taken, replayed: true } }
    expect(step(record, commit())).toEqual(replay)
    expect(step(record, commit(), { now: EXPIRES + 1 })).toEqual(replay)
    expect(step(record, commit({ token: { id: 'an older one' } }))).toMatchObject({
      say: says('confirmation_expired'),
    })
  })

  test('while running, joins', () => {
    const record = running()
    expect(step(record, commit({ live: true }))).toEqual({ record, todo: 'join' })
  })

  test('while in doubt, looks', () => {
    const record = running()
    expect(step(record, commit())).toEqual({ record, todo: 'find' })
    expect(step(running({ wake: undefined, attention: 'told' }), commit())).toMatchObject({ todo: 'find' })
  })

  test('while a step waits that was not sent, sends it', () => {
    const record = secondStep({ tries: 0 })
    const out = step(record, commit(), { rules: twoSteps })
    expect(out).toMatchObject({ todo: 'run', record: { tries: 1, step: 1, wake: NOW + SCHEDULE.hold } })
  })

  test('once done, is the stored answer, also with an older token or after its time', () => {
    const record = done()
    const replay = { record, say: { ...committed, replayed: true } }
    expect(step(record, commit())).toEqual(replay)
    expect(step(record, commit({ token: { id: 'an older one' } }))).toEqual(replay)
    expect(step(record, commit(), { now: EXPIRES + 1 })).toEqual(replay)
  })
})

const everyState: [string, FlowRecord][] = [
  ['previewed', previewed()],
  ['expired', previewed({ expiresAt: NOW })],
  ['spent', previewed({ spent: taken })],
  ['running', running()],
  ['needs attention', running({ wake: undefined, attention: 'told' })],
  ['done', done()],
]

describe('the checks run in the order key, body, reuse, token, expiry, live facts', () => {
  describe.each(everyState)('%s', (_state, record) => {
    const effect = { previewed: 'none', running: 'unknown', done: 'done' }[record.at]

    test.each([
      ['other values', { fingerprints: { today: 'other' } }],
      ['another operation', { operation: 'cancel_booking' }],
    ])('%s are refused before the token is looked at, and nothing is written', (_what, more) => {
      const reused = { record, say: says('idempotency_key_reused') }
      expect(step(record, call(more))).toEqual(reused)
      for (const token of [{ id: 'id of this preview' }, 'missing', 'invalid'] as const)
        for (const live of [false, true])
          expect(step(record, commit({ ...more, token, live }))).toEqual(reused)
    })

    test.each(['missing', 'invalid'] as const)('a token that is %s is refused before expiry', (token) => {
      const code = `confirmation_token_${token}`
      expect(step(record, commit({ token }))).toEqual({ record, say: says(code, effect) })
    })

    test('the token of a preview is not looked at', () => {
      const out = step(record, call({ token: 'invalid' }))
      expect(out).toEqual(step(record, call()))
    })
  })

  test('without a record, a missing token is told before the missing preview', () => {
    expect(step(undefined, commit({ token: 'missing' }))).toMatchObject({
      say: says('confirmation_token_missing'),
    })
    expect(step(undefined, commit({ token: 'invalid' }))).toMatchObject({ say: says('preview_required') })
  })

  test('after an end that was partial, a wrong token says so', () => {
    const refusal: Refusal = { code: 'reschedule_restored', effect: 'partial' }
    const record = done({ answer: { is: 'refused', refusal } })
    expect(step(record, commit({ token: 'invalid' }))).toMatchObject({
      say: says('confirmation_token_invalid', 'partial'),
    })
  })
})

describe('a secret that is listed no more', () => {
  const gone = { fingerprints: { tomorrow: 'fingerprint' } }

  test('makes a preview expired, and a fresh one takes its place', () => {
    const record = previewed()
    expect(step(record, commit({ ...gone, token: 'invalid' }))).toEqual({
      record,
      say: says('confirmation_expired'),
    })
    expect(step(record, call(gone))).toEqual({ record, todo: 'prepare' })
    const again = fresh({ id: 'another id', keyId: 'tomorrow' })
    const out = step(record, { type: 'prepared', fresh: again, ...gone })
    expect(out).toMatchObject({ say: { is: 'preview' }, record: { id: 'another id', keyId: 'tomorrow' } })
  })

  test.each([
    ['running', running()],
    ['done', done()],
  ])('proves nothing of what is %s: the key counts as reused', (_what, record) => {
    expect(step(record, commit(gone))).toEqual({ record, say: says('idempotency_key_reused') })
    expect(step(record, call(gone))).toEqual({ record, say: says('idempotency_key_reused') })
  })

  test('is no secret under which another operation may begin', () => {
    const record = previewed()
    expect(step(record, call({ ...gone, operation: 'cancel_booking' }))).toMatchObject({
      say: says('idempotency_key_reused'),
    })
  })
})

describe('the check of the live facts', () => {
  const record = previewed()
  const same: Seen = { is: 'ok', facts: { ...record.pinned } }

  test('with the same facts, writes the intent before anything is sent', () => {
    expect(step(record, heard(record, 'check', same))).toEqual({
      record: {
        ...record,
        at: 'running',
        seq: 2,
        tries: 1,
        firstSent: NOW,
        lastSent: NOW,
        wake: NOW + SCHEDULE.hold,
      },
      todo: 'run',
    })
  })

  test('without steps, is the commit itself: one change, and the answer before the delivery', () => {
    const out = step(record, heard(record, 'check', same), { rules: noSteps })
    expect(out).toMatchObject({
      record: { at: 'done', seq: 2, outbox: [{ key: 'record' }], wake: NOW + SCHEDULE.deliver, endedAt: NOW },
      say: { is: 'committed', replayed: false },
      todo: 'deliver',
    })
    expect(out.record).not.toHaveProperty('shown')
    expect(out.record).not.toHaveProperty('pinned')
  })

  test('names what changed; what is personal only by its field', () => {
    const facts = { via: 'other', amount: 1, invitee_mac: 'm2' }
    const changes = [{ field: 'via', was: 'mock', now: 'other' }, { field: 'invitee' }]
    const refusal: Refusal = { code: 'preview_stale', effect: 'none', changes }
    expect(step(record, heard(record, 'check', { is: 'ok', facts }))).toMatchObject({
      record: { at: 'previewed', spent: refusal, seq: 2 },
      say: { is: 'refused', refusal, replayed: false },
    })
  })

  test('a fact that is no longer there has changed', () => {
    const out = step(record, heard(record, 'check', { is: 'ok', facts: { via: 'mock', invitee_mac: 'm1' } }))
    expect(out.say).toMatchObject({ refusal: { changes: [{ field: 'amount', was: 1, now: null }] } })
  })

  test('a refusal uses the preview up', () =>
    expect(step(record, heard(record, 'check', refused))).toMatchObject({
      record: { at: 'previewed', spent: taken, seq: 2 },
      say: { refusal: taken, replayed: false },
    }))

  test.each([
    ['busy', busy, busyRefusal],
    ['unknown', unknown, { code: 'provider_busy', effect: 'none' }],
  ])('%s changes nothing, and the token stays good', (_what, what, refusal) =>
    expect(step(record, heard(record, 'check', what))).toEqual({
      record,
      say: { is: 'refused', refusal, replayed: false },
    }),
  )

  test('that ends after the preview expired is not a commit', () =>
    expect(step(record, heard(record, 'check', same), { now: EXPIRES })).toEqual({
      record,
      say: says('confirmation_expired'),
    }))

  test('of a preview that was replaced meanwhile is not heard', () => {
    const replaced = previewed({ id: 'another id', seq: 2 })
    expect(step(replaced, heard(record, 'check', same))).toEqual({ record: replaced })
  })
})

describe('heard at the first step', () => {
  const record = running()

  test('ok, the last one: done', () => {
    const out = step(record, heard(record, 'run', ok))
    expect(out).toMatchObject({
      record: { at: 'done', answer: committed, endedAt: NOW, tries: 0, wake: NOW + SCHEDULE.deliver },
      say: { ...committed, replayed: false },
      todo: 'deliver',
    })
  })

  test('ok, with a step to come: its intent in the same change', () => {
    const out = step(record, heard(record, 'run', { is: 'ok', facts: {} }), { rules: twoSteps, now: NOW + 1 })
    expect(out).toMatchObject({
      record: { at: 'running', step: 1, tries: 1, firstSent: NOW + 1, wake: NOW + 1 + SCHEDULE.hold, seq: 3 },
      todo: 'run',
    })
  })

  test('ok, with a step to come that needs the payload and has none: waits for the caller', () => {
    const rules: Rule[] = [twoSteps[0]!, { ...twoSteps[1]!, alone: false }]
    const out = step(record, heard(record, 'run', { is: 'ok', facts: {} }, false), { rules })
    expect(out).toMatchObject({ record: { step: 1, tries: 0, wake: NOW + SCHEDULE.hold }, say: saysDoubt })
    expect(out).not.toHaveProperty('todo')
  })

  test.each(['run', 'find'] as const)('refused by %s: previewed, and the token keeps it', (how) =>
    expect(step(record, heard(record, how, refused))).toMatchObject({
      record: { at: 'previewed', spent: taken, tries: 0 },
      say: { refusal: taken, replayed: false },
    }),
  )

  test('refused by a send after a doubtful one: stays, nothing is written', () => {
    const again = running({ tries: 2 })
    expect(step(again, heard(again, 'run', refused))).toMatchObject({ record: again, say: saysDoubt })
    expect(step(again, heard(again, 'find', refused))).toMatchObject({ record: { spent: taken } })
  })

  test('unknown: stays, nothing is written', () => {
    for (const how of ['run', 'find'] as const) {
      const out = step(record, heard(record, how, unknown))
      expect(out.record).toBe(record)
      expect(out).toMatchObject({ say: { refusal: { retry_after_seconds: 15 } } })
    }
  })

  test('busy: previewed with the same token', () => {
    const out = step(record, heard(record, 'run', busy))
    expect(out).toMatchObject({
      record: { at: 'previewed', id: record.id, tries: 0 },
      say: { is: 'refused', refusal: busyRefusal },
    })
    expect(out.record).not.toHaveProperty('spent')
    expect(step(out.record, commit())).toMatchObject({ todo: 'check' })
  })

  test('busy after a doubtful send: only this send is proved without effect', () => {
    const again = running({ tries: 2 })
    expect(step(again, heard(again, 'run', busy))).toMatchObject({
      record: { at: 'running', tries: 1 },
      say: saysDoubt,
    })
  })

  test('a look that was busy proves nothing', () =>
    expect(step(record, heard(record, 'find', busy))).toMatchObject({ record, say: saysDoubt }))

  test('absent: stays, for it proves nothing', () => {
    const out = step(record, heard(record, 'find', absent), { now: NOW + 1e9 })
    expect(out.record).toBe(record)
    expect(out.say).toMatchObject(saysDoubt)
  })

  test('absent inside the window of the provider: sent again, and counted', () => {
    const rules: Rule[] = [{ ...oneStep[0]!, repeatMs: 1000 }]
    const out = step(record, heard(record, 'find', absent), { rules, now: NOW + 999 })
    expect(out).toMatchObject({ record: { tries: 2, firstSent: NOW, lastSent: NOW + 999 }, todo: 'run' })
    expect(step(record, heard(record, 'find', absent, false), { rules, now: NOW + 999 })).toMatchObject({
      say: saysDoubt,
    })
    expect(step(record, heard(record, 'find', absent), { rules, now: NOW + 1000 })).toMatchObject({
      say: saysDoubt,
    })
  })

  test('absent once it would have shown: as if it had never been sent', () => {
    const rules: Rule[] = [{ ...oneStep[0]!, settleMs: 1000 }]
    expect(step(record, heard(record, 'find', absent), { rules, now: NOW + 999 })).toMatchObject({ record })
    expect(step(record, heard(record, 'find', absent), { rules, now: NOW + 1000 })).toMatchObject({
      record: { at: 'previewed', tries: 0 },
      say: says('provider_busy'),
    })
  })
})

describe('heard at a later step', () => {
  const rules = twoSteps
  const record = secondStep()

  test('refused: the intent to take the first one back, in the same change', () =>
    expect(step(record, heard(record, 'run', refused), { rules })).toMatchObject({
      record: { at: 'running', step: 0, undo: true, tries: 1, seq: 3, wake: NOW + SCHEDULE.hold },
      todo: 'run',
    }))

  test('refused, and the first one cannot be taken back: partly done', () => {
    const rulesWithout = [{ ...twoSteps[0]!, undo: undefined } as unknown as Rule, twoSteps[1]!]
    expect(step(record, heard(record, 'run', refused), { rules: rulesWithout })).toMatchObject({
      record: { at: 'done' },
      say: says('partially_applied', 'partial'),
    })
  })

  test('in doubt, it is never taken back', () => {
    for (const what of [unknown, absent])
      expect(step(record, heard(record, 'find', what), { rules, now: NOW + 1e9 })).toMatchObject({
        record,
        say: saysDoubt,
      })
    const again = secondStep({ tries: 2 })
    expect(step(again, heard(again, 'run', refused), { rules })).toMatchObject({ record: again })
  })

  test('busy: it waits, ever longer or as long as the provider says, and then is taken back', () => {
    const wait = (looks: number, refusal = busyRefusal) => {
      const waiting = secondStep({ looks })
      return step(waiting, heard(waiting, 'run', { is: 'busy', refusal }), { rules }).record!
    }
    expect(wait(0)).toMatchObject({ step: 1, tries: 0, wake: NOW + 15_000 })
    expect(wait(1)).toMatchObject({ step: 1, tries: 0, wake: NOW + 60_000 })
    expect(wait(2)).toMatchObject({ step: 1, tries: 0, wake: NOW + 300_000 })
    expect(wait(3)).toMatchObject({ step: 0, undo: true, tries: 1 })
    expect(wait(0, { ...busyRefusal, retry_after_seconds: 90 }).wake).toBe(NOW + 90_000)
  })
})

describe('heard while the first step is taken back', () => {
  const rules = twoSteps
  const record = undoing()

  test('ok: done, restored', () =>
    expect(step(record, heard(record, 'run', ok), { rules })).toMatchObject({
      record: { at: 'done', learnt: [{}, { booking_id: 'bk_1' }] },
      say: says('reschedule_restored', 'partial'),
      todo: 'deliver',
    }))

  test('refused: done, partly', () =>
    expect(step(record, heard(record, 'run', refused), { rules })).toMatchObject({
      record: { at: 'done' },
      say: says('partially_applied', 'partial'),
    }))

  test('unknown or absent: stays', () => {
    for (const what of [unknown, absent])
      expect(step(record, heard(record, 'find', what), { rules, now: NOW + 1e9 }).record).toBe(record)
  })

  test('busy: it waits as often as before, then says what is left', () => {
    const waits = [0, 1, 2, 3].map((looks) => {
      const waiting = undoing({ looks })
      return step(waiting, heard(waiting, 'run', busy), { rules }).record!
    })
    expect(waits.map(({ at }) => at)).toEqual(['running', 'running', 'running', 'done'])
  })
})

describe('an alarm', () => {
  const alarm = (live = false): Event => ({ type: 'alarm', live })

  test('with no record, empties the object', () =>
    expect(step(undefined, alarm())).toEqual({ record: undefined, todo: 'forget' }))

  test('before its time, does nothing', () => {
    const record = running()
    expect(step(record, alarm(), { now: NOW + 14_999 })).toEqual({ record })
  })

  test.each([
    ['previewed', previewed(), EXPIRES + SCHEDULE.retain],
    ['done', done(), NOW + SCHEDULE.retain],
  ])('30 days after the end of what is %s, forgets it', (_what, record, due) => {
    expect(wakeAt(record)).toBe(due)
    expect(step(record, alarm(), { now: due - 1 })).toEqual({ record })
    expect(step(record, alarm(), { now: due })).toEqual({ record: undefined, todo: 'forget' })
  })

  test('during a live task, only comes again, and the answer of the task is still heard', () => {
    const record = running()
    const out = step(record, alarm(true), { now: NOW + 15_000 })
    expect(out).toEqual({ record: { ...record, wake: NOW + 30_000 } })
    expect(step(out.record, heard(record, 'run', ok))).toMatchObject({ say: committed })
  })

  test('of what was sent, looks, at growing intervals', () => {
    let record = running()
    const waits: number[] = []
    for (const _look of SCHEDULE.looks) {
      const now = record.wake!
      const out = step(record, alarm(), { now })
      expect(out.todo).toBe('find')
      record = out.record!
      waits.push(record.wake! - now)
    }
    expect(waits).toEqual([...SCHEDULE.looks])
    expect(waits.map((wait) => wait / 1000)).toEqual([15, 60, 300, 1800, 7200, 43_200])
    expect(record.attention).toBeUndefined()
    const last = step(record, alarm(), { now: record.wake! })
    expect(last).toMatchObject({ todo: 'find', record: { attention: 'untold' } })
  })

  test('once the looks are used up, tells the owner until that worked', () => {
    const record = running({ attention: 'untold', looks: 7, wake: NOW })
    const out = step(record, alarm())
    expect(out).toMatchObject({ todo: 'tell', record: { wake: NOW + SCHEDULE.tellAgain } })
    const failed = step(out.record, { type: 'told', ok: false })
    expect(failed.record).toBe(out.record)
    const worked = step(out.record, { type: 'told', ok: true })
    expect(worked.record).toMatchObject({ attention: 'told', wake: undefined })
    expect(wakeAt(worked.record!)).toBeUndefined()
    expect(step(worked.record, commit())).toMatchObject({ todo: 'find' })
    expect(step(worked.record, call())).toMatchObject({ say: { refusal: { needs_attention: true } } })
  })

  test('of a step that was not sent, sends it if it can, and gives it up in the end', () => {
    const waiting = secondStep({ tries: 0, wake: NOW })
    expect(step(waiting, alarm(), { rules: twoSteps })).toMatchObject({ todo: 'run', record: { tries: 1 } })
    const needsPayload: Rule[] = [twoSteps[0]!, { ...twoSteps[1]!, alone: false }]
    for (const looks of [0, 1, 2])
      expect(step({ ...waiting, looks }, alarm(), { rules: needsPayload })).toMatchObject({
        record: { step: 1, tries: 0, looks: looks + 1, wake: NOW + SCHEDULE.looks[looks]! },
      })
    expect(step({ ...waiting, looks: 3 }, alarm(), { rules: needsPayload })).toMatchObject({
      todo: 'run',
      record: { step: 0, undo: true, tries: 1 },
    })
  })

  test('of an outbox, delivers again, with growing waits, at last daily', () => {
    let record = done({ outbox: [{ key: 'record', value: {} }], wake: NOW })
    const waits: number[] = []
    for (let times = 0; times < 8; times++) {
      const out = step(record, alarm(), { now: record.wake! })
      expect(out.todo).toBe('deliver')
      const now = record.wake!
      record = step(out.record, { type: 'delivered', ok: false }, { now }).record!
      waits.push((record.wake! - now) / 1000)
    }
    expect(waits).toEqual([15, 60, 300, 1800, 7200, 43_200, 86_400, 86_400])
    const delivered = step(record, { type: 'delivered', ok: true }).record!
    expect(delivered).not.toHaveProperty('outbox')
    expect(wakeAt(delivered)).toBe(NOW + SCHEDULE.retain)
  })

  test('of an outbox that is being delivered, only comes again', () => {
    const record = done({ outbox: [{ key: 'record', value: {} }], wake: NOW })
    expect(step(record, alarm(true))).toEqual({ record: { ...record, wake: NOW + SCHEDULE.deliver } })
  })
})

describe('the word of the owner', () => {
  const record = running({ attention: 'told', wake: undefined })

  test('that it happened, commits', () =>
    expect(step(record, { type: 'settled', happened: true, facts: { booking_id: 'bk_1' } })).toMatchObject({
      record: { at: 'done', answer: committed, attention: undefined },
      todo: 'deliver',
    }))

  test('that it did not, uses the preview up, and nothing needs attention any more', () =>
    expect(step(record, { type: 'settled', happened: false, facts: {} })).toMatchObject({
      record: {
        at: 'previewed',
        spent: { code: 'settled_by_owner', effect: 'none' },
        attention: undefined,
        tries: 0,
      },
    }))

  test('that a later step did not happen, takes the first one back', () =>
    expect(
      step(
        secondStep({ attention: 'told' }),
        { type: 'settled', happened: false, facts: {} },
        { rules: twoSteps },
      ),
    ).toMatchObject({ todo: 'run', record: { undo: true, attention: undefined } }))

  test('changes nothing where nothing is in doubt', () => {
    for (const other of [previewed(), done(), undefined])
      expect(step(other, { type: 'settled', happened: true, facts: {} })).toEqual({ record: other })
  })
})
