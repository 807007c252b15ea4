import type { Ran } from '../domain/outcome.ts'
import { problem } from '../domain/problem.ts'

const ACTIONS = ['slots', 'book', 'cancel', 'invoice', 'link'] as const
const FAULTS = [
  'ok',
  'busy',
  'misconfigured',
  'refused',
  'timeout_before',
  'timeout_after',
  'slow',
  'changed',
] as const

export type Action = (typeof ACTIONS)[number]
export type Fault = (typeof FAULTS)[number]

/** How the next call of an action goes wrong, or `ok`. */
export type Faults = (action: Action) => Fault

const SLOW = 3000

const scripts = new Map<string, Faults>()

/**
 * Faults for rehearsal, from a script such as `book:ok,book:refused,link:timeout_after*`: each is used up by one call
 * of its action, in order; one with a `*` stays for good; afterwards all is well. Raises `not_configured` for a script
 * that is not understood. The same script is one run of it in this process.
 */
export function scriptedFaults(script: string): Faults {
  let faults = scripts.get(script)
  if (!faults) {
    faults = readScript(script)
    scripts.set(script, faults)
  }
  return faults
}

function readScript(script: string): Faults {
  const queue = script
    .split(',')
    .map((step) => step.trim())
    .filter((step) => step !== '')
    .map((step) => {
      const [, action, fault, stays] = /^(\w+):(\w+)(\*?)$/.exec(step) ?? []
      const known = ACTIONS.find((name) => name === action)
      const kind = FAULTS.find((name) => name === fault)
      if (!known || !kind)
        throw problem('not_configured', { detail: 'Not valid: MOCK_FAULTS. See docs/operations.md.' })
      return { action: known, fault: kind, stays: stays === '*' }
    })
  return (action) => {
    const index = queue.findIndex((step) => step.action === action)
    const step = queue[index]
    if (!step) return 'ok'
    if (!step.stays) queue.splice(index, 1)
    return step.fault
  }
}

/** A mutation of a mock provider, going wrong as the faults say. */
export async function underFault(
  faults: Faults,
  action: Action,
  refusal: 'slot_unavailable' | 'booking_not_active' | 'invoice_not_payable',
  act: () => Promise<Ran>,
): Promise<Ran> {
  switch (faults(action)) {
    case 'busy':
      return { is: 'busy', refusal: { code: 'provider_busy', effect: 'none', retry_after_seconds: 5 } }
    case 'misconfigured':
      return { is: 'busy', refusal: { code: 'provider_misconfigured', effect: 'none' } }
    case 'refused':
      return { is: 'refused', refusal: { code: refusal, effect: 'none' } }
    case 'timeout_before':
      return { is: 'unknown' }
    case 'timeout_after':
      await act()
      return { is: 'unknown' }
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, SLOW))
      return act()
    case 'ok':
    case 'changed':
      return act()
  }
}
