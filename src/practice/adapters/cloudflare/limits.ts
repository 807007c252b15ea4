import { problem } from '../../../core/domain/problem/problem.ts'
import { type CallKind, type Rate, limitOf, policiesOf } from '../../../core/domain/rate-limit.ts'
import type { Limits } from '../../../core/ports/services.ts'
import { withTimeout } from '../../../core/with-timeout.ts'

const TIMEOUT_MS = 500

/** The part of the platform's rate limiting binding that is used. */
interface Counter {
  limit(of: { key: string }): Promise<{ success: boolean }>
}

export const noLimits: Limits = { policies: undefined, count: async () => {} }

/** Limits by the platform's counters, which name no wait: a refusal names the window. `failed`: one fails. */
export function countedLimits(
  rate: Rate,
  counters: Record<CallKind, Counter | undefined>,
  failed: () => void,
): Limits {
  return {
    policies: policiesOf(rate),
    async count(caller, kind) {
      if (await isOver(counters[kind], caller, failed)) {
        const limit = limitOf(rate, kind)
        throw problem('rate_limited', { retry_after_seconds: limit.window_seconds, limit })
      }
    },
  }
}

async function isOver(counter: Counter | undefined, key: string, failed: () => void) {
  try {
    if (!counter) throw new Error('no counter')
    const result = await withTimeout(counter.limit({ key }), TIMEOUT_MS)
    if (result === 'late') throw new Error('late')
    return !result.success
  } catch {
    failed()
    return false
  }
}
