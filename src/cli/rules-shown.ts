import type { Rules } from '../domain/rules/house-rules.ts'

/** A set of house rules as `GET /v1/rules` lists it. */
export interface RulesShown extends Rules {
  caller: string
  paused_at: string | null
  allows: string[]
}

/** The set as `PUT /v1/rules/{caller}` takes it. */
export const rulesIn = ({
  paused,
  operations,
  max_link,
  hours,
  changes_a_day,
  approval,
}: RulesShown): Rules => ({ paused, operations, max_link, hours, changes_a_day, approval })
