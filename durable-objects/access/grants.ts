import { RpcTarget } from 'cloudflare:workers'

import { DAY, utcDay } from '../../src/core/domain/time/duration.ts'
import {
  type Access,
  type LetIn,
  REFRESH_TOKEN_LIFETIME,
  REPEAT_WINDOW,
  type Standing,
  type TokenUse,
  type UnreviewedAccess,
} from '../../src/core/ports/access.ts'
import type { Served } from '../../src/practice/adapters/cloudflare/stub.ts'
import { type Sql, raw, sqlOf } from '../shared/sql.ts'

/** Longer than an app stays connected without being used. */
const KEEP_USES = 2 * REFRESH_TOKEN_LIFETIME
/** Longer than a refresh token is good when it is not used: after that it is refused as expired. */
const KEEP_USED_TOKENS = REFRESH_TOKEN_LIFETIME + DAY
const MOST_USED_TOKENS = 1000

const TABLES = [
  'used_tokens (grant_id TEXT, hash TEXT, until INTEGER NOT NULL, ' +
    'PRIMARY KEY (grant_id, hash)) WITHOUT ROWID',
  'ended_grants (grant_id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID',
  'trial_apps (grant_id TEXT PRIMARY KEY, client_id TEXT NOT NULL, name TEXT NOT NULL, ' +
    'since INTEGER NOT NULL) WITHOUT ROWID',
  'apps (grant_id TEXT PRIMARY KEY, client_id TEXT NOT NULL, caller TEXT NOT NULL, ' +
    'scopes TEXT NOT NULL) WITHOUT ROWID',
  'app_uses (grant_id TEXT PRIMARY KEY, day TEXT NOT NULL) WITHOUT ROWID',
]

/** Takes the codes and refresh tokens of connected apps once, ends grants, and notes when an app was used. */
export class Grants extends RpcTarget implements Served<Access['grants']> {
  readonly #storage: DurableObjectStorage
  readonly #sql: Sql
  readonly #wake: () => void

  /** `wake` sees to it that what ends is dropped. */
  constructor(storage: DurableObjectStorage, wake: () => void) {
    super()
    this.#storage = storage
    this.#sql = sqlOf(storage.sql)
    this.#wake = wake
    for (const table of TABLES) this.#sql`CREATE TABLE IF NOT EXISTS ${raw(table)}`
  }

  takeToken(grantId: string, hash: string, successors: readonly string[] = []): TokenUse {
    return this.#storage.transactionSync(() => {
      if (this.#isRepeat(grantId, hash, successors)) return 'repeated'
      const use = this.checkToken(grantId, hash)
      if (use !== 'unused') return use
      const until = Date.now() + KEEP_USED_TOKENS
      this.#sql`
        INSERT INTO used_tokens (grant_id, hash, until)
        VALUES (${grantId}, ${hash}, ${until})`
      // An app that refreshes without end must not fill this either; of its oldest tokens the reuse
      // is only refused.
      this.#sql`
        DELETE FROM used_tokens
        WHERE grant_id = ${grantId}
        AND hash IN (SELECT hash FROM used_tokens WHERE grant_id = ${grantId}
          ORDER BY until DESC LIMIT -1 OFFSET ${MOST_USED_TOKENS})`
      this.#wake()
      return 'taken'
    })
  }

  /** Of a token that nothing can follow, a code, no use is a repeat. */
  #isRepeat(grantId: string, hash: string, successors: readonly string[]): boolean {
    if (successors.length === 0 || this.hasEnded(grantId)) return false
    // Stored is when a use is forgotten.
    const since = Date.now() - REPEAT_WINDOW + KEEP_USED_TOKENS
    const wasJustUsed = this.#sql.exists`
      used_tokens WHERE grant_id = ${grantId} AND hash = ${hash} AND until >= ${since}`
    return wasJustUsed && !successors.some((next) => this.#wasUsed(grantId, next))
  }

  #wasUsed(grantId: string, hash: string): boolean {
    return this.#sql.exists`used_tokens WHERE grant_id = ${grantId} AND hash = ${hash}`
  }

  returnToken(grantId: string, hash: string): void {
    this.#sql`DELETE FROM used_tokens WHERE grant_id = ${grantId} AND hash = ${hash}`
  }

  checkToken(grantId: string, hash: string): TokenUse {
    if (this.hasEnded(grantId)) return 'ended'
    if (!this.#wasUsed(grantId, hash)) return 'unused'
    this.endGrant(grantId)
    return 'reused'
  }

  endGrant(grantId: string): string | undefined {
    const [app] = this.#sql<{ caller: string }>`SELECT caller FROM apps WHERE grant_id = ${grantId}`
    this.#storage.transactionSync(() => {
      for (const table of ['used_tokens', 'trial_apps', 'apps'])
        this.#sql`DELETE FROM ${raw(table)} WHERE grant_id = ${grantId}`
      const until = Date.now() + KEEP_USED_TOKENS
      this.#sql`
        INSERT OR REPLACE INTO ended_grants (grant_id, until)
        VALUES (${grantId}, ${until})`
    })
    this.#wake()
    return app?.caller
  }

  hasEnded(grantId: string): boolean {
    return this.#sql.exists`ended_grants WHERE grant_id = ${grantId}`
  }

  noteApp({ grantId, clientId, name, inTrial, caller, scopes }: LetIn): void {
    for (const table of ['trial_apps', 'apps'])
      this.#sql`DELETE FROM ${raw(table)} WHERE client_id = ${clientId}`
    this.#sql`
      INSERT OR REPLACE INTO apps (grant_id, client_id, caller, scopes)
      VALUES (${grantId}, ${clientId}, ${caller}, ${scopes.join(' ')})`
    if (inTrial)
      this.#sql`
        INSERT INTO trial_apps (grant_id, client_id, name, since)
        VALUES (${grantId}, ${clientId}, ${name}, ${Date.now()})`
  }

  /** What the grants of an app let it do together; undefined where all of them have ended. */
  standingOf(caller: string): Standing | undefined {
    const rows = this.#sql<{ scopes: string }>`SELECT scopes FROM apps WHERE caller = ${caller}`
    if (rows.length === 0) return undefined
    return { scopes: [...new Set(rows.flatMap(({ scopes }) => scopes.split(' ')))] }
  }

  /**
   * The apps that were let in while every provider was a mock; one that was not used for too long
   * has ended by itself.
   */
  unreviewed(): UnreviewedAccess[] {
    const unused = Date.now() - KEEP_USED_TOKENS
    const rows = this.#sql<{ id: string; name: string; since: number }>`
      SELECT grant_id AS id, name, since FROM trial_apps
      WHERE since > ${unused} OR grant_id IN (SELECT grant_id FROM app_uses
        WHERE day >= ${utcDay(unused)})`
    return Array.from(rows, (row) => ({ kind: 'app', ...row }))
  }

  recordReview(): void {
    this.#sql`DELETE FROM trial_apps`
  }

  recordUse(name: string): void {
    this.#sql`
      INSERT OR REPLACE INTO app_uses (grant_id, day)
      VALUES (${name}, ${utcDay(Date.now())})`
    this.#wake()
  }

  uses(): Record<string, string> {
    const rows = this.#sql<{ grant_id: string; day: string }>`SELECT * FROM app_uses`
    return Object.fromEntries(rows.map((row) => [row.grant_id, row.day]))
  }

  dropOldUses(now: number): void {
    this.#sql`DELETE FROM app_uses WHERE day < ${utcDay(now - KEEP_USES)}`
  }
}
