import { RpcTarget } from 'cloudflare:workers'

import type { Access, HeldAccess } from '../../src/core/ports/access.ts'
import type { Stays } from '../../src/core/ports/backup.ts'
import type { Served } from '../../src/practice/adapters/cloudflare/stub.ts'
import { type Sql, raw, sqlOf } from '../shared/sql.ts'

const TABLE =
  'held (kind TEXT, id TEXT, stays INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID'

/**
 * Who could act before a restore: a backup brings back data, and no one's right to act. What the
 * owner has named stays, once they have confirmed by a new enrolment link; the rest is held until
 * the owner lets it in again.
 */
export class Held extends RpcTarget implements Served<Access['restored']> {
  readonly #storage: DurableObjectStorage
  readonly #sql: Sql

  constructor(storage: DurableObjectStorage) {
    super()
    this.#storage = storage
    this.#sql = sqlOf(storage.sql)
    this.#sql`CREATE TABLE IF NOT EXISTS ${raw(TABLE)}`
  }

  /** Holds everyone who is there, and the owner's first key, which is a setting. A repeat holds the same. */
  hold({ keys, passkeys }: Stays): void {
    this.#storage.transactionSync(() => {
      this.#sql`DELETE FROM held`
      this.#sql`
        INSERT INTO held (kind, id, stays)
        SELECT 'key', id, id IN (SELECT value FROM json_each(${JSON.stringify(keys)}))
        FROM keys WHERE revoked_at IS NULL`
      this.#sql`
        INSERT INTO held (kind, id, stays)
        SELECT 'passkey', id, id IN (SELECT value FROM json_each(${JSON.stringify(passkeys)}))
        FROM passkeys`
      this.#sql`INSERT INTO held (kind, id, stays) VALUES ('first_key', '', TRUE)`
    })
  }

  /** Whether the owner has still to confirm a restore. */
  isUnconfirmed(): boolean {
    return this.#sql.exists`held WHERE stays`
  }

  /** The owner has confirmed by a new enrolment link: what they named may act again. */
  confirm(): void {
    this.#sql`DELETE FROM held WHERE stays`
  }

  /** Those who are held until the owner lets them in again or removes them, keys first. */
  held(): HeldAccess[] {
    return this.#sql<HeldAccess>`
      SELECT held.kind, held.id, keys.name, scopes AS does, created_at AS since
      FROM held JOIN keys USING (id)
      WHERE held.kind = 'key' AND NOT stays AND revoked_at IS NULL
      UNION ALL
      SELECT held.kind, held.id, passkeys.name, role AS does, created_at AS since
      FROM held JOIN passkeys USING (id)
      WHERE held.kind = 'passkey' AND NOT stays
      ORDER BY 1, 5`
  }

  /** Lets one in again; false if it is not held. */
  release(kind: HeldAccess['kind'], id: string): boolean {
    return this.#sql.written`DELETE FROM held WHERE kind = ${kind} AND id = ${id} AND NOT stays` > 0
  }
}
