import { problem } from '../domain/problem.ts'
import type { RateLimit } from '../domain/rate-limit.ts'
import type { Attempt, Owner } from '../ports/owner.ts'

/** How often one address may ask for what anybody may ask for. */
const QUOTAS = {
  register: { quota: 20, window_seconds: 3600 },
  challenge: { quota: 30, window_seconds: 600 },
  /** Documents of apps, which are fetched from addresses that strangers name. */
  document: { quota: 60, window_seconds: 600 },
} as const satisfies Record<string, Omit<RateLimit, 'policy'>>

/** How many apps may register in a day, from wherever: each is a write, and the store has only so many of these. */
const REGISTRATIONS = {
  policy: 'registrations',
  quota: 200,
  window_seconds: 86_400,
} as const satisfies RateLimit
const EVERYWHERE = 'everywhere'

/** Counts what an address asks for. Raises `rate_limited` when it was too much. */
export const mayAsk = (owner: Owner, attempt: keyof typeof QUOTAS, address: string): Promise<void> =>
  count(owner, attempt, address, { policy: attempt, ...QUOTAS[attempt] })

/** Counts a registration, of this address and over all. Raises `rate_limited` when it was too much of either. */
export async function mayRegister(owner: Owner, address: string): Promise<void> {
  await mayAsk(owner, 'register', address)
  await count(owner, 'registrations', EVERYWHERE, REGISTRATIONS)
}

async function count(owner: Owner, attempt: Attempt, address: string, limit: RateLimit): Promise<void> {
  const wait = await owner.count(attempt, address, limit.quota, limit.window_seconds * 1000)
  if (wait > 0) throw problem('rate_limited', { retry_after_seconds: wait, limit })
}

/** Raises `rate_limited` while an address has to wait after failures; there is no quota of these, the wait doubles. */
export async function mayTry(owner: Owner, attempt: 'sign_in' | 'enrol', address: string): Promise<void> {
  const wait = await owner.waitFor(attempt, address)
  if (wait > 0) throw problem('rate_limited', { retry_after_seconds: wait })
}
