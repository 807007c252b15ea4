import { type Rules, EVERYBODY } from '../../../../src/core/domain/rules/house-rules.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import type { ApprovalView } from '../../../../src/core/ports/confirmation.ts'
import { type Random, randomFrom } from '../../../support/random.ts'
import { withoutClientText, withoutWhole } from '../auditor/canaries.ts'
import { approvalsOf, namespaceOf, operationIdOf } from '../world/cloudflare.ts'
import type { World } from '../world/world.ts'
import { ruleChanges } from './house-rules.ts'

/** How often the owner sets or lifts a rule about approval, of the events of a run in which there are any. */
const OFTEN = 0.015
/** How often someone opens the list, of the events while there is something on it. */
const LISTED = 0.03

const PERSON: Rules['approval'] = [{ operation: '*', level: 'person' }]
const CHANGES: readonly (readonly [weight: number, rules: Partial<Rules>])[] = [
  [4, { approval: PERSON }],
  [
    2,
    { approval: [{ operation: 'create_payment_link', above: { usd: 25_000 }, level: 'person' }] },
  ],
  [2, { approval: [{ operation: 'book_consult', level: 'person' }] }],
  [3, { approval: null }],
]

/**
 * A rule about approval, and people who decide, in a third of the runs: soon or late, twice, about what a page showed
 * some time ago, or never. It has chance of its own, so that it shifts nothing in the other runs.
 */
export function peopleDecide(world: World, seed: number): () => void {
  const random: Random = randomFrom(seed ^ 0x2a17c9)
  if (!random.chance(1 / 3) && !world.policy.asksPeople) return () => {}
  const { auditor, tally, timeline } = world
  const approvals = approvalsIn(world, auditor.declined)
  const seen = new Map<string, ApprovalView[]>()
  const later = (waits: readonly number[], what: string, act: () => Promise<unknown>) =>
    timeline.after(Math.round(random.pick(waits) * (0.5 + random.int(0, 100) / 100)), what, () => {
      // No one waits for the answer of a call that broke off.
      void act().catch(() => tally.count('decisions that broke off'))
    })

  async function decide(object: string, view: ApprovalView): Promise<void> {
    const decision = random.chance(0.7) ? 'approve' : 'decline'
    const { id, digest, code } = view
    timeline.note(`a person decides about ${object}: ${decision}`)
    if (decision === 'approve') auditor.approves(view)
    const proof = { code }
    const answer = await approvals.decide(view, { id, digest, decision, by: 'owner', proof })
    tally.count(`decision: ${answer}`)
  }

  async function look(object: string): Promise<void> {
    const view = await approvals.read(operationIdOf(object))
    if (!view) return
    const views = [...(seen.get(object) ?? []), view]
    seen.set(object, views)
    auditor.scan('the page of an approval', withoutWhole(withoutClientText(view)))
    for (let times = random.pick([0, 1, 1, 2, 3]); times > 0; times--) {
      const shown = random.chance(0.5) ? view : views[0]!
      later([0, 5 * SECOND, MINUTE, 20 * MINUTE, 5 * HOUR], 'a person decides', () =>
        decide(object, shown),
      )
    }
  }

  const list = () =>
    approvals.waiting().then(
      () => tally.count('lists of what waits'),
      () => tally.count('lists of what waits that broke off'),
    )

  world.alerted = (object) => {
    tally.count('approvals asked for')
    later([50, 5 * SECOND, 30 * SECOND, 5 * MINUTE, HOUR, 5 * HOUR], 'a person looks', () =>
      look(object),
    )
  }
  const owner = ruleChanges(world)
  if (random.chance(0.7)) owner.change(EVERYBODY, { approval: PERSON })
  return () => {
    if (world.coordinator.disk.approvals.size > 0 && random.chance(LISTED)) void list()
    if (owner.isActing || !random.chance(OFTEN)) return
    owner.change(random.pick([EVERYBODY, EVERYBODY, 'ada']), random.weighted(CHANGES))
  }
}

const approvalsIn = (world: World, declined: (object: string, of: { id: string }) => void) =>
  approvalsOf(
    () => ({
      approvals: {
        waiting: () =>
          world.coordinator.call('waitingApprovals', (table) => table.waitingApprovals()),
        flowOf: async (operationId) => operationId.slice(operationIdOf('').length),
        // It is counted and published for people to see, and nothing depends on it.
        decided: async () => {},
        remove: (flow, code) =>
          world.coordinator.call('clearApproval', (table) => table.clearApproval(flow, code)),
      },
    }),
    namespaceOf((name) => {
      const object = world.object(name)
      return {
        approval: () => object.approval(),
        decide: (decided) =>
          object.decide(decided, (answer) => {
            if (answer === 'declined') declined(object.name, decided)
          }),
      }
    }),
  )
