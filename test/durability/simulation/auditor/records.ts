import { type FlowRecord, SCHEDULE } from '../../../../src/core/confirm/record.ts'
import { judgeEnd } from './answers.ts'
import { intentOf, isDeleted, type Generation, type Ledger, unproved } from './ledger.ts'

/** What an object keeps: its record, and when its alarm rings. */
export interface Kept {
  record: FlowRecord | undefined
  /** A new object each time it is set. */
  alarm: { at: number } | undefined
}

/** An object saves its record; `now` is its own clock. */
export function onSave(
  ledger: Ledger,
  object: string,
  { record: before }: Kept,
  { record: after }: Kept,
  now: number,
): void {
  if (before?.state === 'previewed' && after?.state === 'running' && now >= before.expiresAt)
    ledger.report('I13', `${object} started ${now - before.expiresAt} ms after its preview expired`)
}

/** A change of what an object keeps has become durable. */
export function onDurable(
  ledger: Ledger,
  object: string,
  { record: before }: Kept,
  { record: after }: Kept,
  now: number,
  tagOf: (object: string, record: FlowRecord) => string,
): void {
  if (before === after) return
  if (!after) return before && forgotten(ledger, object, before, now)
  const { generations } = ledger
  // An erased record has lost its id, and only its outbox can change.
  if (before?.id === '' && after.id === '') return
  const id = after.id === '' && before ? before.id : after.id
  const of = generations.get(id) ?? begun(object, after, tagOf(object, after))
  generations.set(id, of)
  const arrow = before && brokenArrow(before, after, isDeleted(ledger, of))
  if (arrow) ledger.report('I11', `${object}: ${arrow}`)
  if (!before && after.state !== 'previewed')
    ledger.report('I4', `${object} is ${after.state} without a preview`)
  if (before?.id === after.id) {
    of.decisions += decisionsBetween(before, after)
    of.lifted ||= !before.need?.lifted && after.need?.lifted === true
  }
  if ((after.state === 'done' || voided(after)) && after.sealedText !== undefined)
    ledger.report('I37', `${object} keeps a text for the client that is not sent any more`)
  if (after.state === 'previewed' && after.voidedBy) of.spent ??= JSON.stringify(after.voidedBy)
  if (after.state === 'running' && after.unconfirmedSends > 0) of.intents.add(intentOf(after))
  if (before?.state === 'running' && after.state === 'previewed' && unproved(of).length > 0)
    ledger.report(
      'I10',
      `${object}: a doubt became ${after.voidedBy?.code ?? 'busy'} without proof`,
    )
  if (
    before?.state === 'running' &&
    after.state === 'running' &&
    after.compensating &&
    !before.compensating
  ) {
    const doubtful = unproved(of).filter(({ step }) => step === before.step)
    if (doubtful.length > 0)
      ledger.report('I16', `${object}: an undo begins while step ${before.step} is in doubt`)
  }
  if (after.state === 'done' && before?.state !== 'done') {
    of.end = JSON.stringify(after.answer)
    judgeEnd(ledger, of, after.answer)
  }
}

const voided = (record: FlowRecord): boolean =>
  record.state === 'previewed' && record.voidedBy !== undefined

const decisionsBetween = (before: FlowRecord, after: FlowRecord): number =>
  Number(before.need?.decision?.is !== after.need?.decision?.is)

const begun = (object: string, record: FlowRecord, tag: string): Generation => ({
  id: record.id,
  object,
  tag,
  operation: record.operation,
  pinned: record.state === 'done' ? {} : record.pinned,
  shown: false,
  asked: false,
  intents: new Set(),
  attempts: [],
  effects: [],
  decisions: 0,
  lifted: false,
  forgotten: false,
})

function forgotten(ledger: Ledger, object: string, record: FlowRecord, now: number): void {
  // The clock of an object may be a little ahead.
  const of = ledger.generations.get(record.id)
  const isErasable = of !== undefined && isDeleted(ledger, of)
  const kept = now + 2000 - (record.state === 'done' ? record.endedAt : record.expiresAt)
  if (record.state === 'running') ledger.report('I23', `${object} forgot a running record`)
  else if (record.state === 'done' && record.outbox)
    ledger.report('I23', `${object} forgot its outbox`)
  else if (kept < SCHEDULE.retain && !(record.state === 'previewed' && isErasable))
    ledger.report('I23', `${object} forgot its record after ${kept} ms`)
  for (const one of ledger.generations.values()) if (one.object === object) one.forgotten = true
}

/** Why this is no arrow of the machine, if it is none. */
function brokenArrow(
  before: FlowRecord,
  after: FlowRecord,
  isErasable: boolean,
): string | undefined {
  const arrow = `${before.state} -> ${after.state}`
  const only = ({ outbox: _outbox, ...rest }: FlowRecord) =>
    JSON.stringify({ ...rest, nextAlarmAt: undefined, unresolvedLogged: undefined })
  if (after.seq <= before.seq && only(before) !== only(after))
    return `${arrow} with seq ${before.seq} -> ${after.seq}`
  const isSame = after.id === before.id
  if (before.state === 'previewed') {
    switch (after.state) {
      case 'previewed':
        return undefined
      case 'running':
        return isSame && !before.voidedBy && after.step === 0 && !after.compensating
          ? undefined
          : `${arrow} in the middle`
      case 'done':
        // Only where the commit itself is the change.
        return isSame && /client|intake/.test(after.operation)
          ? undefined
          : `${arrow} without a step`
    }
  }
  if (before.state === 'running') {
    switch (after.state) {
      case 'previewed':
        return isSame && before.step === 0 && !before.compensating
          ? undefined
          : `${arrow} after the first step`
      case 'running': {
        const onward = !after.compensating && !before.compensating && after.step - before.step
        const back = after.compensating && !before.compensating && after.step === before.step - 1
        const stays = after.compensating === before.compensating && after.step === before.step
        return isSame && (stays || back || onward === 1) ? undefined : `${arrow} from step to step`
      }
      case 'done':
        return isSame ? undefined : `${arrow} of another preview`
    }
  }
  if (after.state !== 'done') return arrow
  if (
    isErasable &&
    after.answer.is === 'refused' &&
    after.answer.refusal.code === 'client_not_found'
  )
    return undefined
  return JSON.stringify(before.answer) === JSON.stringify(after.answer)
    ? undefined
    : 'an end changed'
}
