/** How many things of one kind are told one by one in a minute. */
const ONE_BY_ONE = 10
const WINDOW = 60_000
const KINDS = 500

interface Count {
  since: number
  told: number
  untold: number
}

/**
 * Keeps a rush from becoming a flood: of one kind so many are told one by one in a minute; the rest are counted, and the
 * count goes with the first of the next minute. Answers how many the one to be told now stands for; 0: it is only counted.
 */
export function rush(): (kind: string, now: number) => number {
  const counts = new Map<string, Count>()
  return (kind, now) => {
    const known = counts.get(kind)
    if (known && now - known.since < WINDOW) {
      if (known.told < ONE_BY_ONE) {
        known.told += 1
        return 1
      }
      known.untold += 1
      return 0
    }
    if (!known && counts.size >= KINDS) counts.clear()
    counts.set(kind, { since: now, told: 1, untold: 0 })
    return 1 + (known?.untold ?? 0)
  }
}
