import { describe, expect, test } from 'vitest'

import { type Previewed, SCHEDULE } from '../../../../src/core/confirm/record.ts'
import type { StepRule } from '../../../../src/core/confirm/transition.ts'
import type { LookupOutcome } from '../../../../src/core/domain/outcome.ts'
import {
  absent,
  busy,
  busyRefusal,
  commit,
  committed,
  oneStep,
  stepResult,
  NOW,
  ok,
  refused,
  running,
  says,
  saysUnknown,
  secondStep,
  step,
  taken,
  twoSteps,
  undoing,
  unknown,
} from './machine-cells.ts'

describe('the result of the first step', () => {
  const record = running()

  test('ends the flow as done if no step follows', () => {
    const out = step(record, stepResult(record, 'execute', ok))
    expect(out).toMatchObject({
      record: {
        state: 'done',
        answer: committed,
        endedAt: NOW,
        outbox: { wakeAt: record.nextAlarmAt },
      },
      reply: { ...committed, replayed: false },
    })
    expect(record.nextAlarmAt).toBeGreaterThan(NOW)
  })

  test.each([
    ['rings too late', NOW + 2 * SCHEDULE.firstRedelivery],
    ['has rung', NOW],
  ])('sets the delivery a minute later if the alarm that is set %s', (_when, wake) => {
    const late = running({ nextAlarmAt: wake })
    expect(step(late, stepResult(late, 'execute', ok)).record).toMatchObject({
      outbox: { wakeAt: NOW + SCHEDULE.firstRedelivery },
    })
  })

  test('writes the intent of the next step in the same change', () => {
    const out = step(record, stepResult(record, 'execute', { is: 'ok', facts: {} }), {
      rules: twoSteps,
      now: NOW + 1,
    })
    expect(out).toMatchObject({
      record: {
        state: 'running',
        step: 1,
        unconfirmedSends: 1,
        firstSent: NOW + 1,
        nextAlarmAt: NOW + 1 + SCHEDULE.taskLease,
        seq: 3,
      },
      command: 'execute',
    })
  })

  test.each(['execute', 'reconcile'] as const)(
    'refused by %s returns to the preview, and its token keeps the refusal',
    (how) =>
      expect(step(record, stepResult(record, how, refused))).toMatchObject({
        record: { state: 'previewed', voidedBy: taken },
        reply: { refusal: taken, replayed: false },
      }),
  )

  test('refused after a doubtful send leaves the record unchanged', () => {
    const again = running({ unconfirmedSends: 2 })
    const inDoubt = { record: again, reply: saysUnknown }
    expect(step(again, stepResult(again, 'execute', refused))).toMatchObject(inDoubt)
    expect(step(again, stepResult(again, 'reconcile', refused)).record).toMatchObject({
      voidedBy: taken,
    })
  })

  test('unknown leaves the record unchanged', () => {
    for (const how of ['execute', 'reconcile'] as const) {
      const out = step(record, stepResult(record, how, unknown))
      expect(out.record).toBe(record)
      expect(out).toMatchObject({ reply: { refusal: { retry_after_seconds: 15 } } })
    }
  })

  test('busy returns to the preview with the same token', () => {
    const out = step(record, stepResult(record, 'execute', busy))
    expect(out).toMatchObject({
      record: { state: 'previewed', id: record.id },
      reply: { is: 'refused', refusal: busyRefusal },
    })
    expect((out.record as Previewed).voidedBy).toBeUndefined()
    expect(step(out.record, commit())).toMatchObject({ command: 'check' })
  })

  test('busy after a doubtful send proves only this send to be without effect', () => {
    const again = running({ unconfirmedSends: 2 })
    expect(step(again, stepResult(again, 'execute', busy))).toMatchObject({
      record: { state: 'running', unconfirmedSends: 1 },
      reply: saysUnknown,
    })
  })

  test('busy from a lookup proves nothing', () =>
    expect(step(record, stepResult(record, 'reconcile', busy))).toMatchObject({
      record,
      reply: saysUnknown,
    }))

  test('not found proves nothing, however late', () => {
    const out = step(record, stepResult(record, 'reconcile', absent), { now: NOW + 1e9 })
    expect(out.record).toBe(record)
    expect(out.reply).toMatchObject(saysUnknown)
  })

  test('not found inside the retry window of the provider sends again, and counts the send', () => {
    const rules: StepRule[] = [{ ...oneStep[0]!, retryWindowMs: 1000 }]
    const out = step(record, stepResult(record, 'reconcile', absent), { rules, now: NOW + 999 })
    expect(out).toMatchObject({
      record: { unconfirmedSends: 2, firstSent: NOW, lastSent: NOW + 999 },
      command: 'execute',
    })
    expect(
      step(record, stepResult(record, 'reconcile', absent), { rules, now: NOW + 1000 }).reply,
    ).toMatchObject(saysUnknown)
  })

  test('not found on a clock behind that of the sender opens no retry window for a step without one', () =>
    expect(step(record, stepResult(record, 'reconcile', absent), { now: NOW - 1 })).toMatchObject({
      record,
      reply: saysUnknown,
    }))

  test('not found once absence is final counts as never sent: the flow is previewed again', () => {
    const rules: StepRule[] = [{ ...oneStep[0]!, absenceIsFinalAfterMs: 1000 }]
    expect(
      step(record, stepResult(record, 'reconcile', absent), { rules, now: NOW + 999 }),
    ).toMatchObject({
      record,
    })
    expect(
      step(record, stepResult(record, 'reconcile', absent), { rules, now: NOW + 1000 }),
    ).toMatchObject({
      record: { state: 'previewed' },
      reply: says('provider_busy'),
    })
  })
})

describe('the result of a later step', () => {
  const rules = twoSteps
  const record = secondStep()

  test('refused writes the intent to compensate the first step in the same change', () =>
    expect(step(record, stepResult(record, 'execute', refused), { rules })).toMatchObject({
      record: {
        state: 'running',
        step: 0,
        compensating: true,
        unconfirmedSends: 1,
        seq: 3,
        nextAlarmAt: NOW + SCHEDULE.taskLease,
      },
      command: 'execute',
    }))

  test('refused ends as partly done if the first step cannot be compensated', () => {
    const rulesWithout = [
      { ...twoSteps[0]!, compensate: undefined } as unknown as StepRule,
      twoSteps[1]!,
    ]
    expect(
      step(record, stepResult(record, 'execute', refused), { rules: rulesWithout }),
    ).toMatchObject({
      record: { state: 'done' },
      reply: says('partially_applied', 'partial'),
    })
  })

  test('in doubt never starts the compensation', () => {
    for (const what of [unknown, absent])
      expect(
        step(record, stepResult(record, 'reconcile', what), { rules, now: NOW + 1e9 }),
      ).toMatchObject({
        record,
        reply: saysUnknown,
      })
    const again = secondStep({ unconfirmedSends: 2 })
    expect(step(again, stepResult(again, 'execute', refused), { rules })).toMatchObject({
      record: again,
    })
  })

  test('busy waits longer each time or as long as the provider says, and then compensates', () => {
    const wait = (lookups: number, refusal = busyRefusal) => {
      const waiting = secondStep({ lookups })
      return step(waiting, stepResult(waiting, 'execute', { is: 'busy', refusal }), { rules })
        .record!
    }
    expect(wait(0)).toMatchObject({ step: 1, unconfirmedSends: 0, nextAlarmAt: NOW + 15_000 })
    expect(wait(1)).toMatchObject({ step: 1, unconfirmedSends: 0, nextAlarmAt: NOW + 60_000 })
    expect(wait(2)).toMatchObject({ step: 1, unconfirmedSends: 0, nextAlarmAt: NOW + 300_000 })
    expect(wait(3)).toMatchObject({ step: 0, compensating: true, unconfirmedSends: 1 })
    expect(wait(0, { ...busyRefusal, retry_after_seconds: 90 })).toMatchObject({
      nextAlarmAt: NOW + 90_000,
    })
  })
})

describe('the result of a compensation', () => {
  const rules = twoSteps
  const record = undoing()

  test('ok ends as restored', () =>
    expect(step(record, stepResult(record, 'execute', ok), { rules })).toMatchObject({
      record: { state: 'done', outbox: { items: [{ kind: 'record' }] } },
      reply: says('reschedule_restored', 'partial'),
    }))

  test('refused ends as partly done', () =>
    expect(step(record, stepResult(record, 'execute', refused), { rules })).toMatchObject({
      record: { state: 'done' },
      reply: says('partially_applied', 'partial'),
    }))

  test('unknown or not found leaves the record unchanged', () => {
    const late = (what: LookupOutcome) =>
      step(record, stepResult(record, 'reconcile', what), { rules, now: NOW + 1e9 })
    for (const what of [unknown, absent]) expect(late(what).record).toBe(record)
  })

  test('busy waits as often as before, and then ends with what is left', () => {
    const waits = [0, 1, 2, 3].map((lookups) => {
      const waiting = undoing({ lookups })
      return step(waiting, stepResult(waiting, 'execute', busy), { rules }).record!
    })
    expect(waits.map(({ state }) => state)).toEqual(['running', 'running', 'running', 'done'])
  })
})
