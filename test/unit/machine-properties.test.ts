import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FlowRecord } from '../../src/confirm/record.ts'
import { wakeAt } from '../../src/confirm/record.ts'
import type { Call, Event } from '../../src/confirm/transition.ts'
import type { Seen } from '../../src/domain/outcome.ts'
import {
  call,
  FINGERPRINTS,
  fresh,
  noSteps,
  NOW,
  oneStep,
  previewed,
  step,
  twoSteps,
} from './confirm/machine-cells.ts'

type Happening = (record: FlowRecord | undefined, now: number) => Event

const rules = fc.constantFrom(oneStep, twoSteps, noSteps, [{ ...oneStep[0]!, repeatMs: 60_000, alone: true }])
const seen = fc.constantFrom<Seen>(
  { is: 'ok', facts: { ...fresh().pinned } },
  { is: 'ok', facts: {} },
  { is: 'refused', refusal: { code: 'slot_unavailable', effect: 'none' } },
  { is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } },
  { is: 'absent' },
  { is: 'unknown' },
)
const token = fc.constantFrom<Call['token']>('missing', 'invalid', { id: fresh().id }, { id: 'older' })
const calls = fc
  .record({ confirm: fc.boolean(), token, fingerprints: fc.constantFrom(FINGERPRINTS, { today: 'other' }) })
  .map(
    (asked): Happening =>
      () =>
        call(asked),
  )
const heard = fc
  .record({ how: fc.constantFrom('check', 'run', 'find'), heard: seen, payload: fc.boolean() })
  .map((what): Happening => (record) => ({ type: 'heard', seq: record?.seq ?? 0, ...what }))
const prepared: Happening = (_record, now) => ({
  type: 'prepared',
  fresh: fresh({ expiresAt: now + 900_000 }),
  fingerprints: FINGERPRINTS,
})
const delivery = (record: FlowRecord | undefined, ok: boolean): Event => ({
  type: 'outbox_delivered',
  delivered: ok ? (record?.outbox?.items ?? []).map(({ id }) => id) : [],
  ok,
})
const others = fc.constantFrom<Happening>(
  prepared,
  () => ({ type: 'alarm', live: false }),
  () => ({ type: 'alarm', live: true }),
  () => ({ type: 'told', ok: true }),
  () => ({ type: 'told', ok: false }),
  () => ({ type: 'settled', happened: true, facts: {} }),
  () => ({ type: 'settled', happened: false, facts: {} }),
  (record) => delivery(record, true),
  (record) => delivery(record, false),
)

test('running means an alarm or an owner who was told; an end stays; an outbox is never forgotten', () => {
  const happenings = fc.array(fc.tuple(fc.oneof(calls, heard, others), fc.nat(20)), { maxLength: 40 })
  fc.assert(
    fc.property(rules, happenings, (ofTheOperation, happening) => {
      let now = NOW
      let record: FlowRecord | undefined = previewed()
      for (const [happens, seconds] of happening) {
        const before: FlowRecord | undefined = record
        now += seconds * 1000
        const event = happens(before, now)
        if (event.type === 'alarm' && before) now = Math.max(now, wakeAt(before) ?? now)
        const out = step(before, event, { rules: ofTheOperation, now })
        record = out.record
        if (before?.at === 'running') expect(record).toBeDefined()
        if (before?.outbox && !record?.outbox)
          expect(event).toMatchObject({ type: 'outbox_delivered', ok: true })
        if (before?.at === 'done' && record)
          expect(record).toMatchObject({ at: 'done', answer: before.answer })
        if (!record) continue
        if (record.at === 'running')
          expect([record.attention, typeof record.wake]).toContainEqual(
            record.attention === 'told' ? 'told' : 'number',
          )
        if (record.outbox) expect(wakeAt(record)).toBeTypeOf('number')
        if (out.todo === 'run') expect(record).toMatchObject({ at: 'running', tries: expect.any(Number) })
        if (out.todo === 'run' && record.at === 'running') expect(record.tries).toBeGreaterThan(0)
        if (record !== before && out.todo !== undefined) expect(record.seq).toBe((before?.seq ?? 0) + 1)
      }
    }),
    { numRuns: 1500 },
  )
})

test('other values never change anything, whatever the state', () => {
  const happenings = fc.array(fc.oneof(calls, heard, others), { maxLength: 20 })
  fc.assert(
    fc.property(rules, happenings, fc.boolean(), fc.boolean(), (ofTheOperation, happening, confirm, live) => {
      let record: FlowRecord | undefined = previewed()
      for (const happens of happening)
        record = step(record, happens(record, NOW), { rules: ofTheOperation }).record
      if (!record) return
      const out = step(record, call({ confirm, live, fingerprints: { today: 'other' } }), {
        rules: ofTheOperation,
      })
      expect(out.record).toBe(record)
      expect(out.todo).toBeUndefined()
      expect(out.say).toMatchObject({ refusal: { code: 'idempotency_key_reused', effect: 'none' } })
    }),
  )
})
