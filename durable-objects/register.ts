import { DurableObject } from 'cloudflare:workers'
import { clientKey, clientOfKey, intakePrefix } from '../src/domain/client.ts'
import type { Mode } from '../src/domain/mode.ts'
import type { Env } from '../src/env.ts'
import type { Entry, EntryKind } from '../src/ports/register.ts'

const DAY = 24 * 60 * 60 * 1000
/** How long a flow may keep data of a client: the longest preview, and 30 days after it; with a day to spare. */
const FLOWS_KEEP = 32 * DAY

/** What is kept about a client here, besides the record that is shown. */
export interface Holdings {
  deleted: boolean
  keys: string[]
}

type Row = { seq: number; key: string; value: string }

/** What an entry is, by its key: `client:…`, `intake:…`, `booking:…`, `booking:…:end`, `payment_link:…`. */
const kindOf = (key: string): string =>
  key.endsWith(':end') ? 'booking_end' : key.slice(0, key.indexOf(':'))

/**
 * What was made here, in the order in which it was: one object for the practice, so that what was written a moment ago
 * is there when it is read. It decides whether a client is deleted, and knows who keeps something about one that is not.
 * A client that was erased stays erased, whatever is written late.
 */
export class Register extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    // Rows are never deleted, so the highest number is never given again. An erased entry has no value.
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS entries (seq INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, kind TEXT NOT NULL, mode TEXT NOT NULL, value TEXT)',
    )
    this.#sql.exec(
      'CREATE INDEX IF NOT EXISTS entries_of_kind ON entries (kind, mode, seq) WHERE value IS NOT NULL',
    )
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS ties (tie TEXT, seq INTEGER, PRIMARY KEY (tie, seq)) WITHOUT ROWID',
    )
    this.#sql.exec('CREATE INDEX IF NOT EXISTS ties_of_entry ON ties (seq)')
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS holders (client TEXT, flow TEXT, at INTEGER, PRIMARY KEY (client, flow)) WITHOUT ROWID',
    )
  }

  /** Whether the client is deleted. If not, notes that this flow keeps, or will keep, something about it. */
  note(clientId: string, flow?: string): boolean {
    if (this.#isErased(clientKey(clientId))) return true
    if (flow === undefined) return false
    const now = Date.now()
    const noted = this.#sql.exec(
      'INSERT INTO holders VALUES (?, ?, ?) ON CONFLICT (client, flow) DO UPDATE SET at = excluded.at WHERE at < ?',
      clientId,
      flow,
      now,
      now - DAY,
    )
    if (noted.rowsWritten > 0)
      this.#sql.exec('DELETE FROM holders WHERE client = ? AND at < ?', clientId, now - FLOWS_KEEP)
    return false
  }

  /**
   * Writes an entry; a repeat keeps its place. `ties` are what finds it again besides its key; so do those of `like`.
   * False, and nothing is written, if it is about a client that is deleted; if not, `flow` is noted with the client.
   */
  put(key: string, mode: string, value: string, ties: string[], like: string, flow?: string): boolean {
    return this.ctx.storage.transactionSync(() => {
      const clientId = clientOfKey(key)
      if (clientId !== undefined && this.note(clientId, flow)) return false
      const [made] = this.#sql
        .exec<{ seq: number }>(
          'INSERT INTO entries (key, kind, mode, value) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value IS NOT NULL RETURNING seq',
          key,
          kindOf(key),
          mode,
          value,
        )
        .toArray()
      if (!made) return false
      if (like !== '')
        this.#sql.exec(
          'INSERT OR IGNORE INTO ties SELECT tie, ? FROM ties WHERE seq = (SELECT seq FROM entries WHERE key = ?)',
          made.seq,
          like,
        )
      const owned = clientId === undefined || clientKey(clientId) === key ? [] : [clientKey(clientId)]
      for (const tie of [...ties, ...owned])
        this.#sql.exec('INSERT OR IGNORE INTO ties VALUES (?, ?)', tie, made.seq)
      return true
    })
  }

  get(key: string): string | undefined {
    return this.#rows('key = ?', key)[0]?.value
  }

  /** Which of these keys have an entry. */
  known(keys: string[]): string[] {
    return this.#rows('key IN (SELECT value FROM json_each(?))', JSON.stringify(keys)).map(({ key }) => key)
  }

  /** The entries of a kind, the newest first, from before a number on. */
  newest(kind: EntryKind, mode: Mode, before: number, most: number): Entry[] {
    return this.#rows('kind = ? AND mode = ? AND seq < ? ORDER BY seq DESC LIMIT ?', kind, mode, before, most)
  }

  /** The newest entries of a kind and a mode that share a tie with this one, and how many there are. */
  tiedTo(key: string, kind: EntryKind, mode: Mode, most: number): { entries: Entry[]; count: number } {
    return this.#counted(
      'kind = ? AND mode = ? AND seq IN (SELECT theirs.seq FROM ties AS theirs JOIN ties AS ours ON theirs.tie = ours.tie WHERE ours.seq = (SELECT seq FROM entries WHERE key = ?))',
      most,
      kind,
      mode,
      key,
    )
  }

  /** The newest entries that carry this tie, and how many there are. */
  tied(tie: string, kind: EntryKind, most: number): { entries: Entry[]; count: number } {
    return this.#counted('kind = ? AND seq IN (SELECT seq FROM ties WHERE tie = ?)', most, kind, tie)
  }

  /** The newest keys of a kind that begin so. */
  keysLike(kind: EntryKind, mode: Mode, prefix: string, most: number): string[] {
    return this.#rows(
      'kind = ? AND mode = ? AND substr(key, 1, ?) = ? ORDER BY seq DESC LIMIT ?',
      kind,
      mode,
      prefix.length,
      prefix,
      most,
    ).map(({ key }) => key)
  }

  /** Whether a client is deleted, and the keys of what is kept about them. */
  holdings(clientId: string): Holdings {
    const key = clientKey(clientId)
    const kept = this.known([key, ...this.#intakesOf(clientId)])
    return { deleted: this.#isErased(key), keys: kept }
  }

  /**
   * Decides for good that a client is deleted: erases them, what was submitted for them, and what ties bookings and links
   * to them. Says which intakes there were and which flows hold something; those are noted here until they are released.
   */
  eraseClient(clientId: string): { keys: string[]; flows: string[] } {
    const key = clientKey(clientId)
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec(
        "INSERT INTO entries (key, kind, mode, value) VALUES (?, 'client', 'none', NULL) ON CONFLICT (key) DO NOTHING",
        key,
      )
      // What another client is tied by, too, stays: two people may share a mail address.
      this.#sql.exec(
        "DELETE FROM ties WHERE tie IN (SELECT tie FROM ties WHERE seq = (SELECT seq FROM entries WHERE key = ?1)) AND tie NOT IN (SELECT tie FROM ties JOIN entries USING (seq) WHERE kind = 'client' AND key <> ?1)",
        key,
      )
      this.#sql.exec('DELETE FROM ties WHERE seq = (SELECT seq FROM entries WHERE key = ?)', key)
      this.#sql.exec(
        'UPDATE entries SET value = NULL WHERE key = ?1 OR seq IN (SELECT seq FROM ties WHERE tie = ?1)',
        key,
      )
      this.#sql.exec('DELETE FROM ties WHERE tie = ?', key)
    })
    const flows = this.#sql.exec<{ flow: string }>('SELECT flow FROM holders WHERE client = ?', clientId)
    return { keys: this.#intakesOf(clientId), flows: flows.toArray().map(({ flow }) => flow) }
  }

  /** Forgets the flows of a deleted client: whoever erases them has noted them. */
  release(clientId: string): void {
    this.#sql.exec('DELETE FROM holders WHERE client = ?', clientId)
  }

  /** The keys of all intakes of a client, those that were erased too. */
  #intakesOf(clientId: string): string[] {
    const prefix = intakePrefix(clientId)
    return this.#sql
      .exec<{ key: string }>('SELECT key FROM entries WHERE key >= ? AND key < ?', prefix, `${prefix}\x7f`)
      .toArray()
      .map(({ key }) => key)
  }

  #isErased(key: string): boolean {
    return this.#sql.exec('SELECT 1 FROM entries WHERE key = ? AND value IS NULL', key).toArray().length > 0
  }

  #counted(where: string, most: number, ...values: string[]): { entries: Row[]; count: number } {
    const [{ count } = { count: 0 }] = this.#sql
      .exec<{ count: number }>(
        `SELECT COUNT(*) AS count FROM entries WHERE value IS NOT NULL AND ${where}`,
        ...values,
      )
      .toArray()
    return { entries: this.#rows(`${where} ORDER BY seq DESC LIMIT ?`, ...values, most), count }
  }

  #rows(where: string, ...values: (string | number)[]): Row[] {
    return this.#sql
      .exec<Row>(`SELECT seq, key, value FROM entries WHERE value IS NOT NULL AND ${where}`, ...values)
      .toArray()
  }
}
