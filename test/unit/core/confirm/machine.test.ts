import { describe, expect, test } from 'vitest'

import type { FlowRecord, Previewed } from '../../../../src/core/confirm/record.ts'
import { SCHEDULE, nextAlarmOf } from '../../../../src/core/confirm/record.ts'
import type { LookupOutcome } from '../../../../src/core/domain/outcome.ts'
import type { Refusal } from '../../../../src/core/domain/problem/problem.ts'
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
  saysUnknown,
  secondStep,
  step,
  taken,
  twoSteps,
  unknown,
} from './machine-cells.ts'

describe('a preview of the same payload', () => {
  test('is prepared if there is no record', () =>
    expect(step(undefined, call())).toEqual({ record: undefined, command: 'prepare' }))

  test('is kept and shown once it is prepared', () => {
    const out = step(undefined, { type: 'prepared', fresh: fresh(), fingerprints: FINGERPRINTS })
    expect(out).toEqual({ record: previewed(), reply: { is: 'preview' } })
    expect(nextAlarmOf(out.record!)).toBe(EXPIRES + SCHEDULE.retain)
  })

  test('is the same one while it is valid', () => {
    const record = previewed()
    expect(step(record, call())).toEqual({ record, reply: { is: 'preview' } })
  })

  test.each([
    ['expired', previewed(), EXPIRES],
    ['voided', previewed({ voidedBy: taken }), NOW],
  ])('is prepared again if the record is %s', (_what, record, now) => {
    expect(step(record, call(), { now })).toEqual({ record, command: 'prepare' })
    const again = fresh({ id: 'another id' })
    const out = step(
      record,
      { type: 'prepared', fresh: again, fingerprints: FINGERPRINTS },
      { now },
    )
    expect(out.record).toEqual(previewed({ id: 'another id', seq: 2 }))
  })

  test.each([
    ['fewer scopes than it says something of', [], 'prepare'],
    ['another scope', ['clients:read'], 'prepare'],
    ['that scope', ['bookings:read'], undefined],
  ] as const)(
    'that is asked for with %s is prepared afresh only where the caller may read less',
    (_what, scopes, command) => {
      const record = previewed({ discloses: ['bookings:read'] })
      expect(step(record, { ...call(), scopes }).command).toBe(command)
      const again = fresh({ id: 'another id' })
      const out = step(record, {
        type: 'prepared',
        fresh: again,
        fingerprints: FINGERPRINTS,
        scopes,
      })
      expect(out.record).toEqual(
        command === 'prepare' ? previewed({ id: 'another id', seq: 2 }) : record,
      )
      expect(out.reply).toEqual({ is: 'preview' })
    },
  )

  test('that is prepared twice at once keeps the first', () => {
    const record = previewed()
    const second = fresh({ id: 'another id' })
    const out = step(record, { type: 'prepared', fresh: second, fingerprints: FINGERPRINTS })
    expect(out).toEqual({ record, reply: { is: 'preview' } })
  })

  test('that is prepared while a commit begins says that the commit is running', () => {
    const record = running()
    const out = step(record, {
      type: 'prepared',
      fresh: fresh({ id: 'x' }),
      fingerprints: FINGERPRINTS,
    })
    expect(out).toMatchObject({ record, reply: says('commit_in_progress', 'unknown') })
  })

  test('that loses to one with other values is refused', () => {
    const record = previewed()
    const second = fresh({ fingerprint: 'other' })
    const out = step(record, { type: 'prepared', fresh: second, fingerprints: { today: 'other' } })
    expect(out).toMatchObject({ record, reply: says('idempotency_key_reused') })
  })

  describe('from a page of ours on which someone went back', () => {
    const other = { today: 'other' }
    const revision = fresh({ id: 'another id', fingerprint: 'other' })
    const prepared = { type: 'prepared', fresh: revision, fingerprints: other } as const

    test('takes the place of a preview of other values, or of another operation', () => {
      const record = previewed()
      const asked = call({ fingerprints: other, revisable: true })
      expect(step(record, asked)).toEqual({ record, command: 'prepare' })
      expect(step(record, { ...asked, operation: 'cancel_booking' })).toEqual({
        record,
        command: 'prepare',
      })
      expect(step(record, { ...prepared, revisable: true })).toEqual({
        record: previewed({ id: 'another id', fingerprint: 'other', seq: 2 }),
        reply: { is: 'preview' },
      })
    })

    test('is refused for any other caller', () => {
      const record = previewed()
      const reused = { record, reply: says('idempotency_key_reused') }
      expect(step(record, call({ fingerprints: other }))).toEqual(reused)
      expect(step(record, prepared)).toMatchObject(reused)
    })

    test('is refused once the change runs or is done, and so is its commit at any time', () => {
      for (const record of [running(), done()]) {
        const reused = { record, reply: says('idempotency_key_reused') }
        expect(step(record, call({ fingerprints: other, revisable: true }))).toMatchObject(reused)
        expect(step(record, { ...prepared, revisable: true })).toMatchObject(reused)
      }
      const record = previewed()
      const reused = { record, reply: says('idempotency_key_reused') }
      expect(step(record, commit({ fingerprints: other, revisable: true }))).toMatchObject(reused)
    })

    test('keeps what the preview before it has still to deliver', () => {
      const record = previewed({ outbox: { items: [], wakeAt: NOW, attempts: 0 } })
      const out = step(record, { ...prepared, revisable: true })
      expect(out.record).toMatchObject({ id: 'another id', outbox: record.outbox })
    })
  })

  test('says that the commit is running', () => {
    const record = running()
    const refusal = { code: 'commit_in_progress', effect: 'unknown', retry_after_seconds: 2 }
    const reply = { is: 'refused', replayed: false, refusal }
    expect(step(record, call({ live: true }))).toEqual({ record, reply })
  })

  test('says that the outcome is unknown, and starts no lookup', () => {
    const record = running()
    expect(step(record, call())).toMatchObject({ record, reply: saysUnknown })
    expect(step(record, call()).command).toBeUndefined()
  })

  test('gives the stored answer of a change that is done', () => {
    const record = done()
    expect(step(record, call())).toEqual({ record, reply: { ...committed, replayed: true } })
  })
})

describe('a commit of the same payload with a genuine token', () => {
  test('needs a preview if there is no record', () =>
    expect(step(undefined, commit())).toEqual({
      record: undefined,
      reply: says('preview_required'),
    }))

  test('is checked, or joins the check that is under way', () => {
    const record = previewed()
    expect(step(record, commit())).toEqual({ record, command: 'check' })
    expect(step(record, commit({ live: true }))).toEqual({ record, command: 'join' })
  })

  test('is refused after the expiry, also with an older token', () => {
    const record = previewed()
    const expired = { record, reply: says('confirmation_expired') }
    expect(step(record, commit(), { now: EXPIRES - 1 })).toEqual({ record, command: 'check' })
    expect(step(record, commit(), { now: EXPIRES })).toEqual(expired)
    expect(step(record, commit({ token: { id: 'an older one' } }))).toEqual(expired)
  })

  test('gives the stored refusal again if the preview was voided', () => {
    const record = previewed({ voidedBy: taken })
    const replay = { record, reply: { is: 'refused', refusal: taken, replayed: true } }
    expect(step(record, commit())).toEqual(replay)
    expect(step(record, commit(), { now: EXPIRES + 1 })).toEqual(replay)
    expect(step(record, commit({ token: { id: 'an older one' } })).reply).toMatchObject(
      says('confirmation_expired'),
    )
  })

  test('joins a commit that is running', () => {
    const record = running()
    expect(step(record, commit({ live: true }))).toEqual({ record, command: 'join' })
  })

  test('looks for the effect of a commit in doubt', () => {
    const record = running()
    expect(step(record, commit())).toEqual({ record, command: 'reconcile' })
    expect(step(running({ nextAlarmAt: undefined, escalation: 'sent' }), commit()).command).toBe(
      'reconcile',
    )
  })

  test('sends a waiting step that was not sent', () => {
    const record = secondStep({ unconfirmedSends: 0 })
    const out = step(record, commit(), { rules: twoSteps })
    expect(out).toMatchObject({
      command: 'execute',
      record: { unconfirmedSends: 1, step: 1, nextAlarmAt: NOW + SCHEDULE.taskLease },
    })
  })

  test('gives the stored answer of a change that is done, also with an older token or after the expiry', () => {
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
  ['voided', previewed({ voidedBy: taken })],
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

    test.each(['missing', 'invalid'] as const)(
      'a token that is %s is refused before the expiry is checked',
      (token) => {
        const code = `confirmation_token_${token}`
        expect(step(record, commit({ token }))).toEqual({ record, reply: says(code, effect) })
      },
    )

    test('the token of a preview is ignored', () => {
      const out = step(record, call({ token: 'invalid' }))
      expect(out).toEqual(step(record, call()))
    })
  })

  test('without a record, a missing token is reported before the missing preview', () => {
    expect(step(undefined, commit({ token: 'missing' })).reply).toMatchObject(
      says('confirmation_token_missing'),
    )
    expect(step(undefined, commit({ token: 'invalid' }))).toMatchObject({
      reply: says('preview_required'),
    })
  })

  test('after a partial end, a wrong token is answered with that end', () => {
    const refusal: Refusal = { code: 'reschedule_restored', effect: 'partial' }
    const record = done({ answer: { is: 'refused', refusal } })
    expect(step(record, commit({ token: 'invalid' })).reply).toMatchObject(
      says('confirmation_token_invalid', 'partial'),
    )
  })
})

describe('a signing secret that is no longer listed', () => {
  const gone = { fingerprints: { tomorrow: 'fingerprint' } }

  test('expires its preview, and a fresh one takes its place', () => {
    const record = previewed()
    const expired = { record, reply: says('confirmation_expired') }
    expect(step(record, commit({ ...gone, token: 'invalid' }))).toEqual(expired)
    expect(step(record, call(gone))).toEqual({ record, command: 'prepare' })
    const again = fresh({ id: 'another id', keyId: 'tomorrow' })
    const out = step(record, { type: 'prepared', fresh: again, ...gone })
    expect(out).toMatchObject({
      reply: { is: 'preview' },
      record: { id: 'another id', keyId: 'tomorrow' },
    })
  })

  test.each([
    ['running', running(), 'unknown'],
    ['done', done(), 'done'],
  ] as const)(
    'identifies no commit that is %s: the key is refused as reused, with the effect of the record',
    (_what, record, effect) => {
      const reused = {
        record,
        reply: { is: 'refused', refusal: { code: 'idempotency_key_reused', effect } },
      }
      expect(step(record, commit(gone))).toMatchObject(reused)
      expect(step(record, call(gone))).toMatchObject(reused)
    },
  )

  test('is no secret under which another operation may begin', () => {
    const record = previewed()
    expect(step(record, call({ ...gone, operation: 'cancel_booking' })).reply).toMatchObject(
      says('idempotency_key_reused'),
    )
  })
})

describe('the check of the live facts', () => {
  const record = previewed()
  const same: LookupOutcome = { is: 'ok', facts: { ...record.pinned } }

  test('with unchanged facts writes the intent before anything is sent', () => {
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

  test('of an operation without steps is the commit itself: one change, and the answer before the delivery', () => {
    const out = step(record, stepResult(record, 'check', same), { rules: noSteps })
    expect(out).toMatchObject({
      record: {
        state: 'done',
        seq: 2,
        outbox: {
          items: [{ kind: 'record', key: 'record' }],
          wakeAt: NOW + SCHEDULE.firstRedelivery,
        },
        endedAt: NOW,
      },
      reply: { is: 'committed', replayed: false },
    })
    const { shown, pinned } = out.record as Partial<Previewed>
    expect([shown, pinned]).toEqual([undefined, undefined])
  })

  const need = { level: 'person', digest: 'digest', url: '', since: NOW } as const
  const decision = { is: 'approved', by: 'owner', at: NOW } as const
  test.each([
    ['was previewed', record],
    ['a person approved', previewed({ need: { ...need, decision } })],
    ['needs no person any more', previewed({ need: { ...need, lifted: true } })],
  ])('names what changed of what %s; a personal fact only by its field', (_what, shown) => {
    const facts = { status: 'paid', amount: 1, invitee_mac: 'm2' }
    const changes = [{ field: 'status', was: 'open', now: 'paid' }, { field: 'invitee' }]
    const refusal: Refusal = { code: 'preview_stale', effect: 'none', changes }
    expect(step(shown, stepResult(shown, 'check', { is: 'ok', facts }))).toMatchObject({
      record: { state: 'previewed', voidedBy: refusal, seq: 2 },
      reply: { is: 'refused', refusal, replayed: false },
    })
  })

  test('reports a fact that is no longer there as changed', () => {
    const facts = { status: 'open', invitee_mac: 'm1' }
    const out = step(record, stepResult(record, 'check', { is: 'ok', facts }))
    expect(out.reply).toMatchObject({
      refusal: { changes: [{ field: 'amount', was: 1, now: null }] },
    })
  })

  test('voids the preview if it is refused', () =>
    expect(step(record, stepResult(record, 'check', refused))).toMatchObject({
      record: { state: 'previewed', voidedBy: taken, seq: 2 },
      reply: { refusal: taken, replayed: false },
    }))

  test.each([
    ['busy', busy, busyRefusal],
    ['unknown', unknown, { code: 'provider_busy', effect: 'none' }],
  ])('leaves record and token as they are after %s', (_what, what, refusal) =>
    expect(step(record, stepResult(record, 'check', what))).toEqual({
      record,
      reply: { is: 'refused', refusal, replayed: false },
    }),
  )

  test('that ends after the preview expired commits nothing', () =>
    expect(step(record, stepResult(record, 'check', same), { now: EXPIRES })).toEqual({
      record,
      reply: says('confirmation_expired'),
    }))

  test('of a preview that was replaced meanwhile is ignored', () => {
    const replaced = previewed({ id: 'another id', seq: 2 })
    expect(step(replaced, stepResult(record, 'check', same))).toEqual({ record: replaced })
  })
})
