import { DurableObject } from 'cloudflare:workers'
import { DAY, SECOND } from '../src/domain/duration.ts'
import type { Env } from '../src/env.ts'
import type { Unresolved } from '../src/ports/index.ts'
import {
  type PracticeHealth,
  type ProviderHealth,
  NO_ISSUES,
  type ProviderReason,
  type PendingAlert,
  type Verdicts,
  withVerdicts,
} from '../src/domain/provider-health.ts'
import { hasRow } from './sql.ts'

const SELF_CHECK = 'self_check'

/** How long a lock remembers who took it last: longer than any record in doubt is of use. */
const KEEP_LOCKS = 60 * DAY
/** How many rows the alarm drops at once, and how soon it goes on. */
const DROPPED_AT_ONCE = 5000
const GO_ON = SECOND

/** A lock that another flow took last; `seq` shows whether somebody took it in between. */
export interface LockRow {
  lockKey: string
  holder: string
  seq: number
}

/**
 * Keeps two flows from acting on the same slot, booking or invoice: one row for each lock, never released. It remembers
 * which flow took the lock last, and that flow itself says whether it is still busy. Also lists the operations that need
 * a person, and keeps what the last check of the providers found.
 */
export class Coordinator extends DurableObject<Env> {
  readonly #sql: SqlStorage
  #alarmIsSet = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS locks (lock_key TEXT PRIMARY KEY, holder TEXT NOT NULL, seq INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
    )
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS unresolved (operation_id TEXT PRIMARY KEY, operation TEXT NOT NULL, since TEXT NOT NULL)',
    )
  }

  /**
   * Takes all locks or none, in one step. A lock of another holder is taken over only if its row is still as `seen`.
   * Returns the rows that prevent it.
   */
  acquire(holder: string, lockKeys: string[], seen: LockRow[]): LockRow[] {
    const rows = lockKeys.flatMap((lockKey) =>
      this.#sql
        .exec<Record<string, SqlStorageValue> & LockRow>(
          'SELECT lock_key AS lockKey, holder, seq FROM locks WHERE lock_key = ?',
          lockKey,
        )
        .toArray(),
    )
    const asSeen = (row: LockRow) =>
      seen.some(({ lockKey, seq }) => lockKey === row.lockKey && seq === row.seq)
    const held = rows.filter((row) => row.holder !== holder && !asSeen(row))
    if (held.length > 0) return held
    const until = Date.now() + KEEP_LOCKS
    for (const lockKey of lockKeys) {
      this.#sql.exec(
        'INSERT INTO locks VALUES (?1, ?2, 1, ?3) ON CONFLICT (lock_key) DO UPDATE SET holder = ?2, seq = seq + 1, until = ?3',
        lockKey,
        holder,
        until,
      )
    }
    if (!this.#alarmIsSet) this.ctx.waitUntil(this.#wake())
    return []
  }

  /** Drops the locks that nobody took for long: once a day, since it has to look at every row. */
  override async alarm(): Promise<void> {
    // If this fails too often the platform gives up: then whoever takes a lock next sets the alarm again.
    this.#alarmIsSet = false
    const now = Date.now()
    const { rowsWritten } = this.#sql.exec(
      'DELETE FROM locks WHERE lock_key IN (SELECT lock_key FROM locks WHERE until < ? LIMIT ?)',
      now,
      DROPPED_AT_ONCE,
    )
    this.#alarmIsSet = hasRow(this.#sql, 'locks')
    if (this.#alarmIsSet) await this.ctx.storage.setAlarm(now + (rowsWritten < DROPPED_AT_ONCE ? DAY : GO_ON))
  }

  async #wake(): Promise<void> {
    this.#alarmIsSet = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + DAY)
  }

  /** Puts an operation on the list of those that need a person; a repeat changes nothing. */
  addUnresolved({ operation_id, operation, since }: Unresolved): void {
    this.#sql.exec('INSERT OR IGNORE INTO unresolved VALUES (?, ?, ?)', operation_id, operation, since)
  }

  /** Takes an operation off that list. */
  clearUnresolved(operationId: string): void {
    this.#sql.exec('DELETE FROM unresolved WHERE operation_id = ?', operationId)
  }

  /** The operations that need a person, the oldest first. */
  unresolved(): Unresolved[] {
    return this.#sql
      .exec<Record<string, string> & Unresolved>('SELECT * FROM unresolved ORDER BY since')
      .toArray()
  }

  /** What is known to be wrong with the providers. */
  providerHealth(): ProviderHealth {
    return this.ctx.storage.kv.get<ProviderHealth>(SELF_CHECK) ?? NO_ISSUES
  }

  /** All that needs the owner: what is wrong with the providers, and how many operations need a person. */
  health(): PracticeHealth {
    return { ...this.providerHealth(), unresolved: this.unresolved().length }
  }

  /** Whether the last check is so long ago that it is time for another; if so, this is the one. */
  claimCheck(leastMs: number): boolean {
    const now = Date.now()
    const known = this.providerHealth()
    if (now - known.checkedAt < leastMs) return false
    this.ctx.storage.kv.put(SELF_CHECK, { ...known, checkedAt: now })
    return true
  }

  /**
   * Keeps what a check found. Answers with the issues there are now if the owner has not been alerted of just these,
   * which from then on counts as done, and with those that the last alert named.
   */
  recordVerdicts(verdicts: Verdicts): PendingAlert | undefined {
    const known = withVerdicts(this.providerHealth(), verdicts, Date.now())
    const reasons = known.issues.map(({ reason }) => reason)
    this.ctx.storage.kv.put(SELF_CHECK, { ...known, alertedReasons: reasons })
    if (reasons.join() === known.alertedReasons.join()) return undefined
    return { issues: known.issues, alertedBefore: known.alertedReasons }
  }

  /** The alert did not arrive, so the owner knows only of these: the next check alerts again. */
  alertFailed(before: ProviderReason[]): void {
    this.ctx.storage.kv.put(SELF_CHECK, { ...this.providerHealth(), alertedReasons: before })
  }
}
