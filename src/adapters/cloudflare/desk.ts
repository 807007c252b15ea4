import type { Confirmation } from '../../../durable-objects/confirmation.ts'
import type { Desk, Held } from '../../../durable-objects/desk.ts'
import type { Unresolved } from '../../ports/index.ts'

/** How long the desk remembers who touched a target last: longer than any record in doubt is of use. */
const REMEMBER = 60 * 24 * 60 * 60 * 1000

/**
 * Guards against the same change under another key. A target that another flow touched last may be taken over only if
 * that flow says it is not busy, and only if nobody else took it in between.
 */
export function deskClient(
  desks: DurableObjectNamespace<Desk>,
  confirmations: DurableObjectNamespace<Confirmation>,
  holder: string,
) {
  const isBusy = (other: string): Promise<boolean> =>
    confirmations.get(confirmations.idFromString(other)).busy()
  const theDesk = () => desks.get(desks.idFromName('desk'))
  const take = async (targets: string[]): Promise<'taken' | 'held'> => {
    const desk = theDesk()
    const until = Date.now() + REMEMBER
    const held: Held[] = await desk.take(holder, targets, until, [])
    if (held.length === 0) return 'taken'
    const others = [...new Set(held.map((row) => row.holder))]
    if ((await Promise.all(others.map(isBusy))).includes(true)) return 'held'
    return (await desk.take(holder, targets, until, held)).length === 0 ? 'taken' : 'held'
  }
  return {
    take,
    remember: async (unresolved: Unresolved) => theDesk().remember(unresolved),
    calm: async () => theDesk().calm(holder),
  }
}
