import type { Facts } from './facts.ts'
import type { Refusal } from './problem/problem.ts'

/**
 * What a provider answered to a mutation. `refused`: proved without effect, and for good. `busy`: this send
 * is proved without effect, later it may succeed. `unknown`: it may have happened.
 */
export type StepOutcome =
  | { is: 'ok'; facts: Facts }
  | { is: 'refused' | 'busy'; refusal: Refusal }
  | { is: 'unknown' }

/** The result of a lookup. `not_found`: not there now, which proves nothing by itself. */
export type LookupOutcome = StepOutcome | { is: 'not_found' }
