import { BoundedMap } from './bounded-map.ts'
import { MINUTE, SECOND } from './time/duration.ts'

/** Calls are counted apart: `changes`, with their previews, and `reads`. */
export type CallKind = 'reads' | 'changes'

/** A quota: its name, and how many calls it allows in how many seconds. */
export type RateLimit = { policy: string; quota: number; window_seconds: number }

/** The calls of each kind that a caller has in a minute. The bindings in wrangler.toml must match. */
export const RATES = {
  low: { reads: 30, changes: 10 },
  normal: { reads: 120, changes: 30 },
  high: { reads: 600, changes: 150 },
} as const satisfies Record<string, Record<CallKind, number>>

export type Rate = keyof typeof RATES

export const limitOf = (rate: Rate, kind: CallKind): RateLimit => ({
  policy: kind,
  quota: RATES[rate][kind],
  window_seconds: MINUTE / SECOND,
})

/** A quota as the header RateLimit-Policy names it (draft-ietf-httpapi-ratelimit-headers-11). */
export const policyItem = ({ policy, quota, window_seconds }: RateLimit) =>
  `"${policy}";q=${quota};w=${window_seconds}`

/** The quotas of a rate, as the header RateLimit-Policy lists them. */
export const policiesOf = (rate: Rate) =>
  `${policyItem(limitOf(rate, 'reads'))}, ${policyItem(limitOf(rate, 'changes'))}`

/** A quota that is used up, as the header RateLimit names it; `wait` is in seconds. */
export const usedUpItem = ({ policy }: RateLimit, wait: number) => `"${policy}";r=0;t=${wait}`

const EVENTS_PER_MINUTE = 10
const MAX_KINDS = 500

/**
 * Samples events by kind: it returns how many to write now, 1 for the first ten of a minute, then 0. The
 * first of a later minute counts the suppressed ones, too.
 */
export function eventSampler(): (kind: string, now: number) => number {
  const counts = new BoundedMap<string, { since: number; seen: number }>(MAX_KINDS)
  return (kind, now) => {
    const known = counts.get(kind)
    if (known && now - known.since < MINUTE) return ++known.seen <= EVENTS_PER_MINUTE ? 1 : 0
    counts.set(kind, { since: now, seen: 1 })
    return 1 + Math.max(0, (known?.seen ?? 0) - EVENTS_PER_MINUTE)
  }
}
