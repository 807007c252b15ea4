import type { Topic } from '../../src/core/domain/events/topics.ts'
import type { Progress } from '../../src/core/domain/events/webhook-schedule.ts'
import type { Whose } from '../../src/core/ports/events.ts'
import type { Sql } from '../shared/sql.ts'

/** A subscription as it is kept. */
export interface SubscriptionRow extends Progress {
  id: string
  caller: string
  topics: readonly Topic[]
  /** Empty once it has ended. */
  url: string
  host: string
  /** Where this service was when it was made, for addresses in the events. */
  origin: string
  created_at: number
  /**
   * Its secret, and those before, with a blank between them, which sign too: the newest of them until
   * `old_until`, each until its end in `old_ends`.
   */
  sealed: string
  sealed_old: string | null
  old_until: number
  /** Missing in a row of a version before; one that it wrote in between has others. */
  old_ends?: readonly number[]
  /** Since when it is paused or has ended. */
  stopped_at: number | null
  /** The id of the audit entry that says so, until it is written and the owner is alerted. */
  unreported: string | null
}

/**
 * The subscriptions. They are few enough that an instance reads them once and then has all of them:
 * to find out whether one has something to be sent reads no row. A change is one row.
 */
export class SubscriptionTable {
  readonly #sql: Sql
  #rows: Map<string, SubscriptionRow> | undefined

  constructor(sql: Sql) {
    this.#sql = sql
    sql`CREATE TABLE IF NOT EXISTS webhooks (id TEXT PRIMARY KEY, row TEXT NOT NULL) WITHOUT ROWID`
  }

  get #all(): Map<string, SubscriptionRow> {
    this.#rows ??= new Map(
      this.#sql<{ id: string; row: string }>`SELECT * FROM webhooks`.map(({ id, row }) => [
        id,
        { ...(JSON.parse(row) as SubscriptionRow), id },
      ]),
    )
    return this.#rows
  }

  get size(): number {
    return this.#all.size
  }

  all(): IterableIterator<SubscriptionRow> {
    return this.#all.values()
  }

  get(id: string, whose: Whose = null): SubscriptionRow | undefined {
    const row = this.#all.get(id)
    return row && (whose === null || row.caller === whose) ? row : undefined
  }

  /** Keeps a subscription as it is now. */
  keep(row: SubscriptionRow): SubscriptionRow {
    const { id, ...rest } = row
    this.#sql`
      INSERT INTO webhooks (id, row)
      VALUES (${id}, ${JSON.stringify(rest)}) ON CONFLICT DO UPDATE SET row = excluded.row`
    this.#all.set(id, row)
    return row
  }

  /** After a restore: all others send nothing until the owner resumes them. */
  pauseAllBut(stays: readonly string[], now: number) {
    // Rows have been written past this table.
    this.#rows = undefined
    const active = [...this.all()].filter(({ state }) => state === 'active')
    for (const row of active)
      if (!stays.includes(row.id)) this.keep({ ...stopped(row, 'paused', now), unreported: null })
  }

  remove(id: string) {
    this.#sql`DELETE FROM webhooks WHERE id = ${id}`
    this.#all.delete(id)
  }
}

/** The secrets before, sealed, the newest first, and until when each signs. */
export function olderSecrets({ sealed_old, old_until, old_ends }: SubscriptionRow) {
  const ends = old_ends?.[0] === old_until ? old_ends : []
  return (sealed_old?.split(' ') ?? []).map((sealed, i) => ({
    sealed,
    until: ends[i] ?? old_until,
  }))
}

/** It sends nothing any more; nothing is left of its secrets where it has ended. */
export const stopped = (
  row: SubscriptionRow,
  state: 'paused' | 'ended',
  now: number,
): SubscriptionRow => ({
  ...row,
  state,
  stopped_at: now,
  next_at: now,
  unreported: crypto.randomUUID(),
  ...(state === 'ended' && { url: '', sealed: '', sealed_old: null }),
})
