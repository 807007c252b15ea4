import { MINUTE, SECOND } from './time/duration.ts'
import { BoundedMap } from './bounded-map.ts'

/** What is counted apart: calls that can change something (their previews too), and all others. */
const CALL_KINDS = ['reads', 'changes'] as const
export type CallKind = (typeof CALL_KINDS)[number]

/** A quota that was met: its name, and how much there is in how many seconds. */
export interface RateLimit {
  policy: string
  quota: number
  window_seconds: number
}

const WINDOW_SECONDS = MINUTE / SECOND

/** How many calls of each kind one caller has in a minute. The bindings in wrangler.toml hold the same numbers. */
export const RATES = {
  low: { reads: 30, changes: 10 },
  normal: { reads: 120, changes: 30 },
  high: { reads: 600, changes: 150 },
} as const satisfies Record<string, Record<CallKind, number>>

export type Rate = keyof typeof RATES

export const limitOf = (rate: Rate, kind: CallKind): RateLimit => ({
  policy: kind,
  quota: RATES[rate][kind],
  window_seconds: WINDOW_SECONDS,
})

/** A quota as the header RateLimit-Policy names it (draft-ietf-httpapi-ratelimit-headers-11). */
export const policyItem = ({ policy, quota, window_seconds }: RateLimit): string =>
  `"${policy}";q=${quota};w=${window_seconds}`

/** The quotas of a rate, as the header RateLimit-Policy lists them. */
export const policiesOf = (rate: Rate): string => POLICIES[rate]

const policies = (rate: Rate): string => CALL_KINDS.map((kind) => policyItem(limitOf(rate, kind))).join(', ')
const POLICIES: Record<Rate, string> = {
  low: policies('low'),
  normal: policies('normal'),
  high: policies('high'),
}

/** A quota that is used up, for the header RateLimit; `wait` in seconds. */
export const usedUpItem = ({ policy }: RateLimit, wait: number): string => `"${policy}";r=0;t=${wait}`

const EVENTS_PER_MINUTE = 10

const MAX_KINDS = 500

interface Count {
  since: number
  emitted: number
  suppressed: number
}

/** Samples events by kind: ten a minute; the first of the next minute counts the suppressed ones, too. 0: suppressed. */
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
