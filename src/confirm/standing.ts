import type { Standing } from '../ports/index.ts'
import type { FlowRecord } from './record.ts'
import { doubt } from './transition.ts'

const IN_PROGRESS = { code: 'commit_in_progress', effect: 'unknown', retry_after_seconds: 2 } as const
const EXPIRED = { code: 'confirmation_expired', effect: 'none' } as const

/** How a change stands, with the answer that a repeat of its commit would get now; `live`: a call is at work on it. */
export function standingOf(record: FlowRecord | undefined, live: boolean, now: number): Standing {
  if (!record) return { is: 'never_seen' }
  const { operation, mode, expiresAt, answer, spent } = record
  const about = { operation, mode, expiresAt }
  if (record.at === 'done') {
    if (answer?.is === 'committed') return { is: 'committed', ...about, body: answer.body }
    const { refusal } = answer!
    return { is: refusal.effect === 'done' ? 'committed' : 'failed', ...about, refusal }
  }
  if (live) return { is: 'running', ...about, refusal: IN_PROGRESS }
  if (record.at === 'running') {
    const said = doubt(record, now)
    return { is: 'outcome_unknown', ...about, ...(said.is === 'refused' && { refusal: said.refusal }) }
  }
  if (spent) return { is: 'failed', ...about, refusal: spent }
  return now >= expiresAt ? { is: 'expired', ...about, refusal: EXPIRED } : { is: 'previewed', ...about }
}
