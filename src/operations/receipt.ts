import * as z from 'zod'
import { hostOf } from '../domain/origin.ts'
import { problem } from '../domain/problem.ts'
import { base64 } from '../domain/signed-note.ts'
import type { AuditLog, Receipt } from '../ports/audit.ts'
import { changeUnder } from './operation-status.ts'
import type { Context } from './perform.ts'

export const receiptSchema = z
  .strictObject({
    receipt: z.literal(1),
    leaf: z.string().meta({ description: 'The entry as it stands in the log: canonical JSON, in base64.' }),
    proof: z.string().meta({
      description:
        'A C2SP tlog-proof: that the entry is in the log, below a signed checkpoint. Keep it as a file `.tlog-proof`; `GET /audit/keys` has the keys.',
    }),
  })
  .meta({ id: 'Receipt', description: 'An entry of the audit log, and the proof that it is in it.' })

/** A receipt as it is answered. */
export const receiptBody = ({ leaf, proof }: Receipt): z.infer<typeof receiptSchema> => ({
  receipt: 1,
  leaf: base64(new TextEncoder().encode(leaf)),
  proof,
})

/**
 * The receipt of the caller's own change under this key, once it has ended. Raises `not_found` where nothing was
 * committed, and `receipt_pending` while the audit log does not have it yet.
 */
export async function changeReceipt(
  sentKey: string,
  context: Context,
  audit: AuditLog,
): Promise<z.infer<typeof receiptSchema>> {
  const { name, status } = await changeUnder(sentKey, context)
  const operationId = context.services.confirmations.operationId(name)
  const receipt =
    status.is === 'never_seen' || status.endedAt === undefined || operationId === null
      ? null
      : await audit.receiptOfChange(operationId, status.endedAt, hostOf(context.origin))
  if (receipt === 'pending') throw problem('receipt_pending', { retry_after_seconds: 5 })
  if (receipt === null)
    throw problem('not_found', {
      detail: 'Nothing was committed under this key, or it is no longer kept.',
      next_step: 'GET /v1/operations/{idempotency_key} says what there is under this key.',
    })
  return receiptBody(receipt)
}
