import * as z from 'zod'

import { confirmationName } from '../../core/confirm/token.ts'
import { base64 } from '../../core/domain/audit/signed-note.ts'
import { modeSchema } from '../../core/domain/mode.ts'
import { hostOf } from '../../core/domain/origin.ts'
import { Problem, problem, problemBody, problemSchema } from '../../core/domain/problem/problem.ts'
import { requireScope } from '../../core/domain/scopes.ts'
import { isoSeconds } from '../../core/domain/time/time.ts'
import type { AuditLog, Receipt } from '../../core/ports/audit.ts'
import type { OperationStatus } from '../../core/ports/confirmation.ts'
import type { Context } from './context.ts'
import { isIdempotencyKey, keyInPath } from './idempotency-key.ts'
import { MUTATIONS } from './index.ts'
import { committedBody } from './perform.ts'
import { committedSchema, namedObject, textField, momentField } from './schemas.ts'

const NEXT_STEPS = {
  never_seen:
    'Nothing was asked under this key, or it was more than 30 days ago. Begin with a preview.',
  previewed:
    'Nothing is changed yet. Repeat the preview to see it again with its token, or commit it.',
  awaiting_approval:
    'Show the person the preview, with the approval_code and approval_url in problem. ' +
    'Once it is approved, send the same commit again.',
  running:
    'Ask again in a few seconds, or repeat the commit with the same key; both give the outcome.',
  committed: 'It is done. A repeat of the commit with the same key gives the same answer.',
  failed:
    'See problem: what there is, and what to do. A repeat of the commit with the same key says the same.',
  outcome_unknown:
    'Ask again later, or repeat the commit with the same key; ' +
    'both ask the provider again. Do not choose a new key.',
  expired: 'Nothing was changed. Make a new preview under the same key.',
} as const satisfies Record<Exclude<OperationStatus['is'], 'newer'>, string>

const LOST =
  'This service was restored from a backup lately, so what was asked under this key may ' +
  'have been lost. Look whether it was done before you begin with a preview.'

const APPROVED = 'A person has approved it. Commit it now: nothing is changed until then.'

const ABSENT = ['awaiting_approval', 'running', 'failed', 'outcome_unknown', 'expired'] as const

export const operationStatusSchema = z.lazy(() => {
  const none = z.null()
  const fields = {
    operation: z.enum(MUTATIONS.map(({ name }) => name)),
    mode: modeSchema,
    expires_at: momentField.describe('When the preview can no longer be committed.'),
    answer: none,
    problem: none,
    next_step: z.string(),
  }
  const answer = z
    .union([...MUTATIONS.map(committedSchema), none])
    .describe('The answer, exactly as it was given.')
  const lost = z.union([problemSchema, none]).describe('Why the answer is no longer available.')
  return z
    .discriminatedUnion('status', [
      namedObject('NeverSeenStatus', {
        status: z.literal('never_seen'),
        ...fields,
        operation: none,
        mode: none,
        expires_at: none,
      }),
      namedObject('PreviewedStatus', { status: z.literal('previewed'), ...fields }),
      namedObject('CommittedStatus', {
        status: z.literal('committed'),
        ...fields,
        answer,
        problem: lost,
      }),
      namedObject('RefusedStatus', 'problem is what a repeat of the commit gets now.', {
        status: z.enum(ABSENT),
        ...fields,
        problem: problemSchema,
      }),
    ])
    .meta({
      id: 'OperationStatus',
      description: 'The status of the change under an idempotency key of the caller.',
    })
})

/**
 * The caller's own change under this key; reconciles first if it is in doubt. The key of another
 * caller is unknown here. Raises `insufficient_scope` for a caller who may not do what was done
 * under it, and `not_configured` where only a newer version knows the change.
 */
async function changeUnder(
  sentKey: string,
  { caller, scopes, services, requireCredential }: Context,
) {
  const key = keyInPath(sentKey)
  if (!isIdempotencyKey(key)) throw problem('idempotency_key_invalid')
  const name = await confirmationName(caller, key)
  const status = await services.confirmations.status(name)
  if (status.waited) await requireCredential()
  if (status.is === 'newer') throw new Problem(status.refusal)
  const done = status.is === 'never_seen' ? undefined : status.operation
  const operation = MUTATIONS.find((one) => one.name === done)
  if (operation) requireScope(scopes, operation.scope)
  return { status, operation }
}

/** The status of the caller's own change under this key. Raises what `changeUnder` raises. */
export async function operationStatus(
  sentKey: string,
  context: Context,
): Promise<z.infer<typeof operationStatusSchema>> {
  const { status, operation } = await changeUnder(sentKey, context)
  const { origin, requestId, services } = context
  const isApproved = 'approved' in status && status.approved
  const next_step = isApproved ? APPROVED : NEXT_STEPS[status.is]
  if (status.is === 'never_seen') {
    const nothing = { operation: null, mode: null, expires_at: null, answer: null, problem: null }
    return { status: status.is, ...nothing, next_step: status.lost ? LOST : next_step }
  }
  const { is, operation: name, mode, expiresAt, body, refusal } = status
  return operationStatusSchema.parse({
    status: is,
    operation: name,
    mode,
    expires_at: isoSeconds(expiresAt),
    answer:
      body && operation
        ? await committedBody(operation, body, await services.keyring(), origin)
        : null,
    problem: refusal ? problemBody(refusal, requestId, origin) : null,
    next_step,
  })
}

export const receiptSchema = z.lazy(() =>
  namedObject('Receipt', 'An entry of the audit log, and a proof that the log contains it.', {
    receipt: z.literal(1),
    leaf: textField('The entry as it stands in the log: canonical JSON, in base64.'),
    proof: textField(
      'A C2SP tlog-proof, which proves that the entry is in the log below a signed ' +
        'checkpoint. Keep it as a file `.tlog-proof`; `GET /audit/keys` has the keys.',
    ),
  }),
)

/** A receipt as it is answered. */
export const receiptBody = ({ leaf, proof }: Receipt): z.infer<typeof receiptSchema> => ({
  receipt: 1,
  leaf: base64(new TextEncoder().encode(leaf)),
  proof,
})

/**
 * The receipt of the caller's own change under this key, once it has ended. Raises `not_found`
 * where nothing was committed, and `receipt_pending` while the audit log does not have it yet.
 */
export async function changeReceipt(
  sentKey: string,
  context: Context,
  audit: AuditLog,
): Promise<z.infer<typeof receiptSchema>> {
  const { status } = await changeUnder(sentKey, context)
  const receipt =
    status.is === 'never_seen' || status.endedAt === undefined || status.operationId === undefined
      ? null
      : await audit.receiptOfChange(status.operationId, status.endedAt, hostOf(context.origin))
  if (receipt === 'pending') throw problem('receipt_pending', { retry_after_seconds: 5 })
  if (receipt === null)
    throw problem('not_found', {
      detail: 'Nothing was committed under this key, or it is no longer kept.',
      next_step: 'GET /v1/operations/{idempotency_key} says what there is under this key.',
    })
  return receiptBody(receipt)
}
