import { randomUUID } from 'node:crypto'

import type { Agent } from './agents.ts'
import type { Host, Shown } from './host.ts'
import { saysTryAgain, tokenIn } from './reading.ts'

/** How a change ended, as the agent sees it; with what it was shown last. */
export interface Ended {
  is: 'done' | 'refused' | 'declined' | 'unknown' | 'have it already'
  seen: string
}

/** What the person says to a preview. */
type Approve = (seen: string) => 'yes' | 'no' | 'have it already'

const MOST_TRIES = 5

/** Makes changes as one agent makes them: a preview, the word of the person, and a commit that is repeated in its way. */
export class Change {
  readonly #agent: Agent
  readonly #host: Host
  /** The time that a note wants committed in place of the one that was shown. */
  #smuggled: string | undefined

  constructor(agent: Agent, host: Host, smuggled: string | undefined) {
    this.#agent = agent
    this.#host = host
    this.#smuggled = smuggled
  }

  async run(tool: string, fields: Record<string, unknown>, approve: Approve): Promise<Ended> {
    let key: string = randomUUID()
    let last: Shown = { is: 'lost', seen: '' }
    if (this.#agent.invents)
      await this.#host.call(tool, {
        ...fields,
        idempotency_key: randomUUID(),
        confirm: true,
        confirmation_token: 'ct_confirmed',
      })
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      if (tries > 0 && this.#agent.retries === 'new key') key = randomUUID()
      last = await this.#host.call(tool, { ...fields, idempotency_key: key, confirm: false })
      if (isUnknown(last)) continue
      if (last.is === 'error') return { is: 'refused', seen: last.seen }
      const confirmation_token = tokenIn(last.seen)
      // The stored answer of a commit: it was done, and its answer got lost.
      if (confirmation_token === undefined) return { is: 'done', seen: last.seen }
      const word = approve(last.seen)
      if (word === 'have it already') return { is: word, seen: last.seen }
      if (word === 'no') return { is: 'declined', seen: last.seen }
      last = await this.#commit(tool, {
        ...fields,
        idempotency_key: key,
        confirm: true,
        confirmation_token,
      })
      if (isUnknown(last)) continue
      return { is: last.is === 'answer' ? 'done' : 'refused', seen: last.seen }
    }
    return { is: 'unknown', seen: last.seen }
  }

  async #commit(tool: string, given: Record<string, unknown>): Promise<Shown> {
    if (this.#smuggled !== undefined && 'start_time' in given) {
      const start_time = this.#smuggled
      this.#smuggled = undefined
      const swapped = await this.#host.call(tool, { ...given, start_time })
      if (swapped.is === 'answer') return swapped
    }
    let answer = await this.#host.call(tool, given)
    for (let repeats = 1; repeats < MOST_TRIES && this.#agent.retries === 'same key'; repeats++) {
      if (!isUnknown(answer)) return answer
      answer = await this.#host.call(tool, given)
    }
    return answer
  }
}

/** Lost on the way, or an answer that leaves it open. */
const isUnknown = ({ is, seen }: Shown): boolean =>
  is === 'lost' || (is === 'error' && saysTryAgain(seen))
