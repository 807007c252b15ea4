import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../src/env.ts'
import type { Unresolved } from '../src/ports/index.ts'

/** A target that another flow touched last; `seq` tells whether somebody took it in between. */
export interface Held {
  target: string
  holder: string
  seq: number
}

/**
 * Who is acting on which slot, booking or invoice: one row per target, never released. The row remembers who touched the
 * target last; that object itself says whether it still matters. Also lists the operations that need a person.
 */
export class Desk extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS targets (target TEXT PRIMARY KEY, holder TEXT NOT NULL, seq INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
    )
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS unresolved (operation_id TEXT PRIMARY KEY, operation TEXT NOT NULL, since TEXT NOT NULL)',
    )
  }

  /**
   * Takes all targets or none, in one step. A row of another holder is taken over only if it is still as `seen`.
   * Returns the rows that stand in the way.
   */
  take(holder: string, targets: string[], until: number, seen: Held[]): Held[] {
    const rows = targets.flatMap((target) =>
      this.#sql
        .exec<{ target: string; holder: string; seq: number }>(
          'SELECT target, holder, seq FROM targets WHERE target = ?',
          target,
        )
        .toArray(),
    )
    const asSeen = (row: Held) => seen.some(({ target, seq }) => target === row.target && seq === row.seq)
    const held = rows.filter((row) => row.holder !== holder && !asSeen(row))
    if (held.length > 0) return held
    for (const target of targets) {
      this.#sql.exec(
        'INSERT INTO targets VALUES (?1, ?2, 1, ?3) ON CONFLICT (target) DO UPDATE SET holder = ?2, seq = seq + 1, until = ?3',
        target,
        holder,
        until,
      )
    }
    this.#sql.exec('DELETE FROM targets WHERE until < ?', Date.now())
    return []
  }

  /** Puts an operation on the list of those that need a person; a repeat changes nothing. */
  remember({ operation_id, operation, since }: Unresolved): void {
    this.#sql.exec('INSERT OR IGNORE INTO unresolved VALUES (?, ?, ?)', operation_id, operation, since)
  }

  /** Takes an operation off that list. */
  calm(operationId: string): void {
    this.#sql.exec('DELETE FROM unresolved WHERE operation_id = ?', operationId)
  }

  /** The operations that need a person, the oldest first. */
  unresolved(): Unresolved[] {
    return this.#sql
      .exec<Record<string, string> & Unresolved>('SELECT * FROM unresolved ORDER BY since')
      .toArray()
  }
}
