import { DAY } from '../src/domain/duration.ts'
import { REFRESH_TOKEN_LIFETIME, type TokenUse } from '../src/ports/access.ts'
import { utcDay } from '../src/domain/utc-day.ts'
import { hasRow } from './sql.ts'

/** Longer than an app stays connected without being used. */
const KEEP_USES = 2 * REFRESH_TOKEN_LIFETIME
/** Longer than a refresh token is good when it is not used: after that it is refused as expired. */
const KEEP_USED_TOKENS = REFRESH_TOKEN_LIFETIME + DAY
const MOST_USED_TOKENS = 1000

const TABLES = [
  'used_tokens (grant_id TEXT, hash TEXT, until INTEGER NOT NULL, PRIMARY KEY (grant_id, hash)) WITHOUT ROWID',
  'ended_grants (grant_id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID',
  'app_uses (grant_id TEXT PRIMARY KEY, day TEXT NOT NULL) WITHOUT ROWID',
]

/** Takes the codes and refresh tokens of connected apps once, ends grants, and notes when an app was used. */
export class Grants {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #wake: () => void

  /** `wake` sees to it that what ends is dropped. */
  constructor(storage: DurableObjectStorage, wake: () => void) {
    this.#storage = storage
    this.#sql = storage.sql
    this.#wake = wake
    for (const table of TABLES) this.#sql.exec(`CREATE TABLE IF NOT EXISTS ${table}`)
  }

  takeToken(grantId: string, hash: string): TokenUse {
    return this.#storage.transactionSync(() => {
      const use = this.checkToken(grantId, hash)
      if (use !== 'unused') return use
      const until = Date.now() + KEEP_USED_TOKENS
      this.#sql.exec('INSERT INTO used_tokens VALUES (?, ?, ?)', grantId, hash, until)
      // An app that refreshes without end must not fill this either; of its oldest tokens the reuse is only refused.
      this.#sql.exec(
        'DELETE FROM used_tokens WHERE grant_id = ?1 AND hash IN (SELECT hash FROM used_tokens WHERE grant_id = ?1 ORDER BY until DESC LIMIT -1 OFFSET ?2)',
        grantId,
        MOST_USED_TOKENS,
      )
      this.#wake()
      return 'taken'
    })
  }

  returnToken(grantId: string, hash: string): void {
    this.#sql.exec('DELETE FROM used_tokens WHERE grant_id = ? AND hash = ?', grantId, hash)
  }

  checkToken(grantId: string, hash: string): TokenUse {
    if (this.hasEnded(grantId)) return 'ended'
    if (!hasRow(this.#sql, 'used_tokens WHERE grant_id = ? AND hash = ?', grantId, hash)) return 'unused'
    this.endGrant(grantId)
    return 'reused'
  }

  endGrant(grantId: string): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM used_tokens WHERE grant_id = ?', grantId)
      const until = Date.now() + KEEP_USED_TOKENS
      this.#sql.exec('INSERT OR REPLACE INTO ended_grants VALUES (?, ?)', grantId, until)
    })
    this.#wake()
  }

  hasEnded(grantId: string): boolean {
    return hasRow(this.#sql, 'ended_grants WHERE grant_id = ?', grantId)
  }

  recordAppUse(grantId: string): void {
    this.#sql.exec('INSERT OR REPLACE INTO app_uses VALUES (?, ?)', grantId, utcDay(Date.now()))
    this.#wake()
  }

  appUses(): Record<string, string> {
    const rows = this.#sql.exec<{ grant_id: string; day: string }>('SELECT * FROM app_uses').toArray()
    return Object.fromEntries(rows.map((row) => [row.grant_id, row.day]))
  }

  dropOldUses(now: number): void {
    this.#sql.exec('DELETE FROM app_uses WHERE day < ?', utcDay(now - KEEP_USES))
  }
}
