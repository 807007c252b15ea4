import type { AuditBy } from '../ports/audit.ts'
import type { Courier } from './courier.ts'
import type { Hands } from './hands.ts'
import type { Host } from './host.ts'
import type { FlowRecord } from './record.ts'
import type { traced } from './trail.ts'
import type { Event, Said, Todo } from './transition.ts'
import { doubt } from './transition.ts'

/** How long a delivery that is done waits for the trail, so that one write notes both. In milliseconds. */
const COMPANY = 1000

/** The flow that the tasks are done for. */
interface Work {
  host: Host
  hands: Hands
  courier: Courier
  record(): FlowRecord | undefined
  /** Tells the machine. Throws if what comes of it cannot be saved. */
  apply(event: Event, by: AuditBy | undefined): ReturnType<typeof traced>
  ended(): void
}

/** What is to be said, and whether the trail knows it from the same transaction. */
export interface Told {
  say: Said
  told: boolean
}

interface Task {
  /** What it has to say; nothing if the record moved on meanwhile. */
  heard: Promise<Told | undefined>
  ended: Promise<void>
}

/** The tasks of a flow, one at a time: does what the machine asks for, and tells it what was heard, until it asks no more. */
export class Tasks {
  readonly #work: Work
  /** The one that is at work. */
  current: Task | undefined
  /** While a task writes records; resolves once they are there, or that failed for now. */
  delivering: Promise<unknown> | undefined

  constructor(work: Work) {
    this.#work = work
  }

  /** Starts a task; only where none is at work. It never rejects: what it cannot find out is unknown. */
  start(todo: Todo, input?: object, by?: AuditBy): Task {
    const { promise: heard, resolve } = Promise.withResolvers<Told | undefined>()
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
    say: (told: Told) => void,
  ): Promise<void> {
    const { apply, host } = this.#work
    for (let todo: Todo | undefined = first; todo;) {
      const record = this.#work.record()
      const event = record && (await this.#do(todo, record, input))
      if (!event) return
      let out: ReturnType<typeof traced>
      try {
        out = apply(event, by)
      } catch {
        // A fault of ours. The record stays as it was, so what may have been sent is looked for again.
        return say({ say: todo === 'check' ? FAULT : doubt(record, host.now()), told: false })
      }
      if (out.say) say({ say: out.say, told: out.told })
      todo = out.todo
    }
  }

  /** Does one thing, and says what came of it. */
  async #do(todo: Todo, record: FlowRecord, input: object | undefined): Promise<Event | undefined> {
    const { hands, host } = this.#work
    switch (todo) {
      case 'deliver':
        return { type: 'delivered', ok: await this.#deliver(record) }
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

  async #deliver(record: FlowRecord): Promise<boolean> {
    const { courier, hands, host } = this.#work
    const delivery = hands.deliver(record)
    this.delivering = delivery
    const ok = await delivery
    this.delivering = undefined
    const { underWay } = courier
    if (underWay) await host.within(underWay, COMPANY)
    return ok
  }
}

/** Another instance of this object may have taken over, so nothing is promised of the effect. */
const FAULT: Said = {
  is: 'refused',
  refusal: { code: 'internal_error', effect: 'unknown' },
  replayed: false,
}
