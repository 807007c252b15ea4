import type { Facts } from '../domain/facts.ts'
import type { Seen } from '../domain/outcome.ts'
import { Problem, problem, type Refusal } from '../domain/problem.ts'
import { PROBLEMS } from '../domain/problems.ts'
import type { ConfirmationCall, ConfirmationReply, Ports } from '../ports/index.ts'
import { next } from './machine.ts'
import type { AnyMutation, At, Preparing } from './mutation.ts'
import { planOf } from './plan.ts'
import type { FlowRecord, Fresh } from './record.ts'
import { wakeAt } from './record.ts'
import type { Event, Out, Said, Todo } from './transition.ts'
import { doubt } from './transition.ts'

/** What a flow needs of the object it lives in. */
export interface Host {
  now(): number
  newId(): string
  confirmationTtlMs: number
  /** Saves the record and its alarm in one transaction; what is sent afterwards leaves only once it is durable. */
  save(record: FlowRecord, wakeAt: number | undefined): void
  forget(): Promise<void>
  /** Keeps the object alive while the task works, whoever hung up. */
  keep(task: Promise<void>): void
  /** The promise, or `late` after so many milliseconds; leaves no timer behind. */
  within<T>(promise: Promise<T>, ms: number): Promise<T | 'late'>
  /** Takes all targets at once, unless one is held by another flow that is running. */
  take(targets: string[]): Promise<'taken' | 'held'>
  /** Tells the owner that a person has to find out the outcome; false if that did not work. */
  tell(record: FlowRecord): Promise<boolean>
  /** The outcome is known after all. */
  calm(): Promise<void>
  mutation(operation: string): AnyMutation | undefined
  ports(origin: string): Promise<Ports>
}

/** How long a caller waits for a commit: the one that started it, and one that joined. In milliseconds. */
export const PATIENCE = { first: 25_000, joined: 10_000 }

/** The life of one idempotency key: runs what the machine asks for, one task at a time, and tells it what was heard. */
export class Flow {
  readonly #host: Host
  #record: FlowRecord | undefined
  #task: { said: Promise<Said | undefined>; ended: Promise<void> } | undefined

  constructor(host: Host, record: FlowRecord | undefined) {
    this.#host = host
    this.#record = record
  }

  /** Whether something may be on its way to a provider; asked by another flow that wants the same target. */
  get busy(): boolean {
    return this.#task !== undefined || this.#record?.at === 'running'
  }

  /** Whether something was sent whose outcome is not known. */
  get unresolved(): boolean {
    return this.#record?.at === 'running' && this.#record.tries > 0
  }

  async call(call: ConfirmationCall): Promise<ConfirmationReply> {
    const live = this.#task !== undefined
    const { operation, confirm, token, fingerprints } = call
    let out = this.#apply({ type: 'call', operation, confirm, token, fingerprints, live })
    if (out.todo === 'prepare') {
      const before = this.#record
      try {
        const fresh = await this.#prepare(call)
        out = this.#apply({ type: 'prepared', fresh, fingerprints })
      } catch (thrown) {
        // Meanwhile another call went on, and what refused this one may be our own effect: ask the record again.
        if (this.#record !== before) return this.call(call)
        return { is: 'refused', refusal: refusalOf(thrown), replayed: false }
      }
    }
    if (out.say) return this.#reply(out.say)
    const join = out.todo === 'join' ? this.#task : undefined
    const task = join ?? this.#start(out.todo ?? 'check', call.input)
    const said = await this.#host.within(task.said, join ? PATIENCE.joined : PATIENCE.first)
    if (said === 'late') return TOO_LONG
    // The task ended without a word because the record had moved on meanwhile: ask the record again.
    return said ? this.#reply(said) : this.call(call)
  }

  /** Takes the owner's word for the outcome of the step that is in doubt. Raises what Zod raises if facts are missing. */
  async settle(happened: boolean, facts: Facts): Promise<'settled' | 'not in doubt'> {
    if (!this.unresolved || this.#task) return 'not in doubt'
    const { todo } = this.#apply({ type: 'settled', happened, facts: { state: 'confirmed', ...facts } })
    if (todo) this.#start(todo, undefined)
    return 'settled'
  }

  /** Forgets what is kept about a client that was deleted. */
  async erase(clientId: string): Promise<void> {
    const { todo } = this.#apply({ type: 'erased', clientId })
    if (todo === 'forget') await this.#host.forget()
  }

  async alarm(): Promise<void> {
    const out = this.#apply({ type: 'alarm', live: this.#task !== undefined })
    if (out.todo === 'forget') await this.#host.forget()
    else if (out.todo) await this.#start(out.todo, undefined).ended
  }

  #apply(event: Event): Out {
    const out = next(this.#record, event, this.#host.now(), (record) =>
      planOf(record, this.#mutation(record)),
    )
    if (out.record !== this.#record) {
      // What could not be saved has not happened: an instance that was replaced meanwhile stops here.
      if (out.record) this.#host.save(out.record, wakeAt(out.record))
      if (this.#record?.attention && !out.record?.attention) this.#host.keep(this.#host.calm())
      this.#record = out.record
    }
    return out
  }

  /** Starts the one task of this flow. It never rejects: what it cannot find out is unknown. */
  #start(todo: Todo, input: object | undefined) {
    const { promise: said, resolve } = Promise.withResolvers<Said | undefined>()
    const ended = this.#work(todo, input, resolve).finally(() => {
      this.#task = undefined
      resolve(undefined)
    })
    this.#task = { said, ended }
    this.#host.keep(ended)
    return this.#task
  }

  async #work(first: Todo, input: object | undefined, say: (said: Said) => void): Promise<void> {
    for (let todo: Todo | undefined = first; todo && this.#record;) {
      const record: FlowRecord = this.#record
      let event: Event
      if (todo === 'deliver') event = { type: 'delivered', ok: await this.#deliver(record) }
      else if (todo === 'tell') event = { type: 'told', ok: await this.#host.tell(record).catch(() => false) }
      else if (todo === 'check' || todo === 'run' || todo === 'find') {
        const heard: Seen = await this.#hear(todo, record, input)
        event = { type: 'heard', how: todo, seq: record.seq, heard, payload: input !== undefined }
      } else return
      let out: Out
      try {
        out = this.#apply(event)
      } catch {
        // A fault of ours. The record stays as it was, so what may have been sent is looked for again.
        return say(todo === 'check' ? FAULT : doubt(record, this.#host.now()))
      }
      if (out.say) say(out.say)
      todo = out.todo
    }
  }

  async #hear(how: 'check' | 'run' | 'find', record: FlowRecord, input: object | undefined): Promise<Seen> {
    try {
      if (how === 'check') return await this.#check(record, input ?? {})
      const mutation = this.#mutation(record)
      const ports = await this.#host.ports(record.origin)
      const pinned = record.pinned ?? {}
      if (pinned['via'] !== undefined && pinned['via'] !== mutation.via(ports)) return { is: 'unknown' }
      const { mac } = preparing(ports, record)
      const marker = `${record.id}.${record.step}${record.undo ? 'u' : ''}`
      const at: At<Facts> = { ports, pinned, learnt: record.learnt, marker, mac }
      const step = mutation.steps(pinned)[record.step]
      const attempt = record.undo ? step?.undo : step
      if (!attempt) return { is: 'unknown' }
      return how === 'run' ? await attempt.run(at, record.undo ? undefined : input) : await attempt.find(at)
    } catch (thrown) {
      // A mutation never throws a Problem, so this was a read before it: nothing was sent.
      return thrown instanceof Problem ? { is: 'busy', refusal: thrown.refusal } : { is: 'unknown' }
    }
  }

  /** Nothing has been sent yet, so whatever goes wrong here had no effect. */
  async #check(record: FlowRecord, input: object): Promise<Seen> {
    try {
      const mutation = this.#mutation(record)
      const ports = await this.#host.ports(record.origin)
      const targets = mutation.targets(record.pinned ?? {})
      if (targets.length > 0 && (await this.#host.take(targets)) === 'held') {
        throw problem('duplicate_in_doubt', { retry_after_seconds: 5 })
      }
      const { pinned } = await mutation.prepare(input, preparing(ports, record))
      return { is: 'ok', facts: pinned }
    } catch (thrown) {
      const refusal = refusalOf(thrown)
      const later = refusal.code === 'duplicate_in_doubt' || PROBLEMS[refusal.code].status >= 500
      return { is: later ? 'busy' : 'refused', refusal }
    }
  }

  async #prepare({ operation, input, fingerprints, origin }: ConfirmationCall): Promise<Fresh> {
    const mutation = this.#host.mutation(operation)
    if (!mutation) throw new Error('no such operation')
    const ports = await this.#host.ports(origin)
    const keyId = ports.keyring.current
    const id = this.#host.newId()
    const { pinned, ...shown } = await mutation.prepare(input, preparing(ports, { id, keyId }))
    const expiresAt = this.#host.now() + this.#host.confirmationTtlMs
    const fingerprint = fingerprints[keyId]
    if (fingerprint === undefined) throw new Error('the Worker and its object do not share a signing secret')
    return { operation, mode: mutation.mode(ports), origin, keyId, fingerprint, id, expiresAt, shown, pinned }
  }

  async #deliver(record: FlowRecord): Promise<boolean> {
    try {
      const { records } = await this.#host.ports(record.origin)
      for (const { key, value } of record.outbox ?? []) await records.put(key, value)
      return true
    } catch {
      return false
    }
  }

  #mutation(record: FlowRecord): AnyMutation {
    const mutation = this.#host.mutation(record.operation)
    if (!mutation) throw new Error('no such operation')
    return mutation
  }

  #reply(said: Said): ConfirmationReply {
    if (said.is !== 'preview') return said
    const { mode, id, keyId, expiresAt, shown } = this.#record!
    return { is: 'preview', mode, id, keyId, expiresAt, ...shown! }
  }
}

const TOO_LONG: ConfirmationReply = {
  is: 'refused',
  replayed: false,
  refusal: { code: 'commit_in_progress', effect: 'unknown', retry_after_seconds: 2 },
}

/** Another instance of this object may have taken over, so nothing is promised of the effect. */
const FAULT: Said = {
  is: 'refused',
  refusal: { code: 'internal_error', effect: 'unknown' },
  replayed: false,
}

const preparing = (ports: Ports, { id, keyId }: { id: string; keyId: string }): Preparing => ({
  ports,
  id,
  keyId,
  mac: (text) => ports.keyring.mac(keyId, 'pin', text),
})

const refusalOf = (thrown: unknown): Refusal =>
  thrown instanceof Problem ? thrown.refusal : { code: 'internal_error', effect: 'unknown' }
