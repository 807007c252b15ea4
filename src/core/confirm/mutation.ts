import type { ApprovedBy } from '../domain/audit/entry.ts'
import type { Facts } from '../domain/facts.ts'
import type { Mode } from '../domain/mode.ts'
import type { LookupOutcome, StepOutcome } from '../domain/outcome.ts'
import type { Practice } from '../domain/practice.ts'
import type { Refusal, problem } from '../domain/problem/problem.ts'
import { approvedLink } from '../domain/records.ts'
import type { Scope } from '../domain/scopes.ts'
import { isoSeconds } from '../domain/time/time.ts'
import { isFields } from '../json.ts'
import type { SentAs, Shown } from '../ports/confirmation.ts'
import type { RecordWrite } from '../ports/records.ts'
import type { Ports, ProviderModes } from '../ports/services.ts'
import { type Previewed, type Running, isApproved } from './record.ts'
import type { SealedTexts } from './sealed.ts'
import type { Plan, StepRule } from './transition.ts'

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

/** A sentence or a line for a person; what is none is left out. */
export type Sentence = string | false | null | undefined
/** Sentences in their order, and lists of them. */
export type Sentences = readonly (Sentence | readonly Sentence[])[]

/** Those that there are, in one list. */
export const saidOf = (sentences: Sentences): string[] =>
  sentences.flat().filter((one) => typeof one === 'string')

/** What a preview shows of its facts, in which words, and to whom. */
export interface ShownFacts<V extends object> extends Pick<Shown, 'summary'> {
  preview: V
  warnings?: Sentences
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
export type ShowContext = Pick<Ports, 'practice'>

export interface StepContext<P extends Facts> {
  ports: Ports
  pinned: P
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
  named?: string | undefined
}

export interface StepAction<I, P extends Facts> extends Omit<StepRule, 'compensate'> {
  /** Where an operation has several: how the owner is asked whether this one happened. */
  asks?: string
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
}

export interface Step<I, P extends Facts> extends StepAction<I, P> {
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
  /** Whether this version shows all of these fields, so that it does what they say. */
  knows(preview: object): boolean
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
  /** The changes that it lets another person make, as `parts` of its pinned facts. */
  parts?(preview: V): string
  /** The answer if a later step was refused. Required for an operation with several steps. */
  incomplete?(
    finished: Finished<P, V>,
    end: 'compensated' | 'partial',
  ): { refusal: Omit<Refusal, 'effect'>; records: RecordWrite[]; recordId: string | null }
}

/** A mutation whose types are known only to itself. */
export type AnyMutation = Mutation<object, Facts, object, object>

const isScalar = (value: unknown) =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/**
 * The fields that a preview showed and whose value in the result is another, as paths:
 * `start_time`, `booking.end_time`.
 */
function differences(
  preview: object,
  result: object,
  except: readonly string[],
  path = '',
): string[] {
  const made = new Map<string, unknown>(Object.entries(result))
  return Object.entries(preview).flatMap(([name, shown]: [string, unknown]) => {
    if (except.includes(name) || !made.has(name)) return []
    const is = made.get(name)
    if (shown === is) return []
    if (isFields(shown) && isFields(is)) return differences(shown, is, except, `${path}${name}.`)
    return isScalar(shown) && isScalar(is) ? [path + name] : []
  })
}

/** The plan of a record: the rules of its steps, and what its operation answers and delivers at each end. */
export function planOf(
  record: Previewed | Running,
  mutation: AnyMutation,
  practice: Pick<Practice, 'timezone' | 'eventTypes'>,
): Plan {
  return {
    rules: mutation.steps(record.pinned),
    finish: (ended, end, now) => {
      const { id, mode, pinned, index, origin } = ended
      const { stepResults, turnedAway } = ended.state === 'running' ? ended : NO_STEPS
      const finished: Finished<Facts, object> = {
        id,
        mode,
        preview: ended.shown.preview,
        pinned,
        index,
        stepResults,
        ...(turnedAway && { turnedAway }),
        approved: isApproved(ended),
        now,
        origin,
        practiceZone: practice.timezone,
        eventTypes: practice.eventTypes,
        differs: [],
      }
      if (end !== 'committed') {
        if (!mutation.incomplete)
          throw new Error('an operation whose steps can be compensated says what is left')
        const { refusal, records, recordId } = mutation.incomplete(finished, end)
        return {
          answer: { is: 'refused', refusal: { ...refusal, effect: 'partial' } },
          records,
          recordId,
        }
      }
      const result = mutation.result(finished)
      const seen = differences(finished.preview, result, mutation.changes ?? [])
      const differs = [...new Set([...seen, ...(mutation.differs?.(finished) ?? [])])]
      const made = { ...finished, differs }
      const body = {
        status: 'committed',
        operation: ended.operation,
        mode: ended.mode,
        result,
        summary: mutation.summary(result, made),
        ...(differs.length > 0 && { differs_from_preview: differs }),
        ...(mutation.nextStep && { next_step: mutation.nextStep(result, made) }),
        committed_at: isoSeconds(now),
        ...(ended.need?.decision?.is === 'approved' && {
          approval: { level: ended.need.level, approved_at: isoSeconds(ended.need.decision.at) },
        }),
      }
      return {
        answer: { is: 'committed', body },
        records: mutation
          .records(result, made)
          .map((write) => (isApproved(ended) ? approvedWrite(write, ended.index) : write)),
        ...(differs.length > 0 && { differs }),
        recordId: recordIdIn(mutation.recordId, result) ?? ended.recordId,
      }
    },
  }
}

/** A record that a person approved: its address is known by it from now on. */
const approvedWrite = (write: RecordWrite, index: readonly string[]): RecordWrite => {
  const found = write.links?.filter((link) => index.includes(link)) ?? []
  return found.length === 0
    ? write
    : { ...write, links: [...(write.links ?? []), ...found.map(approvedLink)] }
}

/** The first of these fields that is there. */
export function recordIdIn(fields: readonly string[], facts: object): string | null {
  const values = new Map<string, unknown>(Object.entries(facts))
  return fields.map((field) => values.get(field)).find((value) => typeof value === 'string') ?? null
}

/** Of a change whose commit is all that there is to do. */
const NO_STEPS: Pick<Running, 'stepResults' | 'turnedAway'> = { stepResults: [] }
