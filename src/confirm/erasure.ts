import { TOMBSTONE, clientKey, intakePrefix } from '../domain/client.ts'
import type { ErasureHost } from './erasure-host.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

const DELETION = 'deletion'
const KEY = 'key:'
const FLOW = 'flow:'

/** How many records or flows are erased at once; and after how many calls a run leaves the rest to the next: a plan may allow fifty. */
const AT_ONCE = 20
const ENOUGH = 25
/** When a deletion is gone through once more, after it was asked for: for what was under way, and what KV had not listed. */
const PASSES = [0, 5 * MINUTE, DAY]
const RETRY = 5 * MINUTE

/** How far a deletion has come. */
interface Deletion {
  clientId: string
  askedAt: number
  pass: number
  /** Who asked for it, until that stands in the trail. */
  by?: { caller: string; requestId: string } | undefined
  /** The last pass in which the register was asked what there is. */
  asked?: number
  /** What the flows were writing when the register was first asked is at its place. */
  rested?: true
  stage: 'noted' | 'listed' | 'flows'
  cursor?: string | undefined
}

/** The deletion of one client, piece by piece. It holds names of records and of flows, and nothing about the person. */
export class Erasure {
  readonly #host: ErasureHost
  #running: Promise<void> | undefined

  constructor(host: ErasureHost) {
    this.#host = host
  }

  /** A flow that is heard of only after the deletion keeps an answer about the client, too: one more pass erases it. */
  eraseToo(flow: string): void {
    const { kv } = this.#host
    const deletion = this.#deletion
    if (!deletion || kv.get(FLOW + flow) !== undefined) return
    kv.put(FLOW + flow, this.#host.now())
    if (deletion.pass < PASSES.length) return
    const again = { ...deletion, pass: PASSES.length - 1, stage: 'flows', cursor: undefined } as const
    this.#save(again, this.#host.now() + SECOND)
  }

  holdings(): { deleted: boolean; keys: string[] } {
    return { deleted: this.#deletion !== undefined, keys: this.#names(KEY) }
  }

  /**
   * Begins to erase the client; what is left is erased by alarm. Throws if the register, where it is decided, cannot be
   * reached: then the alarm asks it again, and so does a repeat.
   */
  async delete(clientId: string, by: { caller: string; requestId: string }): Promise<void> {
    if (!this.#deletion)
      this.#save(
        { clientId, by, askedAt: this.#host.now(), pass: 0, stage: 'noted' },
        this.#host.now() + RETRY,
      )
    if (!this.#isDecided) await this.#run()
    if (!this.#isDecided) throw new Error('the register cannot be reached')
  }

  /** Whether the register knows of the deletion. */
  get #isDecided(): boolean {
    const { pass, asked } = this.#deletion ?? { pass: 0 }
    return pass > 0 || asked !== undefined
  }

  async alarm(): Promise<void> {
    // Should the instance end every time before it is done, the platform gives up: the next alarm is set before the work.
    if (this.#isUnfinished) this.#host.setAlarm(this.#host.now() + RETRY)
    await this.#run()
  }

  get #isUnfinished(): boolean {
    const deletion = this.#deletion
    return deletion !== undefined && (deletion.pass < PASSES.length || deletion.by !== undefined)
  }

  /** The names noted under a prefix, without it. */
  #names(prefix: string, options: { limit?: number; startAfter?: string } = {}): string[] {
    const noted = [...this.#host.kv.list({ prefix, ...options })]
    return noted.map(([name]) => name.slice(prefix.length))
  }

  get #deletion(): Deletion | undefined {
    return this.#host.kv.get<Deletion>(DELETION)
  }

  #save(deletion: Deletion, wake: number | undefined): void {
    this.#host.kv.put(DELETION, deletion)
    this.#host.setAlarm(wake)
  }

  #run(): Promise<void> {
    this.#running ??= this.#erasePieces().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** Erases piece after piece; whatever fails is done again. */
  async #erasePieces(): Promise<void> {
    let at = this.#deletion
    if (!at || !this.#isUnfinished) return
    const { pass } = at
    // Woken for the trail alone.
    const isEarly = at.by !== undefined && this.#host.now() < at.askedAt + (PASSES[pass] ?? Infinity)
    try {
      // A trail that is out of reach keeps nobody's data here.
      const isTold = at.by && (await this.#tell(at, at.by))
      // A flow that was heard of meanwhile may have asked for one more pass.
      at = { ...at, ...this.#deletion, ...(isTold && { by: undefined }) }
      for (let calls = 0; at.pass === pass && calls < ENOUGH && !isEarly;) {
        const piece = await this.#erase(at)
        calls += piece.calls
        at = piece.next
      }
      const due = PASSES[at.pass]
      const next = due === undefined ? undefined : at.askedAt + due
      const wake = at.pass === pass && !isEarly ? this.#host.now() + SECOND : next
      this.#save(at, at.by ? Math.min(wake ?? Infinity, this.#host.now() + RETRY) : wake)
    } catch {
      this.#save(at, this.#host.now() + RETRY)
    }
  }

  /** The trail keeps who deleted which client; a repeat of it changes nothing. False if it cannot be reached. */
  async #tell(
    { clientId, askedAt }: Deletion,
    { caller, requestId }: NonNullable<Deletion['by']>,
  ): Promise<boolean> {
    const entry = {
      id: requestId,
      at: askedAt,
      app: null,
      operation_id: null,
      request_id: requestId,
      times: 1,
      shown: null,
      about: null,
    }
    const what = {
      event: 'deletion',
      operation: 'delete_client',
      code: 'ok',
      record_id: clientId,
      caller,
    } as const
    try {
      await this.#host.append([{ ...entry, ...what }])
      return true
    } catch {
      return false
    }
  }

  /** Has the register decide, and notes what it knows, before it may forget the flows. */
  async #ask(at: Deletion): Promise<{ next: Deletion; calls: number }> {
    const { register, kv } = this.#host
    const { keys, flows } = await register.eraseClient(at.clientId)
    for (const key of keys) kv.put(KEY + key, true)
    for (const flow of flows) kv.put(FLOW + flow, this.#host.now())
    if (flows.length > 0) await register.release(at.clientId)
    return { next: { ...at, asked: at.pass }, calls: 2 }
  }

  /** What a flow was writing when the client was deleted is at its place, to be erased, once the flow has come to rest. */
  async #rest(at: Deletion): Promise<{ next: Deletion; calls: number }> {
    const flows = this.#someFlows(at.cursor)
    // One that does not rest in time, or does not answer, is left to the next pass.
    await Promise.allSettled(flows.map((flow) => this.#host.restOf(flow)))
    const next =
      flows.length < AT_ONCE
        ? { ...at, rested: true as const, cursor: undefined }
        : { ...at, cursor: FLOW + flows.at(-1) }
    return { next, calls: flows.length }
  }

  #someFlows(after: string | undefined): string[] {
    return this.#names(FLOW, { limit: AT_ONCE, ...(after !== undefined && { startAfter: after }) })
  }

  async #erase(at: Deletion): Promise<{ next: Deletion; calls: number }> {
    const { kv, records } = this.#host
    const { clientId, stage, cursor } = at
    switch (stage) {
      case 'noted': {
        if (at.asked !== at.pass) return this.#ask(at)
        if (!at.rested) return this.#rest(at)
        const keys = this.#names(KEY, { limit: AT_ONCE })
        const isEnd = keys.length < AT_ONCE
        // Once in a pass: KV takes one write of a key in a second.
        if (isEnd) await records.put(clientKey(clientId), JSON.stringify(TOMBSTONE))
        const others = keys.filter((key) => key !== clientKey(clientId))
        await Promise.all(others.map((key) => records.delete(key)))
        for (const key of keys) kv.delete(KEY + key)
        const next = isEnd ? { ...at, stage: 'listed' as const } : at
        return { next, calls: others.length + 1 }
      }
      case 'listed': {
        const prefix = intakePrefix(clientId)
        const page = await records.list({ prefix, limit: AT_ONCE, ...(cursor !== undefined && { cursor }) })
        await Promise.all(page.keys.map(({ name }) => records.delete(name)))
        const next = page.list_complete
          ? { ...at, stage: 'flows' as const, cursor: undefined }
          : { ...at, cursor: page.cursor }
        return { next, calls: page.keys.length + 1 }
      }
      case 'flows': {
        // In the last pass a flow is forgotten once it is erased; one that is heard of meanwhile gets its turn.
        const isLast = at.pass + 1 === PASSES.length
        const flows = this.#someFlows(isLast ? undefined : cursor)
        const erased = await Promise.all(flows.map((flow) => this.#host.eraseIn(flow, clientId)))
        if (erased.includes(false)) throw new Error('a flow cannot be read by this version')
        const calls = flows.length
        if (isLast) for (const flow of flows) kv.delete(FLOW + flow)
        if (isLast ? calls > 0 : calls === AT_ONCE)
          return { next: { ...at, cursor: FLOW + flows.at(-1) }, calls }
        return { next: { ...at, pass: at.pass + 1, stage: 'noted', cursor: undefined }, calls }
      }
    }
  }
}
