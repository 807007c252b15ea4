import {
  type LockHolders,
  LATELY_MS,
  anyTimeOf,
  formerHolders,
} from '../../src/core/domain/lock-holders.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { type Sql, sqlOf } from '../shared/sql.ts'

/** How long a lock remembers who took it last: longer than any record in doubt is of use. */
const KEEP_LOCKS = 60 * DAY

/** How many flows that took a lock lately are named, the latest first. */
const MOST_LATELY = 500

/** The locks of the last two days: a flow that began before has ended, or is listed as in doubt. */
export const TAKEN_LATELY = `until > unixepoch() * 1000 + ${KEEP_LOCKS - 2 * DAY}`

/** A lock that another flow took last; `seq` shows whether someone took it in between. */
export interface LockRow {
  lockKey: string
  holder: string
  seq: number
}

/** A lock with the flows that took it before. */
export type KeptLock = LockRow & LockHolders

/** Those of these locks that someone else holds, and that are not as they were `seen`. */
export function heldFrom(
  holder: string,
  rows: readonly KeptLock[],
  seen: readonly LockRow[],
): LockRow[] {
  const asSeen = (row: LockRow) =>
    seen.some(({ lockKey, seq }) => lockKey === row.lockKey && seq === row.seq)
  return rows
    .filter((row) => row.holder !== holder && !asSeen(row))
    .map(({ lockKey, holder: other, seq }) => ({ lockKey, holder: other, seq }))
}

/** The locks on slots, bookings and invoices, in a table of the coordinator. */
export class LocksTable {
  readonly #sql: Sql

  constructor(sql: SqlStorage) {
    this.#sql = sqlOf(sql)
    sql.exec(
      'CREATE TABLE IF NOT EXISTS locks (lock_key TEXT PRIMARY KEY, holder TEXT NOT NULL, ' +
        'seq INTEGER NOT NULL, until INTEGER NOT NULL, former TEXT NOT NULL) WITHOUT ROWID',
    )
  }

  /** Those of these locks that were taken before. */
  rows(lockKeys: readonly string[]): KeptLock[] {
    return this.#sql<LockRow & { former: string }>`
      SELECT lock_key AS lockKey, holder, seq, former FROM locks
      WHERE lock_key IN (SELECT value FROM json_each(${JSON.stringify(lockKeys)}))`.map((row) => ({
      ...row,
      former: JSON.parse(row.former) as string[],
    }))
  }

  /** Takes locks; `before` are their rows. */
  take(
    holder: string,
    lockKeys: readonly string[],
    before: readonly KeptLock[],
    now: number,
  ): void {
    for (const lockKey of lockKeys) {
      const row = before.find((one) => one.lockKey === lockKey)
      const former = JSON.stringify(formerHolders(row, holder))
      this.#sql`
        INSERT INTO locks (lock_key, holder, seq, until, former)
        VALUES (${lockKey}, ${holder}, 1, ${now + KEEP_LOCKS}, ${former})
        ON CONFLICT (lock_key) DO UPDATE SET
          holder = excluded.holder, seq = seq + 1, until = excluded.until, former = excluded.former`
    }
  }

  /**
   * The flows that took these locks last, and those before them. A key that ends with `ANY_TIME`
   * adds those that took a lock on any time of that kind of consult lately, the latest first, and
   * those of them that are listed as in doubt, however long ago that was.
   */
  holders(lockKeys: readonly string[], now: number): string[] {
    const exact = this.rows(lockKeys).flatMap(({ holder, former }) => [holder, ...former])
    const kinds = lockKeys.flatMap((lockKey) => anyTimeOf(lockKey) ?? [])
    const lately = kinds.flatMap(
      (kind) => this.#sql<{ holder: string }>`
        SELECT holder FROM locks
        WHERE lock_key BETWEEN ${kind} AND ${`${kind}~`} AND until > ${now + KEEP_LOCKS - LATELY_MS}
        ORDER BY until DESC LIMIT ${MOST_LATELY}`,
    )
    const inDoubt = kinds.flatMap(
      (kind) => this.#sql<{ holder: string }>`
        SELECT flow AS holder FROM unresolved
        WHERE EXISTS (SELECT 1 FROM locks WHERE lock_key BETWEEN ${kind} AND ${`${kind}~`}
          AND (holder = flow OR instr(former, flow) > 0))`,
    )
    return [...new Set([...exact, ...[...lately, ...inDoubt].map(({ holder }) => holder)])]
  }

  /** Drops those that no one took for long, `most` at a time; how many it dropped. */
  drop(now: number, most: number): number {
    return this.#sql.written`
      DELETE FROM locks
      WHERE lock_key IN (SELECT lock_key FROM locks WHERE until < ${now} LIMIT ${most})`
  }

  get hasRows(): boolean {
    return this.#sql.exists`locks`
  }
}
