import { RpcTarget } from 'cloudflare:workers'

import {
  DECLINES_KEPT,
  MOST_COMPARISONS,
  MOST_DECLINES,
  MOST_WAITING,
} from '../../src/core/domain/approval.ts'
import { DAY, HOUR, SECOND } from '../../src/core/domain/time/duration.ts'
import type { WaitingApproval } from '../../src/core/ports/confirmation.ts'
import type { Sql } from '../shared/sql.ts'

/**
 * How long the name of a flow is kept after its preview ended: longer than the flow keeps what
 * became of it.
 */
const KEEP_ENDED = 62 * DAY

/**
 * Publishes that a preview waits, or what a person decided about it; and sees to it that `drop` is
 * called in a day.
 */
type Publish = (
  approval: WaitingApproval,
  now: number,
  decision?: 'approved' | 'declined',
) => Promise<void>

/**
 * The previews that wait for a person, and whose were declined, in tables of the coordinator:
 * pointers, and nothing of what they show.
 */
export class ApprovalsTable extends RpcTarget {
  readonly #sql: Sql
  readonly #publish: Publish

  constructor(sql: Sql, publish: Publish) {
    super()
    this.#sql = sql
    this.#publish = publish
    sql`
      CREATE TABLE IF NOT EXISTS approvals (flow TEXT PRIMARY KEY, operation_id TEXT NOT NULL,
        caller TEXT NOT NULL, operation TEXT NOT NULL, code TEXT NOT NULL, since INTEGER NOT NULL,
        until INTEGER NOT NULL, comparisons INTEGER NOT NULL, waits INTEGER NOT NULL) WITHOUT ROWID`
    sql`
      CREATE TABLE IF NOT EXISTS declines (flow TEXT, code TEXT, caller TEXT NOT NULL,
        at INTEGER NOT NULL, PRIMARY KEY (flow, code)) WITHOUT ROWID`
  }

  /**
   * Lists a preview in place of an earlier one under the same key; false where too many of its
   * caller wait, and how many seconds are left where too many were declined.
   */
  async add(waiting: WaitingApproval): Promise<boolean | number> {
    const now = Date.now()
    const { flow, operation_id, caller, operation, code, since, until } = waiting
    const declinedFor = this.#declinedFor(caller, now)
    if (declinedFor > 0) return declinedFor
    const others = this.waiting().filter((one) => one.caller === caller && one.flow !== flow)
    if (others.length >= MOST_WAITING) return false
    this.#sql`
      INSERT OR REPLACE INTO approvals (flow, operation_id, caller, operation, code, since, until,
        comparisons, waits)
      VALUES (${flow}, ${operation_id}, ${caller}, ${operation}, ${code}, ${since}, ${until}, 0,
        TRUE)`
    await this.#publish(waiting, now)
    return true
  }

  /**
   * Takes a preview off the list, unless a later one is listed in its place: someone decided, or no
   * one can any more. Its row stays, so that its page is found as long as its flow keeps what
   * became of it.
   */
  remove(flow: string, code: string) {
    this.#sql`
      UPDATE approvals SET waits = FALSE
      WHERE waits AND flow = ${flow} AND code = ${code}`
  }

  /** The name of the flow with this id, if a person had to approve it. */
  flowOf(operationId: string): string | undefined {
    return this.#sql<{ flow: string }>`
      SELECT flow FROM approvals WHERE operation_id = ${operationId}`[0]?.flow
  }

  /** Those that can still be approved, the oldest first. */
  waiting(): WaitingApproval[] {
    return this.#sql<WaitingApproval>`
      SELECT flow, operation_id, caller, operation, code, since, until
      FROM approvals
      WHERE waits AND until > ${Date.now()} ORDER BY since`
  }

  /**
   * Counts that an address is compared with that of a preview; false where it is not listed, or
   * that was done too often.
   */
  countComparison(flow: string, code: string) {
    const rowsWritten = this.#sql.written`
      UPDATE approvals SET comparisons = comparisons + 1
      WHERE waits AND flow = ${flow} AND code = ${code} AND comparisons < ${MOST_COMPARISONS}`
    return rowsWritten > 0
  }

  /** Publishes what a person decided, and counts a decline; a repeat changes nothing. */
  async decided(one: WaitingApproval, decision: 'approved' | 'declined') {
    const now = Date.now()
    const { flow, code, caller } = one
    if (decision === 'declined')
      this.#sql`
        INSERT OR IGNORE INTO declines (flow, code, caller, at)
        VALUES (${flow}, ${code}, ${caller}, ${now})`
    await this.#publish(one, now, decision)
  }

  /** For how many seconds a caller has to wait after declines in quick succession. */
  #declinedFor(caller: string, now: number): number {
    const last = this.#sql<{ at: number }>`
      SELECT at FROM declines
      WHERE caller = ${caller} ORDER BY at DESC LIMIT ${MOST_DECLINES}`
    const [newest, oldest] = [last[0], last[MOST_DECLINES - 1]]
    if (!newest || !oldest || newest.at - oldest.at >= HOUR) return 0
    return Math.max(0, Math.ceil((newest.at + HOUR - now) / SECOND))
  }

  /** How many previews of a caller were declined lately. */
  declined(caller: string): number {
    return this.#sql<{ count: number }>`
      SELECT COUNT(*) AS count FROM declines
      WHERE caller = ${caller} AND at > ${Date.now() - DECLINES_KEPT}`[0]!.count
  }

  /** Drops those whose flow is forgotten, and old declines. */
  drop(now: number) {
    this.#sql`DELETE FROM approvals WHERE until <= ${now - KEEP_ENDED}`
    this.#sql`DELETE FROM declines WHERE at <= ${now - DECLINES_KEPT}`
  }

  get hasRows(): boolean {
    return this.#sql.exists`approvals` || this.#sql.exists`declines`
  }
}
