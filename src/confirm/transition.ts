import type { Facts } from '../domain/facts.ts'
import type { Seen } from '../domain/outcome.ts'
import type { Refusal } from '../domain/problem.ts'
import type { ConfirmationCall } from '../ports/index.ts'
import type { RecordWrite } from '../ports/records.ts'
import type { Answer, FlowRecord, Fresh, Previewed, Running } from './record.ts'

/** What the machine must know of a step, besides how it is run. */
export interface Rule {
  alone: boolean
  repeatMs: number
  settleMs: number
  undo?: Rule
}

/** How a commit ends: done, put back as it was, or only in part. */
export type End = 'committed' | 'compensated' | 'partial'

/** The pure half of an operation: the rules of its steps, and what is answered and delivered at each end. */
export interface Plan {
  rules: readonly Rule[]
  finish(record: Previewed | Running, end: End, now: number): Ending
}

export interface Ending {
  answer: Answer
  records: RecordWrite[]
  recordId: string | null
}

export type Event =
  | ({ type: 'call'; live: boolean } & Pick<
      ConfirmationCall,
      'operation' | 'confirm' | 'token' | 'fingerprints'
    >)
  | { type: 'prepared'; fresh: Fresh; fingerprints: ConfirmationCall['fingerprints'] }
  | { type: 'heard'; how: 'check' | 'run' | 'find'; seq: number; heard: Seen; payload: boolean }
  | { type: 'alarm'; live: boolean }
  | { type: 'outbox_delivered'; delivered: readonly string[]; ok: boolean }
  | { type: 'told'; ok: boolean }
  | { type: 'subject_erased'; subject: string; refusal: Refusal }
  | { type: 'settled'; happened: boolean; facts: Facts }

export type Todo = 'prepare' | 'check' | 'run' | 'find' | 'tell' | 'forget' | 'join'

/** A reply; `audited` if the write that it comes from holds its entry for the audit log. */
export type Said = ({ is: 'preview' } | (Answer & { replayed: boolean })) & { audited?: true }

export interface Out<R = FlowRecord | undefined> {
  record: R
  say?: Said
  todo?: Todo
}

export type Call = Extract<Event, { type: 'call' }>
export type Heard = Extract<Event, { type: 'heard' }>
export type PlanOf = (record: Previewed | Running) => Plan

/** A changed record; every change counts in `seq`. */
export const put = <R extends FlowRecord>(
  record: R,
  change: Partial<R>,
  out: Omit<Out, 'record'> = {},
): Out<R> => ({
  record: { ...record, ...change, seq: record.seq + 1 },
  ...out,
})

export const said = (refusal: Refusal): Said => ({ is: 'refused', refusal, replayed: false })
export const refuse = (code: Refusal['code'], facts: Partial<Refusal> = {}): Said =>
  said({ effect: 'none', ...facts, code })

/** A commit is at work on it, and nothing is known of its end yet. */
export const IN_PROGRESS = {
  code: 'commit_in_progress',
  effect: 'unknown',
  retry_after_seconds: 2,
} as const satisfies Refusal

/** A step that was not sent. */
export const unsentStep = { tries: 0, looks: 0, firstSent: 0, lastSent: 0 }

const ASK_A_PERSON = {
  detail: 'The change was sent to the provider and could not be found by looking. The owner has been told.',
  next_step: 'Ask the owner of the practice what happened. Do not send the change again under a new key.',
}
const HALF_DONE =
  'The first part of the change is made; the rest could not be sent yet. The service keeps trying, and else undoes the first part.'

/** The honest answer while the outcome is not known. */
export function doubt(record: Running, now: number): Said & { is: 'refused' } {
  const reply = (facts: Partial<Refusal>) =>
    ({
      is: 'refused',
      refusal: { code: 'outcome_unknown', effect: 'unknown', ...facts },
      replayed: false,
    }) as const
  if (record.attention) return reply({ needs_attention: true, ...ASK_A_PERSON })
  const seconds = Math.max(1, Math.ceil(((record.wake ?? now) - now) / 1000))
  const half = record.tries === 0 ? { detail: HALF_DONE } : {}
  return reply({ retry_after_seconds: seconds, ...half })
}

/** The preview that a commit goes back to when nothing of it was done. */
export const previewOf = ({
  step: _step,
  undo: _undo,
  tries: _tries,
  firstSent: _first,
  lastSent: _last,
  looks: _looks,
  wake: _wake,
  attention: _attention,
  setback: _setback,
  learnt: _learnt,
  doubted: _doubted,
  ...kept
}: Running): Previewed => ({ ...kept, at: 'previewed' })

/** This preview is used up: its token keeps the refusal, and the next preview is a fresh one. */
export const spend = (record: Previewed | Running, refusal: Refusal): Out =>
  put(record.at === 'running' ? previewOf(record) : record, { spent: refusal }, { say: said(refusal) })
