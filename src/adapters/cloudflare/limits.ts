import { problem } from '../../domain/problem.ts'
import { type CallKind, type Rate, limitOf, policiesOf } from '../../domain/rate-limit.ts'
import type { Limits } from '../../ports/limits.ts'

/** A counter that takes longer than this counts as one that fails. */
const LONGEST_WAIT = 500

/** The part of the platform's rate limiting binding that is used. */
export interface Counter {
  limit(of: { key: string }): Promise<{ success: boolean }>
}

export const noLimits: Limits = { policies: undefined, count: async () => {} }

/**
 * Limits by the platform's counters, one for each kind of call: per location, nearly exact, and told only whether a call
 * is over. So the wait that is named is the whole window. `failed` hears of a counter that does not answer.
 */
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

async function isOver(counter: Counter | undefined, key: string, failed: () => void): Promise<boolean> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(late.reject, LONGEST_WAIT)
  try {
    if (!counter) throw new Error('no counter')
    return !(await Promise.race([counter.limit({ key }), late.promise])).success
  } catch {
    failed()
    return false
  } finally {
    clearTimeout(timer)
  }
}
