import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../src/env.ts'
import type { ApiKey, NewApiKey } from '../src/ports/credentials.ts'

type Row = Record<string, SqlStorageValue> & {
  id: string
  name: string
  scopes: string
  created_at: number
  expires_at: number | null
  last_used_on: string | null
  revoked_at: number | null
}

const DAY = 24 * 60 * 60 * 1000
/** How long an ended key stays on the list. */
const TELL_OF_ENDED = 400 * DAY

const SHOWN = 'id, name, scopes, created_at, expires_at, last_used_on, revoked_at'

/** The API keys of the practice. It holds the SHA-256 of each key and never a key. */
export class Credentials extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, scopes TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER, last_used_on TEXT, revoked_at INTEGER)',
    )
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS secrets (hash TEXT PRIMARY KEY, key_id TEXT NOT NULL, until INTEGER) WITHOUT ROWID',
    )
  }

  /** Adds a key under the hash of its secret. */
  create({ id, name, scopes, expires_at, created_at }: NewApiKey, hash: string): void {
    this.ctx.storage.transactionSync(() => {
      this.#dropEnded(created_at)
      this.#sql.exec(
        'INSERT INTO keys VALUES (?, ?, ?, ?, ?, NULL, NULL)',
        id,
        name,
        scopes.join(' '),
        created_at,
        expires_at,
      )
      this.#sql.exec('INSERT INTO secrets VALUES (?, ?, NULL)', hash, id)
    })
  }

  /** The key with this secret, if it is good at this time; notes the day of its last use. */
  lookup(hash: string, now: number): ApiKey | undefined {
    const row = this.#sql
      .exec<Row>(
        `SELECT ${SHOWN} FROM keys JOIN secrets ON key_id = id WHERE hash = ?1 AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > ?2) AND (until IS NULL OR until > ?2)`,
        hash,
        now,
      )
      .toArray()[0]
    if (!row) return undefined
    const today = new Date(now).toISOString().slice(0, 10)
    if (row.last_used_on !== today)
      this.#sql.exec('UPDATE keys SET last_used_on = ? WHERE id = ?', today, row.id)
    return keyOf(row)
  }

  /** All keys, newest first, the revoked ones too. */
  list(): ApiKey[] {
    return this.#sql.exec<Row>(`SELECT ${SHOWN} FROM keys ORDER BY created_at DESC, id`).toArray().map(keyOf)
  }

  /** How many keys are neither revoked nor expired. */
  usable(now: number): number {
    return this.#sql
      .exec<{ n: number }>(
        'SELECT count(*) AS n FROM keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
        now,
      )
      .one().n
  }

  /** Ends a key at once; false if there is none. */
  revoke(id: string, now: number): boolean {
    const ended = this.#sql.exec(
      'UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING id',
      now,
      id,
    )
    return ended.toArray().length > 0
  }

  /** Gives a key another secret; the old ones stay good until then. The key keeps its id, and so its idempotency keys. */
  rotate(id: string, hash: string, until: number): ApiKey | undefined {
    const row = this.#sql
      .exec<Row>(`SELECT ${SHOWN} FROM keys WHERE id = ? AND revoked_at IS NULL`, id)
      .toArray()[0]
    if (!row) return undefined
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM secrets WHERE key_id = ? AND until <= ?', id, Date.now())
      this.#sql.exec(
        'UPDATE secrets SET until = ?1 WHERE key_id = ?2 AND (until IS NULL OR until > ?1)',
        until,
        id,
      )
      this.#sql.exec('INSERT INTO secrets VALUES (?, ?, NULL)', hash, id)
    })
    return keyOf(row)
  }

  /** Only the owner's acts make rows here, so the next one drops those that ended long ago. */
  #dropEnded(now: number): void {
    this.#sql.exec(
      'DELETE FROM keys WHERE min(ifnull(revoked_at, ?1), ifnull(expires_at, ?1)) < ?1 - ?2',
      now,
      TELL_OF_ENDED,
    )
    this.#sql.exec('DELETE FROM secrets WHERE until <= ? OR key_id NOT IN (SELECT id FROM keys)', now)
  }
}

const keyOf = ({ id, name, scopes, created_at, expires_at, last_used_on, revoked_at }: Row): ApiKey => ({
  id,
  name,
  scopes: scopes.split(' '),
  created_at,
  expires_at,
  last_used_on,
  revoked_at,
})
