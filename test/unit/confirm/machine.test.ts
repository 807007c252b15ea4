import { describe, expect, test } from 'vitest'
import type { FlowRecord, Previewed } from '../../../src/confirm/record.ts'
import { SCHEDULE, nextAlarmOf } from '../../../src/confirm/record.ts'
import type { LookupOutcome } from '../../../src/domain/outcome.ts'
import type { Refusal } from '../../../src/domain/problem.ts'
import {
  busy,
  busyRefusal,
  call,
  commit,
  committed,
  done,
  EXPIRES,
  FINGERPRINTS,
  fresh,
  stepResult,
  noSteps,
  NOW,
  previewed,
  refused,
  running,
  says,
  saysDoubt,
  secondStep,
  step,
  taken,
  twoSteps,
  unknown,
} from './machine-cells.ts'

describe('a preview of the same payload', () => {
  test('with no record, is prepared', () =>
    expect(step(undefined, call())).toEqual({ record: undefined, command: 'prepare' }))

  test('once prepared, is kept and shown', () => {
    const out = step(undefined, { type: 'prepared', fresh: fresh(), fingerprints: FINGERPRINTS })
    expect(out).toEqual({ record: previewed(), reply: { is: 'preview' } })
    expect(nextAlarmOf(out.record!)).toBe(EXPIRES + SCHEDULE.retain)
  })

  test('once previewed, is the same preview', () => {
    const record = previewed()
    expect(step(record, call())).toEqual({ record, reply: { is: 'preview' } })
  })

  test.each([
    ['expired', previewed(), EXPIRES],
    ['spent', previewed({ voidedBy: taken }), NOW],
  ])('once %s, is prepared afresh', (_what, record, now) => {
    expect(step(record, call(), { now })).toEqual({ record, command: 'prepare' })
    const again = fresh({ id: 'another id' })
    const out = step(record, { type: 'prepared', fresh: again, fingerprints: FINGERPRINTS }, { now })
    expect(out.record).toEqual(previewed({ id: 'another id', seq: 2 }))
  })

  test('prepared twice at once, the first stays', () => {
    const record = previewed()
    const second = fresh({ id: 'another id' })
    expect(step(record, { type: 'prepared', fresh: second, fingerprints: FINGERPRINTS })).toEqual({
      record,
      reply: { is: 'preview' },
    })
  })

  test('prepared while a commit began, says that it runs', () => {
    const record = running()
    const out = step(record, { type: 'prepared', fresh: fresh({ id: 'x' }), fingerprints: FINGERPRINTS })
    expect(out).toMatchObject({ record, reply: says('commit_in_progress', 'unknown') })
  })

  test('prepared with other values than those that won, is refused', () => {
    const record = previewed()
    const other = { today: 'other' }
    const out = step(record, {
      type: 'prepared',
      fresh: fresh({ fingerprint: 'other' }),
      fingerprints: other,
    })
    expect(out).toMatchObject({ record, reply: says('idempotency_key_reused') })
  })

  test('while running, says so', () => {
    const record = running()
    const out = step(record, call({ live: true }))
    expect(out).toEqual({
      record,
      reply: {
        is: 'refused',
        replayed: false,
        refusal: { code: 'commit_in_progress', effect: 'unknown', retry_after_seconds: 2 },
      },
    })
  })

  test('while in doubt, says so and does not look', () => {
    const record = running()
    expect(step(record, call())).toMatchObject({ record, reply: saysDoubt })
    expect(step(record, call()).command).toBeUndefined()
  })

  test('once done, is the stored answer', () => {
    const record = done()
    expect(step(record, call())).toEqual({ record, reply: { ...committed, replayed: true } })
  })
})

describe('a commit of the same payload with a genuine token', () => {
  test('with no record, needs a preview', () =>
    expect(step(undefined, commit())).toEqual({ record: undefined, reply: says('preview_required') }))

  test('once previewed, is checked, or joins the check that is under way', () => {
    const record = previewed()
    expect(step(record, commit())).toEqual({ record, command: 'check' })
    expect(step(record, commit({ live: true }))).toEqual({ record, command: 'join' })
  })

  test('once expired, is refused, also with an older token', () => {
    const record = previewed()
    const expired = { record, reply: says('confirmation_expired') }
    expect(step(record, commit(), { now: EXPIRES - 1 })).toEqual({ record, command: 'check' })
    expect(step(record, commit(), { now: EXPIRES })).toEqual(expired)
    expect(step(record, commit({ token: { id: 'an older one' } }))).toEqual(expired)
  })

  test('once spent, is the answer that spent it, replayed', () => {
    const record = previewed({ voidedBy: taken })
    const replay = { record, reply: { is: 'refused', refusal: taken, replayed: true } }
    expect(step(record, commit())).toEqual(replay)
    expect(step(record, commit(), { now: EXPIRES + 1 })).toEqual(replay)
    expect(step(record, commit({ token: { id: 'an older one' } }))).toMatchObject({
      reply: says('confirmation_expired'),
    })
  })

  test('while running, joins', () => {
    const record = running()
    expect(step(record, commit({ live: true }))).toEqual({ record, command: 'join' })
  })

  test('while in doubt, looks', () => {
    const record = running()
    expect(step(record, commit())).toEqual({ record, command: 'reconcile' })
    expect(step(running({ nextAlarmAt: undefined, escalation: 'sent' }), commit())).toMatchObject({
      command: 'reconcile',
    })
  })

  test('while a step waits that was not sent, sends it', () => {
    const record = secondStep({ unconfirmedSends: 0 })
    const out = step(record, commit(), { rules: twoSteps })
    expect(out).toMatchObject({
      command: 'execute',
      record: { unconfirmedSends: 1, step: 1, nextAlarmAt: NOW + SCHEDULE.taskLease },
    })
  })

  test('once done, is the stored answer, also with an older token or after its time', () => {
    const record = done()
    const replay = { record, reply: { ...committed, replayed: true } }
    expect(step(record, commit())).toEqual(replay)
    expect(step(record, commit({ token: { id: 'an older one' } }))).toEqual(replay)
    expect(step(record, commit(), { now: EXPIRES + 1 })).toEqual(replay)
  })
})

const everyState: [string, FlowRecord][] = [
  ['previewed', previewed()],
  ['expired', previewed({ expiresAt: NOW })],
  ['spent', previewed({ voidedBy: taken })],
  ['running', running()],
  ['needs attention', running({ nextAlarmAt: undefined, escalation: 'sent' })],
  ['done', done()],
]

describe('the checks run in the order key, body, reuse, token, expiry, live facts', () => {
  describe.each(everyState)('%s', (_state, record) => {
    const effect = { previewed: 'none', running: 'unknown', done: 'done' }[record.state]

    test.each([
      ['other values', { fingerprints: { today: 'other' } }],
      ['another operation', { operation: 'cancel_booking' }],
    ])('%s are refused before the token is looked at, and nothing is written', (_what, more) => {
      const reused = { record, reply: says('idempotency_key_reused') }
      expect(step(record, call(more))).toEqual(reused)
      for (const token of [{ id: 'id of this preview' }, 'missing', 'invalid'] as const)
        for (const live of [false, true])
          expect(step(record, commit({ ...more, token, live }))).toEqual(reused)
    })

    test.each(['missing', 'invalid'] as const)('a token that is %s is refused before expiry', (token) => {
      const code = `confirmation_token_${token}`
      expect(step(record, commit({ token }))).toEqual({ record, reply: says(code, effect) })
    })

    test('the token of a preview is not looked at', () => {
      const out = step(record, call({ token: 'invalid' }))
      expect(out).toEqual(step(record, call()))
    })
  })

  test('without a record, a missing token is told before the missing preview', () => {
    expect(step(undefined, commit({ token: 'missing' }))).toMatchObject({
      reply: says('confirmation_token_missing'),
    })
    expect(step(undefined, commit({ token: 'invalid' }))).toMatchObject({ reply: says('preview_required') })
  })

  test('after an end that was partial, a wrong token says so', () => {
    const refusal: Refusal = { code: 'reschedule_restored', effect: 'partial' }
    const record = done({ answer: { is: 'refused', refusal } })
    expect(step(record, commit({ token: 'invalid' }))).toMatchObject({
      reply: says('confirmation_token_invalid', 'partial'),
    })
  })
})

describe('a secret that is listed no more', () => {
  const gone = { fingerprints: { tomorrow: 'fingerprint' } }

  test('makes a preview expired, and a fresh one takes its place', () => {
    const record = previewed()
    expect(step(record, commit({ ...gone, token: 'invalid' }))).toEqual({
      record,
      reply: says('confirmation_expired'),
    })
    expect(step(record, call(gone))).toEqual({ record, command: 'prepare' })
    const again = fresh({ id: 'another id', keyId: 'tomorrow' })
    const out = step(record, { type: 'prepared', fresh: again, ...gone })
    expect(out).toMatchObject({ reply: { is: 'preview' }, record: { id: 'another id', keyId: 'tomorrow' } })
  })

  test.each([
    ['running', running(), 'unknown'],
    ['done', done(), 'done'],
  ] as const)(
    'proves nothing of what is %s: the key counts as reused, the effect as it stands',
    (_what, record, effect) => {
      const reused = { record, reply: { is: 'refused', refusal: { code: 'idempotency_key_reused', effect } } }
      expect(step(record, commit(gone))).toMatchObject(reused)
      expect(step(record, call(gone))).toMatchObject(reused)
    },
  )

  test('is no secret under which another operation may begin', () => {
    const record = previewed()
    expect(step(record, call({ ...gone, operation: 'cancel_booking' }))).toMatchObject({
      reply: says('idempotency_key_reused'),
    })
  })
})

describe('the check of the live facts', () => {
  const record = previewed()
  const same: LookupOutcome = { is: 'ok', facts: { ...record.pinned } }

  test('with the same facts, writes the intent before anything is sent', () => {
    expect(step(record, stepResult(record, 'check', same))).toEqual({
      record: {
        ...record,
        state: 'running',
        seq: 2,
        step: 0,
        compensating: false,
        stepResults: [],
        lookups: 0,
        unconfirmedSends: 1,
        firstSent: NOW,
        lastSent: NOW,
        nextAlarmAt: NOW + SCHEDULE.taskLease,
      },
      command: 'execute',
    })
  })

  test('without steps, is the commit itself: one change, and the answer before the delivery', () => {
    const out = step(record, stepResult(record, 'check', same), { rules: noSteps })
    expect(out).toMatchObject({
      record: {
        state: 'done',
        seq: 2,
        outbox: { items: [{ kind: 'record', key: 'record' }], wakeAt: NOW + SCHEDULE.firstRedelivery },
        endedAt: NOW,
      },
      reply: { is: 'committed', replayed: false },
    })
    const { shown, pinned } = out.record as Partial<Previewed>
    expect([shown, pinned]).toEqual([undefined, undefined])
  })

  test('names what changed; what is personal only by its field', () => {
    const facts = { via: 'other', amount: 1, invitee_mac: 'm2' }
    const changes = [{ field: 'via', was: 'mock', now: 'other' }, { field: 'invitee' }]
    const refusal: Refusal = { code: 'preview_stale', effect: 'none', changes }
    expect(step(record, stepResult(record, 'check', { is: 'ok', facts }))).toMatchObject({
      record: { state: 'previewed', voidedBy: refusal, seq: 2 },
      reply: { is: 'refused', refusal, replayed: false },
    })
  })

  test('a fact that is no longer there has changed', () => {
    const out = step(
      record,
      stepResult(record, 'check', { is: 'ok', facts: { via: 'mock', invitee_mac: 'm1' } }),
    )
    expect(out.reply).toMatchObject({ refusal: { changes: [{ field: 'amount', was: 1, now: null }] } })
  })

  test('a refusal uses the preview up', () =>
    expect(step(record, stepResult(record, 'check', refused))).toMatchObject({
      record: { state: 'previewed', voidedBy: taken, seq: 2 },
      reply: { refusal: taken, replayed: false },
    }))

  test.each([
    ['busy', busy, busyRefusal],
    ['unknown', unknown, { code: 'provider_busy', effect: 'none' }],
  ])('%s changes nothing, and the token stays good', (_what, what, refusal) =>
    expect(step(record, stepResult(record, 'check', what))).toEqual({
      record,
      reply: { is: 'refused', refusal, replayed: false },
    }),
  )

  test('that ends after the preview expired is not a commit', () =>
    expect(step(record, stepResult(record, 'check', same), { now: EXPIRES })).toEqual({
      record,
      reply: says('confirmation_expired'),
    }))

  test('of a preview that was replaced meanwhile is not heard', () => {
    const replaced = previewed({ id: 'another id', seq: 2 })
    expect(step(replaced, stepResult(record, 'check', same))).toEqual({ record: replaced })
  })
})
