import type { AuditBy, AuditEntry } from '../ports/audit.ts'
import type { FlowRecord, TrailRow } from './record.ts'
import { arrived, entryOf, underWay, waiting, withRow } from './trail.ts'

/** What brings entries to the trail, as seen from the flow it works for. */
export interface Route {
  now(): number
  operationId: string
  append(entries: readonly AuditEntry[]): Promise<void>
  record(): FlowRecord | undefined
  /** Saves the record; nothing but its trail has changed. */
  save(record: FlowRecord): void
  /** The same, with the next write of what is at work: should that be lost, the rows are sent again, which is harmless. */
  saveWithNext(record: FlowRecord): void
  /** The record in memory; whatever is saved next takes it along. */
  remember(record: FlowRecord): void
  keep(task: Promise<void>): void
  pause(ms: number): Promise<void>
}

/** What a call was told that changed nothing, and under which operation. */
export interface Note {
  row: TrailRow
  by: AuditBy
  operation: string
}

/** How long what changed nothing waits for company, in milliseconds: whoever repeats a call often repeats it at once. */
export const GATHERING = 500

/**
 * Brings the rows of a flow to the trail: after the answer, one batch at a time, and never in the way of the flow. What
 * changed nothing goes there without a write of the record, and waits in it only where the trail cannot be reached.
 */
export class Courier {
  readonly #route: Route
  #notes: Note[] = []
  /** The rows of the record go along; a note alone leaves the record as it is. */
  #rowsToo = false
  #trip: Promise<void> | undefined
  #isGathering = false

  constructor(route: Route) {
    this.#route = route
  }

  note({ row, by, operation }: Note): void {
    const record = this.#route.record()
    const trail = record?.trail
    if (record && trail && trail.tries > 0 && this.#route.now() < trail.wake) {
      this.#route.save(waiting(record, [row], this.#route.now()))
      return
    }
    const rows = withRow(
      this.#notes.map((one) => one.row),
      row,
    )
    this.#notes = rows.map((one, index) => ({ ...(this.#notes[index] ?? { by, operation }), row: one }))
    if (!this.#isGathering) this.#route.keep(this.#gather())
  }

  /** While something is under way to the trail; resolves once it is there, or that failed for now. */
  get underWay(): Promise<void> | undefined {
    return this.#trip
  }

  /** Sets out with all that waits in the record too. Never rejects. */
  async go(): Promise<void> {
    this.#rowsToo = true
    this.#setOut()
    await this.#trip
  }

  async #gather(): Promise<void> {
    this.#isGathering = true
    await this.#route.pause(GATHERING)
    this.#isGathering = false
    if (this.#waits()) this.#setOut()
  }

  #setOut(): void {
    this.#trip ??= this.#travel()
  }

  #travel(): Promise<void> {
    const trip = this.#deliver()
      .catch(() => {})
      .finally(() => {
        this.#trip = undefined
        // What came up while the last batch was put away.
        if (this.#waits()) this.#setOut()
      })
    this.#route.keep(trip)
    return trip
  }

  async #deliver(): Promise<void> {
    while (this.#waits()) if (!(await this.#deliverOnce())) return
  }

  async #deliverOnce(): Promise<boolean> {
    const { now, append, operationId } = this.#route
    const notes = this.#notes
    const record = this.#route.record()
    const rows = (this.#rowsToo && record?.trail?.rows) || []
    if (record && rows.length > 0) this.#route.remember(underWay(record))
    this.#notes = []
    this.#rowsToo = false
    const { caller = 'unknown' } = record?.by ?? {}
    const ok = await append([
      ...rows.map((row) => entryOf(row, { caller, operation: record?.operation ?? '', operationId })),
      ...notes.map(({ row, by, operation }) => entryOf(row, { caller: by.caller, operation, operationId })),
    ]).then(
      () => true,
      () => false,
    )
    const kept = this.#route.record()
    if (kept && ok && rows.length > 0) this.#route.saveWithNext(arrived(kept, rows, ok, now()))
    if (kept && !ok) {
      const tried = notes.map(({ row }) => ({ ...row, sent: true as const }))
      this.#route.save(arrived(waiting(kept, tried, now()), rows, ok, now()))
    }
    return ok
  }

  #waits(): boolean {
    return this.#notes.length > 0 || (this.#rowsToo && this.#route.record()?.trail !== undefined)
  }
}
