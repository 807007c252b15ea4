import type { Confirmation } from '../../../durable-objects/confirmation.ts'
import type { Acquired, Coordinator } from '../../../durable-objects/coordinator.ts'
import type { LockRow } from '../../../durable-objects/locks.ts'
import type { AskedChange } from '../../domain/house-rules.ts'
import type { Refusal } from '../../domain/problem.ts'
import type { WaitingApproval } from '../../ports/approvals.ts'
import type { HouseRules } from '../../ports/house-rules.ts'
import type { Unresolved } from '../../ports/index.ts'
import { stubOf } from './stub.ts'

/** The one coordinator of the practice. */
export const coordinatorObject = (objects: DurableObjectNamespace<Coordinator>) =>
  objects.get(objects.idFromName('coordinator'))

const outcomeOf = (acquired: Acquired): 'taken' | 'held' | Refusal =>
  acquired.is === 'refused' ? acquired.refusal : acquired.is

/**
 * The coordinator as one flow uses it: guards against the same change under another key. A lock that another flow took
 * last may be taken over only if that flow says that it is not busy, and only if nobody else took it in between.
 */
export function coordinatorOf(
  objects: DurableObjectNamespace<Coordinator>,
  confirmations: DurableObjectNamespace<Confirmation>,
  holder: string,
) {
  const isBusy = (other: string): Promise<boolean> =>
    confirmations.get(confirmations.idFromString(other)).busy()
  const acquire = async (lockKeys: string[], change: AskedChange): Promise<'taken' | 'held' | Refusal> => {
    const ask = async (seen: LockRow[]): Promise<Acquired> =>
      coordinatorObject(objects).acquire(holder, lockKeys, seen, change)
    const first = await ask([])
    if (first.is !== 'held') return outcomeOf(first)
    const others = [...new Set(first.rows.map((row) => row.holder))]
    if ((await Promise.all(others.map(isBusy))).includes(true)) return 'held'
    return outcomeOf(await ask(first.rows))
  }
  return {
    acquire,
    rulesOf: async (caller: string) => coordinatorObject(objects).appliedTo(caller, holder),
    awaitApproval: async (waiting: WaitingApproval) => coordinatorObject(objects).awaitApproval(waiting),
    clearApproval: async (code: string) => coordinatorObject(objects).clearApproval(holder, code),
    addUnresolved: async (unresolved: Unresolved) => coordinatorObject(objects).addUnresolved(unresolved),
    clearUnresolved: async () => coordinatorObject(objects).clearUnresolved(holder),
  }
}

/**
 * The flows that took these locks last look for what they are in doubt about, among it the booking that the provider has
 * just named. `busy`: one of them is not done, or what it did is not written yet.
 */
export async function lookOf(
  objects: DurableObjectNamespace<Coordinator>,
  confirmations: DurableObjectNamespace<Confirmation>,
  lockKeys: string[],
  bookingId: string | undefined,
): Promise<'busy' | 'idle'> {
  const holders = await coordinatorObject(objects).holders(lockKeys)
  const looked = await Promise.all(
    holders.map((holder) => confirmations.get(confirmations.idFromString(holder)).look(bookingId)),
  )
  return looked.includes('busy') ? 'busy' : 'idle'
}

/** The house rules, as the coordinator keeps them. */
export const houseRulesOf = (objects: DurableObjectNamespace<Coordinator>): HouseRules =>
  stubOf<HouseRules>(() => coordinatorObject(objects))
