import type { AuditBy } from '../ports/audit.ts'
import type { Hands } from './hands.ts'
import type { Host } from './host.ts'
import type { FlowRecord } from './record.ts'
import type { Event, Out, Said, Todo } from './transition.ts'
import { doubt, refuse } from './transition.ts'

/** The flow that the tasks are done for. */
interface Work {
  host: Host
  hands: Hands
  record(): FlowRecord | undefined
  /** Tells the machine. Throws if what comes of it cannot be saved. */
  apply(event: Event, by: AuditBy | undefined): Out
  ended(): void
}

interface Task {
  /** Its reply; nothing if the record moved on meanwhile. */
  heard: Promise<Said | undefined>
  ended: Promise<void>
}

/** The tasks of a flow, one at a time: does what the machine asks for, and gives it the result, until it asks no more. */
export class Tasks {
  readonly #work: Work
  /** The one that is at work. */
  current: Task | undefined

  constructor(work: Work) {
    this.#work = work
  }

  /** Starts a task; only where none is at work. It never rejects: what it cannot find out is unknown. */
  start(todo: Todo, input?: object, by?: AuditBy): Task {
    const { promise: heard, resolve } = Promise.withResolvers<Said | undefined>()
    const ended = this.#run(todo, input, by, resolve).finally(() => {
      this.current = undefined
      resolve(undefined)
      this.#work.ended()
    })
    this.current = { heard, ended }
    this.#work.host.keep(ended)
    return this.current
  }

  async #run(
    first: Todo,
    input: object | undefined,
    by: AuditBy | undefined,
    reply: (said: Said) => void,
  ): Promise<void> {
    const { apply, host } = this.#work
    for (let todo: Todo | undefined = first; todo;) {
      const record = this.#work.record()
      const event = record && (await this.#do(todo, record, input))
      if (!event) return
      let out: Out
      try {
        out = apply(event, by)
      } catch {
        // A fault of ours. The record stays as it was, so what may have been sent is looked for again.
        return reply(record.at === 'running' ? doubt(record, host.now()) : FAULT)
      }
      if (out.say) reply(out.say)
      todo = out.todo
    }
  }

  /** Does one thing, and says what came of it. */
  async #do(todo: Todo, record: FlowRecord, input: object | undefined): Promise<Event | undefined> {
    const { hands, host } = this.#work
    if (record.at === 'done') return undefined
    switch (todo) {
      case 'tell':
        return { type: 'told', ok: await host.tell(record).catch(() => false) }
      case 'check':
      case 'run':
      case 'find': {
        const heard = await hands.hear(todo, record, input)
        return { type: 'heard', how: todo, seq: record.seq, heard, payload: input !== undefined }
      }
      default:
        return undefined
    }
  }
}

/** Another instance of this object may have taken over, so nothing is promised of the effect. */
const FAULT: Said = refuse('internal_error', { effect: 'unknown' })
