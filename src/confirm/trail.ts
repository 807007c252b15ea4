import type { Facts } from '../domain/facts.ts'
import type { AuditBy, AuditEntry } from '../ports/audit.ts'
import type { ConfirmationReply } from '../ports/index.ts'
import { type FlowRecord, SCHEDULE, type TrailRow } from './record.ts'
import type { Out, Said } from './transition.ts'

/** So many rows wait one by one; of more, those of one kind are counted in one row. */
export const MOST_WAITING = 50

type What = Pick<TrailRow, 'event' | 'code' | 'record_id'>

/**
 * The outcome of a transition with what the trail is to know of it, saved in the same transaction. `told` says whether
 * that includes what was said.
 */
export function traced(
  before: FlowRecord | undefined,
  out: Out,
  by: AuditBy | undefined,
  now: number,
): Out & { told: boolean } {
  if (!out.record) return { ...out, told: false }
  const { doubted, ...rest } = out.record
  const record: FlowRecord = doubted && rest.at !== 'running' ? rest : out.record
  const changed = record.seq !== before?.seq
  const moved: FlowRecord = changed && by ? { ...record, by } : record
  const what = happened(before, moved, out.say)
  if (!what) return { ...out, record: moved, told: false }
  const { app = null, request_id = null } = by ?? moved.by ?? {}
  const row = { ...what, id: `${moved.seq}.${what.code}`, at: now, app, request_id, times: 1 }
  const doubts = what.event === 'doubt' ? { doubted: true as const } : {}
  return { ...out, record: { ...waiting(moved, [row], now), ...doubts }, told: true }
}

function happened(
  before: FlowRecord | undefined,
  after: FlowRecord,
  say: Said | undefined,
): What | undefined {
  if (after.at === 'previewed' && after.id !== before?.id)
    return { event: 'preview', code: 'ok', record_id: recordIn(after.pinned) }
  if (after.at === 'done' && before?.at !== 'done') return endOf(after)
  const record_id = recordIn(after.pinned)
  if (after.spent && !before?.spent) return { event: 'refusal', code: after.spent.code, record_id }
  if (before?.at === 'running' && after.at === 'previewed')
    return { event: 'refusal', code: say?.is === 'refused' ? say.refusal.code : 'provider_busy', record_id }
  if (after.attention === 'untold' && !before?.attention)
    return { event: 'doubt', code: 'needs_attention', record_id }
  const doubts = say?.is === 'refused' && say.refusal.code === 'outcome_unknown'
  if (doubts && after.at === 'running' && !after.doubted)
    return { event: 'doubt', code: 'outcome_unknown', record_id }
  return undefined
}

function endOf({ answer, pinned }: FlowRecord): What {
  if (answer?.is === 'committed')
    return { event: 'commit', code: 'committed', record_id: recordOf(answer) ?? recordIn(pinned) }
  const { code = 'committed', booking } = answer?.refusal ?? {}
  return { event: 'commit', code, record_id: booking?.booking_id ?? booking?.previous_booking_id ?? null }
}

/** What a call was told that changed nothing. */
export function noted(reply: ConfirmationReply, joined: boolean): What {
  if (reply.is === 'preview') return { event: 'replay', code: 'preview', record_id: null }
  if (reply.is === 'committed') return { event: 'replay', code: 'committed', record_id: recordOf(reply) }
  const { code } = reply.refusal
  const event = reply.replayed || joined ? 'replay' : code === 'outcome_unknown' ? 'doubt' : 'refusal'
  return { event, code, record_id: null }
}

/** The same record with more rows on their way. */
export function waiting(record: FlowRecord, rows: readonly TrailRow[], now: number): FlowRecord {
  const { rows: before, wake, tries } = record.trail ?? { rows: [], wake: now + SCHEDULE.trail, tries: 0 }
  return { ...record, trail: { rows: rows.reduce(withRow, before), wake, tries } }
}

/** The rows and one more; where too many wait, it is counted in the last one of its kind that was not sent yet. */
export function withRow(rows: TrailRow[], row: TrailRow): TrailRow[] {
  if (rows.length < MOST_WAITING || row.event === 'commit') return [...rows, row]
  const index = rows.findLastIndex(
    ({ event, code, sent }) => event === row.event && code === row.code && !sent,
  )
  const same = rows[index]
  return same && !row.sent ? rows.with(index, { ...same, times: same.times + row.times }) : [...rows, row]
}

/** The same record with all its rows on their way: none of them is counted up any more, since the trail may have it as it is. */
export const underWay = ({ trail, ...rest }: FlowRecord): FlowRecord =>
  trail
    ? { ...rest, trail: { ...trail, rows: trail.rows.map((row) => ({ ...row, sent: true as const })) } }
    : rest

/** These rows have arrived, or may have. */
export function arrived(record: FlowRecord, sent: readonly TrailRow[], ok: boolean, now: number): FlowRecord {
  if (!record.trail) return record
  const { trail, ...rest } = record
  if (!ok) {
    const wake = now + (SCHEDULE.looks[trail.tries] ?? SCHEDULE.deliverLate)
    return { ...rest, trail: { rows: trail.rows, wake, tries: trail.tries + 1 } }
  }
  const ids = new Set(sent.map(({ id }) => id))
  const rows = trail.rows.filter(({ id }) => !ids.has(id))
  return rows.length > 0 ? { ...rest, trail: { rows, wake: now + SCHEDULE.trail, tries: 0 } } : rest
}

/** A row as the trail keeps it. */
export const entryOf = (
  { sent: _sent, id, ...row }: TrailRow,
  { caller, operation, operationId }: { caller: string; operation: string; operationId: string },
): AuditEntry => ({
  ...row,
  id: `${operationId.slice(0, 16)}.${id}`,
  caller,
  operation,
  operation_id: operationId,
})

/** The fields that name the record of a change, the most telling first. */
const RECORD_FIELDS = ['payment_link_id', 'booking_id', 'invoice_id', 'client_id']

function recordIn(facts: Facts | undefined): string | null {
  const field = RECORD_FIELDS.find((name) => typeof facts?.[name] === 'string')
  return field === undefined ? null : String(facts?.[field])
}

const recordOf = ({ body }: { body: object }): string | null => recordIn((body as { result?: Facts }).result)
