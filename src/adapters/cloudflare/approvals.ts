import type { Confirmation } from '../../../durable-objects/confirmation.ts'
import type { Coordinator } from '../../../durable-objects/coordinator.ts'
import type { ApprovalView, Approvals } from '../../ports/approvals.ts'
import { coordinatorObject } from './coordinator.ts'

const DECIDED: ReadonlySet<ApprovalView['status']> = new Set(['approved', 'declined', 'lifted'])

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
      // An entry of which the flow knows nothing yet can be of a preview that is about to be kept.
      const decided = listed.filter(({ code }, i) => views[i]?.code === code && DECIDED.has(views[i].status))
      await Promise.all(
        decided.map(({ operation_id, code }) => coordinator.clearApproval(operation_id, code)),
      )
      return listed.flatMap((one, i) =>
        views[i]?.status === 'waiting' ? [{ ...one, code: views[i].code }] : [],
      )
    },
    async decide({ operation_id, caller, operation, code, since, until }, decided) {
      const outcome = await object(operation_id).decide(decided)
      // It is decided, whether that is published or not.
      if (outcome !== 'ended')
        await coordinatorObject(coordinators)
          .addDecision({ operation_id, caller, operation, code, since, until }, outcome)
          .catch(() => undefined)
      return outcome
    },
    declined: async (caller) => coordinatorObject(coordinators).declined(caller),
    countComparison: async ({ operation_id, code }) =>
      coordinatorObject(coordinators).countComparison(operation_id, code),
  }
}
