import { type Rules, EVERYBODY } from '../../../../src/core/domain/rules/house-rules.ts'
import { type Random, randomFrom } from '../../../support/random.ts'
import type { World } from '../world/world.ts'

/** How often the owner acts, of the events of a run in which there are rules at all. */
const OFTEN = 0.02

const CHANGES: readonly (readonly [weight: number, rules: Partial<Rules>])[] = [
  [4, { paused: true }],
  [5, { paused: false }],
  [3, { changes_a_day: 1 }],
  [2, { changes_a_day: 2 }],
  [2, { changes_a_day: null }],
  [1, { operations: ['book_consult', 'create_client_profile'] }],
  [2, { operations: null }],
  [1, { max_link: { usd: 25_000 } }],
  [1, { max_link: null }],
]

/**
 * What the owner does about the house rules, once after each event: pauses, resumes, limits, in a third of the runs. It
 * has chance of its own, so that it shifts nothing else that is drawn.
 */
export function ownerRules(world: World, seed: number): () => void {
  const random: Random = randomFrom(seed ^ 0x5f3759)
  const callers = [EVERYBODY, EVERYBODY, 'ada', 'zapier']
  if (!random.chance(1 / 3)) return () => {}
  const owner = ruleChanges(world)
  return () => {
    if (!owner.isActing && random.chance(OFTEN))
      owner.change(random.pick(callers), random.weighted(CHANGES))
  }
}

/** Changes rules one after the other: two changes on their way at once could arrive in either order. */
export function ruleChanges({ auditor, coordinator, tally, timeline }: World) {
  let isActing = false
  return {
    get isActing() {
      return isActing
    },
    change(caller: string, rules: Partial<Rules>): void {
      isActing = true
      timeline.note(`the owner changes the rules of ${caller}: ${JSON.stringify(rules)}`)
      const asked = auditor.rulesAsked(caller, rules)
      const kept = coordinator.call('rules', (rows) => rows.change(caller, rules))
      void kept
        .then(
          () => {
            tally.count(rules.paused ? 'pauses' : rules.paused === false ? 'resumes' : 'rules')
            asked.answered()
          },
          () => tally.count('rules that broke off'),
        )
        .finally(() => (isActing = false))
    },
  }
}
