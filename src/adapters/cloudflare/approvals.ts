import type { Confirmation } from '../../../durable-objects/confirmation.ts'
import type { Coordinator } from '../../../durable-objects/coordinator.ts'
import type { ApprovalView, Approvals } from '../../ports/approvals.ts'
import { coordinatorObject } from './coordinator.ts'

const ID = /^[0-9a-f]{64}$/

/** The changes that a person has to approve: the coordinator lists them, and each confirmation object knows its own. */
export function approvalsOf(
  coordinators: DurableObjectNamespace<Coordinator>,
  confirmations: DurableObjectNamespace<Confirmation>,
): Approvals {
  const object = (operationId: string) => confirmations.get(confirmations.idFromString(operationId))
  const read = async (operationId: string) => {
    if (!ID.test(operationId)) return undefined
    try {
      return (await object(operationId).approval()) as ApprovalView | undefined
    } catch (thrown) {
      // An id that is none of this namespace is nobody's.
      if (thrown instanceof TypeError) return undefined
      throw thrown
    }
  }
  return {
    read,
    async waiting() {
      const coordinator = coordinatorObject(coordinators)
      const listed = await coordinator.waitingApprovals()
      const views = await Promise.all(listed.map(({ operation_id }) => read(operation_id)))
      const isOver = (i: number) => views[i]?.status !== 'waiting'
      await Promise.all(
        listed.filter((_one, i) => isOver(i)).map((one) => coordinator.clearApproval(one.operation_id)),
      )
      return listed.filter((_one, i) => !isOver(i))
    },
    decide: async (operationId, decided) => object(operationId).decide(decided),
  }
}
