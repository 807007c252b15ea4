import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../src/env.ts'

/** A target that another flow touched last; `seq` tells whether somebody took it in between. */
export interface Held {
  target: string
  holder: string
  seq: number
}

/**
 * Who is acting on which slot, booking or invoice: one row per target, never released. The row remembers who touched the
 * target last; that object itself says whether it still matters.
 */
export class Desk extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS targets (target TEXT PRIMARY KEY, holder TEXT NOT NULL, seq INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
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
}
