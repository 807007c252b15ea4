import type { ApprovedBy } from '../domain/audit/entry.ts'
import type { Facts } from '../domain/facts.ts'
import type { Mode } from '../domain/mode.ts'
import type { StepOutcome, LookupOutcome } from '../domain/outcome.ts'
import type { Practice } from '../domain/practice.ts'
import type { Refusal } from '../domain/problem/problem.ts'
import type { Scope } from '../domain/scopes.ts'
import type { SealedText } from '../ports/approvals.ts'
import type { Shown } from '../ports/confirmation.ts'
import type { RecordWrite } from '../ports/records.ts'
import type { Ports, ProviderModes } from '../ports/services.ts'

// The terms used here are in the glossary of docs/architecture.md.

/** What a preview found: what to show, and the facts that must still hold at commit. */
export interface Prepared<P extends Facts, V extends object> extends Shown {
  preview: V
  pinned: P
  /** Keys that find the records of this change later; they may differ at commit. */
  index?: readonly string[]
  discloses?: readonly Scope[]
  /**
   * Fields that the approval page shows instead of those of the preview: whole names and answers,
   * and email addresses with their whole domain. Kept only if a person has to approve: sealed,
   * until the end.
   */
  forApprover?: Readonly<Record<string, SealedText | undefined>>
  /** What the audit log says about the person who commits this, if it is not an approval. */
  audit?: Facts & { approved: ApprovedBy }
}

/** A hash under the secret of the record: a rotation of secrets never looks like changed facts. */
type Mac = (text: string) => Promise<string>

export interface PrepareContext {
  ports: Ports
  caller: string
  flow: string
  id: string
  keyId: string
  mac: Mac
  /**
   * Whether the caller may read with this scope; always false when a commit checks its facts again.
   */
  mayRead(scope: Scope): boolean
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
   * Sends at most one mutation, and none after `sendBefore`. A failed read is `busy`. Alarms have
   * no input.
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
   * does.
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
 * The behaviour of an operation that changes something. All but `prepare` and the steps is pure.
 */
export interface Mutation<I, P extends Facts, V extends object, R extends object> {
  name: string
  mode(providers: ProviderModes): Mode
  /** The adapter that it uses. A record that another adapter began is never continued. */
  adapterId(ports: Ports): string
  prepare(input: I, preparing: PrepareContext): Promise<Prepared<P, V>>
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
  /** The fields of result or pinned facts that name what this is about, the most telling first. */
  recordId: readonly string[]
  /**
   * The field of the preview with the caller's text to the client; kept sealed, and only until the
   * end.
   */
  clientText?: string
  /**
   * Other fields of the preview with what the caller sent; kept in the same way. A preview may lack
   * them.
   */
  sealedFields?: readonly string[]
  subject?(pinned: P): string | undefined
  /**
   * Whether the change goes to an email address that the caller sent. A rule can ask for a person's
   * approval unless the address is that of a known client.
   */
  namesAddress?(preview: V): boolean
  /** No other preview replaces one of this operation, not even on a page of ours. */
  isFinal?: true
  /** The answer if a later step was refused. Required for an operation with several steps. */
  incomplete?(
    finished: Finished<P, V>,
    end: 'compensated' | 'partial',
  ): { refusal: Omit<Refusal, 'effect'>; records: RecordWrite[]; recordId: string | null }
}

/** A mutation whose types are known only to itself. */
export type AnyMutation = Mutation<object, Facts, object, object>
