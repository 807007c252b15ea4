import { EVERYBODY } from '../../domain/rules/house-rules.ts'
import { SECOND } from '../../domain/time/duration.ts'
import { type RulesShown, rulesIn } from '../rules-shown.ts'

/** A practice makes fewer changes in a day, an agent that runs away makes more. */
export const PROPOSED_CHANGES_A_DAY = 100

/**
 * Limits the changes of a day on a connector that has no rules yet, with the owner's first key; `as it was` where there
 * are some. Never raises: a connector without the limit works, too.
 */
export async function proposeRules(base: string, key: string): Promise<'set' | 'as it was' | 'failed'> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, base), { ...init, headers, signal: AbortSignal.timeout(10 * SECOND) })
  try {
    const listed = await ask('/v1/rules')
    if (!listed.ok) return 'failed'
    const { rules } = (await listed.json()) as { rules: RulesShown[] }
    const everybody = rules.find(({ caller }) => caller === EVERYBODY)
    if (!everybody || everybody.allows.length > 0) return 'as it was'
    const wanted = { ...rulesIn(everybody), changes_a_day: PROPOSED_CHANGES_A_DAY }
    const body = JSON.stringify(wanted)
    return (await ask(`/v1/rules/${EVERYBODY}`, { method: 'PUT', body })).ok ? 'set' : 'failed'
  } catch {
    return 'failed'
  }
}
