import type { AppContext } from '../../api/http/app-env.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import type { RateLimit } from '../../core/domain/rate-limit.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/domain/time/duration.ts'
import type { Guess, Quota } from '../../core/ports/access.ts'
import { clientAddress } from './owner-pages.ts'

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

/** Counts a request of its address. Raises `rate_limited` over the quota. */
export const enforceQuota = (c: AppContext, quota: keyof typeof QUOTAS) =>
  count(c, quota, clientAddress(c), { policy: quota, ...QUOTAS[quota] })

/** Counts a registration, of its address and over all. Raises `rate_limited` over either quota. */
export async function mayRegister(c: AppContext) {
  await enforceQuota(c, 'register')
  await count(c, 'registrations', EVERYWHERE, REGISTRATIONS)
}

async function count(c: AppContext, name: Quota, address: string, limit: RateLimit) {
  const { quota, window_seconds } = limit
  const { attempts } = c.var.services.access
  const wait = await attempts.countCall(name, address, quota, window_seconds * SECOND)
  if (wait > 0) throw problem('rate_limited', { retry_after_seconds: wait, limit })
}

/** Counts a wrong answer. Raises `rate_limited` while its address has to wait, each time twice as long. */
export async function slowDown(c: AppContext, guess: Guess) {
  const wait = await c.var.services.access.attempts.countFailure(guess, clientAddress(c))
  if (wait > 0) throw problem('rate_limited', { retry_after_seconds: wait })
}
