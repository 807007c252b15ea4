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

/** What proves that there was no effect. */
export type WithoutEffect = Extract<StepOutcome, { refusal: Refusal }>

/**
 * A fault of the settings and a busy provider hold for now: the same request can succeed later, so
 * their outcome is `busy`.
 */
type FinalCode = Exclude<Refusal['code'], 'provider_misconfigured' | 'provider_busy'>

/** It happened, with the facts that are kept of it. */
export const ok = (facts: Facts = {}) => ({ is: 'ok', facts }) as const
/** It had no effect, for good. */
export const refused = (
  code: FinalCode,
  facts: Omit<Partial<Refusal>, 'code'> = {},
): WithoutEffect => ({ is: 'refused', refusal: { effect: 'none', ...facts, code } })
/** It had no effect, for now. */
export const busy = (refusal: Refusal) => ({ is: 'busy', refusal }) as const
/** It may have had an effect. */
export const UNKNOWN = { is: 'unknown' } as const
/** An answer came, and does not say whether it had one. */
export const NOT_UNDERSTOOD = { is: 'unknown', answered: true } as const
/** Nothing was sent, and the same may be sent later. */
export const NOT_SENT = busy({ code: 'provider_busy', effect: 'none' })
/** A lookup found nothing, which proves nothing: the change may still appear. */
export const NOT_FOUND = { is: 'not_found' } as const

/** What the owner has to mend before such a change is taken; undefined where that is not why it was not. */
export const toMend = (outcome: LookupOutcome): string | undefined =>
  outcome.is === 'busy' && outcome.refusal.code === 'provider_misconfigured' && !outcome.isOfRequest
    ? (outcome.refusal.detail ?? '')
    : undefined

/** The result of a lookup. */
export type LookupOutcome = StepOutcome | { is: 'not_found' }
