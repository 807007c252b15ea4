import type { OperationStatus } from '../ports/index.ts'
import type { FlowRecord } from './record.ts'
import { pendingRefusal } from './approval.ts'
import { IN_PROGRESS, unknownReply } from './events.ts'

const EXPIRED = { code: 'confirmation_expired', effect: 'none' } as const

/** The status of a change, with the answer that a repeat of its commit would get now; `live`: a task is running. */
export function statusOf(record: FlowRecord | undefined, live: boolean, now: number): OperationStatus {
  if (!record) return { is: 'never_seen' }
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
    : { is: 'previewed', ...about, ...(record.approvedAt !== undefined && { approved: true }) }
}
