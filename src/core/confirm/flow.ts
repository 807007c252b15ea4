import { isOpenApproval } from '../domain/approval.ts'
import { RECORDS_OF_BOOKING } from '../domain/events/provider-changes.ts'
import type { Facts } from '../domain/facts.ts'
import type { Refusal } from '../domain/problem/problem.ts'
import { recordKey } from '../domain/records.ts'
import { SECOND } from '../domain/time/duration.ts'
import { mayBeMadeBy } from '../domain/whose-booking.ts'
import type { AuditBy } from '../ports/audit.ts'
import type {
  ApprovalView,
  ConfirmationCall,
  ConfirmationReply,
  Decided,
  OperationStatus,
} from '../ports/confirmation.ts'
import type { NamedBooking } from '../ports/provider-sync.ts'
import type { Resolution } from '../ports/unresolved.ts'
import { approvalCode, approvalOf, isAwaitingApproval, isPending } from './approval.ts'
import { Commands, refusalFor } from './commands.ts'
import type { Host } from './host.ts'
import { next } from './machine.ts'
import { planOf } from './mutation.ts'
import { deliver, markSent, withAuditEntry } from './outbox.ts'
import {
  type FlowRecord,
  type Previewed,
  type Running,
  SCHEDULE,
  isReadable,
  nextAlarmOf,
} from './record.ts'
import { approvalView, knownStatus } from './status.ts'
import {
  type FlowEvent,
  type Plan,
  type Transition,
  type Reply,
  type Command,
  IN_PROGRESS,
  NEWER,
  refuse,
  unknownReply,
} from './transition.ts'

/** How long a caller waits for a commit that it started, or that it joined. In milliseconds. */
export const TIMEOUT_MS = { first: 25 * SECOND, joined: 10 * SECOND }

const DIFFERS = 'Not what the first request under this key had.'

/** Work that goes on until the machine asks for nothing more. */
interface Task {
  /** Its reply; nothing if the record moved on meanwhile. */
  reply: Promise<Reply | undefined>
  ended: Promise<void>
}

/**
 * The life of one idempotency key: runs what the machine asks for, one task at a time, and delivers
 * the outbox.
 */
export class Flow {
  readonly #host: Host
  readonly #commands: Commands
  /** The stored record was written by a version that this one cannot read. */
  readonly #foreign: boolean
  #record: FlowRecord | undefined
  /** The running task; there is one at a time. */
  #task: Task | undefined
  /** The record in memory is ahead of the stored one: it has fewer undelivered items. */
  #isAhead = false
  #delivery: Promise<void> | undefined
  /** Of the record; settled once nothing of it can come back. */
  #forgotten: Promise<void> | undefined
  #writing: Promise<unknown> | undefined
  /** Resolves when no approval is pending any more: a person decided, or no rule asks for it. */
  #released = Promise.withResolvers<void>()
  /** A call that waited for a person is about to run again. Resolves once it has. */
  #returning: PromiseWithResolvers<void> | undefined
  /** The preview that is being made: what was asked, and what refuses it once that is known. */
  #preparing: { asked: string; refused: Promise<Refusal | undefined> } | undefined
  /** The plan that the machine asks for, made once from these facts. */
  #planned: { pinned: Facts; plan: Plan } | undefined
  readonly #plan = (record: Previewed | Running): Plan => {
    const { pinned } = record
    if (this.#planned?.pinned !== pinned) {
      const plan = planOf(record, this.#commands.mutation(record), this.#host.practice)
      this.#planned = { pinned, plan }
    }
    return this.#planned.plan
  }

  constructor(host: Host, record: FlowRecord | undefined) {
    this.#host = host
    this.#commands = new Commands(host)
    this.#foreign = record !== undefined && !isReadable(record)
    this.#record = this.#foreign ? undefined : record
  }

  /**
   * Whether something may be on its way to a provider; asked by another flow that wants the same
   * target.
   */
  get busy(): boolean {
    return this.#foreign || this.#record?.state === 'running' || this.#task !== undefined
  }

  /** Records of a commit wait to be written. */
  get hasRecords(): boolean {
    return this.#record?.outbox?.items.some(({ kind }) => kind === 'record') ?? false
  }

  /**
   * While the records of a commit are written; resolves once they are there, or that failed for
   * now.
   */
  get delivering(): Promise<unknown> | undefined {
    return this.hasRecords ? (this.#writing ?? this.#delivery) : undefined
  }

  /** Whether something was sent whose outcome is not known. */
  get unresolved(): boolean {
    return this.#foreign || (this.#record?.state === 'running' && this.#record.unconfirmedSends > 0)
  }

  /** The same as the owner is asked about it: which part of the change it is, where it has several. */
  get doubt(): { part?: string } | undefined {
    if (!this.unresolved) return undefined
    const record = this.#isOfNewer ? undefined : this.#record
    const part = record?.state === 'running' ? this.#commands.action(record)?.asks : undefined
    return part === undefined ? {} : { part }
  }

  /** Only a newer version knows what is kept here: it wrote the record, or it alone has the operation. */
  get #isOfNewer(): boolean {
    const record = this.#record
    return this.#foreign || (record !== undefined && !this.#host.mutation(record.operation))
  }

  async call(call: ConfirmationCall): Promise<ConfirmationReply> {
    if (this.#foreign) return { is: 'refused', replayed: false, refusal: NEWER }
    this.#returning?.resolve()
    this.#returning = undefined
    this.#deliverOverdue()
    const live = this.#task !== undefined
    const { input: _input, compared: _compared, by, atOnce, ...asked } = call
    if (call.confirm && this.#host.isRestoredLately && this.#isUnknown(call.token)) return LOST
    // What a caller typed never reaches the machine, and so no record.
    let out = this.#apply({ type: 'call', ...asked, live }, by)
    const isAsked = out.reply && (out.reply.is === 'preview' || isPending(out.reply))
    if (isAsked && (await this.#liftApproval(by))) return this.call(call)
    if (out.command === 'prepare') {
      const prepared = await this.#prepare(call)
      if (prepared === 'read again') return this.call(call)
      if ('code' in prepared) return { is: 'refused', refusal: prepared, replayed: false }
      out = prepared
    }
    if (out.reply?.is === 'preview' && atOnce && this.#record) {
      const token = { id: this.#record.id }
      return this.call({ ...call, confirm: true, token, atOnce: undefined })
    }
    if (out.reply) {
      const waits = isPending(out.reply) && call.approvalWaitMs
      if (!waits) return this.#withDifferences(call, await this.#reply(out.reply))
      await this.#host.clock.withDeadline(this.#released.promise, waits)
      this.#returning ??= Promise.withResolvers()
      return ASK_AGAIN
    }
    const join = out.command === 'join' ? this.#task : undefined
    const waited = join && ({ waited: true } as const)
    const task = join ?? this.#start(out.command ?? 'check', call.input, by)
    const reply = await this.#host.clock.withDeadline(
      task.reply,
      join ? TIMEOUT_MS.joined : TIMEOUT_MS.first,
    )
    if (reply === 'late') return { is: 'refused', refusal: IN_PROGRESS, replayed: false, ...waited }
    // The task ended without a reply, because the record changed meanwhile: read it again.
    if (!reply) return join ? ASK_AGAIN : this.call(call)
    const { audited, ...unaudited } = reply
    return { ...(await this.#reply(join || !audited ? unaudited : reply)), ...waited }
  }

  /**
   * Makes a preview. A call meanwhile waits for it, since a person who has to approve is told of each
   * that is made. What refuses it refuses the same calls, too: else each would ask a slow provider
   * in turn.
   */
  async #prepare(call: ConfirmationCall): Promise<Transition | Refusal | 'read again'> {
    const { operation, fingerprints, forms, scopes, revisable, sentAs, by } = call
    const asked = JSON.stringify([operation, fingerprints, scopes, sentAs])
    if (this.#preparing) {
      const other = this.#preparing
      const refusal = await other.refused
      return other.asked === asked && refusal ? refusal : 'read again'
    }
    const before = this.#record?.seq
    const { promise: refused, resolve: end } = Promise.withResolvers<Refusal | undefined>()
    this.#preparing = { asked, refused }
    let refusal: Refusal | undefined
    try {
      const fresh = await this.#commands.prepare(call)
      return this.#apply({ type: 'prepared', fresh, fingerprints, forms, scopes, revisable }, by)
    } catch (thrown) {
      // Another call continued meanwhile, and its effect may be what refused this one: read the
      // record again.
      if (this.#record?.seq !== before) return 'read again'
      refusal = refusalFor(thrown, this.#host)
      return refusal
    } finally {
      this.#preparing = undefined
      end(refusal)
    }
  }

  /**
   * Whether the token belongs to no stored preview. After a restore this can be the token of a
   * change that was made after the backup, and the secret that made the token may be lost.
   */
  #isUnknown(token: ConfirmationCall['token']) {
    const record = this.#record
    if (token === 'missing' || (record && record.state !== 'previewed')) return false
    return typeof token === 'string' || token.id !== record?.id
  }

  /**
   * The reply. If the key was used for other values, it names the fields that differ, never their
   * values.
   */
  async #withDifferences(
    call: ConfirmationCall,
    reply: ConfirmationReply,
  ): Promise<ConfirmationReply> {
    const record = this.#record
    const isKeyReused = reply.is === 'refused' && reply.refusal.code === 'idempotency_key_reused'
    if (!isKeyReused || !record) return reply
    const pointers = await this.#commands.differingFields(record, call)
    if (pointers.length === 0) return reply
    const errors = pointers.map((pointer) => ({ pointer, detail: DIFFERS }))
    return { ...reply, refusal: { ...reply.refusal, errors } }
  }

  /**
   * The status of the change. Waits for a running task, and reconciles an uncertain outcome as the
   * alarm does.
   */
  async status(): Promise<OperationStatus> {
    if (this.#isOfNewer) return { is: 'newer', refusal: NEWER }
    this.#deliverOverdue()
    await this.#liftApproval(undefined)
    const isOpen = this.#record && this.#record.state !== 'done'
    const task = isOpen && (this.#task ?? (this.unresolved ? this.#start('reconcile') : undefined))
    if (task) await this.#host.clock.withDeadline(task.reply, TIMEOUT_MS.joined)
    const waited = task && ({ waited: true } as const)
    const record = this.#record
    if (!record) {
      const lost = this.#host.isRestoredLately && ({ lost: true } as const)
      return { is: 'never_seen', ...lost, ...waited }
    }
    const isLive = this.#task !== undefined
    return { ...knownStatus(record, isLive, this.#host.clock.now()), ...waited }
  }

  /**
   * Looks at what a provider has just named, if the outcome of the last step is uncertain and may
   * be that. Only a proof that the step happened changes the record. Nothing is ever sent.
   */
  async look(named: NamedBooking | undefined) {
    this.#deliverOverdue()
    const record = this.#record
    if (record?.state !== 'running' || !this.unresolved || this.#task) return
    if (this.#isOfNewer || !this.#mayHaveChanged(named)) return
    if (!record.compensating && record.step < this.#plan(record).rules.length - 1) return
    const outcome = await this.#commands.run('reconcile', record, undefined, named?.bookingId)
    if (outcome.is !== 'ok') return
    // If the record changed meanwhile, its `seq` differs.
    const { seq } = record
    this.#apply({ type: 'step_result', how: 'reconcile', seq, outcome, payload: false }, undefined)
  }

  /**
   * Whether what a provider has just named has to wait for this flow: it may have changed it, and
   * has not ended, or its records are not written.
   */
  holds(named: NamedBooking | undefined) {
    return (this.busy || this.hasRecords) && this.#mayHaveChanged(named)
  }

  /** Whether a booking may be what this flow changes, or has made. */
  #mayHaveChanged(named: NamedBooking | undefined) {
    const record = this.#record
    if (!named || !record) return true
    const { bookingId, movedFrom } = named
    if (record.recordId === bookingId || record.recordId === (movedFrom ?? '')) return true
    if (record.state !== 'running')
      return (
        this.#hasRecordOf(bookingId) || mayBeMadeBy({ id: record.id, sentAt: undefined }, named)
      )
    if (record.stepResults.some(({ booking_id }) => booking_id === bookingId)) return true
    const sentAt = this.unresolved ? record.firstSent : undefined
    return mayBeMadeBy({ id: record.id, sentAt }, named)
  }

  /** Whether a record of this booking waits to be written: of the one that was made, or that a move ended. */
  #hasRecordOf(bookingId: string) {
    const keys = RECORDS_OF_BOOKING.map((kind) => recordKey(kind, bookingId))
    const items = this.#record?.outbox?.items ?? []
    return items.some((item) => item.kind === 'record' && keys.includes(item.key))
  }

  /** Lifts a pending approval once no rule asks for it. Returns whether the record changed. */
  async #liftApproval(by: AuditBy | undefined) {
    const record = this.#record
    if (!isAwaitingApproval(record) || this.#host.clock.now() >= record.expiresAt) return false
    const isWanted = await this.#commands.stillWantsPerson(record)
    if (!isWanted) this.#apply({ type: 'approval_lifted', id: record.id }, by)
    // A delivery does not count as a change of the record.
    return this.#record?.seq !== record.seq
  }

  /** The approval that this flow needs, pending or decided. */
  async approval(): Promise<ApprovalView | undefined> {
    const record = this.#record
    const texts =
      record?.state === 'previewed' ? await this.#commands.shownTo('approver', record) : undefined
    // The change may have ended while its text was opened.
    if (this.#record !== record) return this.approval()
    const view = approvalView(record, this.#host, this.#task !== undefined)
    if (!view || record?.state !== 'previewed') return view
    if (texts) return { ...view, ...texts.shown, whole: texts.whole }
    // A text that cannot be shown any more cannot be approved or sent either.
    return isOpenApproval(view) ? { ...view, status: 'expired' } : view
  }

  /** Waits up to this many milliseconds for a commit that is running or about to run again. */
  async taskDone(waitMs: number) {
    if (this.#returning) await this.#host.clock.withDeadline(this.#returning.promise, waitMs)
    this.#returning = undefined
    const task = this.#task
    if (task) await this.#host.clock.withDeadline(task.reply, waitMs)
  }

  /** A person approves or declines exactly the preview that they were shown. */
  async decide(decided: Decided): Promise<'approved' | 'declined' | 'ended'> {
    const asked = this.#record
    const isApproval = decided.decision === 'approve' && asked?.state === 'previewed'
    // Compare what was signed with the stored preview: the machine sees neither the texts nor the
    // secret.
    if (isApproval && !(await this.#commands.shownTo('approver', asked))) return 'ended'
    this.#apply({ type: 'decided', decided, ttlMs: this.#host.confirmationTtlMs }, undefined)
    const { id, need } = this.#record ?? {}
    const isIt = id === decided.id && need?.digest === decided.digest
    const wanted = decided.decision === 'approve' ? 'approved' : 'declined'
    return isIt && need.decision?.is === wanted ? wanted : 'ended'
  }

  /**
   * Ends what is in doubt with the outcome that the owner found out. `part` is what they were asked
   * about, since another one may be in doubt by now. Raises what Zod raises if facts are missing.
   */
  async resolve(
    happened: boolean,
    facts: Facts,
    part: string | undefined,
  ): Promise<Exclude<Resolution, 'facts missing'>> {
    if (this.#isOfNewer) return 'newer version'
    const { doubt } = this
    if (!doubt || this.#task) return 'nothing to resolve'
    if (doubt.part !== part) return 'other part'
    const { command } = this.#apply({ type: 'resolved_by_owner', happened, facts }, undefined)
    if (command) this.#start(command)
    return 'resolved'
  }

  /** Erases the data of a client from the record; false if this version cannot read the record. */
  async erase(subject: string, refusal: Refusal) {
    if (this.#foreign) return false
    // A preview can be deleted entirely once the audit log has it.
    if (this.#record?.state === 'previewed' && this.#record.outbox) await this.#deliver()
    this.#apply({ type: 'subject_erased', subject, refusal }, undefined)
    await this.#forgotten
    return true
  }

  /** Every alarm also delivers the outbox. */
  async alarm() {
    this.#host.storage.rang()
    if (this.#foreign) return
    const delivery = this.#record?.outbox && this.#deliver()
    const record = this.#record
    let command: Command | undefined
    // A newer version began it before a rollback: nothing is changed, and an alarm checks later for it.
    if (record?.state === 'running' && record.unconfirmedSends === 0 && this.#isOfNewer)
      this.#save({ ...record, nextAlarmAt: this.#host.clock.now() + SCHEDULE.otherVersion })
    else ({ command } = this.#apply({ type: 'alarm', live: this.#task !== undefined }, undefined))
    if (command === 'forget') await this.#forgotten
    else if (command) await this.#start(command).ended
    await Promise.all([delivery, this.#delivery])
    // The stored record still has delivered items, so its next alarm would be due at once.
    this.#catchUp()
  }

  /**
   * Starts a task if none is running. It never rejects: an outcome that it cannot find out is
   * unknown.
   */
  #start(command: Command, input?: object, by?: AuditBy): Task {
    const { promise: reply, resolve } = Promise.withResolvers<Reply | undefined>()
    const ended = this.#work(command, input, by, resolve).finally(() => {
      this.#task = undefined
      resolve(undefined)
      this.#catchUp()
    })
    this.#host.keepAlive(ended)
    return (this.#task = { reply, ended })
  }

  async #work(
    first: Command,
    input: object | undefined,
    by: AuditBy | undefined,
    reply: (said: Reply) => void,
  ) {
    for (let command: Command | undefined = first; command;) {
      const record = this.#record
      const event = record && (await this.#do(command, record, input))
      if (!event) return
      let out: Transition
      try {
        out = this.#apply(event, by)
      } catch (thrown) {
        this.#host.noteFault(thrown)
        // A fault of ours. The record stays as it was, so a step that may have been sent is
        // reconciled.
        return reply(
          record.state === 'running' ? unknownReply(record, this.#host.clock.now()) : FAULT,
        )
      }
      if (out.reply) reply(out.reply)
      command = out.command
    }
  }

  /** Executes one command, and returns its result as an event. */
  async #do(
    command: Command,
    record: FlowRecord,
    input: object | undefined,
  ): Promise<FlowEvent | undefined> {
    if (record.state === 'done') return undefined
    switch (command) {
      case 'alert_owner':
        return { type: 'owner_alerted', ok: await this.#host.alertOwner(record).catch(() => false) }
      case 'check':
      case 'execute':
      case 'reconcile': {
        const outcome = await this.#commands.run(command, record, input)
        return {
          type: 'step_result',
          how: command,
          seq: record.seq,
          outcome,
          payload: input !== undefined,
        }
      }
      default:
        return undefined
    }
  }

  #apply(event: FlowEvent, by: AuditBy | undefined): Transition {
    const now = this.#host.clock.now()
    const before = this.#record
    const out = withAuditEntry(before, next(before, event, { now, planOf: this.#plan }), by, now)
    // What is sent below must not leave while a record that is to be forgotten could still come back.
    if (out.command === 'forget') this.#forgotten = this.#host.storage.forget()
    if (out.record === before) return out
    if (out.record) this.#save(out.record)
    else this.#record = undefined
    if (attentionOf(before) && !attentionOf(out.record))
      this.#host.keepAlive(this.#host.coordinator.clearUnresolved())
    // A preview waits for its commit; an end and a decision are delivered at once.
    if (out.evidence || (out.record?.state === 'done' && before?.state !== 'done'))
      this.#host.keepAlive(this.#deliver())
    if (isAwaitingApproval(before) && !isAwaitingApproval(out.record)) {
      this.#released.resolve()
      this.#released = Promise.withResolvers()
      this.#host.keepAlive(this.#host.coordinator.clearApproval(approvalCode(before.need)))
    }
    return out
  }

  /** Delivers an overdue outbox. Its alarm may have been lost after this instance started. */
  #deliverOverdue() {
    const wakeAt = this.#record?.outbox?.wakeAt
    if (wakeAt !== undefined && wakeAt <= this.#host.clock.now())
      this.#host.keepAlive(this.#deliver())
  }

  /** Delivers the outbox: one delivery at a time, in parallel with the task. Never rejects. */
  #deliver() {
    if (!this.#record?.outbox) return Promise.resolve()
    return (this.#delivery ??= this.#deliverAll().catch(() => {
      // This instance was replaced: its deliveries are repeated, which is harmless.
    }))
  }

  async #deliverAll() {
    try {
      while (this.#record?.outbox) {
        const sending = markSent(this.#record)
        this.#record = sending
        const delivery = deliver(sending, this.#host)
        this.#writing = delivery.written.finally(() => (this.#writing = undefined))
        const delivered = await delivery.ids
        const ok = delivered.length === sending.outbox?.items.length
        const { record } = next(
          this.#record,
          { type: 'outbox_delivered', delivered, ok },
          { now: this.#host.clock.now(), planOf: this.#plan },
        )
        if (!record) return
        if (!ok) return this.#save(record)
        // Stored with the next write of the running task. If that write is lost, the items are
        // delivered again.
        this.#record = record
        this.#isAhead = true
        if (!this.#task) this.#catchUp()
      }
    } finally {
      // In the same tick: an item that is added in between would join a delivery that takes no
      // more.
      this.#delivery = undefined
    }
  }

  /** A change that could not be stored did not happen. An instance that was replaced stops here. */
  #save(record: FlowRecord) {
    this.#host.storage.save(record, nextAlarmOf(record))
    this.#record = record
    this.#isAhead = false
  }

  /** Acknowledges deliveries, unless another write has done so. */
  #catchUp() {
    try {
      if (this.#isAhead && this.#record) this.#save(this.#record)
    } catch {
      // An instance that was replaced: the items are delivered again.
    }
  }

  async #reply(reply: Reply): Promise<ConfirmationReply> {
    if (reply.is !== 'preview') return reply
    const record = this.#record
    if (record?.state !== 'previewed') throw new Error('a preview is answered from its record')
    const { mode, id, keyId, expiresAt } = record
    const approval = approvalOf(record)
    const texts = await this.#commands.shownTo('caller', record)
    if (!texts)
      return { is: 'refused', refusal: { code: 'not_configured', effect: 'none' }, replayed: false }
    return { ...reply, mode, id, keyId, expiresAt, ...texts.shown, ...(approval && { approval }) }
  }
}

/** Another instance of this object may have taken over, so nothing is promised of the effect. */
const FAULT: Reply = refuse('internal_error', { effect: 'unknown' })

const ASK_AGAIN: ConfirmationReply = { is: 'ask_again', waited: true }

const attentionOf = (record: FlowRecord | undefined) =>
  record?.state === 'running' ? (record.escalation ?? record.ownerKnows) : undefined

const LOST: ConfirmationReply = {
  is: 'refused',
  replayed: false,
  refusal: {
    code: 'outcome_unknown',
    effect: 'unknown',
    needs_attention: true,
    detail:
      'This service was restored from a backup that may be older than this change, so it ' +
      'does not know whether the change was made.',
    next_step:
      'Look among the bookings or payment links whether it was made, or ask the owner. ' +
      'If it was not, send the same request with confirm=false for a fresh preview.',
  },
}
