import { SECOND } from '../../src/domain/time/duration.ts'
import { type HappenedEvent, eventOf } from '../../src/domain/events/topics.ts'
import type { Mode } from '../../src/domain/mode.ts'
import { withTimeout } from '../../src/with-timeout.ts'
import type { EventLog } from '../../src/ports/events.ts'

/** How many records are published in one call, and how long that is waited for. */
const AT_ONCE = 50
const TIMEOUT_MS = 8 * SECOND

/** Publishes the records of an object in the event log, in their order, from the table `records` beside it. */
export class RecordPublisher {
  readonly #sql: SqlStorage
  readonly #eventLog: () => EventLog
  /** The last record that has been published, as far as this instance knows; it may be ahead of the table. */
  #upTo: number
  #publishing: Promise<void> | undefined

  constructor(sql: SqlStorage, eventLog: () => EventLog) {
    this.#sql = sql
    this.#eventLog = eventLog
    // One row: the last record that has been published.
    sql.exec('CREATE TABLE IF NOT EXISTS published (one INTEGER PRIMARY KEY, seq INTEGER NOT NULL)')
    this.#upTo = sql.exec<{ seq: number }>('SELECT seq FROM published').toArray()[0]?.seq ?? 0
  }

  /**
   * Publishes every record that is there now. Rejects if the event log did not take them: then it has to be asked again.
   * After a crash before `save` the same ones are published again, and the log knows an event again.
   */
  async publish(): Promise<void> {
    const [{ newest }] = this.#sql
      .exec<{ newest: number }>('SELECT COALESCE(MAX(seq), 0) AS newest FROM records')
      .toArray() as [{ newest: number }]
    while (this.#upTo < newest)
      await (this.#publishing ??= this.#publishNext().finally(() => (this.#publishing = undefined)))
  }

  /** Appends events that are no records. Rejects if the event log does not answer. */
  async append(events: readonly HappenedEvent[]): Promise<void> {
    if ((await withTimeout(this.#eventLog().append(events), TIMEOUT_MS)) === 'late')
      throw new Error('the event log does not answer')
  }

  /** Keeps how far it came: in one write with what the object notes at the same time. */
  save(): void {
    this.#sql.exec(
      'INSERT INTO published VALUES (1, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq WHERE seq < excluded.seq',
      this.#upTo,
    )
  }

  async #publishNext(): Promise<void> {
    const next = this.#sql
      .exec<{ seq: number; key: string; mode: Mode; value: string | null }>(
        'SELECT seq, key, mode, value FROM records WHERE seq > ? ORDER BY seq LIMIT ?',
        this.#upTo,
        AT_ONCE,
      )
      .toArray()
    const events = next.flatMap(({ key, mode, value }) => {
      const event =
        value === null ? undefined : eventOf(key, mode, JSON.parse(value) as Record<string, unknown>)
      return event ? [event] : []
    })
    if (events.length > 0) await this.append(events)
    this.#upTo = next.at(-1)?.seq ?? this.#upTo
  }
}
