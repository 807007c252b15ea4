import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../src/env.ts'
import type { Unresolved } from '../src/ports/index.ts'
import {
  type Health,
  type Heard,
  NOTHING_HEARD,
  type ProviderReason,
  type Untold,
  type Verdicts,
  withVerdicts,
} from '../src/domain/trouble.ts'

const SELF_CHECK = 'self_check'

const DAY = 24 * 60 * 60 * 1000
/** How many rows the alarm drops at once, and how soon it goes on. */
const DROPPED_AT_ONCE = 5000
const GO_ON = 1000

/** A target that another flow touched last; `seq` tells whether somebody took it in between. */
export interface Held {
  target: string
  holder: string
  seq: number
}

/**
 * Who is acting on which slot, booking or invoice: one row per target, never released. The row remembers who touched the
 * target last; that object itself says whether it still matters. Also lists the operations that need a person, and keeps
 * what the last look at the providers found.
 */
export class Desk extends DurableObject<Env> {
  readonly #sql: SqlStorage
  #alarmIsSet = false

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
    if (!this.#alarmIsSet) this.ctx.waitUntil(this.#wake())
    return []
  }

  /** Drops the rows that nobody touched for long: once a day, since it has to look at every row. */
  override async alarm(): Promise<void> {
    // If this fails too often the platform gives up: then whoever takes a target next sets the alarm again.
    this.#alarmIsSet = false
    const now = Date.now()
    const { rowsWritten } = this.#sql.exec(
      'DELETE FROM targets WHERE target IN (SELECT target FROM targets WHERE until < ? LIMIT ?)',
      now,
      DROPPED_AT_ONCE,
    )
    this.#alarmIsSet = this.#sql.exec('SELECT 1 FROM targets LIMIT 1').toArray().length > 0
    if (this.#alarmIsSet) await this.ctx.storage.setAlarm(now + (rowsWritten < DROPPED_AT_ONCE ? DAY : GO_ON))
  }

  async #wake(): Promise<void> {
    this.#alarmIsSet = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + DAY)
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

  /** What is known to be wrong with the providers. */
  standing(): Heard {
    return this.ctx.storage.kv.get<Heard>(SELF_CHECK) ?? NOTHING_HEARD
  }

  /** All that needs the owner: what is wrong with the providers, and how many operations need a person. */
  health(): Health {
    return { ...this.standing(), unresolved: this.unresolved().length }
  }

  /** Whether the last look is so long ago that it is time for another; if so, this is the one. */
  mayLook(now: number, leastMs: number): boolean {
    const heard = this.standing()
    if (now - heard.lookedAt < leastMs) return false
    this.ctx.storage.kv.put(SELF_CHECK, { ...heard, lookedAt: now })
    return true
  }

  /**
   * Keeps what a look found. Answers with the troubles there are now if the owner has not been told of just these, which
   * from then on counts as told, and with what the owner was told before.
   */
  found(verdicts: Verdicts, now: number): Untold | undefined {
    const heard = withVerdicts(this.standing(), verdicts, now)
    const told = heard.troubles.map(({ reason }) => reason)
    this.ctx.storage.kv.put(SELF_CHECK, { ...heard, told })
    if (told.join() === heard.told.join()) return undefined
    return { troubles: heard.troubles, before: heard.told }
  }

  /** The owner could not be told, and still knows only this: the next look tells. */
  notTold(before: ProviderReason[]): void {
    this.ctx.storage.kv.put(SELF_CHECK, { ...this.standing(), told: before })
  }
}
