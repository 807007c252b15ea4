import { RpcTarget } from 'cloudflare:workers'

import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import {
  type Access,
  type LetIn,
  REFRESH_TOKEN_LIFETIME,
  REPEAT_WINDOW,
  type UnreviewedAccess,
} from '../../src/core/ports/access.ts'
import type { Served } from '../../src/practice/adapters/cloudflare/stub.ts'
import { type Sql, part, raw } from '../shared/sql.ts'

/** Longer than a refresh token is good when it is not used: after that it is refused as expired. */
const KEEP_UNUSED = REFRESH_TOKEN_LIFETIME + DAY
/** Longer than an authorization code is good. */
const TO_REDEEM = 10 * MINUTE
const MOST_USED_TOKENS = 1000

/** What the sections need of the object that holds them. */
export interface AccessHost {
  /** Sees to it that what ends is dropped. */
  wake: () => void
  /** The day of a moment in epoch ms, `2026-11-24`, in the zone of the practice. */
  dayOf: (ms: number) => string
}

interface AppRow {
  grant_id: string
  client_id: string
  name: string
  caller: string
  scopes: string
  since: number
  in_trial: number
  day: string | null
}

/** Takes the codes and refresh tokens of connected apps once, ends grants, and notes when an app was used. */
export class Grants extends RpcTarget implements Served<Access['grants']> {
  readonly #sql: Sql
  readonly #storage: DurableObjectStorage
  readonly #wake: () => void
  readonly #dayOf: AccessHost['dayOf']

  constructor(sql: Sql, storage: DurableObjectStorage, { wake, dayOf }: AccessHost) {
    super()
    this.#sql = sql
    this.#storage = storage
    this.#wake = wake
    this.#dayOf = dayOf
    sql`
      CREATE TABLE IF NOT EXISTS used_tokens (grant_id TEXT, hash TEXT, until INTEGER NOT NULL,
        PRIMARY KEY (grant_id, hash)) WITHOUT ROWID`
    sql`
      CREATE TABLE IF NOT EXISTS ended_grants (grant_id TEXT PRIMARY KEY,
        until INTEGER NOT NULL) WITHOUT ROWID`
    sql`
      CREATE TABLE IF NOT EXISTS apps (grant_id TEXT PRIMARY KEY, client_id TEXT NOT NULL,
        name TEXT NOT NULL, caller TEXT NOT NULL, scopes TEXT NOT NULL, since INTEGER NOT NULL,
        in_trial INTEGER NOT NULL) WITHOUT ROWID`
    sql`
      CREATE TABLE IF NOT EXISTS app_uses (grant_id TEXT PRIMARY KEY,
        day TEXT NOT NULL) WITHOUT ROWID`
  }

  takeToken(grantId: string, hash: string, successors: readonly string[] = []) {
    return this.#storage.transactionSync(() => {
      if (this.#isRepeat(grantId, hash, successors)) return 'repeated'
      const use = this.checkToken(grantId, hash)
      if (use !== 'unused') return use
      const until = Date.now() + KEEP_UNUSED
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

  /**
   * Of a token that nothing can follow, a code, no use is a repeat. A grant that ended has no used
   * tokens.
   */
  #isRepeat(grantId: string, hash: string, successors: readonly string[]) {
    if (successors.length === 0) return false
    // Stored is when a use is forgotten.
    const since = Date.now() - REPEAT_WINDOW + KEEP_UNUSED
    const wasJustUsed = this.#sql.exists`
      used_tokens WHERE grant_id = ${grantId} AND hash = ${hash} AND until >= ${since}`
    return wasJustUsed && !successors.some((next) => this.#wasUsed(grantId, next))
  }

  #wasUsed(grantId: string, hash: string) {
    return this.#sql.exists`used_tokens WHERE grant_id = ${grantId} AND hash = ${hash}`
  }

  returnToken(grantId: string, hash: string) {
    this.#sql`DELETE FROM used_tokens WHERE grant_id = ${grantId} AND hash = ${hash}`
  }

  checkToken(grantId: string, hash: string) {
    if (this.hasEnded(grantId)) return 'ended'
    if (!this.#wasUsed(grantId, hash)) return 'unused'
    this.endGrant(grantId)
    return 'reused'
  }

  endGrant(grantId: string) {
    const [app] = this.#sql<{ caller: string }>`SELECT caller FROM apps WHERE grant_id = ${grantId}`
    this.#storage.transactionSync(() => {
      for (const table of ['used_tokens', 'apps'])
        this.#sql`DELETE FROM ${raw(table)} WHERE grant_id = ${grantId}`
      const until = Date.now() + KEEP_UNUSED
      this.#sql`
        INSERT OR REPLACE INTO ended_grants (grant_id, until)
        VALUES (${grantId}, ${until})`
    })
    this.#wake()
    return app?.caller
  }

  hasEnded(grantId: string) {
    return this.#sql.exists`ended_grants WHERE grant_id = ${grantId}`
  }

  noteApp({ grantId, clientId, name, inTrial, caller, scopes }: LetIn) {
    this.#sql`
      INSERT OR REPLACE INTO apps (grant_id, client_id, name, caller, scopes, since, in_trial)
      VALUES (${grantId}, ${clientId}, ${name}, ${caller}, ${scopes.join(' ')}, ${Date.now()},
        ${Number(inTrial)})`
    this.#wake()
  }

  /** Drops which apps stand: a restore brings back no grant of theirs. */
  forgetApps() {
    this.#sql`DELETE FROM apps`
  }

  /** The connections that are good, the oldest first: each was used lately, or was let in just now. */
  #standing(): AppRow[] {
    const now = Date.now()
    const tookTokens = part`EXISTS (SELECT 1 FROM used_tokens
      WHERE used_tokens.grant_id = apps.grant_id AND until > ${now + DAY})`
    return this.#sql<AppRow>`
      SELECT apps.*, day FROM apps LEFT JOIN app_uses USING (grant_id)
      WHERE since > ${now - TO_REDEEM} OR day > ${this.#dayOf(now - REFRESH_TOKEN_LIFETIME)}
      OR ${tookTokens}
      ORDER BY since, grant_id`
  }

  connectionsOf(caller: string) {
    return this.#standing()
      .filter((row) => row.caller === caller)
      .map(({ grant_id: grantId, client_id: clientId, name, scopes, since, day: lastUsedOn }) => ({
        grantId,
        clientId,
        name,
        scopes: scopes.split(' '),
        since,
        madeOn: this.#dayOf(since),
        lastUsedOn,
      }))
  }

  /** What the connections of an app let it do together; undefined where all of them have ended. */
  standingOf(caller: string) {
    const all = this.connectionsOf(caller)
    return all.length === 0
      ? undefined
      : { scopes: [...new Set(all.flatMap(({ scopes }) => scopes))] }
  }

  /** The apps that were let in while every provider was a mock, and stand. */
  unreviewed(): UnreviewedAccess[] {
    return this.#standing()
      .filter((row) => row.in_trial)
      .map(({ grant_id: id, name, since }) => ({ kind: 'app', id, name, since }))
  }

  recordReview() {
    this.#sql`UPDATE apps SET in_trial = 0`
  }

  recordUse(name: string) {
    this.#sql`
      INSERT OR REPLACE INTO app_uses (grant_id, day)
      VALUES (${name}, ${this.#dayOf(Date.now())})`
    this.#wake()
  }

  uses() {
    const rows = this.#sql<{ grant_id: string; day: string }>`SELECT * FROM app_uses`
    return Object.fromEntries(rows.map((row) => [row.grant_id, row.day]))
  }

  /** Drops what was not used for longer than it could be good. */
  dropUnused(now: number) {
    this.#sql`DELETE FROM app_uses WHERE day < ${this.#dayOf(now - KEEP_UNUSED)}`
    this.#sql`
      DELETE FROM apps WHERE since < ${now - KEEP_UNUSED}
      AND grant_id NOT IN (SELECT grant_id FROM app_uses)
      AND grant_id NOT IN (SELECT grant_id FROM used_tokens)`
  }
}
