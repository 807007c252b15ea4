/** Counts what happened, to show that a run met what it was made for. */
export interface Tally {
  count(what: string, by?: number): void
  readonly counts: Readonly<Record<string, number>>
}

export function tally(): Tally {
  const counts: Record<string, number> = {}
  return { count: (what, by = 1) => (counts[what] = (counts[what] ?? 0) + by), counts }
}

/** Adds the counts of one run to those of all. */
export function addUp(
  total: Record<string, number>,
  counts: Readonly<Record<string, number>>,
): void {
  for (const [what, times] of Object.entries(counts)) total[what] = (total[what] ?? 0) + times
}
