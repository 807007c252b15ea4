import type { RecordWrite } from '../ports/records.ts'
import { type FlowRecord, SCHEDULE, type OutboxItem } from './record.ts'

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
