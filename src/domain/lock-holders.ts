/** How many holders before the last one are remembered. */
const MOST_FORMER = 8

/** Who held a lock, and who did before, the latest first. */
export interface LockHolders {
  holder: string
  former: readonly string[]
}

/**
 * Who held a lock before `holder` takes it, the latest first. They are remembered because a change can be over and its
 * record not published yet, when another flow takes the lock.
 */
export const formerHolders = (before: LockHolders | undefined, holder: string): string[] =>
  before === undefined
    ? []
    : [...new Set([before.holder, ...before.former])].filter((one) => one !== holder).slice(0, MOST_FORMER)
