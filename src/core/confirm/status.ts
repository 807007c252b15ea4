import type { ApprovalView, KnownStatus } from '../ports/confirmation.ts'
import { approvalCode, pendingRefusal } from './approval.ts'
import type { Host } from './host.ts'
import { type ApprovalNeed, type FlowRecord, isApproved } from './record.ts'
import { IN_PROGRESS, unknownReply } from './transition.ts'

const EXPIRED = { code: 'confirmation_expired', effect: 'none' } as const

/** The status of a change, with the answer to a repeat of its commit now; `live`: a task is running. */
export function knownStatus(record: FlowRecord, live: boolean, now: number): KnownStatus {
  const { operation, mode, expiresAt } = record
  const about = { operation, mode, expiresAt }
  if (record.state === 'done') {
    const { answer, endedAt } = record
    if (answer.is === 'committed') return { is: 'committed', ...about, endedAt, body: answer.body }
    const { refusal } = answer
    return { is: refusal.effect === 'done' ? 'committed' : 'failed', ...about, endedAt, refusal }
  }
  if (live) return { is: 'running', ...about, refusal: IN_PROGRESS }
  if (record.state === 'running')
    return { is: 'outcome_unknown', ...about, refusal: unknownReply(record, now).refusal }
  if (record.voidedBy) return { is: 'failed', ...about, refusal: record.voidedBy }
  if (now >= expiresAt) return { is: 'expired', ...about, refusal: EXPIRED }
  const pending = pendingRefusal(record, now)
  return pending
    ? { is: 'awaiting_approval', ...about, refusal: pending }
    : { is: 'previewed', ...about, ...(isApproved(record) && { approved: true }) }
}

/** What a person is shown of a change that they have to approve, and what became of it. */
export function approvalView(
  record: FlowRecord | undefined,
  { name: flow, operationId: operation_id, clock }: Host,
  live: boolean,
): ApprovalView | undefined {
  if (!record?.need) return undefined
  const { operation, mode, id, digest: shown, need, by, expiresAt: until } = record
  const { digest, since, decision } = need
  const { is, body, refusal, ...known } = knownStatus(record, live, clock.now())
  const summary = String(Object(body).summary ?? '')
  const made: unknown = is === 'committed' ? Object(body).result : undefined
  const endedAt = record.state === 'previewed' ? record.voidedAt : known.endedAt
  return {
    flow,
    operation_id,
    caller: by.caller,
    operation,
    mode,
    // Once its client was erased, the change must not be recognisable.
    code: digest === '' ? '' : approvalCode(need),
    since,
    until,
    status: approvalStatus(need, is),
    ...(decision && { decision }),
    ...(endedAt !== undefined && { endedAt }),
    ...(refusal && { refusal }),
    ...(typeof made === 'object' && made !== null && { made }),
    id,
    shown,
    digest,
    whole: {},
    ...(record.state === 'done'
      ? { addressIndex: [], warnings: [], preview: refusal?.booking ?? {}, summary }
      : {
          addressIndex: record.index,
          ...record.shown,
          ...(record.sends !== undefined && { sends: record.sends }),
        }),
  }
}

function approvalStatus(
  { lifted, decision }: ApprovalNeed,
  is: KnownStatus['is'],
): ApprovalView['status'] {
  if (decision?.is === 'declined') return 'declined'
  if (is === 'awaiting_approval') return 'waiting'
  if (is === 'previewed') return lifted ? 'lifted' : 'approved'
  return is
}
