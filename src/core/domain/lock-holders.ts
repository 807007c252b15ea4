const MOST_FORMER = 8

/** Who holds a lock, and who held it before, the latest first. */
export type LockHolders = { holder: string; former: readonly string[] }

/** The holders before `holder`, latest first: the change of one may have ended unpublished. */
export const formerHolders = (before: LockHolders | undefined, holder: string): string[] =>
  [...new Set(before ? [before.holder, ...before.former] : [])]
    .filter((one) => one !== holder)
    .slice(0, MOST_FORMER)
