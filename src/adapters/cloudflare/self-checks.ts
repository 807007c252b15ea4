import type { Coordinator } from '../../../durable-objects/coordinator.ts'
import type { Health } from '../../domain/trouble.ts'
import type { SelfChecks } from '../../ports/self-checks.ts'
import { coordinatorObject } from './coordinator.ts'

/** Anybody may ask for the health, and as often as they like: an isolate asks the coordinator for it this often. */
const REMEMBERED = 5_000

let known: { health: Health; until: number } | undefined
let notBefore = 0

/** What the coordinator of the practice keeps of the checks of the providers. */
export function coordinatorSelfChecks(
  objects: DurableObjectNamespace<Coordinator>,
  now: () => number,
): SelfChecks {
  const coordinator = () => coordinatorObject(objects)
  return {
    async health() {
      if (known && known.until > now()) return known.health
      const health = await coordinator().health()
      known = { health, until: now() + REMEMBERED }
      return health
    },
    async mayLook(leastMs) {
      if (notBefore > now()) return false
      const may = await coordinator().claimCheck(leastMs)
      if (!may) notBefore = now() + REMEMBERED
      return may
    },
    found: async (verdicts) => forget(await coordinator().recordVerdicts(verdicts)),
    notTold: async (before) => forget(await coordinator().alertFailed(before)),
  }
}

function forget<T>(answer: T): T {
  known = undefined
  return answer
}
