import type { Facts } from '../domain/facts.ts'
import type { Mode } from '../domain/mode.ts'
import type { Ran, Seen } from '../domain/outcome.ts'
import type { Refusal } from '../domain/problem.ts'
import type { Ports, RecordWrite, Shown } from '../ports/index.ts'

/** What a preview found out: what to show, and the facts that must still hold at commit. */
export interface Prepared<P extends Facts, V extends object> extends Shown {
  preview: V
  pinned: P
  /** Keys under which the records of this change are found later; they may differ at commit. */
  index?: readonly string[]
}

/** A hash under the secret of the record, so that a rotation of secrets never looks like a change of facts. */
export type Mac = (text: string) => Promise<string>

export interface Preparing {
  ports: Ports
  /** The random id of this preview. */
  id: string
  keyId: string
  mac: Mac
}

export interface At<P extends Facts> {
  ports: Ports
  pinned: P
  /** What the steps before this one learnt. */
  learnt: readonly Facts[]
  /** The random name of this step, under which it can be found again. */
  marker: string
  /**
   * The moment before which this send has to leave, or not at all: from then on the provider may take it for a new one.
   * Whoever sends judges it last, after all reads; a send that comes too late is `busy`.
   */
  sendBefore: number
  mac: Mac
}

interface Attempt<I, P extends Facts> {
  /**
   * At most one mutation, and none from `sendBefore` on. A read before it that fails is `busy`. The input is missing when
   * an alarm runs the step.
   */
  run(at: At<P>, input: I | undefined): Promise<Ran>
  /** Looks by id or marker. `refused` here is proof that the effect is not ours and cannot become ours. */
  find(at: At<P>): Promise<Seen>
  /**
   * After a doubtful send the step may be sent again for this long after the first, in milliseconds. Where that is
   * neither 0 nor without end, `run` has to keep to `sendBefore`.
   */
  repeatMs?: number
  /** An `absent` this long after the last send proves that it had no effect. By default it never does. */
  settleMs?: number
}

export interface Step<I, P extends Facts> extends Attempt<I, P> {
  /** The step needs no payload: an alarm may run it. */
  alone?: boolean
  /** Runs when a later step is definitely refused; it never needs the payload. */
  undo?: Attempt<I, P>
}

/** What a finished operation is rendered from. */
export interface Finished<P extends Facts, V> {
  id: string
  mode: Mode
  preview: V
  pinned: P
  index: readonly string[]
  learnt: readonly Facts[]
  /** Why a later step was given up, where one was. */
  setback: Refusal | undefined
  now: number
  origin: string
}

/** The behaviour of an operation that changes something. Everything but `prepare` and the steps is pure. */
export interface Mutation<I, P extends Facts, V extends object, R extends object> {
  name: string
  mode(ports: Ports): Mode
  /** The adapters it acts through; a record begun through others is never carried on. */
  via(ports: Ports): string
  /** Reads only. Throws a Problem where the operation is not possible. */
  prepare(input: I, preparing: Preparing): Promise<Prepared<P, V>>
  /** What the coordinator locks against the same change under another key; none where no provider is touched. */
  targets(pinned: P): string[]
  /** Chosen from the pinned facts, so that recovery gets the same list; none where the commit itself is the change. */
  steps(pinned: P): readonly Step<I, P>[]
  result(finished: Finished<P, V>): R
  summary(result: R, finished: Finished<P, V>): string
  records(result: R, finished: Finished<P, V>): RecordWrite[]
  /** The fields of result or pinned facts that name what this is about, the most telling first. */
  recordId: readonly string[]
  /** Whose data this is, where it belongs to somebody who can be erased. */
  subject?(pinned: P): string
  /** What is left when a later step was refused; needed where there is one. */
  incomplete?(
    finished: Finished<P, V>,
    end: 'compensated' | 'partial',
  ): { refusal: Omit<Refusal, 'effect'>; records: RecordWrite[]; recordId: string | null }
}

/** A mutation whose types are known only to itself. */
export type AnyMutation = Mutation<object, Facts, object, object>
