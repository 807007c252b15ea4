import type { LookupOutcome } from '../domain/outcome.ts'
import type { Refusal } from '../domain/problem/problem.ts'
import { SECOND } from '../domain/time/duration.ts'
import { ALERT, enqueue, recordItem } from './outbox.ts'
import type { Done, FlowRecord, Previewed, Running } from './record.ts'
import { SCHEDULE, dueAt } from './record.ts'
import type { End, FlowEvent, StepResultEvent, Transition, At, StepRule } from './transition.ts'
import {
  unknownReply,
  previewOf,
  update,
  refusalReply,
  voidPreview,
  RESET_STEP,
} from './transition.ts'

/** A step was run, or looked for. */
export function onStepResult(record: Running, event: StepResultEvent, at: At): Transition {
  const { outcome, how, payload } = event
  const unresolved: Transition = { record, reply: unknownReply(record, at.now) }
  switch (outcome.is) {
    case 'ok': {
      const stepResults = [...record.stepResults, outcome.facts]
      if (record.compensating) return finish({ ...record, stepResults }, 'compensated', at)
      if (record.step === at.planOf(record).rules.length - 1)
        return finish({ ...record, stepResults }, 'committed', at)
      return advance({ ...atStep(record, record.step + 1, at.now), stepResults }, at.now)
    }
    case 'refused':
      // After a doubtful send, our own effect may be why we are refused.
      if (how === 'execute' && record.unconfirmedSends > 1) return unresolved
      return isFirst(record)
        ? voidPreview(record, outcome.refusal, at.now)
        : compensate(turnedAway(record, outcome.refusal), at)
    case 'busy': {
      if (how === 'reconcile') return unresolved
      const unsent = { ...record, unconfirmedSends: record.unconfirmedSends - 1 }
      return withoutEffect(unsent, outcome.refusal, at)
    }
    case 'not_found': {
      // It may have been sent in the time that was lost, so its absence proves nothing. Its owner
      // is asked once.
      if (record.restored) {
        if (record.escalation) return unresolved
        const lost = { ...record, escalation: 'pending' } as const
        return update(lost, {}, { reply: unknownReply(lost, at.now), command: 'alert_owner' })
      }
      const rule = ruleOf(record, at)
      // After the owner is alerted only a caller makes it try again. A clock that went back opens no window.
      if (
        Math.max(0, at.now - firstTriedOf(record)) < (rule.retryWindowMs ?? 0) &&
        (payload || record.escalation !== 'sent')
      )
        return send(record, at.now)
      if (at.now - record.lastSent < (rule.absenceIsFinalAfterMs ?? Infinity)) return unresolved
      const refusal = { code: 'provider_busy', effect: 'none' } as const
      return withoutEffect({ ...record, unconfirmedSends: 0 }, refusal, at)
    }
    case 'unknown': {
      if (!outcome.answered || record.answered) return unresolved
      const answered: Running = { ...record, answered: true }
      return update(answered, {}, { reply: unknownReply(answered, at.now) })
    }
  }
}

export function onAlarm(record: FlowRecord | undefined, live: boolean, at: At): Transition {
  if (!record) return { record, command: 'forget' }
  const due = dueAt(record)
  if (due === undefined || at.now < due) return { record }
  if (record.state !== 'running') {
    if (live) return { record }
    // An expired preview is kept for a caller who asks again, without the text that it would have sent.
    if (record.state === 'previewed' && record.sealedText !== undefined)
      return update(record, { sealedText: undefined })
    return { record: undefined, command: 'forget' }
  }
  // A live task is no crash. The alarm is no change either, or the result of the task would be ignored.
  if (live) return { record: { ...record, nextAlarmAt: at.now + SCHEDULE.taskLease } }
  if (record.escalation === 'pending')
    return update(
      record,
      { nextAlarmAt: at.now + SCHEDULE.realertEvery },
      { command: 'alert_owner' },
    )
  const looked: Running = { ...record, ...nextLookup(record, at.now), lookups: record.lookups + 1 }
  const out = resume(looked, at.now)
  return out.record === looked ? { ...out, ...update(looked, {}) } : out
}

/** When to reconcile again. After the last time the owner is alerted, and no alarm is set. */
function nextLookup(record: Running, now: number): Pick<Running, 'nextAlarmAt' | 'escalation'> {
  const wait = SCHEDULE.backoff[record.lookups]
  if (wait !== undefined) return { nextAlarmAt: now + wait }
  return record.escalation === 'sent'
    ? { nextAlarmAt: undefined }
    : { escalation: 'pending', nextAlarmAt: now + SCHEDULE.taskLease }
}

/**
 * The owner was alerted: to find out the outcome, and from now on only a call or the owner moves it;
 * or that the first part alone is made, and the rest is still tried.
 */
export const onOwnerAlerted = (record: Running, ok: boolean): Transition =>
  ok
    ? update(
        record,
        record.escalation ? { escalation: 'sent', nextAlarmAt: undefined } : { ownerKnows: true },
      )
    : { record }

/** The owner found out what happened: that counts as the result of a lookup. */
export function onResolvedByOwner(
  record: Running,
  { happened, facts }: Extract<FlowEvent, { type: 'resolved_by_owner' }>,
  at: At,
): Transition {
  const refusal = { code: 'resolved_by_owner', effect: 'none' } as const
  const outcome: LookupOutcome = happened ? { is: 'ok', facts } : { is: 'refused', refusal }
  const { seq } = record
  return onStepResult(
    record,
    { type: 'step_result', how: 'reconcile', seq, outcome, payload: false },
    at,
  )
}

/** A running record without a task: reconcile if something may have been sent, else continue. */
export const resume = (record: Running, now: number): Transition =>
  record.unconfirmedSends > 0 ? { record, command: 'reconcile' } : advance(record, now)

/** Sends the current step. After a restore it may have been sent in the time that was lost. */
const advance = (record: Running, now: number): Transition =>
  record.restored
    ? update(record, { unconfirmedSends: 1 }, { command: 'reconcile' })
    : send(record, now)

const atStep = (record: Running, step: number, now: number): Running => {
  return {
    ...record,
    ...RESET_STEP,
    escalation: undefined,
    step,
    nextAlarmAt: now + SCHEDULE.taskLease,
  }
}

/**
 * From when on a provider may keep what was sent under a marker. A refused send counts, too, since
 * it forgets that one first.
 */
export const firstTriedOf = ({ firstTried, firstSent }: Running) => firstTried ?? firstSent

/** The first step of a commit. */
export const begin = (record: Previewed, now: number): Transition =>
  send(
    { ...record, ...RESET_STEP, state: 'running', step: 0, compensating: false, stepResults: [] },
    now,
  )

/** Write-ahead: the record says "sent" before anything leaves. */
export const send = (record: Running, now: number): Transition =>
  update(
    record,
    {
      unconfirmedSends: record.unconfirmedSends + 1,
      firstSent: record.unconfirmedSends > 0 ? record.firstSent : now,
      lastSent: now,
      // A repeat from an alarm keeps to the backoff of the lookups.
      nextAlarmAt: Math.max(now + SCHEDULE.taskLease, record.nextAlarmAt ?? 0),
    },
    { command: 'execute' },
  )

function withoutEffect(record: Running, refusal: Refusal, at: At): Transition {
  if (record.unconfirmedSends > 0)
    return update(record, {}, { reply: unknownReply(record, at.now) })
  if (isFirst(record)) {
    const reply = refusalReply({ ...refusal, effect: 'none' })
    return update(previewOf(record), { firstTried: firstTriedOf(record) }, { reply })
  }
  const wait = SCHEDULE.backoff[record.lookups]
  if (wait === undefined || record.lookups >= SCHEDULE.maxStepRetries) return compensate(record, at)
  // A long wait that the provider asks for is cut: the client may be without a booking meanwhile.
  const asked = Math.min((refusal.retry_after_seconds ?? 0) * SECOND, SCHEDULE.longestProviderWait)
  const nextAlarmAt = at.now + Math.max(wait, asked)
  const waiting = { ...turnedAway(record, refusal), nextAlarmAt }
  const reply = unknownReply(waiting, at.now)
  // A person may wait without an appointment meanwhile.
  return update(waiting, {}, { reply, ...(!record.ownerKnows && { command: 'alert_owner' }) })
}

/** While the first part is undone, the reason for that stays. */
const turnedAway = (record: Running, refusal: Refusal): Running =>
  record.compensating ? record : { ...record, turnedAway: refusal }

/** A later step cannot be done: compensate the first one, or end with what is left. */
function compensate(record: Running, at: At): Transition {
  const step = record.step - 1
  if (record.compensating || !at.planOf(record).rules[step]?.compensate)
    return finish(record, 'partial', at)
  return advance({ ...atStep(record, step, at.now), compensating: true }, at.now)
}

/** What the answer needs, and nothing of what was shown or sent. */
const KEPT_AT_END = [
  'v',
  'operation',
  'mode',
  'adapterId',
  'origin',
  'keyId',
  'fingerprint',
  'forms',
  'id',
  'expiresAt',
  'digest',
  'subject',
  'fields',
  'by',
  'need',
  'outbox',
] as const satisfies readonly (keyof Done)[]

const keptAtEnd = (record: Previewed | Running) =>
  Object.fromEntries(
    KEPT_AT_END.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])),
  ) as Pick<Done, (typeof KEPT_AT_END)[number]>

/** The end: one write holds the answer and all that is to be delivered. */
export function finish(record: Previewed | Running, end: End, at: At): Transition {
  const { endedAt = at.now } = record.state === 'running' ? record : {}
  const { answer, records, recordId, differs = [] } = at.planOf(record).finish(record, end, endedAt)
  const done: Done = {
    ...keptAtEnd(record),
    state: 'done',
    seq: record.seq + 1,
    recordId,
    answer,
    endedAt,
    ...(differs.length > 0 && { differs }),
  }
  const ownerKnows = record.state === 'running' && record.ownerKnows
  const items = [...records.map(recordItem), ...(end === 'partial' && !ownerKnows ? [ALERT] : [])]
  const ended = enqueue(done, items, firstDelivery(record, at.now))
  return { record: ended, reply: { ...answer, replayed: false } }
}

/** The alarm that is already set, if it is soon enough: setting it again is a write. */
function firstDelivery(record: Previewed | Running, now: number): number {
  const wake = record.state === 'running' ? (record.nextAlarmAt ?? 0) : 0
  return wake > now
    ? Math.min(wake, now + SCHEDULE.firstRedelivery)
    : now + SCHEDULE.firstRedelivery
}

const isFirst = (record: Running) => record.step === 0 && !record.compensating

function ruleOf(record: Running, at: At): StepRule {
  const rule = at.planOf(record).rules[record.step]
  const current = record.compensating ? rule?.compensate : rule
  if (!current) throw new Error('the operation has no such step')
  return current
}
