import { shownName } from '../src/core/domain/name.ts'
import { DAY } from '../src/core/domain/time/duration.ts'
import { DEFAULT_TIMEZONE, dateIn } from '../src/core/domain/time/time.ts'
import type {
  ApiKey,
  NewApiKey,
  UnreviewedAccess,
  Access as AccessPort,
} from '../src/core/ports/access.ts'
import type { Stays } from '../src/core/ports/backup.ts'
import { settingsOrNone } from '../src/core/settings.ts'
import type { Served } from '../src/practice/adapters/cloudflare/stub.ts'
import type { Env } from '../src/practice/env.ts'
import { Attempts } from './access/attempts.ts'
import { Grants } from './access/grants.ts'
import { Held, OwnerSignIn } from './access/owner.ts'
import { CopiedObject } from './shared/copied-object.ts'
import { Alarm } from './shared/shared-alarm.ts'
import { raw } from './shared/sql.ts'

/** How long a revoked or expired key stays on the list. */
const KEEP_ENDED = 400 * DAY

type KeyRow = Omit<ApiKey, 'scopes'> & { scopes: string }

/** What is known of a key: after a rollback a row can have more. */
const COLUMNS = raw(
  'id, name, scopes, created_by, created_at, expires_at, last_used_on, revoked_at',
)

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
 * Who may use the connector: the `Access` of src/core/ports/access.ts, in one object. It holds
 * public keys and hashes, never a secret, and no network address in clear. The API keys are here;
 * each other concern is a section with its own tables.
 */
export class Access extends CopiedObject implements Served<AccessPort> {
  readonly #owner: OwnerSignIn
  readonly #attempts: Attempts
  readonly #grants: Grants
  readonly #restored: Held
  readonly #alarm = new Alarm(this.ctx.storage)
  readonly #dayOf = (ms: number) =>
    dateIn(ms, settingsOrNone(this.env)?.practice.timezone ?? DEFAULT_TIMEZONE)

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.sql`
      CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, name TEXT NOT NULL,
        scopes TEXT NOT NULL, created_by TEXT NOT NULL, in_trial INTEGER NOT NULL,
        created_at INTEGER NOT NULL, expires_at INTEGER, last_used_on TEXT, revoked_at INTEGER)`
    this.sql`
      CREATE TABLE IF NOT EXISTS secrets (hash TEXT PRIMARY KEY, key_id TEXT NOT NULL,
        until INTEGER) WITHOUT ROWID`
    const wake = () => ctx.waitUntil(this.#alarm.by(Date.now() + DAY))
    this.#restored = new Held(this.sql, ctx.storage)
    const host = { wake, dayOf: this.#dayOf }
    this.#owner = new OwnerSignIn(this.sql, ctx.storage, host, this.#restored)
    this.#attempts = new Attempts(this.sql, ctx.storage.kv, wake)
    this.#grants = new Grants(this.sql, ctx.storage, host)
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

  get restored(): Held {
    return this.#restored
  }

  /**
   * After a restore: no one who comes from the backup acts before the owner has confirmed, and then
   * only those that stay.
   */
  endRestore(stays: Stays) {
    this.#restored.hold(stays)
    this.#grants.forgetApps()
  }

  createKey(
    { id, name, scopes, created_by, inTrial, expires_at, created_at }: NewApiKey,
    hash: string,
  ) {
    this.ctx.storage.transactionSync(() => {
      this.#dropEndedKeys()
      this.sql`
        INSERT INTO keys (id, name, scopes, created_by, in_trial, created_at, expires_at,
          last_used_on, revoked_at)
        VALUES (${id}, ${name}, ${scopes.join(' ')}, ${created_by}, ${Number(inTrial)},
          ${created_at}, ${expires_at}, NULL, NULL)`
      this.sql`INSERT INTO secrets (hash, key_id, until) VALUES (${hash}, ${id}, NULL)`
    })
  }

  findKey(hash: string) {
    const now = Date.now()
    const [row] = this.sql<KeyRow & { ends: number | null; stays: number | null }>`
      SELECT ${COLUMNS}, min(ifnull(expires_at, until), ifnull(until, expires_at)) AS ends,
        (SELECT stays FROM held WHERE held.kind = 'key' AND held.id = keys.id) AS stays
      FROM keys
      JOIN secrets ON key_id = keys.id
      WHERE hash = ${hash} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now}) AND (until IS NULL OR until > ${now})`
    if (!row || row.stays === 0) return undefined
    const today = this.#dayOf(now)
    if (row.last_used_on !== today)
      this.sql`UPDATE keys SET last_used_on = ${today} WHERE id = ${row.id}`
    const { ends, stays, ...key } = row
    const found = keyOf({ ...key, expires_at: ends })
    // After a restore it does its work; to change who may act is not before the owner has confirmed.
    return stays === null
      ? found
      : { ...found, scopes: found.scopes.filter((scope) => scope !== 'admin') }
  }

  listKeys() {
    return this.sql<KeyRow>`SELECT ${COLUMNS} FROM keys ORDER BY created_at DESC, id`.map(keyOf)
  }

  standingOf(caller: string) {
    const id = callerKey(caller)
    if (id === undefined) return this.#grants.standingOf(caller)
    const [row] = this.sql<Pick<KeyRow, 'scopes'>>`
      SELECT scopes FROM keys WHERE id = ${id} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${Date.now()})
      AND NOT EXISTS (SELECT 1 FROM held WHERE held.kind = 'key' AND held.id = keys.id AND stays = 0)`
    return row && { scopes: row.scopes.split(' ') }
  }

  /** The keys and apps that were let in while every provider was a mock, and are good now. */
  unreviewed(): UnreviewedAccess[] {
    const rows = this.sql<{ id: string; name: string; since: number }>`
      SELECT id, name, created_at AS since FROM keys
      WHERE in_trial AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${Date.now()})`
    const keys = Array.from(rows, (row) => ({
      kind: 'key' as const,
      ...row,
      name: shownName(row.name) || 'without a name',
    }))
    return [...keys, ...this.#grants.unreviewed()]
  }

  recordReview() {
    this.ctx.storage.transactionSync(() => {
      this.sql`UPDATE keys SET in_trial = 0`
      this.#grants.recordReview()
    })
  }

  hasKeys() {
    return this.sql.exists`
      keys
      WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${Date.now()})`
  }

  revokeKey(id: string) {
    const rowsWritten = this.sql.written`
      UPDATE keys SET revoked_at = ${Date.now()}
      WHERE id = ${id} AND revoked_at IS NULL`
    return rowsWritten > 0
  }

  rotateKey(id: string, hash: string, overlapMs: number) {
    const now = Date.now()
    const [row] = this.sql<KeyRow>`
      SELECT ${COLUMNS} FROM keys WHERE id = ${id} AND revoked_at IS NULL`
    if (!row) return undefined
    this.ctx.storage.transactionSync(() => {
      this.sql`DELETE FROM secrets WHERE key_id = ${id} AND until <= ${now}`
      this.sql`
        UPDATE secrets SET until = ${now + overlapMs}
        WHERE key_id = ${id} AND (until IS NULL OR until > ${now + overlapMs})`
      this.sql`INSERT INTO secrets (hash, key_id, until) VALUES (${hash}, ${id}, NULL)`
    })
    return keyOf(row)
  }

  /** Only the owner's acts make keys, so the next one drops those that ended long ago. */
  #dropEndedKeys() {
    const now = Date.now()
    this.sql`
      DELETE FROM keys
      WHERE min(ifnull(revoked_at, ${now}), ifnull(expires_at, ${now})) < ${now} - ${KEEP_ENDED}`
    this.sql`DELETE FROM secrets WHERE until <= ${now} OR key_id NOT IN (SELECT id FROM keys)`
  }

  /** Drops what has ended. It is bounded, so a day late is soon enough: its readers look at `until`. */
  override async alarm() {
    this.#alarm.rang()
    const now = Date.now()
    for (const table of ENDING) this.sql`DELETE FROM ${raw(table)} WHERE until <= ${now}`
    this.#grants.dropUnused(now)
    this.#attempts.dropped()
    if ([...ENDING, 'apps', 'app_uses'].some((table) => this.sql.exists`${raw(table)}`))
      await this.#alarm.by(now + DAY)
  }
}

const KEY = 'key:'
const callerKey = (caller: string) =>
  caller.startsWith(KEY) ? caller.slice(KEY.length) : undefined

const keyOf = ({ scopes, ...key }: KeyRow): ApiKey => ({ ...key, scopes: scopes.split(' ') })
