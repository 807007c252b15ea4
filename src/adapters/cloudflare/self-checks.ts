import type { Coordinator } from '../../../durable-objects/coordinator.ts'
import type { PracticeHealth } from '../../domain/provider-health.ts'
import type { SelfChecks } from '../../ports/self-checks.ts'
import { coordinatorObject } from './coordinator.ts'
import { SECOND } from '../../domain/duration.ts'

/** Anybody may ask for the health, and as often as they like: an isolate asks the coordinator for it this often. */
const REMEMBERED = 5 * SECOND

interface Memory {
  health?: { known: PracticeHealth; until: number } | undefined
  /** It is not time for another check; until then the coordinator is not asked again. */
  notBefore: number
}

const memories = new WeakMap<object, Memory>()

/** What the coordinator of the practice keeps of the checks of the providers. */
export function coordinatorSelfChecks(
  objects: DurableObjectNamespace<Coordinator>,
  now: () => number,
): SelfChecks {
  const coordinator = () => coordinatorObject(objects)
  const memoryOf = (): Memory => {
    const memory = memories.get(objects) ?? { notBefore: 0 }
    memories.set(objects, memory)
    return memory
  }
  const forget = <T>(answer: T): T => {
    memoryOf().health = undefined
    return answer
  }
  return {
    async health() {
      const memory = memoryOf()
      if (memory.health && memory.health.until > now()) return memory.health.known
      const known = await coordinator().health()
      memory.health = { known, until: now() + REMEMBERED }
      return known
    },
    async claimCheck(leastMs) {
      const memory = memoryOf()
      if (memory.notBefore > now()) return false
      const may = await coordinator().claimCheck(leastMs)
      if (!may) memory.notBefore = now() + REMEMBERED
      return may
    },
    recordVerdicts: async (verdicts) => forget(await coordinator().recordVerdicts(verdicts)),
    alertFailed: async (before) => forget(await coordinator().alertFailed(before)),
  }
}
