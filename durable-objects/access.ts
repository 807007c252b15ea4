import { DurableObject } from 'cloudflare:workers'
import { DAY, MINUTE, SECOND } from '../src/domain/duration.ts'
import type { Env } from '../src/env.ts'
import {
  type AnsweredChallenge,
  type ApiKey,
  type Guess,
  type NewApiKey,
  type Passkey,
  type Quota,
  REFRESH_TOKEN_LIFETIME,
  type TicketKind,
  type TokenUse,
} from '../src/ports/access.ts'

/** How long a revoked or expired key stays on the list. */
const KEEP_ENDED_KEYS = 400 * DAY
/** Longer than an app stays connected without being used. */
const KEEP_USES = 2 * REFRESH_TOKEN_LIFETIME
/** Longer than a refresh token is good when it is not used: after that it is refused as expired. */
const KEEP_USED_TOKENS = REFRESH_TOKEN_LIFETIME + DAY
const MOST_USED_TOKENS = 1000
const MOST_TICKETS = 500

const FREE_FAILURES = 3
const FIRST_WAIT = 5 * SECOND
const LONGEST_WAIT = 15 * MINUTE
/** How many networks are counted at a time, of each kind, and how many make room for the next. */
const MOST_NETWORKS = 1000
const MAKE_ROOM = 100

/** Tables whose rows end at `until`. */
const ENDING = ['used_challenges', 'tickets', 'attempts', 'used_tokens', 'ended_grants']
const TABLES = [
  'keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, scopes TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER, last_used_on TEXT, revoked_at INTEGER)',
  'secrets (hash TEXT PRIMARY KEY, key_id TEXT NOT NULL, until INTEGER) WITHOUT ROWID',
  'passkeys (id TEXT PRIMARY KEY, public_key TEXT NOT NULL, counter INTEGER NOT NULL, transports TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_on TEXT)',
  'enrolments (hash TEXT PRIMARY KEY) WITHOUT ROWID',
  'used_challenges (nonce TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID',
  'tickets (kind TEXT, hash TEXT, content TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (kind, hash)) WITHOUT ROWID',
  'attempts (kind TEXT, network TEXT, times INTEGER NOT NULL, wait_until INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (kind, network)) WITHOUT ROWID',
  'used_tokens (grant_id TEXT, hash TEXT, until INTEGER NOT NULL, PRIMARY KEY (grant_id, hash)) WITHOUT ROWID',
  'ended_grants (grant_id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID',
  'app_uses (grant_id TEXT PRIMARY KEY, day TEXT NOT NULL) WITHOUT ROWID',
]

type KeyRow = Record<string, SqlStorageValue> & Omit<ApiKey, 'scopes'> & { scopes: string }
type PasskeyRow = Record<string, SqlStorageValue> & {
  id: string
  public_key: string
  counter: number
  transports: string
  created_at: number
  last_used_on: string | null
}
type Attempt = { times: number; waitUntil: number; until: number }

/**
 * Who may use the connector: the `Access` of src/ports/access.ts, in one object. It holds public keys and hashes, never a
 * secret, and no network address in clear. What strangers can cause to be written is bounded: attempts, by their number.
 * The file is long because it is one object: the methods share its tables, and each is a query or two.
 */
export class Access extends DurableObject<Env> {
  readonly #sql: SqlStorage
  readonly #networks = new Map<Quota | Guess, number>()
  #alarmIsSet = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    for (const table of TABLES) this.#sql.exec(`CREATE TABLE IF NOT EXISTS ${table}`)
  }

  createKey({ id, name, scopes, expires_at, created_at }: NewApiKey, hash: string): void {
    this.ctx.storage.transactionSync(() => {
      this.#dropEndedKeys()
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

  findKey(hash: string): ApiKey | undefined {
    const now = Date.now()
    const [row] = this.#sql
      .exec<KeyRow>(
        `SELECT keys.* FROM keys JOIN secrets ON key_id = id WHERE hash = ?1 AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > ?2) AND (until IS NULL OR until > ?2)`,
        hash,
        now,
      )
      .toArray()
    if (!row) return undefined
    const today = day(now)
    if (row.last_used_on !== today)
      this.#sql.exec('UPDATE keys SET last_used_on = ? WHERE id = ?', today, row.id)
    return keyOf(row)
  }

  listKeys(): ApiKey[] {
    return this.#sql.exec<KeyRow>('SELECT * FROM keys ORDER BY created_at DESC, id').toArray().map(keyOf)
  }

  hasKeys(): boolean {
    return this.#has('keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)', Date.now())
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

  hasPasskeys(): boolean {
    return this.#has('passkeys')
  }

  passkeys(): Passkey[] {
    return this.#sql
      .exec<PasskeyRow>('SELECT * FROM passkeys ORDER BY created_at, id')
      .toArray()
      .map(passkeyOf)
  }

  enrol(key: Passkey, challenge: AnsweredChallenge, enrolmentHash: string | undefined): boolean {
    return this.ctx.storage.transactionSync(() => {
      if (enrolmentHash !== undefined && this.isEnrolmentUsed(enrolmentHash)) return false
      if (!this.#takeChallenge(challenge)) return false
      if (enrolmentHash !== undefined) {
        // Only the link that is set can be used, and it ends by itself: of earlier ones nothing need be known.
        this.#sql.exec('DELETE FROM enrolments')
        this.#sql.exec('INSERT INTO enrolments VALUES (?)', enrolmentHash)
      }
      this.#sql.exec(
        'INSERT OR REPLACE INTO passkeys VALUES (?, ?, ?, ?, ?, NULL)',
        key.id,
        key.publicKey,
        key.counter,
        key.transports.join(' '),
        key.createdAt,
      )
      return true
    })
  }

  isEnrolmentUsed(hash: string): boolean {
    return this.#has('enrolments WHERE hash = ?', hash)
  }

  recordSignIn(id: string, counter: number, challenge: AnsweredChallenge): boolean {
    return this.ctx.storage.transactionSync(() => {
      // It may have been removed since it was read.
      if (!this.#has('passkeys WHERE id = ?', id) || !this.#takeChallenge(challenge)) return false
      const today = day(Date.now())
      this.#sql.exec('UPDATE passkeys SET counter = ?, last_used_on = ? WHERE id = ?', counter, today, id)
      return true
    })
  }

  removePasskey(id: string): boolean {
    return this.ctx.storage.transactionSync(() => {
      if (this.passkeys().length < 2) return false
      this.#sql.exec('DELETE FROM passkeys WHERE id = ?', id)
      this.#sql.exec('DELETE FROM tickets')
      return true
    })
  }

  /** Where there are too many tickets of a kind, those that end first go. */
  issueTicket(kind: TicketKind, hash: string, content: string, lifetimeMs: number): void {
    const until = Date.now() + lifetimeMs
    this.#sql.exec('INSERT OR REPLACE INTO tickets VALUES (?, ?, ?, ?)', kind, hash, content, until)
    this.#sql.exec(
      'DELETE FROM tickets WHERE kind = ?1 AND hash NOT IN (SELECT hash FROM tickets WHERE kind = ?1 ORDER BY until DESC LIMIT ?2)',
      kind,
      MOST_TICKETS,
    )
    this.#wakeInADay()
  }

  readTicket(kind: TicketKind, hash: string): string | undefined {
    return this.#sql
      .exec<{ content: string }>(
        'SELECT content FROM tickets WHERE kind = ? AND hash = ? AND until > ?',
        kind,
        hash,
        Date.now(),
      )
      .toArray()[0]?.content
  }

  takeTicket(kind: TicketKind, hash: string): string | undefined {
    const content = this.readTicket(kind, hash)
    this.#sql.exec('DELETE FROM tickets WHERE kind = ? AND hash = ?', kind, hash)
    return content
  }

  async countCall(quota: Quota, network: string, most: number, windowMs: number): Promise<number> {
    const name = await this.#nameOf(network)
    const now = Date.now()
    const known = this.#attempt(quota, name, now)
    const { times, until } = known ?? { times: 0, until: now + windowMs }
    if (times >= most) return seconds(until - now)
    this.#keepAttempt(quota, name, { times: times + 1, waitUntil: 0, until }, known === undefined)
    return 0
  }

  /** The first few failures are free, then each doubles the wait. */
  async countFailure(guess: Guess, network: string): Promise<number> {
    const name = await this.#nameOf(network)
    const now = Date.now()
    const known = this.#attempt(guess, name, now)
    if (known && known.waitUntil > now) return seconds(known.waitUntil - now)
    const times = (known?.times ?? 0) + 1
    const over = times - FREE_FAILURES
    const wait = over < 0 ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(over, 20))
    this.#keepAttempt(guess, name, { times, waitUntil: now + wait, until: now + DAY }, known === undefined)
    return 0
  }

  takeToken(grantId: string, hash: string): TokenUse {
    return this.ctx.storage.transactionSync(() => {
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
      this.#wakeInADay()
      return 'taken'
    })
  }

  returnToken(grantId: string, hash: string): void {
    this.#sql.exec('DELETE FROM used_tokens WHERE grant_id = ? AND hash = ?', grantId, hash)
  }

  checkToken(grantId: string, hash: string): TokenUse {
    if (this.hasEnded(grantId)) return 'ended'
    if (!this.#has('used_tokens WHERE grant_id = ? AND hash = ?', grantId, hash)) return 'unused'
    this.endGrant(grantId)
    return 'reused'
  }

  endGrant(grantId: string): void {
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM used_tokens WHERE grant_id = ?', grantId)
      const until = Date.now() + KEEP_USED_TOKENS
      this.#sql.exec('INSERT OR REPLACE INTO ended_grants VALUES (?, ?)', grantId, until)
    })
    this.#wakeInADay()
  }

  hasEnded(grantId: string): boolean {
    return this.#has('ended_grants WHERE grant_id = ?', grantId)
  }

  recordAppUse(grantId: string): void {
    this.#sql.exec('INSERT OR REPLACE INTO app_uses VALUES (?, ?)', grantId, day(Date.now()))
    this.#wakeInADay()
  }

  appUses(): Record<string, string> {
    const rows = this.#sql.exec<{ grant_id: string; day: string }>('SELECT * FROM app_uses').toArray()
    return Object.fromEntries(rows.map((row) => [row.grant_id, row.day]))
  }

  /** Drops what has ended. It is bounded, so a day late is soon enough: whoever reads it looks at `until`. */
  override async alarm(): Promise<void> {
    // If this fails too often the platform gives up: then the next write sets the alarm again.
    this.#alarmIsSet = false
    const now = Date.now()
    for (const table of ENDING) this.#sql.exec(`DELETE FROM ${table} WHERE until <= ?`, now)
    this.#sql.exec('DELETE FROM app_uses WHERE day < ?', day(now - KEEP_USES))
    this.#networks.clear()
    if (![...ENDING, 'app_uses'].some((table) => this.#has(table))) return
    this.#alarmIsSet = true
    await this.ctx.storage.setAlarm(now + DAY)
  }

  #wakeInADay(): void {
    if (this.#alarmIsSet) return
    this.#alarmIsSet = true
    this.ctx.waitUntil(this.#setAlarm())
  }

  async #setAlarm(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + DAY)
  }

  /** Only the owner's acts make keys, so the next one drops those that ended long ago. */
  #dropEndedKeys(): void {
    const now = Date.now()
    this.#sql.exec(
      'DELETE FROM keys WHERE min(ifnull(revoked_at, ?1), ifnull(expires_at, ?1)) < ?1 - ?2',
      now,
      KEEP_ENDED_KEYS,
    )
    this.#sql.exec('DELETE FROM secrets WHERE until <= ? OR key_id NOT IN (SELECT id FROM keys)', now)
  }

  #takeChallenge({ nonce, endsAt }: AnsweredChallenge): boolean {
    if (endsAt <= Date.now() || this.#has('used_challenges WHERE nonce = ?', nonce)) return false
    this.#sql.exec('INSERT INTO used_challenges VALUES (?, ?)', nonce, endsAt)
    this.#wakeInADay()
    return true
  }

  #attempt(kind: Quota | Guess, name: string, now: number): Attempt | undefined {
    return this.#sql
      .exec<Attempt>(
        'SELECT times, wait_until AS waitUntil, until FROM attempts WHERE kind = ? AND network = ? AND until > ?',
        kind,
        name,
        now,
      )
      .toArray()[0]
  }

  /** Where too many networks are counted, those that would be forgotten first are forgotten now. */
  #keepAttempt(
    kind: Quota | Guess,
    name: string,
    { times, waitUntil, until }: Attempt,
    isNew: boolean,
  ): void {
    if (isNew) {
      const counted = this.#networks.get(kind) ?? this.#count('attempts WHERE kind = ?', kind)
      const isFull = counted >= MOST_NETWORKS
      if (isFull)
        this.#sql.exec(
          'DELETE FROM attempts WHERE kind = ?1 AND network IN (SELECT network FROM attempts WHERE kind = ?1 ORDER BY until LIMIT ?2)',
          kind,
          MAKE_ROOM,
        )
      this.#networks.set(kind, counted + 1 - (isFull ? MAKE_ROOM : 0))
    }
    this.#sql.exec(
      'INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?)',
      kind,
      name,
      times,
      waitUntil,
      until,
    )
    this.#wakeInADay()
  }

  /** A network under a key that only this object has, so that the table shows nobody's address. */
  async #nameOf(network: string): Promise<string> {
    let salt = this.ctx.storage.kv.get<Uint8Array>('salt')
    if (!salt) {
      salt = crypto.getRandomValues(new Uint8Array(32))
      this.ctx.storage.kv.put('salt', salt)
    }
    const key = await crypto.subtle.importKey('raw', salt, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(network))
    return btoa(String.fromCharCode(...new Uint8Array(mac.slice(0, 16))))
  }

  #has(rows: string, ...values: SqlStorageValue[]): boolean {
    return this.#sql.exec(`SELECT 1 FROM ${rows} LIMIT 1`, ...values).toArray().length > 0
  }

  #count(rows: string, ...values: SqlStorageValue[]): number {
    return this.#sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${rows}`, ...values).one().n
  }
}

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / SECOND)

const day = (now: number): string => new Date(now).toISOString().slice(0, 10)

const keyOf = ({ scopes, ...row }: KeyRow): ApiKey => ({ ...row, scopes: scopes.split(' ') })

const passkeyOf = (row: PasskeyRow): Passkey => ({
  id: row.id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: row.transports.split(' ').filter(Boolean),
  createdAt: row.created_at,
  lastUsedOn: row.last_used_on,
})
