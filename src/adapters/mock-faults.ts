import type { StepOutcome } from '../domain/outcome.ts'
import type { Action, Fault, ScriptedFault } from '../domain/mock-booking.ts'
import type { Refusal } from '../domain/problem/problem.ts'
import { SECOND } from '../domain/time/duration.ts'

/** The fault of the next call of an action, or `ok`. */
export type Faults = (action: Action) => Fault

const SLOW = 3 * SECOND

const scripts = new Map<string, Faults>()

/** The faults of a script in their order, then `ok`. Each script runs once in a process. */
export function scriptedFaults(script: readonly ScriptedFault[]): Faults {
  const name = JSON.stringify(script)
  let faults = scripts.get(name)
  if (!faults) {
    const queue = [...script]
    faults = (action) => {
      const index = queue.findIndex((step) => step.action === action)
      const step = queue[index]
      if (!step) return 'ok'
      if (!step.stays) queue.splice(index, 1)
      return step.fault
    }
    scripts.set(name, faults)
  }
  return faults
}

/** Runs a change of a mock provider under its next fault. */
export async function underFault(
  faults: Faults,
  action: Action,
  refusal: Omit<Refusal, 'effect'>,
  execute: () => Promise<StepOutcome>,
): Promise<StepOutcome> {
  switch (faults(action)) {
    case 'busy':
      return { is: 'busy', refusal: { code: 'provider_busy', effect: 'none', retry_after_seconds: 5 } }
    case 'misconfigured':
      return { is: 'busy', refusal: { code: 'provider_misconfigured', effect: 'none' } }
    case 'refused':
      return { is: 'refused', refusal: { ...refusal, effect: 'none' } }
    case 'timeout_before':
      return { is: 'unknown' }
    case 'timeout_after':
      await execute()
      return { is: 'unknown' }
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, SLOW))
      return execute()
    default:
      return execute()
  }
}
