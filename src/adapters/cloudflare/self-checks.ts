import type { Desk } from '../../../durable-objects/desk.ts'
import type { Health } from '../../domain/trouble.ts'
import type { SelfChecks } from '../../ports/self-checks.ts'

/** Anybody may ask for the health, and as often as they like: an isolate asks the desk for it this often. */
const REMEMBERED = 5_000

let known: { health: Health; until: number } | undefined
let notBefore = 0

/** What is remembered of the looks at the providers, at the one desk of the practice. */
export function deskSelfChecks(desks: DurableObjectNamespace<Desk>, now: () => number): SelfChecks {
  const desk = () => desks.get(desks.idFromName('desk'))
  return {
    async health() {
      if (known && known.until > now()) return known.health
      const health = await desk().health()
      known = { health, until: now() + REMEMBERED }
      return health
    },
    async mayLook(leastMs) {
      if (notBefore > now()) return false
      const may = await desk().mayLook(now(), leastMs)
      if (!may) notBefore = now() + REMEMBERED
      return may
    },
    found: async (verdicts) => forget(await desk().found(verdicts, now())),
    notTold: async (before) => forget(await desk().notTold(before)),
  }
}

function forget<T>(answer: T): T {
  known = undefined
  return answer
}
