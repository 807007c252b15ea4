import type { Desk } from '../../../durable-objects/desk.ts'
import type { Health } from '../../domain/trouble.ts'
import type { SelfChecks } from '../../ports/self-checks.ts'

/** Anybody may ask for the health, as often as they like: an isolate asks the desk this often. */
const REMEMBERED = 5_000

interface Memory {
  health?: { known: Health; until: number } | undefined
  /** The desk said that it is not time for another look; until then it is not asked again. */
  notBefore: number
}

const memories = new WeakMap<object, Memory>()

/** What is remembered of the looks at the providers, at the one desk of the practice. */
export function deskSelfChecks(desks: DurableObjectNamespace<Desk>, now: () => number): SelfChecks {
  const desk = () => desks.get(desks.idFromName('desk'))
  const memoryOf = (): Memory => {
    const memory = memories.get(desks) ?? { notBefore: 0 }
    memories.set(desks, memory)
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
      const known = await desk().health()
      memory.health = { known, until: now() + REMEMBERED }
      return known
    },
    async mayLook(leastMs) {
      const memory = memoryOf()
      if (memory.notBefore > now()) return false
      const may = await desk().mayLook(now(), leastMs)
      if (!may) memory.notBefore = now() + REMEMBERED
      return may
    },
    found: async (verdicts) => forget(await desk().found(verdicts, now())),
    notTold: async (before) => forget(await desk().notTold(before)),
  }
}
