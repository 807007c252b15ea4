import { DAY } from './time/duration.ts'

const MOST_FORMER = 8

/** Who holds a lock, and who held it before, the latest first. */
export type LockHolders = { holder: string; former: readonly string[] }

/** The holders before `holder`, latest first: the change of one may have ended unpublished. */
export const formerHolders = (before: LockHolders | undefined, holder: string) =>
  [...new Set(before ? [before.holder, ...before.former] : [])]
    .filter((one) => one !== holder)
    .slice(0, MOST_FORMER)

/**
 * A lock key that ends with this represents the locks on all times of a kind of consult that the
 * maker of a booking may have taken: within `LATELY_MS` of when it was made, or by a change that is
 * listed as in doubt.
 */
export const ANY_TIME = '*'

/**
 * 2 days, in ms. A change ends or is listed as in doubt within hours, but a connector that could not
 * run meanwhile, as in an outage, has still to look at it afterwards.
 */
export const LATELY_MS = 2 * DAY

/** What a lock key that ends with `ANY_TIME` begins with; undefined for any other key. */
export const anyTimeOf = (lockKey: string) =>
  lockKey.endsWith(ANY_TIME) ? lockKey.slice(0, -ANY_TIME.length) : undefined
