import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { FlowRecord } from '../../../../src/core/confirm/record.ts'
import { nextAlarmOf } from '../../../../src/core/confirm/record.ts'
import type { CallEvent, FlowEvent } from '../../../../src/core/confirm/transition.ts'
import type { LookupOutcome } from '../../../../src/core/domain/outcome.ts'
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
} from './machine-cells.ts'

type Happening = (record: FlowRecord | undefined, now: number) => FlowEvent

const rules = fc.constantFrom(oneStep, twoSteps, noSteps, [
  { ...oneStep[0]!, retryWindowMs: 60_000, unattended: true },
])
const seen = fc.constantFrom<LookupOutcome>(
  { is: 'ok', facts: { ...fresh().pinned } },
  { is: 'ok', facts: {} },
  { is: 'refused', refusal: { code: 'slot_unavailable', effect: 'none' } },
  { is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } },
  { is: 'not_found' },
  { is: 'unknown' },
)
const token = fc.constantFrom<CallEvent['token']>(
  'missing',
  'invalid',
  { id: fresh().id },
  { id: 'older' },
)
const calls = fc
  .record({
    confirm: fc.boolean(),
    token,
    fingerprints: fc.constantFrom(FINGERPRINTS, { today: 'other' }),
  })
  .map(
    (asked): Happening =>
      () =>
        call(asked),
  )
const stepResults = fc
  .record({
    how: fc.constantFrom('check', 'execute', 'reconcile'),
    outcome: seen,
    payload: fc.boolean(),
  })
  .map((what): Happening => (record) => ({ type: 'step_result', seq: record?.seq ?? 0, ...what }))
const NEED = {
  level: 'person',
  digest: 'digest of what the page shows',
  url: '',
  since: NOW,
} as const
/** A preview needs what the one before it needed. */
const prepared: Happening = (record, now) => ({
  type: 'prepared',
  fresh: fresh({
    expiresAt: now + 900_000,
    ...(record?.need && !record.need.lifted && { need: NEED }),
  }),
  fingerprints: FINGERPRINTS,
})
const decisions = fc
  .record({
    id: fc.constantFrom(fresh().id, fresh().id, 'older'),
    digest: fc.constantFrom(NEED.digest, NEED.digest, 'older'),
    decision: fc.constantFrom('approve', 'approve', 'decline'),
  })
  .map((what): Happening => () => ({
    type: 'decided',
    decided: { ...what, by: 'owner', proof: {} },
    ttlMs: 900_000,
  }))
/** No rule asks for a person any more, about this preview or an older one. */
const lifts = fc.constantFrom(fresh().id, fresh().id, 'older').map((id): Happening => () => ({
  type: 'approval_lifted',
  id,
}))
const starts = fc.constantFrom(previewed(), previewed({ need: NEED }))
const delivery = (record: FlowRecord | undefined, ok: boolean): FlowEvent => ({
  type: 'outbox_delivered',
  delivered: ok ? (record?.outbox?.items ?? []).map(({ id }) => id) : [],
  ok,
})
const others = fc.constantFrom<Happening>(
  prepared,
  () => ({ type: 'alarm', live: false }),
  () => ({ type: 'alarm', live: true }),
  () => ({ type: 'owner_alerted', ok: true }),
  () => ({ type: 'owner_alerted', ok: false }),
  () => ({ type: 'resolved_by_owner', happened: true, facts: {} }),
  () => ({ type: 'resolved_by_owner', happened: false, facts: {} }),
  (record) => delivery(record, true),
  (record) => delivery(record, false),
)

test('a running record has an alarm or an alerted owner, an end never changes, and no outbox is dropped', () => {
  const happenings = fc.array(
    fc.tuple(fc.oneof(calls, stepResults, others, decisions, lifts), fc.nat(20)),
    {
      maxLength: 40,
    },
  )
  fc.assert(
    fc.property(rules, starts, happenings, (ofTheOperation, start, happening) => {
      let now = NOW
      let record: FlowRecord | undefined = start
      for (const [happens, seconds] of happening) {
        const before: FlowRecord | undefined = record
        now += seconds * 1000
        const event = happens(before, now)
        if (event.type === 'alarm' && before) now = Math.max(now, nextAlarmOf(before) ?? now)
        const out = step(before, event, { rules: ofTheOperation, now })
        record = out.record
        if (before?.state === 'running') expect(record).toBeDefined()
        if (before?.outbox && !record?.outbox)
          expect(event).toMatchObject({ type: 'outbox_delivered', ok: true })
        if (before?.state === 'done' && record)
          expect(record).toMatchObject({ state: 'done', answer: before.answer })
        if (!record) continue
        if (record.state === 'running')
          expect([record.escalation, typeof record.nextAlarmAt]).toContainEqual(
            record.escalation === 'sent' ? 'sent' : 'number',
          )
        if (record.outbox) expect(nextAlarmOf(record)).toBeTypeOf('number')
        if (out.command === 'execute')
          expect(record).toMatchObject({ state: 'running', unconfirmedSends: expect.any(Number) })
        if (out.command === 'execute' && record.state === 'running')
          expect(record.unconfirmedSends).toBeGreaterThan(0)
        if (record !== before && out.command !== undefined)
          expect(record.seq).toBe((before?.seq ?? 0) + 1)
      }
    }),
    { numRuns: 1500 },
  )
})

test('what a person has to approve begins only with an approval of that preview or once no rule asks for one, and a decision changes only what waits', () => {
  const checked: Happening = (record) => ({
    type: 'step_result',
    how: 'check',
    seq: record?.seq ?? 0,
    outcome: { is: 'ok', facts: fresh().pinned },
    payload: true,
  })
  const happens = fc.oneof(
    calls,
    stepResults,
    others,
    decisions,
    decisions,
    lifts,
    fc.constant(checked),
  )
  const happenings = fc.array(fc.tuple(happens, fc.nat(100)), { maxLength: 30 })
  let [begun, begunWithoutAny] = [0, 0]
  fc.assert(
    fc.property(rules, happenings, (ofTheOperation, happening) => {
      let now = NOW
      let record: FlowRecord | undefined = previewed({ need: NEED })
      let [isApproved, isLifted, hasNeeded] = [false, false, true]
      for (const [happens, seconds] of happening) {
        const before: FlowRecord | undefined = record
        now += seconds * 1000
        const event = happens(before, now)
        record = step(before, event, { rules: ofTheOperation, now }).record
        if (event.type === 'decided') {
          const { id, digest, decision } = event.decided
          const isOpen = before?.state === 'previewed' && !before.voidedBy && now < before.expiresAt
          const mayBe = hasNeeded && (!isLifted || decision === 'decline')
          const isIt = isOpen && mayBe && id === before.id && digest === NEED.digest
          if (!isIt) expect(record).toBe(before)
          else if (decision === 'decline')
            expect(record).toMatchObject({ voidedBy: { code: 'approval_declined' } })
          if (isIt) isApproved = decision === 'approve'
        } else if (event.type === 'approval_lifted') {
          const isOpen = before?.state === 'previewed' && !before.voidedBy && now < before.expiresAt
          const isIt = isOpen && event.id === before.id && !isApproved && !isLifted
          if (isIt)
            expect(record).toMatchObject({ id: event.id, seq: before.seq + 1, state: 'previewed' })
          else expect(record).toBe(before)
          isLifted ||= isIt
        } else if (event.type === 'prepared' && record !== before) {
          isApproved = false
          isLifted = record?.need === undefined
          hasNeeded = !isLifted
        }
        if (!isApproved && record?.state === 'previewed' && !record.voidedBy)
          expect(record.need?.decision).toBeUndefined()
        const begins =
          before?.state === 'previewed' && record !== undefined && record.state !== 'previewed'
        if (!begins) continue
        expect(isApproved || isLifted).toBe(true)
        begun += Number(isApproved)
        begunWithoutAny += Number(isLifted)
      }
    }),
    { numRuns: 1500 },
  )
  expect(begun).toBeGreaterThan(50)
  expect(begunWithoutAny).toBeGreaterThan(50)
})
