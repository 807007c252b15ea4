import { DurableObject } from 'cloudflare:workers'
import { TOMBSTONE, clientKey, intakePrefix } from '../src/domain/client.ts'
import type { Env } from '../src/env.ts'
import { auditFrom, eraseFlow, eraseFromRegister, recordsFrom } from '../src/wiring.ts'

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
/** How long a flow may keep data of the client: the longest preview, and 30 days after it; with a day to spare. */
const FLOWS_KEEP = 32 * DAY
const RETRY = 5 * MINUTE

/** How far a deletion has come. */
interface Deletion {
  clientId: string
  askedAt: number
  pass: number
  /** Who asked for it, until that stands in the trail. */
  by?: { caller: string; requestId: string } | undefined
  stage: 'noted' | 'listed' | 'flows'
  cursor?: string | undefined
}

/** What is kept about a client, besides the record that is shown. */
export interface Holdings {
  deleted: boolean
  keys: string[]
}

/**
 * One object per client: every record about it is written through here, so that a deletion knows what there is, and
 * nothing written late brings it back. It holds names of records and of flows, and nothing about the person.
 */
export class Client extends DurableObject<Env> {
  readonly #writing = new Set<Promise<void>>()

  /** Whether the client is deleted. If not, notes that this flow keeps, or will keep, something about it. */
  note(flow: string): boolean {
    if (this.#deletion) return true
    const now = Date.now()
    const { kv } = this.ctx.storage
    if ((kv.get<number>(FLOW + flow) ?? 0) > now - DAY) return false
    for (const other of this.#names(FLOW))
      if ((kv.get<number>(FLOW + other) ?? 0) < now - FLOWS_KEEP) kv.delete(FLOW + other)
    kv.put(FLOW + flow, now)
    return false
  }

  /** Writes a record about the client, unless it is deleted. False if it could not be written. */
  async put(flow: string, key: string, value: object): Promise<boolean> {
    if (this.#deletion) {
      this.#eraseToo(flow, this.#deletion)
      return true
    }
    this.note(flow)
    this.ctx.storage.kv.put(KEY + key, true)
    const write = recordsFrom(this.env).put(key, value)
    this.#writing.add(write)
    try {
      await write
      return true
    } catch {
      return false
    } finally {
      this.#writing.delete(write)
    }
  }

  /** A flow that is heard of only after the deletion keeps an answer about the client, too: one more pass erases it. */
  #eraseToo(flow: string, deletion: Deletion): void {
    const { kv } = this.ctx.storage
    if (kv.get(FLOW + flow) !== undefined) return
    kv.put(FLOW + flow, Date.now())
    if (deletion.pass < PASSES.length) return
    const again = { ...deletion, pass: PASSES.length - 1, stage: 'flows', cursor: undefined } as const
    this.#save(again, Date.now() + SECOND)
  }

  holdings(): Holdings {
    return { deleted: this.#deletion !== undefined, keys: this.#names(KEY) }
  }

  /** Decides for good that the client is deleted, and begins to erase. What is left is erased by alarm. */
  async delete(clientId: string, by: { caller: string; requestId: string }): Promise<void> {
    if (this.#deletion) return
    this.#save({ clientId, by, askedAt: Date.now(), pass: 0, stage: 'noted' }, Date.now() + RETRY)
    await this.#run()
  }

  override async alarm(): Promise<void> {
    await this.#run()
  }

  /** The names noted under a prefix, without it. */
  #names(prefix: string, options: { limit?: number; startAfter?: string } = {}): string[] {
    const noted = [...this.ctx.storage.kv.list({ prefix, ...options })]
    return noted.map(([name]) => name.slice(prefix.length))
  }

  get #deletion(): Deletion | undefined {
    return this.ctx.storage.kv.get<Deletion>(DELETION)
  }

  #save(deletion: Deletion, wake: number | undefined): void {
    this.ctx.storage.kv.put(DELETION, deletion)
    void (wake === undefined ? this.ctx.storage.deleteAlarm() : this.ctx.storage.setAlarm(wake))
  }

  /** Erases piece after piece; whatever fails is done again. */
  async #run(): Promise<void> {
    let at = this.#deletion
    if (!at || (at.pass >= PASSES.length && !at.by)) return
    const { pass } = at
    // Woken for the trail alone.
    const isEarly = at.by !== undefined && Date.now() < at.askedAt + (PASSES[pass] ?? Infinity)
    try {
      await Promise.allSettled(this.#writing)
      // A trail that is out of reach keeps nobody's data here.
      if (at.by && (await this.#tell(at, at.by))) at = { ...at, by: undefined }
      for (let calls = 0; at.pass === pass && calls < ENOUGH && !isEarly;) {
        const piece = await this.#erase(at)
        calls += piece.calls
        at = piece.next
      }
      const due = PASSES[at.pass]
      const wake = at.pass === pass && !isEarly ? Date.now() + SECOND : due && at.askedAt + due
      this.#save(at, at.by ? Math.min(wake ?? Infinity, Date.now() + RETRY) : wake)
    } catch {
      this.#save(at, Date.now() + RETRY)
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
    }
    const what = {
      event: 'deletion',
      operation: 'delete_client',
      code: 'ok',
      record_id: clientId,
      caller,
    } as const
    try {
      await auditFrom(this.env).append([{ ...entry, ...what }])
      return true
    } catch {
      return false
    }
  }

  async #erase(at: Deletion): Promise<{ next: Deletion; calls: number }> {
    const { kv } = this.ctx.storage
    const { RECORDS } = this.env
    const { clientId, stage, cursor } = at
    switch (stage) {
      case 'noted': {
        await eraseFromRegister(this.env, clientId)
        await RECORDS.put(clientKey(clientId), JSON.stringify(TOMBSTONE))
        const keys = this.#names(KEY, { limit: AT_ONCE })
        const others = keys.filter((key) => key !== clientKey(clientId))
        await Promise.all(others.map((key) => RECORDS.delete(key)))
        for (const key of keys) kv.delete(KEY + key)
        const next = keys.length < AT_ONCE ? { ...at, stage: 'listed' as const } : at
        return { next, calls: others.length + 2 }
      }
      case 'listed': {
        const prefix = intakePrefix(clientId)
        const page = await RECORDS.list({ prefix, limit: AT_ONCE, ...(cursor !== undefined && { cursor }) })
        await Promise.all(page.keys.map(({ name }) => RECORDS.delete(name)))
        const next = page.list_complete
          ? { ...at, stage: 'flows' as const, cursor: undefined }
          : { ...at, cursor: page.cursor }
        return { next, calls: page.keys.length + 1 }
      }
      case 'flows': {
        const after = cursor === undefined ? {} : { startAfter: cursor }
        const flows = this.#names(FLOW, { limit: AT_ONCE, ...after })
        const erased = await Promise.all(flows.map((flow) => eraseFlow(this.env, flow, clientId)))
        if (erased.includes(false)) throw new Error('a flow cannot be read by this version')
        const calls = flows.length
        if (calls === AT_ONCE) return { next: { ...at, cursor: FLOW + flows.at(-1) }, calls }
        const pass = at.pass + 1
        if (pass === PASSES.length) for (const flow of this.#names(FLOW)) kv.delete(FLOW + flow)
        return { next: { ...at, pass, stage: 'noted', cursor: undefined }, calls }
      }
    }
  }
}
