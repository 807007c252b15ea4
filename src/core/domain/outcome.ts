import type { Facts } from './facts.ts'
import type { Refusal } from './problem/problem.ts'

/**
 * How a change ended. `refused` and `busy` had no effect, for good or for now; `unknown` may have,
 * and `answered` where an answer came.
 */
export type StepOutcome =
  | { is: 'ok'; facts: Facts }
  | { is: 'refused' | 'busy'; refusal: Refusal }
  | { is: 'unknown'; answered?: true }

/** Nothing was sent, and the same may be sent later. */
export const NOT_SENT = {
  is: 'busy',
  refusal: { code: 'provider_busy', effect: 'none' },
} as const satisfies StepOutcome

/** The result of a lookup. `not_found` proves nothing: the change may still appear. */
export type LookupOutcome = StepOutcome | { is: 'not_found' }
