import type { FlowRecord, NewPreview } from '../../../../src/core/confirm/record.ts'
import type { Command } from '../../../../src/core/confirm/transition.ts'
import type { Word } from './explored-approval.ts'
import type { Flight, Provider } from './provider-model.ts'

/** How often each thing that the machine does not decide may happen in one run. */
export interface Budget {
  commits: number
  previews: number
  crashes: number
  /** Someone else books the time or cancels the booking. */
  others: number
  /** A lookup fails, or misses what is there. */
  blindLookups: number
  /** The provider, or the records store, cannot be asked. */
  busy: number
  alarms: number
  /** A person decides, or no rule asks for one any more; where that may happen, every preview needs approval. */
  decisions: number
  /** A page of ours previews another payload; where that may happen, every preview is revisable. */
  revisions: number
  /** All but the provider is lost, and comes back as it was at an earlier moment. */
  restores: number
}

export interface Task {
  command: Command
  payload: boolean
  seq: number
  /** The payload of the call that began it. */
  fingerprint: string
  flight?: number
}

/** The whole world at one moment. */
export interface State extends Provider, Word {
  now: number
  record: FlowRecord | undefined
  issued: number
  /** The newest token a caller holds. */
  token?: string
  /** Previews whose reads are done and whose result is on its way. */
  prepared: readonly NewPreview[]
  task?: Task | undefined
  flights: readonly Flight[]
  /** The record as a backup has it. */
  backup?: FlowRecord | undefined
  left: Budget
}

const waitUntil = (at: number | undefined, now: number) =>
  at === undefined ? 'never' : Math.max(0, at - now)

function stateOf(record: FlowRecord, now: number): unknown[] {
  switch (record.state) {
    case 'previewed':
      return [record.voidedBy?.code, waitUntil(record.expiresAt, now), record.pinned['bookings']]
    case 'running':
      return [
        record.step,
        record.compensating,
        record.unconfirmedSends,
        record.unconfirmedSends > 0 && now - record.firstSent,
        record.unconfirmedSends > 0 && now - record.lastSent,
        record.lookups,
        record.escalation,
        waitUntil(record.nextAlarmAt, now),
        record.stepResults.length,
        record.restored !== undefined,
        record.pinned['bookings'],
      ]
    case 'done':
      return [
        record.answer.is === 'refused' ? record.answer.refusal.code : 'committed',
        record.outbox?.attempts,
        waitUntil(record.outbox?.wakeAt, now),
      ]
  }
}

/**
 * Two states are the same if nothing can tell them apart any more. The machine compares times only with now, and the
 * number of a change only with that of its task, so both count as distances.
 */
export function keyOf({
  now,
  record,
  issued,
  token,
  prepared,
  task,
  old,
  slots,
  flights,
  backup,
  left,
  approved,
  declined,
  lifted,
  outdated,
}: State): string {
  const { need } = record ?? {}
  const has =
    record && [record.outbox, need, need?.lifted, record.sealedText].map((one) => one !== undefined)
  const kept =
    record &&
    [
      record.state,
      record.id,
      record.fingerprint,
      ...has!,
      need?.decision?.is,
      ...stateOf(record, now),
    ].join()
  const doing =
    task &&
    `${task.command} ${task.payload} ${task.fingerprint} ${task.seq === record?.seq} ${task.flight}`
  const reading = prepared
    .map(({ id, fingerprint, pinned }) => `${id} ${fingerprint} ${pinned['bookings']}`)
    .join()
  const onTheWay = flights
    .map((flight, index) => {
      if (flight.state === 'queued')
        return `${flight.act} ${flight.marker} ${now - flight.sent} ${flight.banned}`
      return task?.flight === index ? `${flight.state} ${JSON.stringify(flight.reply)}` : ''
    })
    .join()
  const outside = `${old};${slots.new.join()};${slots.old.join()};${onTheWay}`
  const word = `${approved.join()} ${declined.join()} ${lifted.join()} ${outdated}`
  const copied = backup && [backup.id, ...stateOf(backup, now)].join()
  return [word, kept, issued, token, reading, doing, outside, copied, ...Object.values(left)].join(
    ';',
  )
}
