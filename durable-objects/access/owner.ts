import { RpcTarget } from 'cloudflare:workers'

import { sha256Base64url } from '../../src/core/crypto/encoding.ts'
import { APPROVER } from '../../src/core/domain/audit/entry.ts'
import type {
  Access,
  AnsweredChallenge,
  Approver,
  HeldAccess,
  Invitation,
  Passkey,
  TicketKind,
} from '../../src/core/ports/access.ts'
import type { Stays } from '../../src/core/ports/backup.ts'
import type { Served } from '../../src/practice/adapters/cloudflare/stub.ts'
import { type Sql, among } from '../shared/sql.ts'
import type { AccessHost } from './grants.ts'

const MOST_TICKETS = 500
/** Invitations that are open at once. */
const MOST_INVITATIONS = 50

type PasskeyRow = Omit<Passkey, 'transports' | 'held'> & { transports: string; held: number }

/**
 * The passkeys of the owner and of those who approve, with what is used once to enrol and to sign
 * in; and the sessions, which are tickets.
 */
export class OwnerSignIn extends RpcTarget implements Served<Access['owner']> {
  readonly #sql: Sql
  readonly #storage: DurableObjectStorage
  readonly #wake: () => void
  readonly #dayOf: AccessHost['dayOf']
  readonly #restored: Held

  constructor(
    sql: Sql,
    storage: DurableObjectStorage,
    { wake, dayOf }: AccessHost,
    restored: Held,
  ) {
    super()
    this.#sql = sql
    this.#storage = storage
    this.#wake = wake
    this.#dayOf = dayOf
    this.#restored = restored
    sql`
      CREATE TABLE IF NOT EXISTS passkeys (id TEXT PRIMARY KEY, public_key TEXT NOT NULL,
        counter INTEGER NOT NULL, transports TEXT NOT NULL, created_at INTEGER NOT NULL,
        last_used_on TEXT, role TEXT NOT NULL, name TEXT)`
    sql`
      CREATE TABLE IF NOT EXISTS former_approvers (credential TEXT, name TEXT NOT NULL,
        since INTEGER NOT NULL, until INTEGER NOT NULL,
        PRIMARY KEY (credential, until)) WITHOUT ROWID`
    sql`CREATE TABLE IF NOT EXISTS enrolments (hash TEXT PRIMARY KEY) WITHOUT ROWID`
    sql`
      CREATE TABLE IF NOT EXISTS invitations (hash TEXT PRIMARY KEY, name TEXT NOT NULL,
        until INTEGER NOT NULL) WITHOUT ROWID`
    sql`
      CREATE TABLE IF NOT EXISTS used_challenges (nonce TEXT PRIMARY KEY,
        until INTEGER NOT NULL) WITHOUT ROWID`
    sql`
      CREATE TABLE IF NOT EXISTS tickets (kind TEXT, hash TEXT, content TEXT NOT NULL,
        until INTEGER NOT NULL, PRIMARY KEY (kind, hash)) WITHOUT ROWID`
  }

  hasPasskeys() {
    return this.#sql.exists`passkeys WHERE role = 'owner'`
  }

  passkeys() {
    const rows = this.#sql<PasskeyRow>`
      SELECT id, public_key AS publicKey, counter, transports, created_at AS createdAt,
        last_used_on AS lastUsedOn, role, name,
        EXISTS (SELECT 1 FROM held WHERE kind = 'passkey' AND held.id = passkeys.id) AS held
      FROM passkeys ORDER BY created_at, id`
    return rows.map(({ transports, held, ...key }) => ({
      ...key,
      transports: transports.split(' ').filter(Boolean),
      ...(held === 1 && { held: true as const }),
    }))
  }

  enrol(key: Passkey, challenge: AnsweredChallenge, enrolmentHash: string | undefined) {
    return this.#storage.transactionSync(() => {
      if (enrolmentHash !== undefined && this.isEnrolmentUsed(enrolmentHash)) return false
      if (!this.#takeChallenge(challenge)) return false
      if (enrolmentHash !== undefined) {
        // Only the link that is set can be used, and it ends by itself: of earlier ones nothing
        // need be known.
        this.#sql`DELETE FROM enrolments`
        this.#sql`INSERT INTO enrolments (hash) VALUES (${enrolmentHash})`
        this.#restored.confirm()
      }
      this.#keep(key)
      return true
    })
  }

  invite(hash: string, name: string, lifetimeMs: number) {
    this.#sql`DELETE FROM invitations WHERE until <= ${Date.now()}`
    if (this.invitations().length >= MOST_INVITATIONS) return false
    this.#sql`
      INSERT INTO invitations (hash, name, until)
      VALUES (${hash}, ${name}, ${Date.now() + lifetimeMs})`
    this.#wake()
    return true
  }

  invited(hash: string) {
    return this.#sql<{ name: string }>`
      SELECT name FROM invitations WHERE hash = ${hash} AND until > ${Date.now()}`[0]?.name
  }

  invitations() {
    return this.#sql<Invitation>`
      SELECT * FROM invitations WHERE until > ${Date.now()} ORDER BY until`
  }

  withdrawInvitation(hash: string) {
    return this.#sql.written`DELETE FROM invitations WHERE hash = ${hash}` > 0
  }

  acceptInvitation(key: Passkey, challenge: AnsweredChallenge, hash: string) {
    return this.#storage.transactionSync(() => {
      const name = this.invited(hash)
      // A passkey that is there already keeps its role.
      if (name === undefined || this.#sql.exists`passkeys WHERE id = ${key.id}`) return false
      if (!this.#takeChallenge(challenge)) return false
      this.#sql`DELETE FROM invitations WHERE hash = ${hash}`
      this.#keep({ ...key, role: 'approver', name })
      return true
    })
  }

  #keep({ id, publicKey, counter, transports, createdAt, role, name }: Passkey) {
    this.#sql`DELETE FROM held WHERE kind = 'passkey' AND id = ${id}`
    this.#sql`
      INSERT OR REPLACE INTO passkeys (id, public_key, counter, transports, created_at,
        last_used_on, role, name)
      VALUES (${id}, ${publicKey}, ${counter}, ${transports.join(' ')}, ${createdAt}, NULL,
        ${role}, ${name})`
  }

  isEnrolmentUsed(hash: string) {
    return this.#sql.exists`enrolments WHERE hash = ${hash}`
  }

  recordSignIn(id: string, counter: number, challenge: AnsweredChallenge) {
    return this.#storage.transactionSync(() => {
      // It may have been removed since it was read.
      if (!this.#sql.exists`passkeys WHERE id = ${id}` || !this.#takeChallenge(challenge))
        return false
      const today = this.#dayOf(Date.now())
      this.#sql`
        UPDATE passkeys SET counter = ${counter}, last_used_on = ${today}
        WHERE id = ${id}`
      return true
    })
  }

  async removePasskey(id: string) {
    const credential = await sha256Base64url(id)
    return this.#storage.transactionSync(() => {
      const able = this.passkeys().filter(({ role, held }) => role === 'owner' && !held)
      if (able.length < 2 && able.some((one) => one.id === id)) return false
      this.#sql`
        INSERT INTO former_approvers (credential, name, since, until)
        SELECT ${credential}, name, created_at, ${Date.now()} FROM passkeys
        WHERE role = 'approver' AND id = ${id}`
      this.#sql`DELETE FROM passkeys WHERE id = ${id}`
      this.#sql`DELETE FROM held WHERE kind = 'passkey' AND id = ${id}`
      this.#sql`
        DELETE FROM tickets
        WHERE kind = 'session' AND content IN (${`owner:${id}`}, ${APPROVER + id})`
      return true
    })
  }

  namePasskey(id: string, name: string) {
    this.#sql`UPDATE passkeys SET name = ${name} WHERE id = ${id} AND role = 'owner'`
  }

  async approvers() {
    const former = this.#sql<Approver>`SELECT * FROM former_approvers ORDER BY until, credential`
    const current = this.passkeys()
      .filter(({ role }) => role === 'approver')
      .map(async ({ id, name, createdAt }) => ({
        credential: await sha256Base64url(id),
        name: name ?? 'Someone',
        since: createdAt,
        until: null,
      }))
    return [...former, ...(await Promise.all(current))]
  }

  /** Where there are too many tickets of a kind, those that end first go. */
  issueTicket(kind: TicketKind, hash: string, content: string, lifetimeMs: number) {
    const until = Date.now() + lifetimeMs
    this.#sql`
      INSERT OR REPLACE INTO tickets (kind, hash, content, until)
      VALUES (${kind}, ${hash}, ${content}, ${until})`
    this.#sql`
      DELETE FROM tickets
      WHERE kind = ${kind}
      AND hash NOT IN (SELECT hash FROM tickets WHERE kind = ${kind}
        ORDER BY until DESC LIMIT ${MOST_TICKETS})`
    this.#wake()
  }

  readTicket(kind: TicketKind, hash: string) {
    return this.#sql<{ content: string }>`
      SELECT content FROM tickets
      WHERE kind = ${kind} AND hash = ${hash} AND until > ${Date.now()}`[0]?.content
  }

  takeTicket(kind: TicketKind, hash: string) {
    const content = this.readTicket(kind, hash)
    this.#sql`DELETE FROM tickets WHERE kind = ${kind} AND hash = ${hash}`
    return content
  }

  takeTrialLink(hash: string, until: number) {
    return this.#storage.transactionSync(() => this.#takeChallenge({ nonce: hash, endsAt: until }))
  }

  endSessions() {
    this.#sql`DELETE FROM tickets WHERE kind = 'session'`
  }

  #takeChallenge({ nonce, endsAt }: AnsweredChallenge) {
    if (endsAt <= Date.now() || this.#sql.exists`used_challenges WHERE nonce = ${nonce}`)
      return false
    this.#sql`INSERT INTO used_challenges (nonce, until) VALUES (${nonce}, ${endsAt})`
    this.#wake()
    return true
  }
}

/**
 * Who could act before a restore: a backup brings back data, and no one's right to act. What the
 * owner has named stays, once they have confirmed by a new enrolment link; the rest is held until
 * the owner lets it in again.
 */
export class Held extends RpcTarget implements Served<Access['restored']> {
  readonly #sql: Sql
  readonly #storage: DurableObjectStorage

  constructor(sql: Sql, storage: DurableObjectStorage) {
    super()
    this.#sql = sql
    this.#storage = storage
    sql`
      CREATE TABLE IF NOT EXISTS held (kind TEXT, id TEXT, stays INTEGER NOT NULL,
        PRIMARY KEY (kind, id)) WITHOUT ROWID`
  }

  /** Holds everyone who is there, and the owner's first key, which is a setting. A repeat holds the same. */
  hold({ keys, passkeys }: Stays) {
    this.#storage.transactionSync(() => {
      this.#sql`DELETE FROM held`
      this.#sql`
        INSERT INTO held (kind, id, stays)
        SELECT 'key', id, id IN ${among(keys)}
        FROM keys WHERE revoked_at IS NULL`
      this.#sql`
        INSERT INTO held (kind, id, stays)
        SELECT 'passkey', id, id IN ${among(passkeys)}
        FROM passkeys`
      this.#sql`INSERT INTO held (kind, id, stays) VALUES ('first_key', '', TRUE)`
    })
  }

  /** Whether the owner has still to confirm a restore. */
  isUnconfirmed() {
    return this.#sql.exists`held WHERE stays`
  }

  /** The owner has confirmed by a new enrolment link: what they named may act again. */
  confirm() {
    this.#sql`DELETE FROM held WHERE stays`
  }

  /** Those who are held until the owner lets them in again or removes them, keys first. */
  held() {
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
  release(kind: HeldAccess['kind'], id: string) {
    return this.#sql.written`DELETE FROM held WHERE kind = ${kind} AND id = ${id} AND NOT stays` > 0
  }
}
