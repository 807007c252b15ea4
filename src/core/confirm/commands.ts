import type { Facts } from '../domain/facts.ts'
import { type LookupOutcome, NOT_SENT, UNKNOWN, busy, refused } from '../domain/outcome.ts'
import { Problem, problem, type Refusal } from '../domain/problem/problem.ts'
import { PROBLEMS, type ProblemCode } from '../domain/problem/problems.ts'
import type { Scope } from '../domain/scopes.ts'
import { MINUTE, SECOND } from '../domain/time/duration.ts'
import type { ApprovalView, ConfirmationCall, Shown } from '../ports/confirmation.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { Ports } from '../ports/services.ts'
import { approvalDigest, needingPerson } from './approval.ts'
import type { CallerRules, GuardedChange, Host, Verdict } from './host.ts'
import {
  type AnyMutation,
  type FactsContext,
  type StepAction,
  type StepContext,
  recordIdIn,
  saidOf,
} from './mutation.ts'
import {
  type FlowRecord,
  type NewPreview,
  type Previewed,
  type Running,
  isApproved,
} from './record.ts'
import { firstTriedOf } from './running.ts'
import {
  type SealedField,
  forApproverAlone,
  openTexts,
  sealTexts,
  sealedFields,
  textsFor,
  withTexts,
  withoutTexts,
} from './sealed.ts'
import { differingFields, fieldHashes, shownText } from './token.ts'
import { NEWER } from './transition.ts'

const OTHER_PROVIDER =
  'The connector has been set to another provider since this preview was made; nothing was done.'

const SHOWN_BY_NEWER =
  'A newer version of the connector showed more in this preview than the one that runs now does; nothing was done.'

const SECRET_REMOVED = 'The signing secret under which this change was shown is removed.'

const NOTHING_SENT =
  'Something went wrong in this service before anything was sent; nothing was done.'

/** Refusals of a commit after which its token stays good: someone else has to act first, or time to pass. */
const MAY_PASS_LATER: ReadonlySet<ProblemCode> = new Set([
  'duplicate_in_doubt',
  'paused',
  'house_rule',
])

/** How long it is waited for who is a known client, in milliseconds. */
const KNOWN_TIMEOUT_MS = 2 * SECOND

/** How long a send may be held up whose absence is final some time later, in milliseconds. */
const LEAVES_WITHIN_MS = MINUTE

/** A step that can be run now, with what it needs. */
interface Attempt {
  action: StepAction<object, Facts>
  at: StepContext<Facts>
}

/**
 * Executes the machine's commands: reads, sends and reconciles, and returns each result. It keeps no
 * state.
 */
export class Commands {
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  /**
   * Checks, executes or reconciles the current step; `named` is a booking that may be its effect.
   * Never rejects: without an answer the outcome is unknown.
   */
  async run(
    how: 'check' | 'execute' | 'reconcile',
    record: Previewed | Running,
    input: object | undefined,
    named?: string,
  ): Promise<LookupOutcome> {
    const { caller } = record.by
    const outcome = await this.#host.quota.use({ caller, use: 'reserved' }, () =>
      this.#run(how, record, input, named),
    )
    if (how === 'execute' && record.state === 'running') this.#host.noteStep(record, outcome)
    return outcome
  }

  async #run(
    how: 'check' | 'execute' | 'reconcile',
    record: Previewed | Running,
    input: object | undefined,
    named: string | undefined,
  ): Promise<LookupOutcome> {
    if (how === 'check') return this.#check(record, input ?? {})
    if (record.state !== 'running') return UNKNOWN
    const isSent = how === 'execute' && !record.compensating
    let ready: LookupOutcome | Attempt
    try {
      ready = await this.#attempt(record, isSent, named)
    } catch (thrown) {
      const refusal = refusalFor(thrown, this.#host)
      return how === 'execute' ? busy(refusal) : UNKNOWN
    }
    if ('is' in ready) return ready
    const { action, at } = ready
    try {
      if (how !== 'execute') return await action.reconcile(at)
      if (this.#host.clock.now() >= at.sendBefore) return NOT_SENT
      return await action.execute(at, isSent ? input : undefined)
    } catch (thrown) {
      // A mutation never throws a Problem, so this was a read before it: nothing was sent.
      if (thrown instanceof Problem) return busy(thrown.refusal)
      this.#host.noteFault(thrown)
      return UNKNOWN
    }
  }

  /** The current step with what it needs, or why it cannot be run. It asks no provider. */
  async #attempt(
    record: Running,
    isSent: boolean,
    named: string | undefined,
  ): Promise<LookupOutcome | Attempt> {
    const mutation = this.mutation(record)
    const ports = await this.#host.ports(record.origin)
    if (record.adapterId !== mutation.adapterId(ports)) return UNKNOWN
    const { pinned } = record
    const mac = macUnder(ports, record.keyId)
    const marker = `${record.id}.${record.step}${record.compensating ? 'u' : ''}`
    const action = this.action(record)
    if (!action) return UNKNOWN
    // What is sent only once cannot be doubled. The first send keeps to it too: another instance
    // may have repeated it. What leaves too late could land after its absence was taken as final.
    const sendBefore = Math.min(
      action.retryWindowMs ? firstTriedOf(record) + action.retryWindowMs : Infinity,
      action.absenceIsFinalAfterMs ? record.lastSent + LEAVES_WITHIN_MS : Infinity,
    )
    const clientText = isSent ? await this.#clientTextOf(record, ports) : null
    // Only what was shown is sent. A caller who asks again gets a preview that can be opened.
    if (clientText === undefined) return refused('confirmation_expired')
    return { action, at: { ports, pinned, clientText, marker, sendBefore, mac, named } }
  }

  /** Nothing has been sent yet, so whatever goes wrong here had no effect. */
  async #check(record: Previewed | Running, input: object): Promise<LookupOutcome> {
    try {
      const mutation = this.mutation(record)
      const ports = await this.#host.ports(record.origin)
      const { operation, pinned: shownFacts } = record
      const { caller } = record.by
      const known = record.isKnownClient === true && (await this.#isKnown(ports, record.index))
      const address = addressIn(mutation, record.shown.preview, known)
      const begun = await this.#host.guard.begin(
        mutation.lockKeys(shownFacts),
        { caller, operation, pinned: shownFacts, address },
        isApproved(record),
      )
      if (begun === 'held') throw problem('duplicate_in_doubt', { retry_after_seconds: 5 })
      if (begun !== 'taken') throw new Problem(begun)
      if (record.adapterId !== mutation.adapterId(ports))
        throw problem('preview_stale', { detail: OTHER_PROVIDER })
      if (!mutation.knows(record.shown.preview))
        throw problem('preview_stale', { detail: SHOWN_BY_NEWER })
      const { pinned } = await mutation.facts(input, this.#reading(ports, record, caller))
      return { is: 'ok', facts: pinned }
    } catch (thrown) {
      const refusal = refusalFor(thrown, this.#host)
      const later = MAY_PASS_LATER.has(refusal.code) || PROBLEMS[refusal.code].status >= 500
      return { is: later ? 'busy' : 'refused', refusal }
    }
  }

  /**
   * Where a key is used for other values: the fields that differ, by JSON pointer; none where that
   * is not known.
   */
  async differingFields(
    record: FlowRecord,
    { operation, compared, origin }: ConfirmationCall,
  ): Promise<string[]> {
    if (!record.fields || !compared || record.operation !== operation) return []
    const keyring = await (await this.#host.ports(origin)).keyring()
    if (!keyring.ids.includes(record.keyId)) return []
    return differingFields(record.fields, await fieldHashes(keyring, record, compared))
  }

  /**
   * A new preview: the facts, and what it shows of them. Throws a Problem where the operation is
   * not possible.
   */
  async prepare(call: ConfirmationCall): Promise<NewPreview> {
    const { operation, fingerprints, origin, scopes, by, atOnce } = call
    const mutation = this.mutation(call)
    const ports = await this.#host.ports(origin)
    // While a new secret spreads, the Worker may not know it yet: then it is made under one that both know.
    const keyring = await ports.keyring()
    const keyId = keyring.ids.find((one) => one in fingerprints) ?? keyring.current
    const id = this.#host.newId()
    const { rules, facts } = await this.#rulesAndFacts(call, () =>
      this.#host.quota.use({ caller: by.caller, use: 'read' }, () =>
        mutation.facts(call.input, {
          ...this.#reading(ports, { id, keyId }, by.caller, scopes),
          sentAs: call.sentAs,
        }),
      ),
    )
    const { pinned, index = [] } = facts
    // What else an operation may return here is neither kept nor shown.
    const {
      preview: shownFields,
      summary,
      warnings = [],
      discloses = [],
      audit,
      sealed = [],
    } = mutation.show(call.input, facts, ports)
    const address = addressIn(mutation, shownFields, false)
    const change = { caller: by.caller, operation, pinned, address }
    const { warning, wantsPerson, isKnownClient } = await this.#verdictOn(
      change,
      rules,
      // A caller that may not see clients must not learn who is one: for it every address is new.
      async () => scopes.includes(KNOWN_TO) && this.#isKnown(ports, index),
    )
    const shown = {
      preview: shownFields,
      summary,
      warnings: saidOf([...warnings, warning]),
    }
    const texts = sealedFields(sealed, wantsPerson)
    const shownWith = [...new Set<Scope>([...discloses, ...(isKnownClient ? [KNOWN_TO] : [])])]
    const preview = {
      operation,
      mode: mutation.mode(ports),
      adapterId: mutation.adapterId(ports),
      origin,
      ...(await this.#binding(call, keyring, { id, keyId, shown }, texts)),
      pinned,
      index,
      subject: clientIn(pinned),
      recordId: recordIdIn(mutation.recordId, pinned),
      by,
      ...(shownWith.length > 0 && { discloses: shownWith }),
      ...(isKnownClient && { isKnownClient: true as const }),
      audit,
      isFinal: atOnce,
      expiresAt: this.#host.clock.now() + this.#host.confirmationTtlMs,
    }
    if (!wantsPerson) return preview
    return needingPerson(preview, await approvalDigest(keyring, preview, texts), this.#host)
  }

  /**
   * What binds a preview to what was asked and to what is shown: hashes under its secret, and the
   * texts that are sealed with it.
   */
  async #binding(
    { fingerprints, forms, compared }: ConfirmationCall,
    keyring: Keyring,
    { id, keyId, shown }: Pick<NewPreview, 'id' | 'keyId' | 'shown'>,
    texts: readonly SealedField[],
  ) {
    const fingerprint = fingerprints[keyId]
    if (fingerprint === undefined)
      throw new Error('the Worker and its object do not share a signing secret')
    const sealedText = await sealTexts(keyring, id, texts)
    const [sends] = Object.keys(textsFor('provider', texts))
    return {
      id,
      keyId,
      fingerprint,
      forms: forms?.[keyId],
      ...(compared && { fields: await fieldHashes(keyring, { keyId, id }, compared) }),
      shown: withoutTexts(shown, texts),
      sealedText,
      sends,
      digest: await this.#host.sha256(shownText(id, shown)),
    }
  }

  /** The rules for the caller, and what the mutation reads, at the same time. Throws what refuses it. */
  async #rulesAndFacts(
    { operation, by }: ConfirmationCall,
    read: () => ReturnType<AnyMutation['facts']>,
  ) {
    const asking = { caller: by.caller, operation }
    const coming = this.#host.guard.rulesFor(asking)
    if (this.#host.guard.lastSeenPaused(asking)) {
      const { paused } = await coming
      if (paused) throw new Problem(paused)
    }
    const [rules, [found]] = await Promise.all([coming, Promise.allSettled([read()])])
    // A paused caller learns nothing, not even why the change is not possible.
    if (rules.paused) throw new Problem(rules.paused)
    if (found.status === 'rejected') throw found.reason
    return { rules, facts: found.value }
  }

  /** What the rules say of a change, whose address counts as new unless it proves known. */
  async #verdictOn(
    change: GuardedChange,
    rules: CallerRules,
    isKnown: () => Promise<boolean>,
  ): Promise<Pick<Verdict, 'warning' | 'wantsPerson'> & { isKnownClient: boolean }> {
    const asNew = rules.verdict(change)
    const { refusal, warning } = asNew
    if (refusal) throw new Problem(refusal)
    const isKnownClient = asNew.passesKnownClients && (await isKnown().catch(() => false))
    const { wantsPerson } = isKnownClient ? rules.verdict({ ...change, address: 'known' }) : asNew
    return { warning, wantsPerson, isKnownClient }
  }

  /**
   * What a preview shows this reader, with its texts as long as it can be committed; undefined
   * where they cannot be opened any more, or, for a person who approves it, where they are not what
   * the digest covers. `whole` is what only that person reads.
   */
  async shownTo(
    reader: 'caller' | 'approver',
    record: Previewed,
  ): Promise<{ shown: Shown; whole: ApprovalView['whole'] } | undefined> {
    const { need, keyId, shown, sealedText } = record
    const isOver = record.voidedBy !== undefined || this.#host.clock.now() >= record.expiresAt
    const isOpen = reader === 'caller' ? sealedText === undefined : !need
    if (isOver || isOpen) return { shown, whole: {} }
    const keyring = await (await this.#host.ports(record.origin)).keyring()
    const texts = await openTexts(keyring, record)
    if (!texts) return undefined
    if (reader === 'caller') return { shown: withTexts(shown, texts), whole: {} }
    const isSigned =
      keyring.ids.includes(keyId) && (await approvalDigest(keyring, record, texts)) === need?.digest
    return isSigned ? { shown: withTexts(shown, texts), whole: forApproverAlone(texts) } : undefined
  }

  /** The text for the client; null where there is none, undefined where it cannot be opened any more. */
  async #clientTextOf(record: Running, { keyring }: Ports): Promise<string | null | undefined> {
    if (record.sends === undefined) return null
    const texts = await openTexts(await keyring(), record)
    const text = texts && textsFor('provider', texts)[record.sends]
    return typeof text === 'string' ? text : undefined
  }

  /**
   * Whether a rule still asks for a person about this preview. Its address counts as new: it is not
   * asked once more.
   */
  async stillWantsPerson({ by, operation, pinned, shown }: Previewed) {
    const mutation = this.#host.mutation(operation)
    const address = mutation && addressIn(mutation, shown.preview, false)
    return this.#host.guard.stillWantsPerson({ caller: by.caller, operation, pinned, address })
  }

  /** What reads the facts: of a new preview, or without scopes of a commit. */
  #reading(
    ports: Ports,
    { id, keyId }: { id: string; keyId: string },
    caller: string,
    scopes?: readonly Scope[],
  ): FactsContext {
    return {
      ports,
      isPreview: scopes !== undefined,
      caller,
      flow: this.#host.name,
      id,
      keyId,
      mac: macUnder(ports, keyId),
      mayRead: (scope) => scopes?.includes(scope) === true,
      refuse: problem,
    }
  }

  /**
   * Whether the address with this index is that of a known client. A client link has none: its
   * client types it later. Raises where Records does not say so soon.
   */
  async #isKnown({ records, scheduling, now }: Ports, index: readonly string[]) {
    if (index.length === 0) return false
    const asked = records.knowsClient(index, scheduling.mode, now())
    const isKnown = await this.#host.clock.withDeadline(asked, KNOWN_TIMEOUT_MS)
    if (isKnown === 'late') throw new Error('Records did not say who is known')
    return isKnown
  }

  /** What the current step does, or undoes. */
  action(record: Running): StepAction<object, Facts> | undefined {
    const step = this.mutation(record).steps(record.pinned)[record.step]
    return record.compensating ? step?.compensate : step
  }

  mutation(record: Pick<FlowRecord, 'operation'>): AnyMutation {
    const mutation = this.#host.mutation(record.operation)
    // A Worker of a newer version asked for it, or began it, before a rollback.
    if (!mutation) throw new Problem({ ...NEWER, effect: 'none' })
    return mutation
  }
}

const macUnder =
  (ports: Ports, keyId: string): FactsContext['mac'] =>
  async (text) => {
    const keyring = await ports.keyring()
    // No fault of ours: the owner has removed it, and what was to be compared cannot be.
    if (!keyring.ids.includes(keyId)) throw problem('not_configured', { detail: SECRET_REMOVED })
    return keyring.mac(keyId, 'pin', text)
  }

/** What was thrown before anything was sent, as a refusal: a fault of ours had no effect either. */
export function refusalFor(thrown: unknown, { noteFault }: Host): Refusal {
  if (thrown instanceof Problem) return thrown.refusal
  noteFault(thrown)
  return { code: 'internal_error', effect: 'none', detail: NOTHING_SENT }
}

/** The scope of a caller who may learn, by a change that needs no approval, who is a client. */
const KNOWN_TO: Scope = 'clients:read'

/** Whether a change goes to an address that its caller brings, and whether that is known. */
const addressIn = (
  mutation: AnyMutation,
  preview: object,
  known: boolean,
): GuardedChange['address'] => {
  if (!mutation.namesAddress?.(preview)) return undefined
  return known ? 'known' : 'new'
}

/** The client whose data a change holds, and with whom it is erased: the one that it pins. */
const clientIn = ({ client_id }: { client_id?: Facts[string] }): string | null =>
  typeof client_id === 'string' ? client_id : null
