import { MOST_WAITING } from '../src/domain/approval.ts'
import type { WaitingApproval } from '../src/ports/approvals.ts'
import { hasRow } from './sql.ts'

type Row = Record<string, SqlStorageValue> & WaitingApproval

/** The previews that wait for a person, in a table of the coordinator: pointers, and nothing of what they show. */
export class ApprovalsTable {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(
      'CREATE TABLE IF NOT EXISTS approvals (operation_id TEXT PRIMARY KEY, caller TEXT NOT NULL, operation TEXT NOT NULL, code TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
    )
  }

  /** Lists a preview in place of an earlier one under the same key; false where too many of its caller wait. */
  add({ operation_id, caller, operation, code, since, until }: WaitingApproval, now: number): boolean {
    const others = this.waiting(now).filter(
      (one) => one.caller === caller && one.operation_id !== operation_id,
    )
    if (others.length >= MOST_WAITING) return false
    this.#sql.exec(
      'INSERT OR REPLACE INTO approvals VALUES (?, ?, ?, ?, ?, ?)',
      operation_id,
      caller,
      operation,
      code,
      since,
      until,
    )
    return true
  }

  remove(operationId: string, code: string): void {
    this.#sql.exec('DELETE FROM approvals WHERE operation_id = ? AND code = ?', operationId, code)
  }

  /** Those that can still be approved, the oldest first. */
  waiting(now: number): WaitingApproval[] {
    return this.#sql.exec<Row>('SELECT * FROM approvals WHERE until > ? ORDER BY since', now).toArray()
  }

  /** Drops those that nobody can approve any more. */
  drop(now: number): void {
    this.#sql.exec('DELETE FROM approvals WHERE until <= ?', now)
  }

  get hasRows(): boolean {
    return hasRow(this.#sql, 'approvals')
  }
}
