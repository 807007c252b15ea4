import type { CallKind } from '../domain/rate-limit.ts'

/** Counts the calls of each caller. A counter that fails lets the call pass. */
export interface Limits {
  /** The header RateLimit-Policy of every answer to a caller; undefined while nothing is counted. */
  policies: string | undefined
  /** Counts one call. Raises `rate_limited`. */
  count(caller: string, kind: CallKind): Promise<void>
}
