import type { WebhookSender } from '../../src/core/domain/providers.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import type { Hint, OverdueHints } from '../../src/core/ports/provider-webhooks.ts'

/** Waits before a hint is tried again whose provider did not answer; from then on it is tried once a day. */
const BACKOFF = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR]

/** How soon a hint is tried again that waits for a change of ours, and after how long once a day. */
const SHORTEST_WAIT = 20 * SECOND
const WAITS_DAILY_AFTER = 3 * DAY

/** How long a hint is tried. */
const KEPT = 30 * DAY
/** A hint that is older was not read in time. */
const OVERDUE = DAY

/** Something that a provider said may have changed. */
export interface DueHint {
  target: string
  hintedAt: number
  tries: number
}

/** What the providers' webhooks were about, until it has been read at the provider: ids only, in tables of `ProviderSync`. */
export class ProviderHints {
  readonly #storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>
  readonly #sql: SqlStorage
  /** When the first one is due, as far as it was read. */
  #dueAt: number | 'not read' = 'not read'

  constructor(storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>) {
    const { sql } = storage
    this.#storage = storage
    this.#sql = sql
    // The prefix of an id says what it names: bk_, in_ or plink_.
    sql.exec(
      'CREATE TABLE IF NOT EXISTS hints (target TEXT PRIMARY KEY, due INTEGER NOT NULL, hinted_at INTEGER NOT NULL, tries INTEGER NOT NULL) WITHOUT ROWID',
    )
    sql.exec(
      'CREATE TABLE IF NOT EXISTS deliveries (provider TEXT PRIMARY KEY, last_at INTEGER NOT NULL) WITHOUT ROWID',
    )
  }

  /**
   * Keeps each target once, due now. A target that waits already is due now too, and is marked as hinted at again, so that
   * whoever is reading it at the provider does not forget it.
   */
  add(sender: WebhookSender, { bookings, invoices, links }: Hint, now: number): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec('INSERT OR REPLACE INTO deliveries VALUES (?, ?)', sender, now)
      for (const target of [...bookings, ...invoices, ...links])
        this.#sql.exec('INSERT OR REPLACE INTO hints VALUES (?, ?, ?, 0)', target, now, now)
    })
    this.#dueAt = 'not read'
  }

  /** Adds what was noticed here; one that waits already stays as it is. */
  suspect(target: string, now: number): void {
    this.#sql.exec('INSERT OR IGNORE INTO hints VALUES (?, ?, ?, 0)', target, now, now)
    this.#dueAt = 'not read'
  }

  dueAt(): number | undefined {
    if (this.#dueAt === 'not read') {
      const [first] = this.#sql
        .exec<{ due: number | null }>('SELECT MIN(due) AS due FROM hints')
        .toArray()
      this.#dueAt = first?.due ?? Infinity
    }
    return this.#dueAt === Infinity ? undefined : this.#dueAt
  }

  /** The first that are due, at most so many. */
  due(now: number, most: number): DueHint[] {
    return this.#sql
      .exec<Record<string, SqlStorageValue> & DueHint>(
        'SELECT target, hinted_at AS hintedAt, tries FROM hints WHERE due <= ? ORDER BY due, target LIMIT ?',
        now,
        most,
      )
      .toArray()
  }

  /** It was read at the provider, and published: it is forgotten, unless it was hinted at again meanwhile. */
  done({ target, hintedAt }: DueHint): void {
    this.#sql.exec('DELETE FROM hints WHERE target = ? AND hinted_at = ?', target, hintedAt)
    this.#dueAt = 'not read'
  }

  /** It has to wait for a change of ours to end; the longer that takes, the longer. */
  wait(hint: DueHint, now: number): void {
    const age = now - hint.hintedAt
    const wait = age < WAITS_DAILY_AFTER ? Math.min(HOUR, Math.max(SHORTEST_WAIT, age / 4)) : DAY
    this.#again({ ...hint, due: now + wait }, now)
  }

  /** Its provider did not answer. */
  failed(hint: DueHint, now: number): void {
    this.#again({ ...hint, due: now + (BACKOFF[hint.tries] ?? DAY), tries: hint.tries + 1 }, now)
  }

  #again(hint: DueHint & { due: number }, now: number): void {
    const { target, hintedAt, tries, due } = hint
    if (now - hintedAt >= KEPT) return this.done(hint)
    this.#sql.exec(
      'UPDATE hints SET due = ?, tries = ? WHERE target = ? AND hinted_at = ?',
      Math.round(due),
      tries,
      target,
      hintedAt,
    )
    this.#dueAt = 'not read'
  }

  /** How many wait for more than a day, and since when. */
  overdue(now: number): OverdueHints | undefined {
    const [row] = this.#sql
      .exec<Record<string, SqlStorageValue> & OverdueHints>(
        'SELECT COUNT(*) AS count, MIN(hinted_at) AS since FROM hints WHERE hinted_at < ?',
        now - OVERDUE,
      )
      .toArray()
    return row?.count ? row : undefined
  }
}
