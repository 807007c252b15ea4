import { shownName } from '../src/core/domain/name.ts'
import { DAY, utcDay } from '../src/core/domain/time/duration.ts'
import type { ApiKey, NewApiKey, UnreviewedAccess } from '../src/core/ports/access.ts'
import type { Env } from '../src/practice/env.ts'
import { Attempts } from './access/attempts.ts'
import { Grants } from './access/grants.ts'
import { OwnerSignIn } from './access/owner.ts'
import { CopiedObject } from './shared/copied-object.ts'
import { hasRow } from './shared/has-row.ts'

/** How long a revoked or expired key stays on the list. */
const KEEP_ENDED = 400 * DAY

const TABLES = [
  'keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, scopes TEXT NOT NULL, created_by TEXT NOT NULL, in_trial INTEGER NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER, last_used_on TEXT, revoked_at INTEGER)',
  'secrets (hash TEXT PRIMARY KEY, key_id TEXT NOT NULL, until INTEGER) WITHOUT ROWID',
]

type KeyRow = Record<string, SqlStorageValue> &
  Omit<ApiKey, 'scopes'> & { scopes: string; in_trial: number }

/** Tables whose rows end at `until`. */
const ENDING = [
  'used_challenges',
  'tickets',
  'invitations',
  'attempts',
  'used_tokens',
  'ended_grants',
]

/**
 * Who may use the connector: the `Access` of src/core/ports/access.ts, in one object. It holds public keys and hashes, never a
 * secret, and no network address in clear. The API keys are here; each other concern is a section with its own tables.
 */
export class Access extends CopiedObject {
  readonly #sql: SqlStorage
  readonly #owner: OwnerSignIn
  readonly #attempts: Attempts
  readonly #grants: Grants
  #alarmIsSet = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    for (const table of TABLES) this.#sql.exec(`CREATE TABLE IF NOT EXISTS ${table}`)
    const wake = () => this.#wakeInADay()
    this.#owner = new OwnerSignIn(ctx.storage, wake)
    this.#attempts = new Attempts(ctx.storage, wake)
    this.#grants = new Grants(ctx.storage, wake)
  }

  get owner(): OwnerSignIn {
    return this.#owner
  }

  get attempts(): Attempts {
    return this.#attempts
  }

  get grants(): Grants {
    return this.#grants
  }

  createKey(
    { id, name, scopes, created_by, inTrial, expires_at, created_at }: NewApiKey,
    hash: string,
  ): void {
    this.ctx.storage.transactionSync(() => {
      this.#dropEndedKeys()
      this.#sql.exec(
        'INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL)',
        id,
        name,
        scopes.join(' '),
        created_by,
        Number(inTrial),
        created_at,
        expires_at,
      )
      this.#sql.exec('INSERT INTO secrets VALUES (?, ?, NULL)', hash, id)
    })
  }

  findKey(hash: string): ApiKey | undefined {
    const now = Date.now()
    const [row] = this.#sql
      .exec<KeyRow & { ends: number | null }>(
        `SELECT keys.*, min(ifnull(expires_at, until), ifnull(until, expires_at)) AS ends FROM keys JOIN secrets ON key_id = id WHERE hash = ?1 AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > ?2) AND (until IS NULL OR until > ?2)`,
        hash,
        now,
      )
      .toArray()
    if (!row) return undefined
    const today = utcDay(now)
    if (row.last_used_on !== today)
      this.#sql.exec('UPDATE keys SET last_used_on = ? WHERE id = ?', today, row.id)
    const { ends, ...key } = row
    return keyOf({ ...key, expires_at: ends })
  }

  listKeys(): ApiKey[] {
    return this.#sql
      .exec<KeyRow>('SELECT * FROM keys ORDER BY created_at DESC, id')
      .toArray()
      .map(keyOf)
  }

  /** The keys and apps that were let in while every provider was a mock, and are good now. */
  unreviewed(): UnreviewedAccess[] {
    const rows = this.#sql.exec<{ id: string; name: string; since: number }>(
      'SELECT id, name, created_at AS since FROM keys WHERE in_trial AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
      Date.now(),
    )
    const keys = Array.from(rows, (row) => ({
      kind: 'key' as const,
      ...row,
      name: shownName(row.name) || 'without a name',
    }))
    return [...keys, ...this.#grants.unreviewed()]
  }

  recordReview(): void {
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec('UPDATE keys SET in_trial = 0')
      this.#grants.recordReview()
    })
  }

  hasKeys(): boolean {
    return hasRow(
      this.#sql,
      'keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
      Date.now(),
    )
  }

  revokeKey(id: string): boolean {
    const { rowsWritten } = this.#sql.exec(
      'UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
      Date.now(),
      id,
    )
    return rowsWritten > 0
  }

  rotateKey(id: string, hash: string, overlapMs: number): ApiKey | undefined {
    const now = Date.now()
    const [row] = this.#sql
      .exec<KeyRow>('SELECT * FROM keys WHERE id = ? AND revoked_at IS NULL', id)
      .toArray()
    if (!row) return undefined
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM secrets WHERE key_id = ? AND until <= ?', id, now)
      this.#sql.exec(
        'UPDATE secrets SET until = ?1 WHERE key_id = ?2 AND (until IS NULL OR until > ?1)',
        now + overlapMs,
        id,
      )
      this.#sql.exec('INSERT INTO secrets VALUES (?, ?, NULL)', hash, id)
    })
    return keyOf(row)
  }

  /** Only the owner's acts make keys, so the next one drops those that ended long ago. */
  #dropEndedKeys(): void {
    const now = Date.now()
    this.#sql.exec(
      'DELETE FROM keys WHERE min(ifnull(revoked_at, ?1), ifnull(expires_at, ?1)) < ?1 - ?2',
      now,
      KEEP_ENDED,
    )
    this.#sql.exec(
      'DELETE FROM secrets WHERE until <= ? OR key_id NOT IN (SELECT id FROM keys)',
      now,
    )
  }

  /** Drops what has ended. It is bounded, so a day late is soon enough: whoever reads it looks at `until`. */
  override async alarm(): Promise<void> {
    // If this fails too often the platform gives up: then the next write sets the alarm again.
    this.#alarmIsSet = false
    const now = Date.now()
    for (const table of ENDING) this.#sql.exec(`DELETE FROM ${table} WHERE until <= ?`, now)
    this.#grants.dropOldUses(now)
    this.#attempts.dropped()
    if (![...ENDING, 'app_uses'].some((table) => hasRow(this.#sql, table))) return
    this.#alarmIsSet = true
    await this.ctx.storage.setAlarm(now + DAY)
  }

  #wakeInADay(): void {
    if (this.#alarmIsSet) return
    this.#alarmIsSet = true
    this.ctx.waitUntil(this.#setAlarm())
  }

  async #setAlarm(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Date.now() + DAY)
  }
}

const keyOf = ({ scopes, in_trial: _inTrial, ...row }: KeyRow): ApiKey => ({
  ...row,
  scopes: scopes.split(' '),
})
