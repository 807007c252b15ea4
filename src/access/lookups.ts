import { BoundedMap } from '../domain/bounded-map.ts'
import { problem } from '../domain/problem.ts'
import type { RateLimit } from '../domain/rate-limit.ts'
import { MINUTE, SECOND } from '../domain/duration.ts'

const LIMIT = {
  policy: 'unknown_credentials',
  quota: 20,
  window_seconds: MINUTE / SECOND,
} as const satisfies RateLimit
/** An unknown credential is believed to be one for this long, and twice as long each time: a new one works at once nearly everywhere, and a client that keeps sending an old one uses up little. */
const BELIEVED_UNKNOWN = { first: 5 * SECOND, longest: MINUTE }
const MOST_REMEMBERED = 1000

/**
 * Looks up credentials, so that whoever makes them up cannot keep the one object of all keys, or the grants, busy. One
 * that was good here before is always looked up, since many people can share an address (those of claude.ai, say). Of all
 * others each address has a quota. The memory is that of one isolate.
 */
export function lookups(now: () => number) {
  const good = new BoundedMap<string, true>(MOST_REMEMBERED)
  const unknown = new BoundedMap<string, { until: number; next: number }>(MOST_REMEMBERED)
  const windows = new BoundedMap<string, { until: number; count: number }>(MOST_REMEMBERED)

  const windowOf = (address: string) => {
    const known = windows.get(address)
    if (known && known.until > now()) return known
    const fresh = { until: now() + LIMIT.window_seconds * SECOND, count: 0 }
    windows.set(address, fresh)
    return fresh
  }

  /** `name` identifies the credential, and is no secret. Raises `rate_limited` instead of one lookup too many. */
  return async <T>(
    name: string,
    address: string,
    find: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    if (good.has(name)) {
      const found = await find()
      if (found === undefined) good.delete(name)
      else good.set(name, true)
      return found
    }
    const { until, next } = unknown.get(name) ?? { until: 0, next: BELIEVED_UNKNOWN.first }
    if (until > now()) return undefined
    const window = windowOf(address)
    if (window.count >= LIMIT.quota) {
      const retry_after_seconds = Math.ceil((window.until - now()) / SECOND)
      throw problem('rate_limited', { retry_after_seconds, limit: LIMIT })
    }
    // Counted before it is found out, so that many at once are too many as well; a good one is given back.
    window.count++
    const found = await find().catch((failure: unknown) => {
      window.count--
      throw failure
    })
    if (found === undefined)
      unknown.set(name, { until: now() + next, next: Math.min(next * 2, BELIEVED_UNKNOWN.longest) })
    else {
      unknown.delete(name)
      window.count--
      good.set(name, true)
    }
    return found
  }
}

export type LookUp = ReturnType<typeof lookups>
