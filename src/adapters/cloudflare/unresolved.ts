import type { Confirmation } from '../../../durable-objects/confirmation.ts'
import type { Coordinator } from '../../../durable-objects/coordinator.ts'
import type { UnresolvedOperations } from '../../ports/index.ts'
import { coordinatorObject } from './coordinator.ts'

/** The operations that need a person, as the coordinator lists them. */
export function unresolvedOperations(
  coordinators: DurableObjectNamespace<Coordinator>,
  confirmations: DurableObjectNamespace<Confirmation>,
): UnresolvedOperations {
  const coordinator = () => coordinatorObject(coordinators)
  const object = (operationId: string) => confirmations.get(confirmations.idFromString(operationId))
  // The coordinator may not know yet that one was found out after all, so each is asked itself.
  const list = async () => {
    const listed = await coordinator().unresolved()
    const waiting = await Promise.all(listed.map(({ operation_id }) => object(operation_id).unresolved()))
    await Promise.all(
      listed.filter((_one, i) => !waiting[i]).map((one) => coordinator().clearUnresolved(one.operation_id)),
    )
    return listed.filter((_one, i) => waiting[i])
  }
  return {
    list,
    async resolve(operationId, happened, facts) {
      // Only what is listed can be settled, so an id that was made up never reaches an object.
      if (!(await list()).some((one) => one.operation_id === operationId)) return 'not in doubt'
      return object(operationId).resolve(happened, facts)
    },
  }
}
