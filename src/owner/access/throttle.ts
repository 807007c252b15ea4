import type { AppContext } from '../../api/http/app-env.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import type { RateLimit } from '../../core/domain/rate-limit.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/domain/time/duration.ts'
import type { Guess } from '../../core/ports/access.ts'
import { clientAddress } from './owner-pages.ts'

const QUOTAS = {
  register: { quota: 20, window_seconds: HOUR / SECOND },
  /** Registrations over all addresses: each is a write to KV, and writes are limited. */
  registrations: { quota: 200, window_seconds: DAY / SECOND },
  /** Documents of apps, fetched from addresses that strangers name. */
  document: { quota: 60, window_seconds: (10 * MINUTE) / SECOND },
}

/** Counts a request of its address. Raises `rate_limited` over the quota. */
export async function enforceQuota(
  c: AppContext,
  policy: keyof typeof QUOTAS,
  address = clientAddress(c),
) {
  const limit: RateLimit = { policy, ...QUOTAS[policy] }
  const window = limit.window_seconds * SECOND
  const { attempts } = c.var.services.access
  const wait = await attempts.countCall(policy, address, limit.quota, window)
  if (wait > 0) throw problem('rate_limited', { retry_after_seconds: wait, limit })
}

/** Counts a registration, of its address and over all. Raises `rate_limited` over either quota. */
export async function mayRegister(c: AppContext) {
  await enforceQuota(c, 'register')
  await enforceQuota(c, 'registrations', 'everywhere')
}

/** Counts a wrong answer. Raises `rate_limited` while its address has to wait, each time twice as long. */
export async function slowDown(c: AppContext, guess: Guess) {
  const wait = await c.var.services.access.attempts.countFailure(guess, clientAddress(c))
  if (wait > 0) throw problem('rate_limited', { retry_after_seconds: wait })
}
