import type { Seen } from '../domain/outcome.ts'
import type { Refusal } from '../domain/problem.ts'
import { enqueue, recordItem } from './outbox.ts'
import type { Done, FlowRecord, Previewed, Running } from './record.ts'
import { SCHEDULE, dueAt } from './record.ts'
import type { End, Event, Heard, Out, PlanOf, Rule } from './transition.ts'
import { doubt, previewOf, put, said, spend, unsentStep } from './transition.ts'

/** A step was run, or looked for. */
export function heard(record: Running, event: Heard, now: number, planOf: PlanOf): Out {
  const { heard: h, how, payload } = event
  const rule = ruleOf(record, planOf)
  const unresolved: Out = { record, say: doubt(record, now) }
  switch (h.is) {
    case 'ok': {
      const learnt = [...record.learnt, h.facts]
      if (record.undo) return finish({ ...record, learnt }, 'compensated', now, planOf)
      if (record.step === planOf(record).rules.length - 1)
        return finish({ ...record, learnt }, 'committed', now, planOf)
      return carryOn(
        {
          ...record,
          learnt,
          ...unsentStep,
          attention: undefined,
          step: record.step + 1,
          wake: now + SCHEDULE.hold,
        },
        payload,
        now,
        planOf,
      )
    }
    case 'refused':
      // After a doubtful send it may be our own effect that refuses us.
      if (how === 'run' && record.tries > 1) return unresolved
      return isFirst(record)
        ? spend(record, h.refusal)
        : stepBack(record.undo ? record : { ...record, setback: h.refusal }, payload, now, planOf)
    case 'busy':
      if (how === 'find') return unresolved
      return withoutEffect({ ...record, tries: record.tries - 1 }, h.refusal, now, planOf)
    case 'absent':
      // Once the owner is alerted, only a caller makes it try again.
      if (now - record.firstSent < rule.repeatMs && (payload || (rule.alone && record.attention !== 'told')))
        return send(record, now)
      if (now - record.lastSent < rule.settleMs) return unresolved
      return withoutEffect({ ...record, tries: 0 }, { code: 'provider_busy', effect: 'none' }, now, planOf)
    case 'unknown':
      return unresolved
  }
}

export function alarmed(record: FlowRecord | undefined, live: boolean, now: number, planOf: PlanOf): Out {
  if (!record) return { record, todo: 'forget' }
  const due = dueAt(record)
  if (due === undefined || now < due) return { record }
  if (record.at !== 'running') return live ? { record } : { record: undefined, todo: 'forget' }
  // An alarm during a live task only comes again: it must not take the task for a crash. Nor does it count as a change,
  // or the result of the task would be ignored.
  if (live) return { record: { ...record, wake: now + SCHEDULE.hold } }
  if (record.attention === 'untold') return put(record, { wake: now + SCHEDULE.tellAgain }, { todo: 'tell' })
  const looked: Running = { ...record, ...nextLook(record, now), looks: record.looks + 1 }
  if (looked.tries === 0 && !isFirst(looked) && looked.looks > SCHEDULE.patience) {
    return stepBack(looked, false, now, planOf)
  }
  const out = resume(looked, false, now, planOf)
  return out.record === looked ? { ...out, ...put(looked, {}) } : out
}

/** When to reconcile again; after the last time the owner is alerted, and no alarm is set any more. */
function nextLook(record: Running, now: number): Pick<Running, 'wake' | 'attention'> {
  const wait = SCHEDULE.looks[record.looks]
  if (wait !== undefined) return { wake: now + wait }
  return record.attention === 'told'
    ? { wake: undefined }
    : { attention: 'untold', wake: now + SCHEDULE.hold }
}

/** The owner is alerted that a person has to find out the outcome; from now on only a call or the owner moves it. */
export const told = (record: Running, ok: boolean): Out =>
  record.attention && ok ? put(record, { attention: 'told', wake: undefined }) : { record }

/** The owner found out what happened: it counts as the result of a lookup. */
export function settled(
  record: Running,
  { happened, facts }: Extract<Event, { type: 'settled' }>,
  now: number,
  planOf: PlanOf,
): Out {
  const refusal = { code: 'settled_by_owner', effect: 'none' } as const
  const heardNow: Seen = happened ? { is: 'ok', facts } : { is: 'refused', refusal }
  return heard(
    record,
    { type: 'heard', how: 'find', seq: record.seq, heard: heardNow, payload: false },
    now,
    planOf,
  )
}

/** A running record nobody works on: look if something may have been sent, else carry on. */
export const resume = (record: Running, payload: boolean, now: number, planOf: PlanOf): Out =>
  record.tries > 0 ? { record, todo: 'find' } : carryOn(record, payload, now, planOf)

/** Sends the current step if it may be sent now; else waits for the alarm, or for the caller and the payload. */
const carryOn = (record: Running, payload: boolean, now: number, planOf: PlanOf): Out =>
  payload || ruleOf(record, planOf).alone ? send(record, now) : put(record, {}, { say: doubt(record, now) })

/** The first step of a commit. */
export const begin = (record: Previewed, now: number): Out =>
  send({ ...record, ...unsentStep, at: 'running', step: 0, undo: false, learnt: [] }, now)

/** Write-ahead: the record says "sent" before anything leaves. */
export const send = (record: Running, now: number): Out =>
  put(
    record,
    {
      tries: record.tries + 1,
      firstSent: record.tries > 0 ? record.firstSent : now,
      lastSent: now,
      // A repeat from an alarm keeps to the schedule of the looks.
      wake: Math.max(now + SCHEDULE.hold, record.wake ?? 0),
    },
    { todo: 'run' },
  )

/** The last send is proved without effect. */
function withoutEffect(record: Running, refusal: Refusal, now: number, planOf: PlanOf): Out {
  if (record.tries > 0) return put(record, {}, { say: doubt(record, now) })
  if (isFirst(record)) return put(previewOf(record), {}, { say: said({ ...refusal, effect: 'none' }) })
  const wait = SCHEDULE.looks[record.looks]
  if (wait === undefined || record.looks >= SCHEDULE.patience) return stepBack(record, false, now, planOf)
  // However long the provider asks to wait: meanwhile somebody may be without a booking.
  const asked = Math.min((refusal.retry_after_seconds ?? 0) * 1000, SCHEDULE.longestWait)
  const waiting = { ...record, wake: now + Math.max(wait, asked) }
  return put(waiting, {}, { say: doubt(waiting, now) })
}

/** A later step cannot be done: undo what was done before it, or say what is left. */
function stepBack(record: Running, payload: boolean, now: number, planOf: PlanOf): Out {
  const step = record.step - 1
  if (record.undo || !planOf(record).rules[step]?.undo) return finish(record, 'partial', now, planOf)
  return carryOn(
    { ...record, ...unsentStep, attention: undefined, step, undo: true, wake: now + SCHEDULE.hold },
    payload,
    now,
    planOf,
  )
}

/** The end: what the commit leaves to be delivered is in the same write as its answer. */
export function finish(record: Previewed | Running, end: End, now: number, planOf: PlanOf): Out {
  const { answer, records, recordId } = planOf(record).finish(record, end, now)
  const { v, seq, operation, mode, origin, keyId, fingerprint, id, expiresAt, digest, subject, by, outbox } =
    record
  const kept = { v, operation, mode, origin, keyId, fingerprint, id, expiresAt, digest, subject }
  const done: Done = {
    ...kept,
    ...(by && { by }),
    ...(outbox && { outbox }),
    at: 'done',
    seq: seq + 1,
    recordId,
    answer,
    endedAt: now,
  }
  const ended = enqueue(done, records.map(recordItem), firstDelivery(record, now))
  return { record: ended, say: { ...answer, replayed: false } }
}

/** The alarm that is set already, if it comes soon enough: to set it anew is a write. */
function firstDelivery(record: Previewed | Running, now: number): number {
  const wake = record.at === 'running' ? (record.wake ?? 0) : 0
  return wake > now ? Math.min(wake, now + SCHEDULE.deliver) : now + SCHEDULE.deliver
}

const isFirst = (record: Running): boolean => record.step === 0 && !record.undo

/** The rule of the current step, or of the compensation that is under way. */
function ruleOf(record: Running, planOf: PlanOf): Rule {
  const rule = planOf(record).rules[record.step]
  const current = record.undo ? rule?.undo : rule
  if (!current) throw new Error('the operation has no such step')
  return current
}
