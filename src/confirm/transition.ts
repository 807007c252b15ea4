import type { Refusal } from '../domain/problem.ts'
import type { Facts } from '../domain/facts.ts'
import type { Seen } from '../domain/outcome.ts'
import type { ConfirmationCall } from '../ports/index.ts'
import type { Answer, Delivery, FlowRecord, Fresh } from './record.ts'

/** What the machine must know of a step, besides how it is run. */
export interface Rule {
  alone: boolean
  repeatMs: number
  settleMs: number
  undo?: Rule
}

export type End = 'committed' | 'reschedule_restored' | 'partially_applied'

/** The pure half of an operation: the rules of its steps, and what is said and delivered at each end. */
export interface Plan {
  rules: readonly Rule[]
  finish(record: FlowRecord, end: End, now: number): { answer: Answer; outbox: Delivery[] }
}

export type Event =
  | ({ type: 'call'; live: boolean } & Pick<
      ConfirmationCall,
      'operation' | 'confirm' | 'token' | 'fingerprints'
    >)
  | { type: 'prepared'; fresh: Fresh; fingerprints: ConfirmationCall['fingerprints'] }
  | { type: 'heard'; how: 'check' | 'run' | 'find'; seq: number; heard: Seen; payload: boolean }
  | { type: 'alarm'; live: boolean }
  | { type: 'delivered' | 'told'; ok: boolean }
  | { type: 'erased'; clientId: string }
  | { type: 'settled'; happened: boolean; facts: Facts }

export type Todo = 'prepare' | 'check' | 'run' | 'find' | 'deliver' | 'tell' | 'forget' | 'join'
export type Said = { is: 'preview' } | (Answer & { replayed: boolean })

export interface Out {
  record: FlowRecord | undefined
  say?: Said
  todo?: Todo
}

export type Call = Extract<Event, { type: 'call' }>
export type Heard = Extract<Event, { type: 'heard' }>
export type PlanOf = (record: FlowRecord) => Plan

/** A changed record; every change counts in `seq`. */
export const put = (record: FlowRecord, change: Partial<FlowRecord>, out: Omit<Out, 'record'> = {}): Out => ({
  record: { ...record, ...change, seq: record.seq + 1 },
  ...out,
})

export const said = (refusal: Refusal): Said => ({ is: 'refused', refusal, replayed: false })
export const refuse = (code: Refusal['code'], facts: Partial<Refusal> = {}): Said =>
  said({ effect: 'none', ...facts, code })

/** A step of which nothing is under way. */
export const unsentStep = { tries: 0, looks: 0, firstSent: 0, lastSent: 0, attention: undefined }

const ASK_A_PERSON = {
  detail: 'The change was sent to the provider and could not be found by looking. The owner has been told.',
  next_step: 'Ask the owner of the practice what happened. Do not send the change again under a new key.',
}
const HALF_DONE =
  'The first part of the change is made; the rest could not be sent yet. The service keeps trying, and else undoes the first part.'

/** The honest answer while the outcome is not known. */
export function doubt(record: FlowRecord, now: number): Said {
  if (record.attention)
    return refuse('outcome_unknown', { effect: 'unknown', needs_attention: true, ...ASK_A_PERSON })
  const seconds = Math.max(1, Math.ceil(((record.wake ?? now) - now) / 1000))
  const half = record.tries === 0 ? { detail: HALF_DONE } : {}
  return refuse('outcome_unknown', { effect: 'unknown', retry_after_seconds: seconds, ...half })
}

/** This preview is used up: its token keeps the refusal, and the next preview is a fresh one. */
export const spend = (record: FlowRecord, refusal: Refusal): Out =>
  put(record, { ...unsentStep, at: 'previewed', spent: refusal, wake: undefined }, { say: said(refusal) })
