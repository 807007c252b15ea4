import { describe, expect, test } from 'vitest'
import type { OutboxItem } from '../../src/confirm/outbox.ts'
import { type FlowRecord, type Running, SCHEDULE, wakeAt } from '../../src/confirm/record.ts'
import type { Event, Rule } from '../../src/confirm/transition.ts'
import {
  call,
  commit,
  committed,
  done,
  EXPIRES,
  heard,
  NOW,
  ok,
  previewed,
  running,
  secondStep,
  step,
  twoSteps,
} from './confirm/machine-cells.ts'

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
      record = out.record as Running
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
})

describe('an outbox', () => {
  const items: OutboxItem[] = [{ kind: 'record', id: 'record', key: 'record', mode: 'mock', value: {} }]
  const waiting = done({ outbox: { items, wakeAt: NOW, attempts: 0 } })

  test('that could not be delivered is tried again, with growing waits, at last daily', () => {
    let record: FlowRecord = waiting
    const waits: number[] = []
    for (let times = 0; times < 8; times++) {
      const now: number = wakeAt(record)!
      record = step(record, { type: 'outbox_delivered', delivered: [], ok: false }, { now }).record!
      waits.push((wakeAt(record)! - now) / 1000)
    }
    expect(waits).toEqual([15, 60, 300, 1800, 7200, 43_200, 86_400, 86_400])
    const delivered = step(record, { type: 'outbox_delivered', delivered: ['record'], ok: true }).record!
    expect(delivered).not.toHaveProperty('outbox')
    expect(wakeAt(delivered)).toBe(NOW + SCHEDULE.retain)
  })

  test('keeps what is not delivered, and the record with it', () => {
    const { record } = step(waiting, { type: 'outbox_delivered', delivered: ['another'], ok: true })
    expect(record?.outbox?.items).toEqual(items)
    expect(step(record, { type: 'alarm', live: false }, { now: NOW + 90 * 86_400_000 })).toEqual({ record })
  })

  test('that is delivered while a step is under way leaves its result valid', () => {
    const record = running({ outbox: { items, wakeAt: NOW, attempts: 0 } })
    const after = step(record, { type: 'outbox_delivered', delivered: ['record'], ok: true }).record!
    expect(after.seq).toBe(record.seq)
    expect(step(after, heard(record, 'run', ok))).toMatchObject({ say: committed })
  })
})

describe('the word of the owner', () => {
  const record = running({ attention: 'told', wake: undefined })

  test('that it happened, commits', () =>
    expect(step(record, { type: 'settled', happened: true, facts: { booking_id: 'bk_1' } })).toMatchObject({
      record: { at: 'done', answer: committed, outbox: { items: [{ kind: 'record' }] } },
    }))

  test('that it did not, uses the preview up, and nothing needs attention any more', () =>
    expect(step(record, { type: 'settled', happened: false, facts: {} })).toMatchObject({
      record: {
        at: 'previewed',
        spent: { code: 'settled_by_owner', effect: 'none' },
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
