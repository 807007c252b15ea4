import type { Confirmation } from '../../../durable-objects/confirmation.ts'
import type { Desk } from '../../../durable-objects/desk.ts'
import type { Doubts } from '../../ports/index.ts'

/** The operations that need a person, as the desk lists them. */
export function deskDoubts(
  desks: DurableObjectNamespace<Desk>,
  confirmations: DurableObjectNamespace<Confirmation>,
): Doubts {
  const desk = () => desks.get(desks.idFromName('desk'))
  const object = (operationId: string) => confirmations.get(confirmations.idFromString(operationId))
  // The desk may not have heard that one was found out after all, so each is asked itself.
  const list = async () => {
    const listed = await desk().unresolved()
    const waiting = await Promise.all(listed.map(({ operation_id }) => object(operation_id).unresolved()))
    await Promise.all(listed.filter((_one, i) => !waiting[i]).map((one) => desk().calm(one.operation_id)))
    return listed.filter((_one, i) => waiting[i])
  }
  return {
    list,
    async settle(operationId, happened, facts) {
      // Only what is listed can be settled, so an id that was made up never reaches an object.
      if (!(await list()).some((one) => one.operation_id === operationId)) return 'not in doubt'
      return object(operationId).settle(happened, facts)
    },
  }
}
