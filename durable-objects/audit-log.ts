import { noteKeys, signedNote, vkeysOf } from '../src/core/crypto/keyring.ts'
import { type AuditEntry, auditEntry } from '../src/core/domain/audit/entry.ts'
import {
  type ChainedKey,
  base64,
  formatCheckpoint,
  formatInclusionProof,
  handOverText,
} from '../src/core/domain/audit/signed-note.ts'
import { DAY, HOUR, SECOND } from '../src/core/domain/time/duration.ts'
import type {
  AnonymousRefusals,
  AuditMark,
  AuditQuery,
  RefusedCaller,
  AuditLog as AuditLogPort,
} from '../src/core/ports/audit.ts'
import {
  type BackupEnd,
  type BackupHead,
  backupHeadText,
  backupText,
} from '../src/core/ports/backup.ts'
import { settingsFrom } from '../src/core/settings.ts'
import type { Served } from '../src/practice/adapters/cloudflare/stub.ts'
import type { Env } from '../src/practice/env.ts'
import { keyringFrom } from '../src/practice/wiring/providers.ts'
import { type EntryRow, COLUMNS, entryOf, AuditTree } from './audit/tree.ts'
import { CopiedObject } from './shared/copied-object.ts'
import { Alarm } from './shared/shared-alarm.ts'
import { among, part, raw } from './shared/sql.ts'

/**
 * The name under which checkpoints are signed, fixed by the first one; and the keys that entries
 * announce, in a chain.
 */
const ORIGIN = 'origin'
const KEY_CHAIN = 'key_chain'

/** How long refusals without a credential stay counted. */
const REFUSALS_KEPT = 30 * DAY
/** How many entries are dropped at once, and how long to wait before the next. */
const DROPPED_AT_ONCE = 5000
const DROP_ON = SECOND
/**
 * How many entries one page looks at: a rare filter over a long log costs several short calls,
 * never one long one.
 */
const LOOKED_AT = 10_000
const FILTERS = [
  'event',
  'caller',
  'app',
  'operation',
  'code',
  'operation_id',
  'request_id',
] as const

/**
 * The audit log of the practice, in one object. Entries are only ever appended, and numbered; each
 * is a leaf of a Merkle tree, whose signed checkpoints and proofs are made on demand. The alarm
 * drops entries that are older than the practice keeps them, and the proofs stay good.
 */
export class AuditLog extends CopiedObject implements Served<AuditLogPort> {
  readonly #tree: AuditTree
  readonly #alarm = new Alarm(this.ctx.storage)

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.sql`
      CREATE TABLE IF NOT EXISTS entries ("index" INTEGER PRIMARY KEY, at INTEGER NOT NULL,
        id TEXT NOT NULL, event TEXT NOT NULL, caller TEXT NOT NULL, app TEXT,
        operation TEXT NOT NULL, code TEXT NOT NULL, record_id TEXT, operation_id TEXT,
        request_id TEXT, times INTEGER NOT NULL, shown TEXT, about TEXT)`
    // In the order of time, and no entry twice.
    this.sql`CREATE UNIQUE INDEX IF NOT EXISTS entries_in_time ON entries (at, id)`
    this.sql`
      CREATE TABLE IF NOT EXISTS anonymous_refusals (hour INTEGER, operation TEXT, code TEXT,
        times INTEGER NOT NULL, PRIMARY KEY (hour, operation, code)) WITHOUT ROWID`
    this.sql`
      CREATE INDEX IF NOT EXISTS entries_of_record ON entries (record_id, at)
      WHERE record_id IS NOT NULL`
    this.#tree = new AuditTree(this.sql, ctx.storage.kv)
  }

  /** The head of a backup, signed. */
  signedHead(head: Omit<BackupHead, 'note'>) {
    return this.#signed((origin) => backupHeadText(origin, head))
  }

  /** The end of a backup that has the entries up to this size, signed. */
  async endBackup(made_at: string, sha256: string, size: number): Promise<BackupEnd> {
    const end = { made_at, sha256, size, root: base64(await this.#tree.tree.root(size)) }
    return { end, note: await this.#signed((origin) => backupText(origin, end)) }
  }

  /**
   * The log goes on after a restore, and says so for good. False where its entries do not have the
   * root of the backup.
   */
  async endRestore(digest: string, { made_at, size, root }: BackupEnd['end']) {
    // A tile that was completed while the copy was made has entries that are not there.
    this.sql`DELETE FROM tiles WHERE root IS NOT NULL AND (n + 1) << level > ${size}`
    if (base64(await this.#tree.tree.root(size)) !== root) return false
    const id = `restored.${digest.slice(0, 16)}`
    if (!this.sql.exists`entries WHERE id = ${id}`)
      await this.append([
        auditEntry({
          id,
          at: Date.now(),
          event: 'restored',
          caller: 'none',
          operation: 'restore',
          code: 'ok',
          about: { made_at, size, root, digest },
        }),
      ])
    return true
  }

  /** Appends entries, all or none; one that is there already stays as it is. */
  async append(entries: readonly AuditEntry[]) {
    this.ctx.storage.transactionSync(() => this.#insert(entries))
    await this.#alarm.by(Date.now() + DAY)
  }

  #insert(entries: readonly AuditEntry[]) {
    for (const one of entries) {
      this.sql`
        INSERT OR IGNORE INTO entries (${COLUMNS})
        SELECT COALESCE(MAX("index") + 1, 0), ${one.at}, ${one.id}, ${one.event}, ${one.caller},
          ${one.app}, ${one.operation}, ${one.code}, ${one.record_id}, ${one.operation_id},
          ${one.request_id}, ${one.times}, ${one.shown},
          ${one.about && JSON.stringify(one.about)}
        FROM entries`
    }
  }

  /**
   * Counts calls that were refused for want of a credential, by the hour: strangers must not fill
   * the log.
   */
  async countRefusals(operation: string, code: string, times: number) {
    const now = Date.now()
    this.sql`
      INSERT INTO anonymous_refusals (hour, operation, code, times)
      VALUES (${now - (now % HOUR)}, ${operation}, ${code}, ${times})
      ON CONFLICT DO UPDATE SET times = times + excluded.times`
    await this.#alarm.by(Date.now() + DAY)
  }

  /** The refusals without a credential, newest hour first. */
  anonymousRefusals() {
    return this.sql<AnonymousRefusals>`
      SELECT hour, operation, code, times FROM anonymous_refusals
      ORDER BY hour DESC, operation, code`
  }

  /** A page of entries, the newest first; those before another one from the oldest on. */
  page(asked: AuditQuery) {
    const {
      from = 0,
      to = Number.MAX_SAFE_INTEGER,
      after,
      before,
      record_id,
      events,
      limit,
      ...query
    } = asked
    const end = after && after.at < to ? after : { at: to, id: '' }
    const start = before ?? { at: from, id: '' }
    const ofRecord = record_id === undefined ? part`` : part`AND record_id = ${record_id}`
    const order = raw(before ? 'ASC' : 'DESC')
    const window = part`SELECT ${COLUMNS} FROM entries
      WHERE (at, id) > (${start.at}, ${start.id}) AND (at, id) < (${end.at}, ${end.id}) ${ofRecord}
      ORDER BY at ${order}, id ${order}`
    const isWanted = FILTERS.filter((field) => query[field] !== undefined).reduce(
      (all, field) => part`${all} AND ${raw(field)} = ${query[field]!}`,
      events === undefined ? part`TRUE` : part`event IN ${among(events)}`,
    )
    const entries = this.sql<EntryRow>`
      SELECT * FROM (${window} LIMIT ${LOOKED_AT}) WHERE ${isWanted} LIMIT ${limit + 1}`
    if (entries.length > limit) {
      entries.pop()
      return { entries: entries.map(entryOf), next: markOf(entries.at(-1)!) }
    }
    const [looked] = this.sql<EntryRow>`${window} LIMIT 1 OFFSET ${LOOKED_AT - 1}`
    return { entries: entries.map(entryOf), ...(looked && { next: markOf(looked) }) }
  }

  /** The entry with this number, if it is there. */
  entry(index: number) {
    const [row] = this.sql<EntryRow>`SELECT ${COLUMNS} FROM entries WHERE "index" = ${index}`
    return row ? entryOf(row) : null
  }

  /** Who was refused with one of these codes since a moment, the latest first. */
  refusedCallers(codes: readonly string[], since: number) {
    return this.sql<RefusedCaller>`
      SELECT caller, operation, code, SUM(times) AS times, MAX(at) AS last,
        json_extract(about, '$.rule') AS rule
      FROM entries
      WHERE at >= ${since} AND event = 'refusal'
        AND code IN ${among(codes)}
      GROUP BY caller, operation, code, rule ORDER BY last DESC LIMIT 50`
  }

  /** The public keys that sign now. */
  async vkeys(host: string) {
    return vkeysOf(await this.#keysUnder(this.#origin(host)))
  }

  /** Every key that ever signed, the first one first, each vouched for by those before it. */
  keyChain() {
    return this.ctx.storage.kv.get<ChainedKey[]>(KEY_CHAIN) ?? []
  }

  /** Signs the log as it is; a key that has not signed before is announced by an entry first. */
  async state(host: string) {
    const origin = this.#origin(host)
    if (!this.#isNamed) this.ctx.storage.kv.put(ORIGIN, origin)
    const keys = await this.#announced(origin)
    await this.#tree.complete()
    const { size, droppedBelow } = this.#tree
    const root = await this.#tree.tree.root(size)
    const checkpoint = await signedNote(keys, formatCheckpoint({ origin, size, root }))
    const keyChain = this.keyChain()
    const vkeys = keyChain.map(({ vkey }) => vkey)
    await this.#alarm.by(Date.now() + DAY)
    return { origin, vkeys, keyChain, size, droppedBelow, checkpoint }
  }

  /** The receipt of the entry with this number. */
  async receipt(index: number, host: string) {
    const { size, checkpoint: note } = await this.state(host)
    const [leaf] = this.#tree.leaves(index, 1)
    if (!leaf || !('leaf' in leaf) || index >= size) return null
    const hashes = await this.#tree.tree.inclusionProof(index, size)
    return { leaf: leaf.leaf, proof: formatInclusionProof({ index, hashes, note }) }
  }

  /** A text that names the log, signed as a note. */
  async #signed(textOf: (origin: string) => string) {
    const origin = this.#origin('')
    return signedNote(await this.#keysUnder(origin), textOf(origin))
  }

  /** Whether checkpoints have a name yet. */
  get #isNamed(): boolean {
    return this.ctx.storage.kv.get(ORIGIN) !== undefined
  }

  #origin(host: string) {
    return this.ctx.storage.kv.get<string>(ORIGIN) ?? `${host}/audit-log`
  }

  async #keysUnder(origin: string): ReturnType<typeof noteKeys> {
    return noteKeys(await keyringFrom(settingsFrom(this.env)), origin)
  }

  /**
   * The keys that sign under this name, each announced by an entry, and vouched for by those before
   * it, before it signs.
   */
  async #announced(origin: string): ReturnType<typeof noteKeys> {
    const keys = await this.#keysUnder(origin)
    const isNew = (vkey: string) => this.keyChain().every((known) => known.vkey !== vkey)
    const added: ChainedKey[] = []
    for (const vkey of vkeysOf(keys).filter(isNew))
      added.push({ vkey, note: await signedNote(keys, handOverText(origin, vkey)) })
    if (added.length === 0) return keys
    this.ctx.storage.transactionSync(() => {
      // Another call may have added it while this one signed.
      const missing = added.filter(({ vkey }) => isNew(vkey))
      this.#insert(
        missing.map(({ vkey }) =>
          auditEntry({
            id: crypto.randomUUID(),
            at: Date.now(),
            event: 'log_key',
            caller: 'none',
            operation: 'audit_log',
            code: 'added',
            about: { vkey },
          }),
        ),
      )
      this.ctx.storage.kv.put(KEY_CHAIN, [...this.keyChain(), ...missing])
    })
    return keys
  }

  /** The receipt of the entry of a change that ended at this moment. */
  async receiptOfChange(operationId: string, endedAt: number, host: string) {
    const [row] = this.sql<{ index: number }>`
      SELECT "index" FROM entries
      WHERE at = ${endedAt} AND operation_id = ${operationId} AND event = 'commit'`
    if (row) return this.receipt(row.index, host)
    return endedAt < Date.now() - settingsFrom(this.env).AUDIT_RETENTION_DAYS * DAY
      ? null
      : 'pending'
  }

  /** So many leaves from this one on. */
  leaves(from: number, count: number) {
    return this.#tree.leaves(from, count)
  }

  /** Drops what is too old, a bounded number at a time. */
  override async alarm() {
    this.#alarm.rang()
    const now = Date.now()
    // A new secret is announced while the one before still signs.
    if (this.#isNamed && settingsFrom(this.env).signingSecrets.length > 0)
      await this.#announced(this.#origin(''))
    const isComplete = await this.#tree.complete()
    const end = isComplete ? this.#announceDrop(now) : 0
    const dropped = end > 0 ? await this.#tree.drop(end) : 0
    this.sql`DELETE FROM anonymous_refusals WHERE hour < ${now - REFUSALS_KEPT}`
    const isDone = isComplete && dropped < DROPPED_AT_ONCE
    await this.#alarm.by(now + (isDone ? DAY : DROP_ON))
  }

  /**
   * Which entries are to be dropped now: all below this number, so that none is dropped in the
   * midst of others. An entry says so first. If the object ends in between, the next alarm drops
   * them, and repeats nothing.
   */
  #announceDrop(now: number): number {
    const older_than = now - settingsFrom(this.env).AUDIT_RETENTION_DAYS * DAY
    return this.ctx.storage.transactionSync(() => {
      const { end, kept } = this.#tree.oldPrefix(older_than, DROPPED_AT_ONCE)
      if (end > this.#tree.droppedBelow) {
        this.#insert([
          auditEntry({
            id: `retention.${end}`,
            at: now,
            event: 'retention',
            caller: 'none',
            operation: 'audit_log',
            code: 'dropped',
            about: { dropped_below: end, older_than, kept },
          }),
        ])
        this.#tree.droppedBelow = end
      }
      return end
    })
  }
}

const markOf = ({ at, id }: EntryRow): AuditMark => ({ at, id })
