import type { ApprovedBy, AuditEntry } from '../domain/audit/entry.ts'
import { type Refusal, refusalFacts } from '../domain/problem/problem.ts'
import { SECOND } from '../domain/time/duration.ts'
import type { AuditBy } from '../ports/audit.ts'
import type { RecordWrite } from '../ports/records.ts'
import type { Host } from './host.ts'
import {
  type AuditRow,
  type FlowRecord,
  type Outbox,
  type OutboxItem,
  SCHEDULE,
  isApproved,
} from './record.ts'
import type { Reply, Transition } from './transition.ts'

/** Audit entries of one kind are counted in one entry above this many items. */
export const COALESCE_ABOVE = 50

export const recordItem = (write: RecordWrite): OutboxItem => ({
  kind: 'record',
  id: write.key,
  ...write,
})

/** For an end in part that the owner does not know of. */
export const ALERT: OutboxItem = { kind: 'alert', id: 'alert' }

/** The record with more items to deliver at `wakeAt`, or with the next delivery. */
export function enqueue<R extends FlowRecord>(
  record: R,
  items: readonly OutboxItem[],
  wakeAt: number,
): R {
  if (items.length === 0) return record
  const before = record.outbox ?? { items: [], wakeAt, attempts: 0 }
  const all = items.reduce(coalesce, before.items)
  return { ...record, outbox: { ...before, items: all, wakeAt: Math.min(before.wakeAt, wakeAt) } }
}

function coalesce(items: OutboxItem[], item: OutboxItem): OutboxItem[] {
  if (
    items.length < COALESCE_ABOVE ||
    item.kind !== 'audit' ||
    item.event === 'commit' ||
    item.about
  )
    return [...items, item]
  const index = items.findLastIndex(
    (one) =>
      one.kind === 'audit' && one.event === item.event && one.code === item.code && !one.sent,
  )
  const same = items[index]
  return same?.kind === 'audit'
    ? items.with(index, { ...same, times: same.times + item.times })
    : [...items, item]
}

/** The record with all entries marked as sent: they no longer change, since the audit log may have them. */
export function markSent<R extends FlowRecord>(record: R): R {
  if (!record.outbox) return record
  const sent = (item: OutboxItem): OutboxItem =>
    item.kind === 'audit' ? { ...item, sent: true } : item
  return { ...record, outbox: { ...record.outbox, items: record.outbox.items.map(sent) } }
}

/** The record without the delivered items. The rest is tried again, later after each failure. */
export function acknowledge<R extends FlowRecord>(
  record: R,
  delivered: readonly string[],
  ok: boolean,
  now: number,
): R {
  const { outbox, ...rest } = record
  if (!outbox) return record
  const items = outbox.items.filter(({ id }) => !delivered.includes(id))
  if (items.length === 0) return rest as R
  const wait = ok
    ? SCHEDULE.firstRedelivery
    : (SCHEDULE.backoff[outbox.attempts] ?? SCHEDULE.lateRedelivery)
  return {
    ...record,
    outbox: { items, wakeAt: now + wait, attempts: ok ? 0 : outbox.attempts + 1 },
  }
}

type What = Pick<AuditRow, 'event' | 'code' | 'shown' | 'caller' | 'about'>

/**
 * The transition with its audit entry in the outbox of the same write. The reply then says that it
 * is audited; one that changed nothing is audited by the code that passes it on.
 */
export function withAuditEntry(
  before: FlowRecord | undefined,
  out: Transition,
  by: AuditBy | undefined,
  now: number,
): Transition {
  if (!out.record) return out
  const changed = out.record.seq !== before?.seq
  const record: FlowRecord = changed && by ? { ...out.record, by } : out.record
  const what = out.evidence ? decision(record, out.evidence) : entryFor(before, record, out.reply)
  if (!what) return { ...out, record }
  const { app = null, request_id = null } = out.evidence ? {} : (by ?? record.by)
  // An end that a log from a backup has already is the same entry.
  const [nth, at] = record.state === 'done' ? ['end', record.endedAt] : [record.seq, now]
  const row: OutboxItem = {
    kind: 'audit',
    ...what,
    id: `${nth}.${what.code}`,
    at,
    record_id: record.recordId,
    app,
    request_id,
    times: 1,
  }
  const known = enqueue(record, [row], now + SCHEDULE.firstRedelivery)
  return {
    ...out,
    record:
      known.state === 'running' && what.event === 'unresolved'
        ? { ...known, unresolvedLogged: true }
        : known,
    ...(out.reply && { reply: { ...out.reply, audited: true } }),
  }
}

function entryFor(
  before: FlowRecord | undefined,
  after: FlowRecord,
  say: Reply | undefined,
): What | undefined {
  switch (after.state) {
    case 'previewed': {
      // Erased, it has no id any more, and nothing was shown.
      if (after.id === '') return undefined
      if (after.id !== before?.id)
        return {
          event: 'preview',
          code: after.need ? 'approval_needed' : 'ok',
          shown: after.digest,
        }
      if (before.state === 'previewed' && !before.need?.lifted && after.need?.lifted)
        return { event: 'preview', code: 'approval_lifted', shown: after.digest }
      if (after.voidedBy && !(before.state === 'previewed' && before.voidedBy))
        return refusal(after.voidedBy)
      return before.state === 'running'
        ? refusal(say?.is === 'refused' ? say.refusal : { code: 'provider_busy', effect: 'none' })
        : undefined
    }
    case 'running': {
      const known = before?.state === 'running' ? before : undefined
      if (after.escalation === 'pending' && !known?.escalation) return unresolved('needs_attention')
      const isUnknown = say?.is === 'refused' && say.refusal.code === 'outcome_unknown'
      return isUnknown && !after.unresolvedLogged ? unresolved('outcome_unknown') : undefined
    }
    case 'done': {
      if (before?.state === 'done') return undefined
      const { answer } = after
      const code = answer.is === 'committed' ? 'committed' : answer.refusal.code
      const approved: ApprovedBy = before && isApproved(before) ? 'person' : 'agent'
      const about = {
        ...(before?.audit ?? { approved }),
        ...(after.differs && { differs_from_preview: after.differs.join(', ') }),
      }
      return { event: 'commit', code, shown: after.digest, about }
    }
  }
}

const decision = (after: FlowRecord, { by, about }: NonNullable<Transition['evidence']>): What => ({
  event: 'approval',
  code: after.state === 'previewed' && after.voidedBy ? 'declined' : 'approved',
  shown: after.digest,
  caller: by,
  about,
})
const refusal = (refused: Refusal): What => ({
  event: 'refusal',
  code: refused.code,
  shown: null,
  about: refusalFacts(refused),
})
const unresolved = (code: string): What => ({ event: 'unresolved', code, shown: null })

/** A row of the outbox as the audit log keeps it; its id is its own across all flows. */
const auditEntryOf = (
  { kind: _kind, sent: _sent, ...row }: Of<'audit'>,
  { by, operation }: FlowRecord,
  operation_id: string,
): AuditEntry => ({
  caller: by.caller,
  about: null,
  operation,
  operation_id,
  ...row,
  id: `${operation_id.slice(0, 16)}.${row.id}`,
})

/**
 * How long a delivery waits for the audit log, the records and the owner's alert before it counts as
 * failed; in milliseconds.
 */
const DELIVERY_TIMEOUT_MS = { audit: SECOND, records: 10 * SECOND, alert: 10 * SECOND }

type Receivers = Pick<Host, 'clock' | 'ports' | 'audit' | 'alertOwner' | 'name' | 'operationId'>

/**
 * Delivers the items of the outbox, all at the same time. `ids` are those of the items that have
 * arrived; an alarm tries the others again. `written` is settled once the records are there, or that
 * failed. Neither rejects.
 */
export function deliver(
  record: FlowRecord,
  host: Receivers,
): { written: Promise<unknown>; ids: Promise<string[]> } {
  const { clock, ports, audit, alertOwner, name, operationId } = host
  const { origin, outbox } = record
  const written = clock.withDeadline(
    arrived(record, 'record', async (items) => {
      const { records } = await ports(origin)
      const writes = items.map(({ kind: _kind, id: _id, ...write }) => write)
      const kept = { ...record, outbox: withoutRecords(outbox), name, operationId }
      await records.upsert(writes, name, record.state === 'done' ? JSON.stringify(kept) : undefined)
    }),
    DELIVERY_TIMEOUT_MS.records,
  )
  const appended = clock.withDeadline(
    arrived(record, 'audit', (rows) =>
      audit.append(rows.map((row) => auditEntryOf(row, record, operationId))),
    ),
    DELIVERY_TIMEOUT_MS.audit,
  )
  const alerted = clock.withDeadline(
    arrived(record, 'alert', async () => {
      if (!(await alertOwner(record))) throw new Error('the alert was not taken')
    }),
    DELIVERY_TIMEOUT_MS.alert,
  )
  const ids = Promise.all([written, appended, alerted]).then((all) =>
    all.flatMap((some) => (some === 'late' ? [] : some)),
  )
  return { written, ids }
}

type Of<Kind extends OutboxItem['kind']> = Extract<OutboxItem, { kind: Kind }>

/** Delivers all items of a kind in one call; the ids of those that have arrived. */
async function arrived<Kind extends OutboxItem['kind']>(
  { outbox }: FlowRecord,
  kind: Kind,
  send: (items: Of<Kind>[]) => Promise<void>,
): Promise<string[]> {
  const items = (outbox?.items ?? []).filter((item): item is Of<Kind> => item.kind === kind)
  try {
    if (items.length > 0) await send(items)
    return items.map(({ id }) => id)
  } catch {
    return []
  }
}

/** The entries that the log may lack when the answer comes back from a backup. */
const withoutRecords = (outbox: Outbox | undefined) =>
  outbox && { ...outbox, items: outbox.items.filter(({ kind }) => kind === 'audit') }
