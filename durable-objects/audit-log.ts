import { DurableObject } from 'cloudflare:workers'
import { DAY, HOUR, SECOND } from '../src/domain/duration.ts'
import type { Env } from '../src/env.ts'
import type { Facts } from '../src/domain/facts.ts'
import type {
  AnonymousRefusals,
  AuditEntry,
  AuditMark,
  AuditPage,
  AuditQuery,
  ChangeCounts,
  NumberedEntry,
  RefusedCaller,
} from '../src/ports/audit.ts'
import { settingsFrom } from '../src/settings.ts'

/** How long refusals without a credential stay counted. */
const REFUSALS_KEPT = 30 * DAY
/** How many entries are dropped at once, and how long to wait before the next. */
const DROPPED_AT_ONCE = 5000
const DROP_ON = SECOND
/** How many entries one page looks at: a rare filter over a long log costs several short calls, never one long one. */
const LOOKED_AT = 10_000
const FILTERS = ['event', 'caller', 'app', 'operation', 'code', 'operation_id', 'request_id'] as const

type Row = Record<string, SqlStorageValue> & Omit<NumberedEntry, 'about'> & { about: string | null }

/**
 * The audit log of the practice, in one object. Entries are only ever appended, and numbered; the alarm drops those that
 * are older than the practice keeps them.
 */
export class AuditLog extends DurableObject<Env> {
  readonly #sql: SqlStorage
  #alarmIsSet = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS entries ("index" INTEGER PRIMARY KEY, at INTEGER NOT NULL, id TEXT NOT NULL,
       event TEXT NOT NULL, caller TEXT NOT NULL, app TEXT, operation TEXT NOT NULL, code TEXT NOT NULL, record_id TEXT,
       operation_id TEXT, request_id TEXT, times INTEGER NOT NULL, shown TEXT, about TEXT)`,
    )
    // In the order of time, and no entry twice.
    this.#sql.exec('CREATE UNIQUE INDEX IF NOT EXISTS entries_in_time ON entries (at, id)')
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS anonymous_refusals (hour INTEGER, operation TEXT, code TEXT, times INTEGER NOT NULL,
       PRIMARY KEY (hour, operation, code)) WITHOUT ROWID`,
    )
    this.#sql.exec(
      'CREATE INDEX IF NOT EXISTS entries_of_record ON entries (record_id, at) WHERE record_id IS NOT NULL',
    )
  }

  /** Appends entries, all or none; one that is there already stays as it is. */
  async append(entries: readonly AuditEntry[]): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      for (const one of entries) {
        this.#sql.exec(
          // Entries are numbered from 0 in the order in which they come in.
          'INSERT OR IGNORE INTO entries SELECT COALESCE(MAX("index") + 1, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM entries',
          one.at,
          one.id,
          one.event,
          one.caller,
          one.app,
          one.operation,
          one.code,
          one.record_id,
          one.operation_id,
          one.request_id,
          one.times,
          one.shown,
          one.about && JSON.stringify(one.about),
        )
      }
    })
    await this.#wake()
  }

  /** Counts calls that were refused for want of a credential, by the hour: strangers must not fill the log. */
  async countRefusals(operation: string, code: string, times: number): Promise<void> {
    const now = Date.now()
    this.#sql.exec(
      'INSERT INTO anonymous_refusals VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET times = times + excluded.times',
      now - (now % HOUR),
      operation,
      code,
      times,
    )
    await this.#wake()
  }

  /** The refusals without a credential, newest hour first. */
  anonymousRefusals(): AnonymousRefusals[] {
    return this.#sql
      .exec<Record<string, SqlStorageValue> & AnonymousRefusals>(
        'SELECT hour, operation, code, times FROM anonymous_refusals ORDER BY hour DESC, operation, code',
      )
      .toArray()
  }

  async #wake(): Promise<void> {
    if (this.#alarmIsSet) return
    this.#alarmIsSet = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + DAY)
  }

  /** A page of entries, the newest first. */
  page({ from = 0, to = Number.MAX_SAFE_INTEGER, after, record_id, limit, ...query }: AuditQuery): AuditPage {
    const start = after && after.at < to ? after : { at: to, id: '' }
    const bounds = [from, start.at, start.id, ...(record_id === undefined ? [] : [record_id])]
    const window = `SELECT * FROM entries WHERE at >= ?1 AND (at, id) < (?2, ?3)
      ${record_id === undefined ? '' : 'AND record_id = ?4'} ORDER BY at DESC, id DESC`
    const filters = FILTERS.filter((field) => query[field] !== undefined)
    const conditions = filters.map((field, index) => `${field} = ?${bounds.length + 1 + index}`)
    const entries = this.#sql
      .exec<Row>(
        `SELECT * FROM (${window} LIMIT ${LOOKED_AT}) WHERE ${['TRUE', ...conditions].join(' AND ')} LIMIT ${limit + 1}`,
        ...bounds,
        ...filters.map((field) => query[field]!),
      )
      .toArray()
    if (entries.length > limit) {
      entries.pop()
      return { entries: entries.map(entryOf), next: markOf(entries.at(-1)!) }
    }
    const [looked] = this.#sql.exec<Row>(`${window} LIMIT 1 OFFSET ${LOOKED_AT - 1}`, ...bounds).toArray()
    return { entries: entries.map(entryOf), ...(looked && { next: markOf(looked) }) }
  }

  /** The entry with this number, if it is there. */
  entry(index: number): NumberedEntry | null {
    const [row] = this.#sql.exec<Row>('SELECT * FROM entries WHERE "index" = ?', index).toArray()
    return row ? entryOf(row) : null
  }

  /** What became of the changes between each of these moments and the next. */
  counts(edges: readonly number[]): ChangeCounts[] {
    return edges.slice(1).map((to, i) => {
      const sums = this.#sql.exec<Record<string, SqlStorageValue> & ChangeCounts>(
        `SELECT COALESCE(SUM(times * (event = 'commit' AND code = 'committed')), 0) AS made,
         COALESCE(SUM(times * (event = 'refusal' OR (event = 'commit' AND code != 'committed'))), 0) AS refused
         FROM entries WHERE at >= ? AND at < ?`,
        edges[i]!,
        to,
      )
      return sums.one()
    })
  }

  /** Who was refused with one of these codes since a moment, the latest first. */
  refusedCallers(codes: readonly string[], since: number): RefusedCaller[] {
    return this.#sql
      .exec<Record<string, SqlStorageValue> & RefusedCaller>(
        `SELECT caller, operation, code, SUM(times) AS times, MAX(at) AS last FROM entries
         WHERE at >= ? AND event = 'refusal' AND code IN (${codes.map(() => '?').join(', ')})
         GROUP BY caller, operation, code ORDER BY last DESC LIMIT 50`,
        since,
        ...codes,
      )
      .toArray()
  }

  /** Drops what is too old, a bounded number at a time. */
  override async alarm(): Promise<void> {
    // If this fails too often the platform gives up: then the next entry sets the alarm again.
    this.#alarmIsSet = false
    const now = Date.now()
    const { rowsWritten } = this.#sql.exec(
      // The newest entry stays, so that its number is never given again; and so do those of passkeys, whose public keys
      // an approval is checked with.
      `DELETE FROM entries WHERE "index" IN (SELECT "index" FROM entries WHERE at < ? AND event <> 'enrolment' ORDER BY at LIMIT ?) AND "index" < (SELECT MAX("index") FROM entries)`,
      now - settingsFrom(this.env).AUDIT_RETENTION_DAYS * DAY,
      DROPPED_AT_ONCE,
    )
    this.#sql.exec('DELETE FROM anonymous_refusals WHERE hour < ?', now - REFUSALS_KEPT)
    await this.ctx.storage.setAlarm(now + (rowsWritten < DROPPED_AT_ONCE ? DAY : DROP_ON))
    this.#alarmIsSet = true
  }
}

const entryOf = ({ about, ...row }: Row): NumberedEntry => ({
  ...row,
  about: about === null ? null : (JSON.parse(about) as Facts),
})

const markOf = ({ at, id }: Row): AuditMark => ({ at, id })
