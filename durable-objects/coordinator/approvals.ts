import { RpcTarget } from 'cloudflare:workers'
import { DECLINES_KEPT, MOST_COMPARISONS, MOST_WAITING } from '../../src/domain/rules/approval.ts'
import type { WaitingApproval } from '../../src/ports/approvals.ts'
import { hasRow } from '../shared/sql.ts'

/** Publishes that a preview waits, or what a person decided about it; and sees to it that `drop` is called in a day. */
type Publish = (approval: WaitingApproval, now: number, decision?: 'approved' | 'declined') => Promise<void>

type Row = Record<string, SqlStorageValue> & WaitingApproval

/** The previews that wait for a person, and whose were declined, in tables of the coordinator: pointers, and nothing of what they show. */
export class ApprovalsTable extends RpcTarget {
  readonly #sql: SqlStorage
  readonly #publish: Publish

  constructor(sql: SqlStorage, publish: Publish) {
    super()
    this.#sql = sql
    this.#publish = publish
    sql.exec(
      'CREATE TABLE IF NOT EXISTS approvals (operation_id TEXT PRIMARY KEY, caller TEXT NOT NULL, operation TEXT NOT NULL, code TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, comparisons INTEGER NOT NULL) WITHOUT ROWID',
    )
    sql.exec(
      'CREATE TABLE IF NOT EXISTS declines (operation_id TEXT, code TEXT, caller TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (operation_id, code)) WITHOUT ROWID',
    )
  }

  /** Lists a preview in place of an earlier one under the same key; false where too many of its caller wait. */
  async add(waiting: WaitingApproval): Promise<boolean> {
    const now = Date.now()
    const { operation_id, caller, operation, code, since, until } = waiting
    const others = this.waiting().filter((one) => one.caller === caller && one.operation_id !== operation_id)
    if (others.length >= MOST_WAITING) return false
    this.#sql.exec(
      'INSERT OR REPLACE INTO approvals VALUES (?, ?, ?, ?, ?, ?, 0)',
      operation_id,
      caller,
      operation,
      code,
      since,
      until,
    )
    await this.#publish(waiting, now)
    return true
  }

  /** Takes a preview off the list, unless a later one is listed in its place: somebody decided, or nobody can any more. */
  remove(operationId: string, code: string): void {
    this.#sql.exec('DELETE FROM approvals WHERE operation_id = ? AND code = ?', operationId, code)
  }

  /** Those that can still be approved, the oldest first. */
  waiting(): WaitingApproval[] {
    return this.#sql
      .exec<Row>(
        'SELECT operation_id, caller, operation, code, since, until FROM approvals WHERE until > ? ORDER BY since',
        Date.now(),
      )
      .toArray()
  }

  /** Counts that an address is compared with that of a preview; false where it is not listed, or that was done too often. */
  countComparison(operationId: string, code: string): boolean {
    const { rowsWritten } = this.#sql.exec(
      'UPDATE approvals SET comparisons = comparisons + 1 WHERE operation_id = ? AND code = ? AND comparisons < ?',
      operationId,
      code,
      MOST_COMPARISONS,
    )
    return rowsWritten > 0
  }

  /** Publishes what a person decided, and counts a decline; a repeat changes nothing. */
  async decided(one: WaitingApproval, decision: 'approved' | 'declined'): Promise<void> {
    const now = Date.now()
    const { operation_id, code, caller } = one
    if (decision === 'declined')
      this.#sql.exec('INSERT OR IGNORE INTO declines VALUES (?, ?, ?, ?)', operation_id, code, caller, now)
    await this.#publish(one, now, decision)
  }

  /** How many previews of a caller were declined lately. */
  declined(caller: string): number {
    const [row] = this.#sql
      .exec<{ count: number }>(
        'SELECT COUNT(*) AS count FROM declines WHERE caller = ? AND at > ?',
        caller,
        Date.now() - DECLINES_KEPT,
      )
      .toArray()
    return row?.count ?? 0
  }

  /** Drops those that nobody can approve any more, and old declines. */
  drop(now: number): void {
    this.#sql.exec('DELETE FROM approvals WHERE until <= ?', now)
    this.#sql.exec('DELETE FROM declines WHERE at <= ?', now - DECLINES_KEPT)
  }

  get hasRows(): boolean {
    return hasRow(this.#sql, 'approvals') || hasRow(this.#sql, 'declines')
  }
}
