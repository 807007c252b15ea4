import type { Desk } from '../../../durable-objects/desk.ts'
import type { SelfChecks } from '../../ports/self-checks.ts'

/** What is remembered of the looks at the providers, at the one desk of the practice. */
export function deskSelfChecks(desks: DurableObjectNamespace<Desk>, now: () => number): SelfChecks {
  const desk = () => desks.get(desks.idFromName('desk'))
  return {
    health: async () => desk().health(),
    mayLook: async (leastMs) => desk().mayLook(now(), leastMs),
    found: async (verdicts) => desk().found(verdicts, now()),
    notTold: async (before) => desk().notTold(before),
  }
}
