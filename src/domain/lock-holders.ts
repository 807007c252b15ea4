const MOST_FORMER = 8

/** Who held a lock, and who did before, the latest first. */
export interface LockHolders {
  holder: string
  former: readonly string[]
}

/** The holders before `holder`, latest first: a change can be over and not yet published when the next one takes the lock. */
export const formerHolders = (before: LockHolders | undefined, holder: string): string[] =>
  before === undefined
    ? []
    : [...new Set([before.holder, ...before.former])].filter((one) => one !== holder).slice(0, MOST_FORMER)
