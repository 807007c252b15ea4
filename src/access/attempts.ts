import { problem } from '../domain/problem.ts'
import type { RateLimit } from '../domain/rate-limit.ts'
import type { Owner } from '../ports/owner.ts'

/** How often one address may ask for what anybody may ask for. */
const QUOTAS = {
  register: { quota: 20, window_seconds: 3600 },
  challenge: { quota: 30, window_seconds: 600 },
  /** Documents of apps, which are fetched from addresses that strangers name. */
  document: { quota: 60, window_seconds: 600 },
} as const satisfies Record<string, Omit<RateLimit, 'policy'>>

/** Counts what an address asks for. Raises `rate_limited` when it was too much. */
export async function mayAsk(owner: Owner, attempt: keyof typeof QUOTAS, address: string): Promise<void> {
  const limit = { policy: attempt, ...QUOTAS[attempt] }
  const wait = await owner.count(attempt, address, limit.quota, limit.window_seconds * 1000)
  if (wait > 0) throw problem('rate_limited', { retry_after_seconds: wait, limit })
}

/** Raises `rate_limited` while an address has to wait after failures; there is no quota of these, the wait doubles. */
export async function mayTry(owner: Owner, attempt: 'sign_in' | 'enrol', address: string): Promise<void> {
  const wait = await owner.waitFor(attempt, address)
  if (wait > 0) throw problem('rate_limited', { retry_after_seconds: wait })
}
