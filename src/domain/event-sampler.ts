import { BoundedMap } from './bounded-map.ts'
import { MINUTE } from './duration.ts'

const EVENTS_PER_MINUTE = 10
const MAX_KINDS = 500

interface Count {
  since: number
  emitted: number
  suppressed: number
}

/**
 * Samples events by kind: emits the first ten of a minute, and adds the number of suppressed ones to the first of the next
 * minute. Returns how many events this one represents; 0 means that it is suppressed.
 */
export function eventSampler(): (kind: string, now: number) => number {
  const counts = new BoundedMap<string, Count>(MAX_KINDS)
  return (kind, now) => {
    const known = counts.get(kind)
    if (known && now - known.since < MINUTE) {
      if (known.emitted < EVENTS_PER_MINUTE) {
        known.emitted += 1
        return 1
      }
      known.suppressed += 1
      return 0
    }
    counts.set(kind, { since: now, emitted: 1, suppressed: 0 })
    return 1 + (known?.suppressed ?? 0)
  }
}
