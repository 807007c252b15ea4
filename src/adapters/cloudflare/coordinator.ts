import type { Confirmation } from '../../../durable-objects/confirmation.ts'
import type { Coordinator, LockRow } from '../../../durable-objects/coordinator.ts'
import type { Unresolved } from '../../ports/index.ts'

/** The one coordinator of the practice. */
export const coordinatorObject = (objects: DurableObjectNamespace<Coordinator>) =>
  objects.get(objects.idFromName('coordinator'))

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
  const acquire = async (lockKeys: string[]): Promise<'taken' | 'held'> => {
    const coordinator = coordinatorObject(objects)
    const held: LockRow[] = await coordinator.acquire(holder, lockKeys, [])
    if (held.length === 0) return 'taken'
    const others = [...new Set(held.map((row) => row.holder))]
    if ((await Promise.all(others.map(isBusy))).includes(true)) return 'held'
    return (await coordinator.acquire(holder, lockKeys, held)).length === 0 ? 'taken' : 'held'
  }
  return {
    acquire,
    addUnresolved: async (unresolved: Unresolved) => coordinatorObject(objects).addUnresolved(unresolved),
    clearUnresolved: async () => coordinatorObject(objects).clearUnresolved(holder),
  }
}
