import type { Facts } from './facts.ts'
import type { Refusal } from './problem/problem.ts'

/** The answer to a change. `refused`, `busy`: it had no effect, for good or for now. `unknown`: it may have happened. */
export type StepOutcome =
  | { is: 'ok'; facts: Facts }
  | { is: 'refused' | 'busy'; refusal: Refusal }
  | { is: 'unknown' }

/** The result of a lookup. `not_found`: not there now, which proves nothing by itself. */
export type LookupOutcome = StepOutcome | { is: 'not_found' }
