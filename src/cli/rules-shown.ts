import type { Rules } from '../core/domain/rules/house-rules.ts'

/** A set of house rules in the answer of `GET /v1/rules`. */
export type RulesShown = Rules & { caller: string; paused_at: string | null; allows: string[] }

/** The set in the form that `PUT /v1/rules/{caller}` takes. */
export const rulesIn = ({
  caller: _,
  paused_at: _at,
  allows: _allows,
  ...rules
}: RulesShown): Rules => rules
