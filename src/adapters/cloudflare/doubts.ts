import type { Confirmation } from '../../../durable-objects/confirmation.ts'
import type { Desk } from '../../../durable-objects/desk.ts'
import type { Doubts } from '../../ports/index.ts'

/** The operations that need a person, as the desk lists them. */
export function deskDoubts(
  desks: DurableObjectNamespace<Desk>,
  confirmations: DurableObjectNamespace<Confirmation>,
): Doubts {
  const list = async () => desks.get(desks.idFromName('desk')).unresolved()
  return {
    list,
    count: async () => (await list()).length,
    async settle(operationId, happened, facts) {
      // Only what is listed can be settled, so an id that was made up never reaches an object.
      if (!(await list()).some((one) => one.operation_id === operationId)) return 'not in doubt'
      return confirmations.get(confirmations.idFromString(operationId)).settle(happened, facts)
    },
  }
}
