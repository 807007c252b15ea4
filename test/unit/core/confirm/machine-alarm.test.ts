import { describe, expect, test } from 'vitest'

import {
  type OutboxItem,
  type FlowRecord,
  type Running,
  SCHEDULE,
  nextAlarmOf,
} from '../../../../src/core/confirm/record.ts'
import type { FlowEvent } from '../../../../src/core/confirm/transition.ts'
import { DAY, HOUR } from '../../../../src/core/domain/time/duration.ts'
import {
  call,
  commit,
  committed,
  done,
  EXPIRES,
  stepResult,
  NOW,
  ok,
  previewed,
  running,
  secondStep,
  step,
  twoSteps,
} from './machine-cells.ts'

describe('an alarm', () => {
  const alarm = (live = false): FlowEvent => ({ type: 'alarm', live })

  test('without a record empties the object', () =>
    expect(step(undefined, alarm())).toEqual({ record: undefined, command: 'forget' }))

  test('before its time does nothing', () => {
    const record = running()
    expect(step(record, alarm(), { now: NOW + 14_999 })).toEqual({ record })
  })

  test.each([
    ['previewed', previewed(), EXPIRES + SCHEDULE.retain],
    ['done', done(), NOW + SCHEDULE.retain],
  ])('30 days after the end of what is %s, forgets it', (_what, record, due) => {
    expect(nextAlarmOf(record)).toBe(due)
    expect(step(record, alarm(), { now: due - 1 })).toEqual({ record })
    expect(step(record, alarm(), { now: due })).toEqual({ record: undefined, command: 'forget' })
  })

  test('during a live task only sets itself again, and the result of the task still counts', () => {
    const record = running()
    const out = step(record, alarm(true), { now: NOW + 15_000 })
    expect(out).toEqual({ record: { ...record, nextAlarmAt: NOW + 30_000 } })
    expect(step(out.record, stepResult(record, 'execute', ok))).toMatchObject({ reply: committed })
  })

  test('for a step that was sent looks for its effect, at growing intervals', () => {
    let record = running()
    const waits: number[] = []
    for (const _look of SCHEDULE.backoff) {
      const now = record.nextAlarmAt!
      const out = step(record, alarm(), { now })
      expect(out.command).toBe('reconcile')
      record = out.record as Running
      waits.push(record.nextAlarmAt! - now)
    }
    expect(waits).toEqual([...SCHEDULE.backoff])
    expect(waits.map((wait) => wait / 1000)).toEqual([15, 60, 300, 1800, 7200, 43_200])
    expect(record.escalation).toBeUndefined()
    const last = step(record, alarm(), { now: record.nextAlarmAt! })
    expect(last).toMatchObject({ command: 'reconcile', record: { escalation: 'pending' } })
  })

  test('after the last lookup alerts the owner until the alert succeeds', () => {
    const record = running({ escalation: 'pending', lookups: 7, nextAlarmAt: NOW })
    const out = step(record, alarm())
    expect(out).toMatchObject({
      command: 'alert_owner',
      record: { nextAlarmAt: NOW + HOUR },
    })
    const failed = step(out.record, { type: 'owner_alerted', ok: false })
    expect(failed.record).toBe(out.record)
    const worked = step(out.record, { type: 'owner_alerted', ok: true })
    expect(worked.record).toMatchObject({ escalation: 'sent', nextAlarmAt: undefined })
    expect(nextAlarmOf(worked.record!)).toBeUndefined()
    expect(step(worked.record, commit())).toMatchObject({ command: 'reconcile' })
    expect(step(worked.record, call())).toMatchObject({
      reply: { refusal: { needs_attention: true } },
    })
  })

  test('for a step that was not sent sends it', () => {
    const waiting = secondStep({ unconfirmedSends: 0, nextAlarmAt: NOW })
    expect(step(waiting, alarm(), { rules: twoSteps })).toMatchObject({
      command: 'execute',
      record: { unconfirmedSends: 1 },
    })
  })
})

describe('an outbox in the machine', () => {
  const items: OutboxItem[] = [
    { kind: 'record', id: 'record', key: 'record', mode: 'mock', value: {} },
  ]
  const waiting = done({ outbox: { items, wakeAt: NOW, attempts: 0 } })

  test('that could not be delivered is retried with growing waits, at last daily', () => {
    let record: FlowRecord = waiting
    const waits: number[] = []
    for (let times = 0; times < 8; times++) {
      const now: number = nextAlarmOf(record)!
      record = step(record, { type: 'outbox_delivered', delivered: [], ok: false }, { now }).record!
      waits.push((nextAlarmOf(record)! - now) / 1000)
    }
    expect(waits).toEqual([15, 60, 300, 1800, 7200, 43_200, 86_400, 86_400])
    const delivered = step(record, {
      type: 'outbox_delivered',
      delivered: ['record'],
      ok: true,
    }).record!
    expect(delivered.outbox).toBeUndefined()
    expect(nextAlarmOf(delivered)).toBe(NOW + SCHEDULE.retain)
  })

  test('keeps its items and the record until they are delivered', () => {
    const { record } = step(waiting, { type: 'outbox_delivered', delivered: ['another'], ok: true })
    expect(record?.outbox?.items).toEqual(items)
    expect(step(record, { type: 'alarm', live: false }, { now: NOW + 90 * DAY })).toEqual({
      record,
    })
  })

  test('is delivered by the alarm that is set already when the change ends, however long it had to wait before', () => {
    const nextAlarmAt = NOW + SCHEDULE.taskLease
    const record = running({ nextAlarmAt, outbox: { items, wakeAt: NOW + DAY, attempts: 6 } })
    const ended = step(record, stepResult(record, 'execute', ok)).record!
    expect(ended.state).toBe('done')
    expect(nextAlarmOf(ended)).toBe(nextAlarmAt)
  })

  test('that is delivered while a step runs leaves the result of that step valid', () => {
    const record = running({ outbox: { items, wakeAt: NOW, attempts: 0 } })
    const after = step(record, {
      type: 'outbox_delivered',
      delivered: ['record'],
      ok: true,
    }).record!
    expect(after.seq).toBe(record.seq)
    expect(step(after, stepResult(record, 'execute', ok))).toMatchObject({ reply: committed })
  })
})

describe('a resolution by the owner', () => {
  const record = running({ escalation: 'sent', nextAlarmAt: undefined })

  test('as done commits the change', () =>
    expect(
      step(record, { type: 'resolved_by_owner', happened: true, facts: { booking_id: 'bk_1' } }),
    ).toMatchObject({
      record: { state: 'done', answer: committed, outbox: { items: [{ kind: 'record' }] } },
    }))

  test('as not done voids the preview, and clears the escalation', () =>
    expect(step(record, { type: 'resolved_by_owner', happened: false, facts: {} })).toMatchObject({
      record: {
        state: 'previewed',
        voidedBy: { code: 'resolved_by_owner', effect: 'none' },
      },
    }))

  test('as not done at a later step compensates the first step', () =>
    expect(
      step(
        secondStep({ escalation: 'sent' }),
        { type: 'resolved_by_owner', happened: false, facts: {} },
        { rules: twoSteps },
      ),
    ).toMatchObject({ command: 'execute', record: { compensating: true, escalation: undefined } }))

  test('changes nothing where nothing is in doubt', () => {
    for (const other of [previewed(), done(), undefined])
      expect(step(other, { type: 'resolved_by_owner', happened: true, facts: {} })).toEqual({
        record: other,
      })
  })
})
