import type { Facts } from './facts.ts'
import type { Refusal } from './problem/problem.ts'

/**
 * How a change ended. `refused` and `busy` had no effect, for good or for now; `isOfRequest` where
 * that says nothing of others of its kind. `unknown` may have had one, and `answered` where an answer
 * came.
 */
export type StepOutcome =
  | { is: 'ok'; facts: Facts }
  | { is: 'refused' | 'busy'; refusal: Refusal; isOfRequest?: true }
  | { is: 'unknown'; answered?: true }

/** Nothing was sent, and the same may be sent later. */
export const NOT_SENT = {
  is: 'busy',
  refusal: { code: 'provider_busy', effect: 'none' },
} as const satisfies StepOutcome

/** What the owner has to mend before such a change is taken; undefined where that is not why it was not. */
export const toMend = (outcome: LookupOutcome): string | undefined =>
  outcome.is === 'busy' && outcome.refusal.code === 'provider_misconfigured' && !outcome.isOfRequest
    ? (outcome.refusal.detail ?? '')
    : undefined

/** The result of a lookup. `not_found` proves nothing: the change may still appear. */
export type LookupOutcome = StepOutcome | { is: 'not_found' }
