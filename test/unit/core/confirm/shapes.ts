import { SCHEDULE } from '../../../../src/core/confirm/record.ts'
import type { Plan, StepRule } from '../../../../src/core/confirm/transition.ts'

/** What a step does to the provider: cancel the old booking, book the new or the old time, or move in one call. */
export type Act = 'cancel' | 'new' | 'old' | 'move'

/** An operation as the machine sees it, and the provider it meets. */
export interface Shape {
  name: string
  rules: readonly StepRule[]
  acts: readonly Act[]
  /** Several can have the same time. */
  pool?: true
  /** The provider answers a repeat under the same marker with the first result. */
  keyed?: true
  /** The provider refuses a repeat of our own cancel. */
  blunt?: true
  /** The new time can be booked only while the caller is there. */
  callerOnly?: true
}

/**
 * Shortens the waits of the machine for a search in whole ticks; only the order of things matters there. Returns what
 * makes them as long as they were.
 */
export function shortenWaits(): () => void {
  const waits = { ...SCHEDULE }
  const rare = { firstRedelivery: 20, lateRedelivery: 40, realertEvery: 40, retain: 1000 }
  Object.assign(SCHEDULE, { backoff: [10, 10], maxStepRetries: 1, taskLease: 5, ...rare })
  return () => void Object.assign(SCHEDULE, waits)
}

/** How long a preview lives in the search; longer and shorter than some of the waits. */
export const LIFETIME = 7
/** How long the provider knows a marker. */
const KEY_WINDOW = 23

const never = Infinity
const create: StepRule = {}
const cancel: StepRule = { retryWindowMs: Infinity }
const twoSteps = [{ ...cancel, compensate: create }, create]

/** Every kind of operation there is or may be. */
export const SHAPES: readonly Shape[] = [
  { name: 'book, one host', rules: [create], acts: ['new'] },
  { name: 'book, several hosts', rules: [create], acts: ['new'], pool: true },
  {
    name: 'book, provider settles',
    rules: [{ ...create, absenceIsFinalAfterMs: 8 }],
    acts: ['new'],
    pool: true,
  },
  {
    name: 'keyed create',
    rules: [{ retryWindowMs: KEY_WINDOW }],
    acts: ['new'],
    pool: true,
    keyed: true,
  },
  { name: 'cancel', rules: [cancel], acts: ['cancel'] },
  { name: 'cancel, blunt refusal', rules: [cancel], acts: ['cancel'], blunt: true },
  { name: 'reschedule, one host', rules: twoSteps, acts: ['cancel', 'new'] },
  { name: 'reschedule, several hosts', rules: twoSteps, acts: ['cancel', 'new'], pool: true },
  {
    name: 'reschedule, other address',
    rules: twoSteps,
    acts: ['cancel', 'new'],
    callerOnly: true,
  },
  { name: 'reschedule in one call', rules: [create], acts: ['move'] },
  { name: 'no provider', rules: [], acts: [] },
]

const CODES = { compensated: 'reschedule_restored', partial: 'partially_applied' } as const

/** What an operation of this shape says at its end, and one record to deliver. */
export const planOf = (shape: Shape): Plan => ({
  rules: shape.rules,
  finish: (record, end) => ({
    answer:
      end === 'committed'
        ? {
            is: 'committed',
            body: { learnt: record.state === 'running' ? record.stepResults.length : 0 },
          }
        : { is: 'refused', refusal: { code: CODES[end], effect: 'partial' } },
    records: [{ key: 'record', mode: 'mock', value: {} }],
    recordId: null,
  }),
})

/** How long after it was sent a request may still take effect. */
export function landsWithin(shape: Shape, act: Act): number {
  if (shape.keyed) return KEY_WINDOW
  return act === 'cancel' || act === 'move'
    ? (shape.rules[0]!.absenceIsFinalAfterMs ?? never)
    : (shape.rules.at(-1)!.absenceIsFinalAfterMs ?? never)
}
