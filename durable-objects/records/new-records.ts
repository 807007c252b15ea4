import { type HappenedEvent, eventOf } from '../../src/core/domain/events/topics.ts'
import type { Mode } from '../../src/core/domain/mode.ts'
import { SECOND } from '../../src/core/domain/time/duration.ts'
import type { EventLog } from '../../src/core/ports/events.ts'
import { withTimeout } from '../../src/core/with-timeout.ts'
import type { OutboxRow, Unlisted } from '../shared/outbox-table.ts'
import { type Sql, sqlOf } from '../shared/sql.ts'

/** How many records are published in one call, and how long that is waited for. */
const AT_ONCE = 50
const TIMEOUT_MS = 8 * SECOND

/**
 * The new records in the table `records`: each is published in the event log, then copied, without
 * a row of the outbox. Two places say how far both have come.
 */
export class NewRecords implements Unlisted {
  readonly #sql: Sql
  readonly #eventLog: () => EventLog
  /** The last record that has been published, as far as this instance knows; it may be ahead of the table. */
  #publishedTo = 0
  #publishing: Promise<void> | undefined
  /** The last record that is there. */
  #newest = 0
  /** The last record whose copy was begun, and those whose copy has not ended. */
  #begunTo = 0
  readonly #copying = new Set<number>()

  constructor(sql: SqlStorage, eventLog: () => EventLog) {
    this.#sql = sqlOf(sql)
    this.#eventLog = eventLog
    // One row: the last record that has been published, and the last one that was copied, with all before it.
    sql.exec(
      'CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY, ' +
        'published INTEGER NOT NULL, copied INTEGER NOT NULL)',
    )
    this.reload()
  }

  /** Reads how far both have come: at the beginning, and after a restore has put another place there. */
  reload(): void {
    const [row] = this.#sql<{ published: number; copied: number; newest: number }>`
      SELECT COALESCE(MAX(published), 0) AS published, COALESCE(MAX(copied), 0) AS copied,
        (SELECT COALESCE(MAX(seq), 0) FROM records) AS newest
      FROM progress`
    const { published, copied, newest } = row!
    this.#publishedTo = published
    this.#begunTo = copied
    this.#newest = newest
  }

  /** These records have come, and are there for good. */
  added(seqs: readonly number[]): void {
    this.#newest = Math.max(this.#newest, ...seqs)
  }

  /** The first record whose copy was not begun. One that was erased is in the outbox. */
  next(): (OutboxRow & { seq: number }) | undefined {
    if (this.#begunTo >= this.#newest) return undefined
    const [row] = this.#sql<{ seq: number; key: string }>`
      SELECT seq, key FROM records
      WHERE seq > ${this.#begunTo} AND value IS NOT NULL ORDER BY seq LIMIT 1`
    return row && { kind: 'copy', detail: '', attempts: 0, repeats: 0, ...row }
  }

  begin(seq: number): void {
    this.#begunTo = seq
    this.#copying.add(seq)
  }

  end(seq: number, isSaved: boolean): void {
    this.#copying.delete(seq)
    if (isSaved) this.save()
    else this.#begunTo = Math.min(this.#begunTo, seq - 1)
  }

  /**
   * Publishes every record that is there now. Rejects if the event log did not take them: then it
   * has to be asked again. After a crash before `save` the same ones are published again, and the
   * log knows an event again.
   */
  async publish(): Promise<void> {
    const newest = this.#newest
    while (this.#publishedTo < newest)
      await (this.#publishing ??= this.#publishNext().finally(() => (this.#publishing = undefined)))
  }

  /** Appends events that are no records. Rejects if the event log does not answer. */
  async append(events: readonly HappenedEvent[]): Promise<void> {
    if ((await withTimeout(this.#eventLog().append(events), TIMEOUT_MS)) === 'late')
      throw new Error('the event log does not answer')
  }

  /**
   * Keeps how far both came, in one write with what the object notes at the same time; while copies
   * are being made, the last does.
   */
  save(): void {
    if (this.#copying.size > 0) return
    this.#sql`
      INSERT INTO progress (one, published, copied)
      VALUES (1, ${this.#publishedTo}, ${this.#begunTo})
      ON CONFLICT DO UPDATE SET published = excluded.published, copied = excluded.copied
      WHERE published < excluded.published OR copied < excluded.copied`
  }

  async #publishNext(): Promise<void> {
    const next = this.#sql<{ seq: number; key: string; mode: Mode; value: string | null }>`
      SELECT seq, key, mode, value FROM records
      WHERE seq > ${this.#publishedTo} ORDER BY seq LIMIT ${AT_ONCE}`
    const events = next.flatMap(({ key, mode, value }) => {
      const event =
        value === null
          ? undefined
          : eventOf(key, mode, JSON.parse(value) as Record<string, unknown>)
      return event ? [event] : []
    })
    if (events.length > 0) await this.append(events)
    this.#publishedTo = next.at(-1)?.seq ?? this.#publishedTo
  }
}
