import type { Facts } from '../domain/facts.ts'
import type { LookupOutcome } from '../domain/outcome.ts'
import type { Refusal } from '../domain/problem/problem.ts'
import { SECOND } from '../domain/time/duration.ts'
import type { ConfirmationCall, Decided } from '../ports/confirmation.ts'
import type { RecordWrite } from '../ports/records.ts'
import type { FinalReply, FlowRecord, NewPreview, Previewed, Running } from './record.ts'

/** What the machine must know of a step, beside how it is run. */
export interface StepRule {
  /**
   * How long after the first send a doubtful one may be repeated, in ms, also by an alarm, which has
   * no payload; `execute` keeps to `sendBefore`.
   */
  retryWindowMs?: number
  /**
   * A `not_found` this long after the last send proves that there was no effect. By default it never
   * does. A send that is held up for a minute before it leaves is not made.
   */
  absenceIsFinalAfterMs?: number
  /** Runs when a later step is definitely refused; it never needs the payload. */
  compensate?: StepRule
}

/** How a commit ends: done, put back as it was, or only in part. */
export type End = 'committed' | 'compensated' | 'partial'

/** The pure half of an operation: the rules of its steps, and the answer and deliveries of each end. */
export interface Plan {
  rules: readonly StepRule[]
  finish(record: Previewed | Running, end: End, now: number): Ending
}

interface Ending {
  answer: FinalReply
  records: RecordWrite[]
  recordId: string | null
  /** What differs from what the preview showed. */
  differs?: readonly string[]
}

/**
 * An input of the machine: a call, or the result of its last command. The events of the event log
 * are something else.
 */
export type FlowEvent =
  | ({ type: 'call'; live: boolean } & Pick<
      ConfirmationCall,
      'operation' | 'confirm' | 'token' | 'fingerprints'
    > &
      Partial<Pick<ConfirmationCall, 'forms' | 'scopes' | 'opensPages' | 'revisable'>>)
  | ({ type: 'prepared'; fresh: NewPreview } & Pick<ConfirmationCall, 'fingerprints'> &
      Partial<Pick<ConfirmationCall, 'forms' | 'scopes' | 'revisable'>>)
  | {
      type: 'step_result'
      how: 'check' | 'execute' | 'reconcile'
      seq: number
      outcome: LookupOutcome
      payload: boolean
    }
  | { type: 'alarm'; live: boolean }
  | { type: 'outbox_delivered'; delivered: readonly string[]; ok: boolean }
  | { type: 'owner_alerted'; ok: boolean }
  | { type: 'subject_erased'; subject: string; refusal: Refusal }
  | { type: 'resolved_by_owner'; happened: boolean; facts: Facts }
  /** An approved preview can be committed for at least `ttlMs`. */
  | { type: 'decided'; decided: Decided; ttlMs: number }
  | { type: 'approval_lifted'; id: string }

/** The next command to the flow; its result is the next event. */
export type Command =
  | 'prepare'
  | 'check'
  | 'execute'
  | 'reconcile'
  | 'alert_owner'
  | 'forget'
  | 'join'

/** `audited`: the write that the reply comes from holds its entry for the audit log. */
export type Reply = ({ is: 'preview' } | (FinalReply & { replayed: boolean; openPage?: true })) & {
  audited?: true
}

/** What an input leads to. */
export interface Transition<R = FlowRecord | undefined> {
  record: R
  reply?: Reply
  command?: Command
  /** Who moved it in place of its caller, and the proof. */
  evidence?: { by: string; about: Facts }
}

export type CallEvent = Extract<FlowEvent, { type: 'call' }>
export type StepResultEvent = Extract<FlowEvent, { type: 'step_result' }>
/** When the machine gets an input, and what tells it the plan of a record. */
export interface At {
  now: number
  planOf(record: Previewed | Running): Plan
}

/** A changed record. Every change counts in `seq`. */
export const update = <R extends FlowRecord>(
  record: R,
  change: Partial<R>,
  out: Omit<Transition, 'record'> = {},
): Transition<R> => ({ record: { ...record, ...change, seq: record.seq + 1 }, ...out })

type RefusalReply = Reply & { is: 'refused' }
export const refusalReply = (refusal: Refusal): RefusalReply => ({
  is: 'refused',
  refusal,
  replayed: false,
})
export const refuse = (code: Refusal['code'], facts: Partial<Refusal> = {}): RefusalReply =>
  refusalReply({ effect: 'none', ...facts, code })

/** A commit is at work on it, and nothing is known of its end yet. */
export const IN_PROGRESS = {
  code: 'commit_in_progress',
  effect: 'unknown',
  retry_after_seconds: 2,
} as const satisfies Refusal

/** Only a newer version, which was taken back, can go on with it. */
export const NEWER: Refusal = {
  code: 'not_configured',
  effect: 'unknown',
  detail:
    'This change needs a newer version of this service than the one that runs now; what is ' +
    'kept of it was left as it is.',
  next_step:
    'Tell the owner to deploy the newer version again, then repeat the same request with ' +
    'the same idempotency key.',
}

/** A step that was not sent. */
export const RESET_STEP = {
  unconfirmedSends: 0,
  lookups: 0,
  firstSent: 0,
  lastSent: 0,
  answered: undefined,
}

const ASK_A_PERSON = {
  detail:
    'The connector sent the change to the provider and has not found it there. The owner has been alerted.',
  next_step:
    'Ask the owner of the practice what happened. Do not send the change again under a new key.',
}
const NOT_UNDERSTOOD =
  'The change was sent to the provider, and its answer does not say whether it was made. ' +
  'It may have happened. The service keeps looking.'
const HALF_DONE =
  'The first part of the change is made; the rest could not be sent yet. ' +
  'The service keeps trying, and else undoes the first part.'
const OWNER_ALERTED = 'The owner of the practice is alerted.'

/** What is in doubt, where it is not the usual: that no answer came. */
function doubtIn({ unconfirmedSends, answered, turnedAway }: Running): Partial<Refusal> {
  if (unconfirmedSends === 0)
    return { detail: turnedAway ? `${HALF_DONE} ${OWNER_ALERTED}` : HALF_DONE }
  return answered ? { detail: NOT_UNDERSTOOD } : {}
}

/** The honest answer while the outcome is not known. */
export function unknownReply(record: Running, now: number): RefusalReply {
  const reply = (facts: Partial<Refusal>) =>
    refuse('outcome_unknown', { effect: 'unknown', ...facts })
  if (record.escalation) return reply({ needs_attention: true, ...ASK_A_PERSON })
  const seconds = Math.max(1, Math.ceil(((record.nextAlarmAt ?? now) - now) / SECOND))
  return reply({ retry_after_seconds: seconds, ...doubtIn(record) })
}

/** The preview that a commit goes back to if none of it was done. */
export const previewOf = ({
  step: _step,
  compensating: _compensating,
  unconfirmedSends: _unconfirmedSends,
  firstSent: _firstSent,
  lastSent: _lastSent,
  lookups: _lookups,
  answered: _answered,
  nextAlarmAt: _nextAlarmAt,
  escalation: _escalation,
  turnedAway: _turnedAway,
  ownerKnows: _ownerKnows,
  stepResults: _stepResults,
  unresolvedLogged: _unresolvedLogged,
  ...kept
}: Running): Previewed => ({ ...kept, state: 'previewed' })

/** The preview is used up: its token keeps the refusal, and the next preview is a fresh one. */
export const voidPreview = (
  record: Previewed | Running,
  refusal: Refusal,
  now: number,
): Transition =>
  update(
    record.state === 'running' ? previewOf(record) : record,
    { voidedBy: refusal, voidedAt: now, sealedText: undefined },
    { reply: refusalReply(refusal) },
  )
