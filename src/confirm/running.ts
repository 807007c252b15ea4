import type { Facts } from '../domain/facts.ts'
import type { Seen } from '../domain/outcome.ts'
import type { Refusal } from '../domain/problem.ts'
import type { FlowRecord } from './record.ts'
import { SCHEDULE, dueAt } from './record.ts'
import type { End, Heard, Out, PlanOf, Rule } from './transition.ts'
import { doubt, put, said, spend, unsentStep } from './transition.ts'

/** A step was run, or looked for. */
export function heard(record: FlowRecord, event: Heard, now: number, planOf: PlanOf): Out {
  if (record.at !== 'running') return { record }
  const { heard: h, how, payload } = event
  const rule = ruleOf(record, planOf)
  const unresolved: Out = { record, say: doubt(record, now) }
  switch (h.is) {
    case 'ok': {
      const learnt = [...record.learnt, h.facts]
      if (record.undo) return finish({ ...record, learnt }, 'reschedule_restored', now, planOf)
      if (record.step === planOf(record).rules.length - 1)
        return finish({ ...record, learnt }, 'committed', now, planOf)
      return carryOn(
        { ...record, learnt, ...unsentStep, step: record.step + 1, wake: now + SCHEDULE.hold },
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
      // Once the owner was told, only a caller makes it try again.
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
  if (record.at === 'done' && record.outbox) {
    const wake = now + SCHEDULE.deliver
    return live ? { record: { ...record, wake } } : put(record, { wake }, { todo: 'deliver' })
  }
  if (record.at !== 'running') return live ? { record } : { record: undefined, todo: 'forget' }
  // An alarm during a live task only comes again: it must not take the task for a crash. Nor does it count as a change,
  // or the answer of the task would not be heard.
  if (live) return { record: { ...record, wake: now + SCHEDULE.hold } }
  if (record.attention === 'untold') return put(record, { wake: now + SCHEDULE.tellAgain }, { todo: 'tell' })
  const looked = { ...record, ...nextLook(record, now), looks: record.looks + 1 }
  if (looked.tries === 0 && !isFirst(looked) && looked.looks > SCHEDULE.patience) {
    return stepBack(looked, false, now, planOf)
  }
  const out = resume(looked, false, now, planOf)
  return out.record === looked ? { ...out, ...put(looked, {}) } : out
}

/** When to look again; once the looks are used up, the owner is told and no alarm comes any more. */
function nextLook(record: FlowRecord, now: number): Pick<FlowRecord, 'wake' | 'attention'> {
  const wait = SCHEDULE.looks[record.looks]
  if (wait !== undefined) return { wake: now + wait }
  return record.attention === 'told'
    ? { wake: undefined }
    : { attention: 'untold', wake: now + SCHEDULE.hold }
}

export function delivered(record: FlowRecord, ok: boolean, now: number): Out {
  if (!ok) {
    const wait = SCHEDULE.looks[record.looks] ?? SCHEDULE.deliverLate
    return put(record, { looks: record.looks + 1, wake: now + wait })
  }
  const { outbox: _delivered, wake: _wake, ...rest } = record
  return put(rest, {})
}

/** The owner was told that a person has to find out the outcome; from now on only a call or the owner moves it. */
export const told = (record: FlowRecord, ok: boolean): Out =>
  record.attention && ok ? put(record, { attention: 'told', wake: undefined }) : { record }

/** The owner found out what happened: it counts as what a look would have heard. */
export function settled(
  record: FlowRecord,
  happened: boolean,
  facts: Facts,
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
export const resume = (record: FlowRecord, payload: boolean, now: number, planOf: PlanOf): Out =>
  record.tries > 0 ? { record, todo: 'find' } : carryOn(record, payload, now, planOf)

/** Sends the current step if it may be sent now; else waits for the alarm, or for the caller and the payload. */
const carryOn = (record: FlowRecord, payload: boolean, now: number, planOf: PlanOf): Out =>
  payload || ruleOf(record, planOf).alone ? send(record, now) : put(record, {}, { say: doubt(record, now) })

/** Write-ahead: the record says "sent" before anything leaves. */
export const send = (record: FlowRecord, now: number): Out =>
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
function withoutEffect(record: FlowRecord, refusal: Refusal, now: number, planOf: PlanOf): Out {
  if (record.tries > 0) return put(record, {}, { say: doubt(record, now) })
  if (isFirst(record))
    return put(
      record,
      { ...unsentStep, at: 'previewed', wake: undefined },
      { say: said({ ...refusal, effect: 'none' }) },
    )
  const wait = SCHEDULE.looks[record.looks]
  if (wait === undefined || record.looks >= SCHEDULE.patience) return stepBack(record, false, now, planOf)
  // However long the provider asks to wait: meanwhile somebody may be without a booking.
  const asked = Math.min((refusal.retry_after_seconds ?? 0) * 1000, SCHEDULE.longestWait)
  const waiting = { ...record, wake: now + Math.max(wait, asked) }
  return put(waiting, {}, { say: doubt(waiting, now) })
}

/** A later step cannot be done: undo what was done before it, or say what is left. */
function stepBack(record: FlowRecord, payload: boolean, now: number, planOf: PlanOf): Out {
  const step = record.step - 1
  if (record.undo || !planOf(record).rules[step]?.undo)
    return finish(record, 'partially_applied', now, planOf)
  return carryOn(
    { ...record, ...unsentStep, step, undo: true, wake: now + SCHEDULE.hold },
    payload,
    now,
    planOf,
  )
}

export function finish(record: FlowRecord, end: End, now: number, planOf: PlanOf): Out {
  const { answer, outbox } = planOf(record).finish(record, end, now)
  const { shown: _shown, pinned: _pinned, wake: _wake, ...kept } = record
  const ended = { ...kept, at: 'done' as const, answer, endedAt: now, ...unsentStep }
  const deliver = outbox.length > 0 ? { outbox, wake: firstDelivery(record, now) } : {}
  return put(ended, deliver, {
    say: { ...answer, replayed: false },
    ...(outbox.length > 0 ? { todo: 'deliver' as const } : {}),
  })
}

/** The alarm that is set already, if it comes soon enough: to set it anew is a write. */
const firstDelivery = ({ wake = 0 }: FlowRecord, now: number): number =>
  wake > now ? Math.min(wake, now + SCHEDULE.deliver) : now + SCHEDULE.deliver

const isFirst = (record: FlowRecord): boolean => record.step === 0 && !record.undo

function ruleOf(record: FlowRecord, planOf: PlanOf): Rule {
  const rule = planOf(record).rules[record.step]!
  return record.undo ? rule.undo! : rule
}
