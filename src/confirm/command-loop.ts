import type { AuditBy } from '../ports/audit.ts'
import type { Commands } from './commands.ts'
import type { Host } from './host.ts'
import type { FlowRecord } from './record.ts'
import type { FlowEvent, Transition, Reply, Command } from './events.ts'
import { unknownReply, refuse } from './events.ts'

/** The flow that the tasks are done for. */
interface Work {
  host: Host
  commands: Commands
  record(): FlowRecord | undefined
  /** Tells the machine. Throws if what comes of it cannot be saved. */
  apply(event: FlowEvent, by: AuditBy | undefined): Transition
  ended(): void
}

interface Task {
  /** Its reply; nothing if the record moved on meanwhile. */
  reply: Promise<Reply | undefined>
  ended: Promise<void>
}

/** The tasks of a flow, one at a time: does what the machine asks for, and gives it the result, until it asks no more. */
export class CommandLoop {
  readonly #work: Work
  /** The one that is at work. */
  current: Task | undefined

  constructor(work: Work) {
    this.#work = work
  }

  /** Starts a task; only where none is at work. It never rejects: what it cannot find out is unknown. */
  start(command: Command, input?: object, by?: AuditBy): Task {
    const { promise: reply, resolve } = Promise.withResolvers<Reply | undefined>()
    const ended = this.#run(command, input, by, resolve).finally(() => {
      this.current = undefined
      resolve(undefined)
      this.#work.ended()
    })
    this.current = { reply, ended }
    this.#work.host.keepAlive(ended)
    return this.current
  }

  async #run(
    first: Command,
    input: object | undefined,
    by: AuditBy | undefined,
    reply: (said: Reply) => void,
  ): Promise<void> {
    const { apply, host } = this.#work
    for (let command: Command | undefined = first; command;) {
      const record = this.#work.record()
      const event = record && (await this.#do(command, record, input))
      if (!event) return
      let out: Transition
      try {
        out = apply(event, by)
      } catch {
        // A fault of ours. The record stays as it was, so what may have been sent is looked for again.
        return reply(record.state === 'running' ? unknownReply(record, host.now()) : FAULT)
      }
      if (out.reply) reply(out.reply)
      command = out.command
    }
  }

  /** Executes one command, and returns its result as an event. */
  async #do(command: Command, record: FlowRecord, input: object | undefined): Promise<FlowEvent | undefined> {
    const { commands, host } = this.#work
    if (record.state === 'done') return undefined
    switch (command) {
      case 'alert_owner':
        return { type: 'owner_alerted', ok: await host.alertOwner(record).catch(() => false) }
      case 'check':
      case 'execute':
      case 'reconcile': {
        const outcome = await commands.run(command, record, input)
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
}

/** Another instance of this object may have taken over, so nothing is promised of the effect. */
const FAULT: Reply = refuse('internal_error', { effect: 'unknown' })
