import type { AuditEntry } from '../domain/audit-entry.ts'
import type { RecordWrite } from '../ports/records.ts'
import type { FlowRecord } from './record.ts'
import { SCHEDULE } from './record.ts'

/** An entry on its way to the audit log, without what every entry of this flow shares. */
export type AuditRow = Pick<
  AuditEntry,
  'id' | 'at' | 'event' | 'code' | 'record_id' | 'app' | 'request_id' | 'times' | 'shown'
> &
  /** Where somebody else than the caller of the flow acted. */
  Partial<Pick<AuditEntry, 'caller' | 'about'>>

/** A masked record on its way to the records, or an entry on its way to the audit log; kept until it is there. */
export type OutboxItem =
  | ({ kind: 'record'; id: string } & RecordWrite)
  | ({ kind: 'audit'; /** It may be there already, so it never changes again. */ sent?: true } & AuditRow)

/** What a record has still to deliver, in one order, on one schedule. */
export interface Outbox {
  items: OutboxItem[]
  /** When an alarm delivers it. */
  wakeAt: number
  /** Deliveries that failed since the last one that worked. */
  attempts: number
}

/** Above this many items, audit entries of one kind are counted in one. */
export const COALESCE_ABOVE = 50

export const recordItem = (write: RecordWrite): OutboxItem => ({ kind: 'record', id: write.key, ...write })

/** The record with more items to deliver; an alarm does it at `wakeAt`, or when one is due for the outbox already. */
export function enqueue<R extends FlowRecord>(record: R, items: readonly OutboxItem[], wakeAt: number): R {
  if (items.length === 0) return record
  const before = record.outbox ?? { items: [], wakeAt, attempts: 0 }
  return {
    ...record,
    outbox: {
      ...before,
      items: items.reduce(coalesce, before.items),
      wakeAt: Math.min(before.wakeAt, wakeAt),
    },
  }
}

function coalesce(items: OutboxItem[], item: OutboxItem): OutboxItem[] {
  if (items.length < COALESCE_ABOVE || item.kind !== 'audit' || item.event === 'commit' || item.about)
    return [...items, item]
  const index = items.findLastIndex(
    (one) => one.kind === 'audit' && one.event === item.event && one.code === item.code && !one.sent,
  )
  const same = items[index]
  return same?.kind === 'audit'
    ? items.with(index, { ...same, times: same.times + item.times })
    : [...items, item]
}

/** The record with all entries marked as sent: none is counted up any more, since the audit log may have it as it is. */
export const markSent = <R extends FlowRecord>(record: R): R =>
  record.outbox
    ? {
        ...record,
        outbox: {
          ...record.outbox,
          items: record.outbox.items.map((item) =>
            item.kind === 'audit' ? { ...item, sent: true as const } : item,
          ),
        },
      }
    : record

/** The record without the items that were delivered; the rest is tried again, later after each failure. */
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
  const wait = ok ? SCHEDULE.firstRedelivery : (SCHEDULE.backoff[outbox.attempts] ?? SCHEDULE.lateRedelivery)
  return { ...record, outbox: { items, wakeAt: now + wait, attempts: ok ? 0 : outbox.attempts + 1 } }
}
