import type { Facts } from '../domain/facts.ts'
import { isoSeconds } from '../domain/time.ts'
import type { AnyMutation, Finished, Step } from './mutation.ts'
import type { FlowRecord } from './record.ts'
import type { Plan, Rule } from './transition.ts'

const DEFAULTS = { repeatMs: 0, settleMs: Infinity }

const ruleOf = ({ alone, repeatMs, settleMs, undo }: Step<object, Facts>): Rule => ({
  alone: alone ?? false,
  repeatMs: repeatMs ?? DEFAULTS.repeatMs,
  settleMs: settleMs ?? DEFAULTS.settleMs,
  ...(undo ? { undo: { ...DEFAULTS, ...undo, alone: true } } : {}),
})

/** The plan of a record: the rules of its steps, and what its operation says and delivers at each end. */
export function planOf(record: FlowRecord, mutation: AnyMutation): Plan {
  return {
    rules: mutation.steps(record.pinned ?? {}).map(ruleOf),
    finish: (ended, end, now) => {
      const finished = finishedOf(ended, now)
      if (end !== 'committed') {
        const left = mutation.left?.(finished, end === 'reschedule_restored')
        const refusal = { effect: 'partial' as const, ...left?.refusal, code: end }
        return { answer: { is: 'refused', refusal }, outbox: left?.records ?? [] }
      }
      const result = mutation.result(finished)
      const body = {
        status: 'committed',
        operation: ended.operation,
        mode: ended.mode,
        result,
        summary: mutation.summary(result, finished),
        committed_at: isoSeconds(now),
      }
      return { answer: { is: 'committed', body }, outbox: mutation.records(result, finished) }
    },
  }
}

const finishedOf = (record: FlowRecord, now: number): Finished<Facts, object> => ({
  id: record.id,
  mode: record.mode,
  preview: record.shown?.preview ?? {},
  pinned: record.pinned ?? {},
  learnt: record.learnt,
  setback: record.setback,
  now,
  origin: record.origin,
})
