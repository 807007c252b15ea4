import type { ApprovedBy } from '../domain/audit/entry.ts'
import type { Facts } from '../domain/facts.ts'
import type { Mode } from '../domain/mode.ts'
import type { StepOutcome, LookupOutcome } from '../domain/outcome.ts'
import type { Practice } from '../domain/practice.ts'
import type { Refusal, problem } from '../domain/problem/problem.ts'
import type { Scope } from '../domain/scopes.ts'
import type { SentAs, Shown } from '../ports/confirmation.ts'
import type { RecordWrite } from '../ports/records.ts'
import type { Ports, ProviderModes } from '../ports/services.ts'
import type { SealedTexts } from './sealed.ts'

// The terms used here are in the glossary of docs/architecture.md.

/**
 * What was read for a change, and nothing else: an operation adds the facts that its preview shows
 * besides.
 */
export interface ReadFacts<P extends Facts = Facts> {
  /** What must still hold at commit. */
  pinned: P
  /** Keys that find the records of this change later; a commit keeps those of its preview. */
  index?: readonly string[]
}

/** What a preview shows of its facts, in which words, and to whom. */
export interface ShownFacts<V extends object> extends Shown {
  preview: V
  discloses?: readonly Scope[]
  /**
   * Texts of the preview that are not kept in clear, and texts that only the page of an approval
   * shows: whole names and answers, and email addresses with their whole domain.
   */
  sealed?: readonly SealedTexts[]
  /** What the audit log says about the person who commits this, if it is not an approval. */
  audit?: Facts & { approved: ApprovedBy }
}

/** A hash under the secret of the record: a rotation of secrets never looks like changed facts. */
type Mac = (text: string) => Promise<string>

export interface FactsContext {
  /** Only `facts` may use them, and only until it has returned. */
  ports: Ports
  /** What only a preview shows is not read again at commit. */
  isPreview: boolean
  caller: string
  flow: string
  id: string
  keyId: string
  mac: Mac
  /**
   * Whether the caller may read with this scope; always false when a commit checks its facts again.
   */
  mayRead(scope: Scope): boolean
  /** Of the preview of a tool call: what a host sent in another type than the field's. */
  sentAs?: SentAs | undefined
  /** The refusal of a change that is not possible. */
  refuse: typeof problem
}

/** All that `show` has besides input and facts. */
export interface ShowContext {
  practice: Practice
  /** Epoch milliseconds. */
  now: number
}

export interface StepContext<P extends Facts> {
  ports: Ports
  pinned: P
  stepResults: readonly Facts[]
  marker: string
  /**
   * A send after this may count as a new one at the provider. Checked after all reads; too late is
   * `busy`.
   */
  sendBefore: number
  mac: Mac
  /**
   * The text for the client as the preview showed it; null if there is none, or when compensating.
   */
  clientText: string | null
  /**
   * A booking that the provider has just named: it may be the effect of this step. Read by its id.
   */
  named?: string
}

export interface StepAction<I, P extends Facts> {
  /**
   * Sends at most one mutation, and none after `sendBefore`; another one only where the provider has
   * refused the first as invalid. A failed read is `busy`. Alarms have no input.
   */
  execute(at: StepContext<P>, input: I | undefined): Promise<StepOutcome>
  /**
   * Looks up the effect by id or marker. `refused` proves that it is not ours and cannot become
   * ours.
   */
  reconcile(at: StepContext<P>): Promise<LookupOutcome>
  /**
   * How long after the first send a doubtful one may be repeated, in ms; `execute` keeps to
   * `sendBefore`.
   */
  retryWindowMs?: number
  /**
   * An `absent` this long after the last send proves that there was no effect. By default it never
   * does. A send that is held up for a minute before it leaves is not made.
   */
  absenceIsFinalAfterMs?: number
}

export interface Step<I, P extends Facts> extends StepAction<I, P> {
  unattended?: boolean
  /** Runs when a later step is definitely refused; it never needs the payload. */
  compensate?: StepAction<I, P>
}

/** What the answer to a finished operation is made from. */
export interface Finished<P extends Facts, V> {
  id: string
  mode: Mode
  preview: V
  pinned: P
  index: readonly string[]
  stepResults: readonly Facts[]
  /** Why a later step was not done, where the change ends without it. */
  turnedAway?: Refusal
  /** A person approved it before it was committed. */
  approved: boolean
  now: number
  origin: string
  practiceZone: string
  eventTypes: Practice['eventTypes']
  /** What differs from what the preview showed; set once the result is made. */
  differs: readonly string[]
}

/**
 * The behaviour of an operation that changes something. Only `facts` reads and only the steps send;
 * everything else is pure.
 */
export interface Mutation<
  I,
  P extends Facts,
  V extends object,
  R extends object,
  F extends ReadFacts<P> = ReadFacts<P>,
> {
  name: string
  mode(providers: ProviderModes): Mode
  /** The adapter that it uses. A record that another adapter began is never continued. */
  adapterId(ports: Ports): string
  /**
   * Reads the facts, for a preview and again at commit. Raises a Problem if the change is not
   * possible.
   */
  facts(input: I, reading: FactsContext): Promise<F>
  /** Says what a preview shows. It reads nothing, and a commit does not call it. */
  show(input: I, facts: F, context: ShowContext): ShownFacts<V>
  /** Locks against the same change under another key. Empty if no provider is involved. */
  lockKeys(pinned: P): string[]
  /**
   * Derived from the pinned facts, so recovery gets the same list; empty if the commit is the
   * change.
   */
  steps(pinned: P): readonly Step<I, P>[]
  result(finished: Finished<P, V>): R
  summary(result: R, finished: Finished<P, V>): string
  /** What to do with the answer later, if it can become out of date. */
  nextStep?(result: R, finished: Finished<P, V>): string
  records(result: R, finished: Finished<P, V>): RecordWrite[]
  /**
   * Fields of the preview that the commit itself changes, or that only repeat another field in
   * words.
   */
  changes?: readonly string[]
  /** Fields of the preview that the commit made otherwise, though they may look the same. */
  differs?(finished: Pick<Finished<P, V>, 'preview' | 'stepResults'>): readonly string[]
  /** The fields of result or pinned facts that name what this is about, the most telling first. */
  recordId: readonly string[]
  /**
   * Whether the change goes to an email address that the caller sent. A rule can ask for a person's
   * approval unless the address is that of a known client.
   */
  namesAddress?(preview: V): boolean
  /** The answer if a later step was refused. Required for an operation with several steps. */
  incomplete?(
    finished: Finished<P, V>,
    end: 'compensated' | 'partial',
  ): { refusal: Omit<Refusal, 'effect'>; records: RecordWrite[]; recordId: string | null }
}

/** A mutation whose types are known only to itself. */
export type AnyMutation = Mutation<object, Facts, object, object>
