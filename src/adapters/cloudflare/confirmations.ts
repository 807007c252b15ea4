import type { Confirmation } from '../../../durable-objects/confirmation.ts'
import type { ConfirmationReply, Confirmations, OperationStatus } from '../../ports/index.ts'

/**
 * One Durable Object per (caller, idempotency key), asked once per call and never again: a retry outside the object could
 * act twice. A call that breaks off is answered truthfully.
 */
export const confirmationObjects = (namespace: DurableObjectNamespace<Confirmation>): Confirmations => ({
  async perform(name, call) {
    try {
      return (await namespace.get(namespace.idFromName(name)).perform(call)) as ConfirmationReply
    } catch {
      const refusal = call.confirm
        ? ({ code: 'outcome_unknown', effect: 'unknown', retry_after_seconds: 5 } as const)
        : // The call did nothing, but an earlier commit under the key may have.
          ({ code: 'internal_error', effect: 'unknown' } as const)
      return { is: 'refused', refusal, replayed: false }
    }
  },
  operationId(name) {
    try {
      return namespace.idFromName(name).toString()
    } catch {
      return null
    }
  },
  status: async (name) => (await namespace.get(namespace.idFromName(name)).status()) as OperationStatus,
})
