import { problem } from '../../core/domain/problem/problem.ts'
import type { RateLimit } from '../../core/domain/rate-limit.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/domain/time/duration.ts'
import type { Access, Guess, Quota } from '../../core/ports/access.ts'

const QUOTAS = {
  register: { quota: 20, window_seconds: HOUR / SECOND },
  /** Documents of apps, fetched from addresses that strangers name. */
  document: { quota: 60, window_seconds: (10 * MINUTE) / SECOND },
} as const satisfies Record<string, Omit<RateLimit, 'policy'>>

/** Registrations in a day over all addresses: each is a write to KV, and writes are limited. */
const REGISTRATIONS: RateLimit = {
  policy: 'registrations',
  quota: 200,
  window_seconds: DAY / SECOND,
}
const EVERYWHERE = 'everywhere'

/** Counts a request of an address. Raises `rate_limited` over the quota. */
export const enforceQuota = (
  access: Access,
  quota: keyof typeof QUOTAS,
  address: string,
): Promise<void> => count(access, quota, address, { policy: quota, ...QUOTAS[quota] })

/** Counts a registration, of this address and over all. Raises `rate_limited` over either quota. */
export async function mayRegister(access: Access, address: string): Promise<void> {
  await enforceQuota(access, 'register', address)
  await count(access, 'registrations', EVERYWHERE, REGISTRATIONS)
}

async function count(
  access: Access,
  quota: Quota,
  address: string,
  limit: RateLimit,
): Promise<void> {
  const wait = await access.attempts.countCall(
    quota,
    address,
    limit.quota,
    limit.window_seconds * SECOND,
  )
  if (wait > 0) throw problem('rate_limited', { retry_after_seconds: wait, limit })
}

/** Counts a wrong answer. Raises `rate_limited` while the address has to wait, each time twice as long. */
export async function slowDown(access: Access, guess: Guess, address: string): Promise<void> {
  const wait = await access.attempts.countFailure(guess, address)
  if (wait > 0) throw problem('rate_limited', { retry_after_seconds: wait })
}
