import type { Fault } from '../../src/core/domain/mock-booking.ts'
import type { ProviderFault } from './scheduling.ts'

const FAULTS: Record<ProviderFault, Fault> = {
  busy: 'busy',
  misconfigured: 'misconfigured',
  'lost before': 'timeout_before',
  'lost after': 'timeout_after',
}

/** The faults of a mock provider: each is queued for the next request of its action. */
export function mockFaults() {
  const queue: { action: string; fault: Fault }[] = []
  return {
    fail: (action: string, fault: ProviderFault) =>
      void queue.push({ action, fault: FAULTS[fault] }),
    next(action: string): Fault {
      const index = queue.findIndex((one) => one.action === action)
      return index === -1 ? 'ok' : (queue.splice(index, 1)[0]?.fault ?? 'ok')
    },
  }
}
