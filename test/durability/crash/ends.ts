import type { Random } from '../../support/random.ts'

/** How one instance of the connector ends, or what befalls its storage before the next one. */
export type End = 'kill' | 'stop' | 'rest' | 'rest after the alarms' | 'lose the alarms'

export interface Ends {
  kills: number
  /** How many instances end as by a deploy. */
  deploys: number
  /** How often, after a kill, no caller asks before the alarms had time to look. */
  alarms: number
}

const LOSSES = 0.15

/** In which order the instances end: three to six are cut short between two that let everybody rest. */
export function endsOf({ kills, deploys, alarms }: Ends, random: Random): End[] {
  const cuts: End[] = [
    ...Array.from({ length: kills }, () => 'kill' as const),
    ...Array.from({ length: deploys }, () => 'stop' as const),
  ]
  const mixed = cuts
    .map((end) => ({ end, at: random.int(0, 1_000_000) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ end }) => end)
  const ends: End[] = []
  let waits = alarms
  while (mixed.length > 0) {
    for (const end of mixed.splice(0, random.int(3, 6))) {
      ends.push(end)
      if (random.chance(LOSSES)) ends.push('lose the alarms')
    }
    // What was lost just before cannot be waited for.
    const isWait = waits > 0 && ends.at(-1) === 'kill'
    if (isWait) waits -= 1
    ends.push(isWait ? 'rest after the alarms' : 'rest')
  }
  return ends
}
