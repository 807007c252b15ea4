import type { Standing } from '../ports/index.ts'
import type { FlowRecord } from './record.ts'
import { IN_PROGRESS, doubt } from './transition.ts'

const EXPIRED = { code: 'confirmation_expired', effect: 'none' } as const

/** The status of a change, with the answer that a repeat of its commit would get now; `live`: a task is running. */
export function standingOf(record: FlowRecord | undefined, live: boolean, now: number): Standing {
  if (!record) return { is: 'never_seen' }
  const { operation, mode, expiresAt } = record
  const about = { operation, mode, expiresAt }
  if (record.at === 'done') {
    const { answer } = record
    if (answer.is === 'committed') return { is: 'committed', ...about, body: answer.body }
    const { refusal } = answer
    return { is: refusal.effect === 'done' ? 'committed' : 'failed', ...about, refusal }
  }
  if (live) return { is: 'running', ...about, refusal: IN_PROGRESS }
  if (record.at === 'running') return { is: 'outcome_unknown', ...about, refusal: doubt(record, now).refusal }
  if (record.spent) return { is: 'failed', ...about, refusal: record.spent }
  return now >= expiresAt ? { is: 'expired', ...about, refusal: EXPIRED } : { is: 'previewed', ...about }
}
