import { describe, expect, test } from 'vitest'
import { SCHEDULE } from '../../src/confirm/record.ts'
import type { Rule } from '../../src/confirm/transition.ts'
import {
  absent,
  busy,
  busyRefusal,
  commit,
  committed,
  oneStep,
  heard,
  NOW,
  ok,
  refused,
  running,
  says,
  saysDoubt,
  secondStep,
  step,
  taken,
  twoSteps,
  undoing,
  unknown,
} from './confirm/machine-cells.ts'

describe('heard at the first step', () => {
  const record = running()

  test('ok, the last one: done', () => {
    const out = step(record, heard(record, 'run', ok))
    expect(out).toMatchObject({
      record: { at: 'done', answer: committed, endedAt: NOW, outbox: { wakeAt: record.wake } },
      say: { ...committed, replayed: false },
    })
    expect(record.wake).toBeGreaterThan(NOW)
  })

  test.each([
    ['rings too late', NOW + 2 * SCHEDULE.deliver],
    ['has rung', NOW],
  ])('ok, the last one, where the alarm that is set %s: delivered a minute later', (_when, wake) => {
    const late = running({ wake })
    expect(step(late, heard(late, 'run', ok)).record).toMatchObject({
      outbox: { wakeAt: NOW + SCHEDULE.deliver },
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
      record: { at: 'previewed', spent: taken },
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
      record: { at: 'previewed', id: record.id },
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
      record: { at: 'previewed' },
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
    expect(wait(0, { ...busyRefusal, retry_after_seconds: 90 })).toMatchObject({ wake: NOW + 90_000 })
  })
})

describe('heard while the first step is taken back', () => {
  const rules = twoSteps
  const record = undoing()

  test('ok: done, restored', () =>
    expect(step(record, heard(record, 'run', ok), { rules })).toMatchObject({
      record: { at: 'done', outbox: { items: [{ kind: 'record' }] } },
      say: says('reschedule_restored', 'partial'),
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
