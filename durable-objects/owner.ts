import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../src/env.ts'
import type { Attempt, Passkey, TicketKind } from '../src/ports/owner.ts'

const MOST_TICKETS = 500
const FREE_FAILURES = 3
const FIRST_WAIT = 5_000
const LONGEST_WAIT = 15 * 60_000
const DAY = 86_400_000
/** Longer than an app stays connected without being used. */
const KEEP_USES = 90 * DAY

const TABLES = [
  'passkeys (id TEXT PRIMARY KEY, public_key TEXT NOT NULL, counter INTEGER NOT NULL, transports TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_on TEXT)',
  'enrolments (hash TEXT PRIMARY KEY) WITHOUT ROWID',
  'tickets (kind TEXT, hash TEXT, about TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (kind, hash)) WITHOUT ROWID',
  'attempts (kind TEXT, address TEXT, n INTEGER NOT NULL, wait_until INTEGER NOT NULL, forget_at INTEGER NOT NULL, PRIMARY KEY (kind, address)) WITHOUT ROWID',
  'app_uses (grant_id TEXT PRIMARY KEY, day TEXT NOT NULL) WITHOUT ROWID',
]

type PasskeyRow = Record<string, SqlStorageValue> & {
  id: string
  public_key: string
  counter: number
  transports: string
  created_at: number
  last_used_on: string | null
}

/** The owner of the practice. It holds public keys and hashes of secrets, never a secret, and no address in clear. */
export class Owner extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    for (const table of TABLES) this.#sql.exec(`CREATE TABLE IF NOT EXISTS ${table}`)
  }

  /** All passkeys, oldest first. */
  passkeys(): Passkey[] {
    return this.#sql
      .exec<PasskeyRow>('SELECT * FROM passkeys ORDER BY created_at, id')
      .toArray()
      .map(passkeyOf)
  }

  /** Adds a passkey; false if the enrolment it came with was used before. */
  enrol(key: Passkey, enrolmentHash: string | undefined): boolean {
    return this.ctx.storage.transactionSync(() => {
      if (enrolmentHash !== undefined) {
        if (this.enrolmentUsed(enrolmentHash)) return false
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

  enrolmentUsed(hash: string): boolean {
    return this.#sql.exec('SELECT 1 FROM enrolments WHERE hash = ?', hash).toArray().length > 0
  }

  /** Keeps the counter and the day of a sign-in. */
  signedIn(id: string, counter: number, now: number): void {
    this.#sql.exec('UPDATE passkeys SET counter = ?, last_used_on = ? WHERE id = ?', counter, day(now), id)
  }

  /** Removes a passkey and ends all sessions; false for the last one, without which nobody could sign in. */
  removePasskey(id: string): boolean {
    return this.ctx.storage.transactionSync(() => {
      if (this.passkeys().length < 2) return false
      this.#sql.exec('DELETE FROM passkeys WHERE id = ?', id)
      this.#sql.exec("DELETE FROM tickets WHERE kind <> 'challenge'")
      return true
    })
  }

  /** Keeps a ticket for a while; where there are too many of a kind, the oldest go. */
  issue(kind: TicketKind, hash: string, about: string, until: number, now: number): void {
    this.#sql.exec('DELETE FROM tickets WHERE until <= ?', now)
    this.#sql.exec('INSERT OR REPLACE INTO tickets VALUES (?, ?, ?, ?)', kind, hash, about, until)
    this.#sql.exec(
      'DELETE FROM tickets WHERE kind = ?1 AND hash NOT IN (SELECT hash FROM tickets WHERE kind = ?1 ORDER BY until DESC LIMIT ?2)',
      kind,
      MOST_TICKETS,
    )
  }

  read(kind: TicketKind, hash: string, now: number): string | undefined {
    const row = this.#sql
      .exec<{ about: string }>(
        'SELECT about FROM tickets WHERE kind = ? AND hash = ? AND until > ?',
        kind,
        hash,
        now,
      )
      .toArray()[0]
    return row?.about
  }

  /** Reads and ends a ticket. */
  take(kind: TicketKind, hash: string, now: number): string | undefined {
    const about = this.read(kind, hash, now)
    this.#sql.exec('DELETE FROM tickets WHERE kind = ? AND hash = ?', kind, hash)
    return about
  }

  /** Counts an attempt; how long to wait, in milliseconds, if there were too many in this window. */
  async count(kind: Attempt, address: string, most: number, windowMs: number, now: number): Promise<number> {
    const name = await this.#nameOf(address)
    const { n, forgetAt } = this.#attempts(kind, name, now) ?? { n: 0, forgetAt: now + windowMs }
    if (n >= most) return forgetAt - now
    this.#keep(kind, name, n + 1, 0, forgetAt)
    return 0
  }

  /** How long to wait after failures, in milliseconds. */
  async waitFor(kind: Attempt, address: string, now: number): Promise<number> {
    const known = this.#attempts(kind, await this.#nameOf(address), now)
    return Math.max(0, (known?.waitUntil ?? 0) - now)
  }

  /** Notes a failure: the first few are free, then each doubles the wait. */
  async failed(kind: Attempt, address: string, now: number): Promise<void> {
    const name = await this.#nameOf(address)
    const n = (this.#attempts(kind, name, now)?.n ?? 0) + 1
    const over = n - FREE_FAILURES
    const wait = over < 0 ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(over, 20))
    this.#keep(kind, name, n, now + wait, now + DAY)
  }

  appUsed(grantId: string, now: number): void {
    this.#sql.exec('DELETE FROM app_uses WHERE day < ?', day(now - KEEP_USES))
    this.#sql.exec('INSERT OR REPLACE INTO app_uses VALUES (?, ?)', grantId, day(now))
  }

  appUses(): Record<string, string> {
    const rows = this.#sql.exec<{ grant_id: string; day: string }>('SELECT * FROM app_uses').toArray()
    return Object.fromEntries(rows.map((row) => [row.grant_id, row.day]))
  }

  #attempts(kind: Attempt, name: string, now: number) {
    return this.#sql
      .exec<{ n: number; waitUntil: number; forgetAt: number }>(
        'SELECT n, wait_until AS waitUntil, forget_at AS forgetAt FROM attempts WHERE kind = ? AND address = ? AND forget_at > ?',
        kind,
        name,
        now,
      )
      .toArray()[0]
  }

  #keep(kind: Attempt, name: string, n: number, waitUntil: number, forgetAt: number): void {
    this.#sql.exec('DELETE FROM attempts WHERE forget_at <= ?', forgetAt - DAY)
    this.#sql.exec(
      'INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?)',
      kind,
      name,
      n,
      waitUntil,
      forgetAt,
    )
  }

  /** An address under a key that only this object has, so that the table tells nobody's address. */
  async #nameOf(address: string): Promise<string> {
    let salt = this.ctx.storage.kv.get<Uint8Array>('salt')
    if (!salt) {
      salt = crypto.getRandomValues(new Uint8Array(32))
      this.ctx.storage.kv.put('salt', salt)
    }
    const key = await crypto.subtle.importKey('raw', salt, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(address))
    return btoa(String.fromCharCode(...new Uint8Array(mac.slice(0, 16))))
  }
}

const day = (now: number): string => new Date(now).toISOString().slice(0, 10)

const passkeyOf = (row: PasskeyRow): Passkey => ({
  id: row.id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: row.transports.split(' ').filter(Boolean),
  createdAt: row.created_at,
  lastUsedOn: row.last_used_on,
})
