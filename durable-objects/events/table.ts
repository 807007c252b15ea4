import type { Topic } from '../../src/core/domain/events/topics.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import type {
  EventPage,
  EventQuery,
  LoggedEvent,
  OlderEventQuery,
  OlderEvents,
} from '../../src/core/ports/events.ts'
import type { AlarmPart } from '../shared/shared-alarm.ts'
import { type Sql, among, raw } from '../shared/sql.ts'

/** How long an event can be read. */
const KEPT = 30 * DAY
/** How many events are dropped at once. */
const DROPPED_AT_ONCE = 5000

type Row = { seq: number; event: string }

/** The events in their order, each once. */
export class EventTable implements AlarmPart {
  readonly #sql: Sql
  readonly #storage: Pick<DurableObjectStorage, 'transactionSync'>
  /**
   * The place of the newest event of a topic after a place, or that place: as far as this instance
   * looked, or it came.
   */
  readonly #newest = new Map<Topic, { after: number; seq: number }>()
  /** The same until the oldest event is dropped, so it is read once. */
  #dropAt: number | undefined

  constructor(sql: Sql, storage: Pick<DurableObjectStorage, 'transactionSync'>) {
    this.#sql = sql
    this.#storage = storage
    sql`
      CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL,
        type TEXT NOT NULL, at INTEGER NOT NULL, event TEXT NOT NULL)`
  }

  /**
   * Appends events, all or none; one that is there already stays as it is. Whether the log begins
   * with them.
   */
  append(events: readonly LoggedEvent[]) {
    const added = this.#storage.transactionSync(() =>
      events.flatMap((event) => {
        const rows = this.#sql<{ seq: number }>`
          INSERT OR IGNORE INTO log (id, type, at, event)
          VALUES (${event.id}, ${event.type}, ${Date.now()}, ${JSON.stringify(event)})
          RETURNING seq`
        return rows.map(({ seq }) => [event.type, seq] as const)
      }),
    )
    // Not before: a place that does not exist would be looked for again and again.
    for (const [topic, seq] of added) this.#newest.set(topic, { after: 0, seq })
    return added[0]?.[1] === 1
  }

  /** Whether an event of these topics follows a place. An instance looks through what follows it once. */
  follows(topics: readonly Topic[], place: number) {
    return topics.some((topic) => this.#newestAfter(topic, place) > place)
  }

  #newestAfter(topic: Topic, place: number): number {
    const known = this.#newest.get(topic)
    if (known && (known.seq > known.after || known.after <= place)) return known.seq
    const [row] = this.#sql<{ seq: number }>`
      SELECT seq FROM log
      WHERE seq > ${place} AND type = ${topic} ORDER BY seq DESC LIMIT 1`
    const seq = row?.seq ?? place
    this.#newest.set(topic, { after: place, seq })
    return seq
  }

  /** The place of the newest event of all. */
  end() {
    return this.#sql<{ seq: number | null }>`SELECT MAX(seq) AS seq FROM log`[0]!.seq ?? 0
  }

  /** The first event of these topics after a place; undefined where none is kept. */
  next(topics: readonly Topic[], after: number) {
    if (!this.follows(topics, after)) return undefined
    const [found] = this.#sql<Row>`
      SELECT seq, event FROM log
      WHERE seq > ${after}
      AND type IN ${among(topics)}
      ORDER BY seq LIMIT 1`
    return found && { seq: found.seq, event: JSON.parse(found.event) as LoggedEvent }
  }

  /** How many events of these topics follow a place, counted up to a number. */
  countAfter(topics: readonly Topic[], after: number, most: number) {
    if (!this.follows(topics, after)) return 0
    return this.#sql<{ count: number }>`
      SELECT COUNT(*) AS count
      FROM (SELECT 1 FROM log WHERE type IN ${among(topics)} AND seq > ${after} LIMIT ${most})`[0]!
      .count
  }

  /** A page of events, the newest last. */
  page({ types, after, limit }: EventQuery): EventPage | 'unknown place' {
    const { first, newest } = this.#sql<{ first: number; newest: number }>`
      SELECT COALESCE(MIN(seq), 1) AS first, COALESCE(MAX(seq), 0) AS newest FROM log`[0]!
    if (after !== undefined && after > newest) return 'unknown place'
    const order = raw(after === undefined ? 'DESC' : 'ASC')
    const rows = this.#sql<Row>`
      SELECT seq, event FROM log
      WHERE seq > ${after ?? 0} AND type IN ${among(types)}
      ORDER BY seq ${order} LIMIT ${limit}`
    const isLastPage = after === undefined || rows.length < limit
    return {
      events: (after === undefined ? rows.toReversed() : rows).map(
        ({ event }) => JSON.parse(event) as LoggedEvent,
      ),
      next: isLastPage ? newest : rows.at(-1)!.seq,
      truncated: after !== undefined && after < first - 1,
    }
  }

  /** A page of events, the newest first. */
  newestFirst({ types, before, limit }: OlderEventQuery): OlderEvents {
    const rows = this.#sql<Row>`
      SELECT seq, event FROM log
      WHERE seq < ${before ?? Number.MAX_SAFE_INTEGER}
      AND type IN ${among(types)}
      ORDER BY seq DESC LIMIT ${limit + 1}`
    const shown = rows.slice(0, limit)
    return {
      events: shown.map(({ event }) => JSON.parse(event) as LoggedEvent),
      next: rows.length > limit ? shown.at(-1)!.seq : null,
    }
  }

  /** When the oldest event is too old, at the end of that day (UTC): the log is dropped from once a day. */
  dueAt() {
    if (this.#dropAt !== undefined) return this.#dropAt
    const [oldest, next] = this.#sql<{ at: number }>`SELECT at FROM log ORDER BY seq LIMIT 2`
    if (!oldest || !next) return Infinity
    return (this.#dropAt = Math.ceil((oldest.at + KEPT) / DAY) * DAY)
  }

  /**
   * Drops what is too old, a bounded number at a time. The newest stays, so that its place is never
   * given again.
   */
  async ring() {
    this.#dropAt = undefined
    this.#sql`
      DELETE FROM log
      WHERE seq IN (SELECT seq FROM log WHERE at <= ${Date.now() - KEPT}
        ORDER BY seq LIMIT ${DROPPED_AT_ONCE})
      AND seq < (SELECT MAX(seq) FROM log)`
  }
}
