import type { Effect } from './problem.ts'
import type { ProblemCode } from './problems.ts'

/** Codes that may say something else than `none` of the effect of the change that was asked for; the usual one first. */
const EFFECTS: Partial<Record<ProblemCode, readonly [Effect, ...Effect[]]>> = {
  idempotency_key_reused: ['none', 'unknown', 'partial', 'done'],
  confirmation_token_missing: ['none', 'unknown', 'partial', 'done'],
  confirmation_token_invalid: ['none', 'unknown', 'partial', 'done'],
  commit_in_progress: ['unknown'],
  reschedule_restored: ['partial'],
  partially_applied: ['partial'],
  internal_error: ['unknown', 'none'],
  outcome_unknown: ['unknown'],
}

/** What a refusal with this code may say of the effect; the usual one first. */
export const effectsOf = (code: ProblemCode): readonly [Effect, ...Effect[]] => EFFECTS[code] ?? ['none']

/** What each of them means, for the documents. */
export const EFFECT_MEANINGS: Record<Effect, string> = {
  none: 'Nothing was changed.',
  done: 'The change was made by an earlier commit under this key.',
  unknown: 'The change may have been made; the same call with the same key finds out.',
  partial: 'A part was made, and the answer says what exists now.',
}
