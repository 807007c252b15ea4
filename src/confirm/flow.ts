import type { Facts } from '../domain/facts.ts'
import type { AuditBy } from '../ports/audit.ts'
import type { ConfirmationCall, ConfirmationReply, Standing } from '../ports/index.ts'
import { Courier } from './courier.ts'
import { Hands, refusalOf } from './hands.ts'
import type { Host } from './host.ts'
import { next } from './machine.ts'
import { planOf } from './plan.ts'
import type { FlowRecord } from './record.ts'
import { SCHEDULE, isReadable, wakeAt } from './record.ts'
import type { Event, Said, Todo } from './transition.ts'
import { standingOf } from './standing.ts'
import { Tasks } from './tasks.ts'
import { noted, traced } from './trail.ts'

/** How long a caller waits for a commit: the one that started it, and one that joined. In milliseconds. */
export const PATIENCE = { first: 25_000, joined: 10_000 }

/** The life of one idempotency key: runs what the machine asks for, one task at a time, and tells it what was heard. */
export class Flow {
  readonly #host: Host
  readonly #hands: Hands
  readonly #courier: Courier
  /** What is kept was written by a version that this one cannot read. */
  readonly #foreign: boolean
  #record: FlowRecord | undefined
  /** The record in memory is ahead of the one that is kept, by rows that the trail has. */
  #isAhead = false
  readonly #tasks: Tasks

  constructor(host: Host, record: FlowRecord | undefined) {
    this.#host = host
    this.#hands = new Hands(host)
    this.#foreign = record !== undefined && !isReadable(record)
    this.#record = this.#foreign ? undefined : record
    this.#courier = new Courier({
      now: () => host.now(),
      operationId: host.operationId,
      append: (entries) => host.append(entries),
      keep: (task) => host.keep(task),
      pause: (ms) => host.pause(ms),
      record: () => this.#record,
      save: (changed) => this.#save(changed),
      saveWithNext: (changed) => {
        this.#record = changed
        this.#isAhead = true
        if (!this.#tasks.current) this.#catchUp()
      },
      remember: (changed) => {
        this.#record = changed
      },
    })
    this.#tasks = new Tasks({
      host,
      hands: this.#hands,
      courier: this.#courier,
      record: () => this.#record,
      apply: (event, by) => this.#apply(event, by),
      ended: () => this.#catchUp(),
    })
  }

  /** Whether something may be on its way to a provider; asked by another flow that wants the same target. */
  get busy(): boolean {
    const { at } = this.#record ?? {}
    // After the end a task only writes records.
    return this.#foreign || at === 'running' || (this.#tasks.current !== undefined && at !== 'done')
  }

  /** While what was committed is written to the records; resolves once it is there, or that failed for now. */
  get delivering(): Promise<unknown> | undefined {
    return this.#tasks.delivering
  }

  /** Whether something was sent whose outcome is not known. */
  get unresolved(): boolean {
    return this.#foreign || (this.#record?.at === 'running' && this.#record.tries > 0)
  }

  async call(call: ConfirmationCall): Promise<ConfirmationReply> {
    if (this.#foreign) return NEWER
    const { reply, told, joined } = await this.#answer(call)
    if (!told && call.by) this.#note(call, call.by, reply, joined)
    return reply
  }

  async #answer(call: ConfirmationCall): Promise<Answered> {
    const live = this.#tasks.current !== undefined
    const { operation, confirm, token, fingerprints, by } = call
    let out = this.#apply({ type: 'call', operation, confirm, token, fingerprints, live }, by)
    if (out.todo === 'prepare') {
      const before = this.#record?.seq
      try {
        const fresh = await this.#hands.prepare(call)
        out = this.#apply({ type: 'prepared', fresh, fingerprints }, by)
      } catch (thrown) {
        // Meanwhile another call went on, and what refused this one may be our own effect: ask the record again.
        if (this.#record?.seq !== before) return this.#answer(call)
        return { reply: { is: 'refused', refusal: refusalOf(thrown), replayed: false }, told: false }
      }
    }
    if (out.say) return { reply: this.#reply(out.say), told: out.told }
    const join = out.todo === 'join' ? this.#tasks.current : undefined
    const task = join ?? this.#tasks.start(out.todo ?? 'check', call.input, by)
    const heard = await this.#host.within(task.heard, join ? PATIENCE.joined : PATIENCE.first)
    if (heard === 'late') return { reply: TOO_LONG, told: false }
    // The task ended without a word because the record had moved on meanwhile: ask the record again.
    if (!heard) return this.#answer(call)
    return { reply: this.#reply(heard.say), told: heard.told && !join, joined: join !== undefined }
  }

  /** Tells the trail of a call that changed nothing. */
  #note(call: ConfirmationCall, by: AuditBy, reply: ConfirmationReply, joined = false): void {
    const { app, request_id } = by
    const [id, at] = [this.#host.newId(), this.#host.now()]
    const row = { ...noted(reply, joined), id, at, app, request_id, times: 1 }
    this.#courier.note({ row, by, operation: call.operation })
  }

  /** How the change stands. Waits for what is at work, and looks where the outcome is in doubt, as the alarm would. */
  async look(): Promise<Standing> {
    // What only another version can read was seen, and nothing more is known of it here.
    if (this.#foreign) throw new Error('a newer version wrote this record')
    if (this.#record && this.#record.at !== 'done') {
      const task = this.#tasks.current ?? (this.unresolved ? this.#tasks.start('find') : undefined)
      if (task) await this.#host.within(task.heard, PATIENCE.joined)
    }
    return standingOf(this.#record, this.#tasks.current !== undefined, this.#host.now())
  }

  /** Takes the owner's word for the outcome of the step that is in doubt. Raises what Zod raises if facts are missing. */
  async settle(happened: boolean, facts: Facts): Promise<'settled' | 'not in doubt'> {
    if (this.#foreign || !this.unresolved || this.#tasks.current) return 'not in doubt'
    const event = { type: 'settled', happened, facts: { state: 'confirmed', ...facts } } as const
    const { todo } = this.#apply(event, undefined)
    if (todo) this.#tasks.start(todo)
    return 'settled'
  }

  /** Forgets what is kept about a client that was deleted; false if this version cannot tell what that is. */
  async erase(clientId: string): Promise<boolean> {
    if (this.#foreign) return false
    // A preview can be forgotten whole once the trail knows of it.
    if (this.#record?.at === 'previewed' && this.#record.trail) await this.#courier.go()
    const { todo } = this.#apply({ type: 'erased', clientId }, undefined)
    if (todo === 'forget') await this.#host.forget()
    return true
  }

  async alarm(): Promise<void> {
    this.#host.rang()
    if (this.#foreign) return
    // Whatever it rings for, what waits for the trail goes along.
    const trip = this.#record?.trail && this.#courier.go()
    const todo = this.#isAwaited ? this.#waitOn() : this.#alarmed()
    if (todo === 'forget') await this.#host.forget()
    else if (todo) await this.#tasks.start(todo).ended
    await trip
    // What is kept says when the next alarm comes: with rows that are through already, that would be at once.
    this.#catchUp()
  }

  /** The next step belongs to an operation that this version does not know: after a rollback a newer one began it. */
  get #isAwaited(): boolean {
    const { at, tries, operation } = this.#record ?? {}
    return at === 'running' && tries === 0 && this.#host.mutation(operation!) === undefined
  }

  /** Leaves everything as it is for the version that can carry on, and is woken again. */
  #waitOn(): undefined {
    this.#save({ ...this.#record!, wake: this.#host.now() + SCHEDULE.otherVersion })
  }

  #alarmed(): Todo | undefined {
    return this.#apply({ type: 'alarm', live: this.#tasks.current !== undefined }, undefined).todo
  }

  #apply(event: Event, by: AuditBy | undefined): ReturnType<typeof traced> {
    const now = this.#host.now()
    const before = this.#record
    const plan = (record: FlowRecord) => planOf(record, this.#hands.mutation(record))
    const out = traced(before, next(before, event, now, plan), by, now)
    if (out.record !== before) {
      if (out.record) this.#save(out.record)
      else this.#record = undefined
      if (before?.attention && !out.record?.attention) this.#host.keep(this.#host.calm())
      // The trail learns of an end at once; the rest waits for company.
      if (out.record?.at === 'done' && before?.at !== 'done') void this.#courier.go()
    }
    return out
  }

  /** What could not be saved has not happened: an instance that was replaced meanwhile stops here. */
  #save(record: FlowRecord): void {
    this.#host.save(record, wakeAt(record))
    this.#record = record
    this.#isAhead = false
  }

  /** Keeps what the trail has, where no other write has done so. */
  #catchUp(): void {
    try {
      if (this.#isAhead && this.#record) this.#save(this.#record)
    } catch {
      // An instance that was replaced: the rows are sent again, and the trail knows them.
    }
  }

  #reply(said: Said): ConfirmationReply {
    if (said.is !== 'preview') return said
    const { mode, id, keyId, expiresAt, shown } = this.#record!
    return { is: 'preview', mode, id, keyId, expiresAt, ...shown! }
  }
}

interface Answered {
  reply: ConfirmationReply
  told: boolean
  /** The answer is that of a task that another call began. */
  joined?: boolean
}

const NEWER: ConfirmationReply = {
  is: 'refused',
  replayed: false,
  refusal: {
    code: 'not_configured',
    effect: 'unknown',
    detail:
      'What is kept under this key was written by a newer version of this service than the one that runs now; it was left as it is.',
    next_step:
      'Tell the owner to deploy the newer version again, then repeat the same request with the same idempotency key.',
  },
}

const TOO_LONG: ConfirmationReply = {
  is: 'refused',
  replayed: false,
  refusal: { code: 'commit_in_progress', effect: 'unknown', retry_after_seconds: 2 },
}
