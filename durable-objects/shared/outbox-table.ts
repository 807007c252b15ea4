import { HOUR, MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import { withTimeout } from '../../src/core/with-timeout.ts'
import { type Sql, type SqlPart, part } from './sql.ts'

/**
 * How many items are delivered at a time, and how many a run attempts: a plan may allow fifty calls
 * in one.
 */
const IN_FLIGHT = 4
const IN_A_RUN = 40
/** How long one delivery is waited for; after that it counts as failed. */
const TIMEOUT_MS = 10 * SECOND
/** When a delivery that failed is tried again; the last wait is repeated. */
const BACKOFF = [15 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR]
/** When an erasure is done once more: a write begun by an instance that died may land after the first. */
const REPEATS = [HOUR, 24 * HOUR]

/**
 * A record to be copied to KV or deleted there, a flow to be erased, an entry for the audit log, or
 * an event for the event log.
 */
type Kind = 'copy' | 'flow' | 'audit' | 'event'

export type OutboxRow = {
  kind: Kind
  /** The key of the record, the name of the flow, the id of the entry, the client that the event is about. */
  key: string
  /** Whose data the flow erases; the entry or the event as JSON. */
  detail: string
  attempts: number
  /** How often it was delivered and is to be delivered once more. */
  repeats: number
}

/**
 * Items without a row, in an order of their own: their object knows how far it has come. One that
 * fails gets a row.
 */
export interface Unlisted {
  /** The first that was not begun. */
  next(): (OutboxRow & { seq: number }) | undefined
  begin(seq: number): void
  /** It was delivered or has its row, or neither could be saved. */
  end(seq: number, isSaved: boolean): void
}

type Item = OutboxRow & { seq?: number }

/**
 * Delivers one item; `repeat` where it has to be delivered again later, however well it went.
 * Rejects if it failed.
 */
type Deliver = (item: OutboxRow) => Promise<'delivered' | 'repeat'>

interface Run {
  /** How many items it has attempted, and how many it may attempt. */
  attempted: number
  most: number
  promise: Promise<void>
  resolve(): void
}

/** What an object has still to deliver, in a table of its storage, and the alarm by which it does. */
export class OutboxTable {
  readonly #sql: Sql
  readonly #setAlarm: (at: number) => Promise<void>
  readonly #deliver: Deliver
  readonly #unlisted: Unlisted | undefined
  /**
   * The items in flight, and whether one was put into the outbox again meanwhile. No item is in
   * flight twice.
   */
  readonly #inFlight = new Map<string, { renewed: boolean }>()
  #running: Run | undefined
  #alarmAt: number | undefined
  /** Whether the table may have rows. Most items are delivered without one. */
  #mayHaveRows = true

  /** `setAlarm` has the object woken at a moment, in epoch ms. */
  constructor(
    sql: Sql,
    setAlarm: (at: number) => Promise<void>,
    deliver: Deliver,
    unlisted?: Unlisted,
  ) {
    this.#sql = sql
    this.#setAlarm = setAlarm
    this.#deliver = deliver
    this.#unlisted = unlisted
    sql`
      CREATE TABLE IF NOT EXISTS outbox (kind TEXT, key TEXT, detail TEXT, due INTEGER NOT NULL,
        attempts INTEGER NOT NULL, repeats INTEGER NOT NULL,
        PRIMARY KEY (kind, key, detail)) WITHOUT ROWID`
    // An alarm can be lost with the instance that it woke.
    this.#arm(this.#firstDue())
  }

  /** Adds an item, to be delivered by the alarm or by `run`. One that is `urgent` comes before all others. */
  add(kind: Kind, key: string, detail = '', urgency: 'normal' | 'urgent' = 'normal') {
    this.#list({ kind, key, detail }, urgency === 'urgent' ? 0 : Date.now())
    const sent = this.#inFlight.get(idOf({ kind, key, detail }))
    if (sent) sent.renewed = true
    this.wake()
  }

  /** There is something to deliver, by the alarm or by `run`. */
  wake() {
    this.#arm(Date.now() + MINUTE)
  }

  /** Rows have been written past this table. */
  reload() {
    this.#mayHaveRows = true
  }

  /** The alarm rang. */
  async ring() {
    this.#alarmAt = undefined
    this.reload()
    await this.run()
  }

  /**
   * Delivers what is due, at most so many items; an alarm comes for the rest. A commit asks for as
   * many as it added, so that it does not work off the backlog of an outage.
   */
  run(most = IN_A_RUN) {
    const run = (this.#running ??= { attempted: 0, most: 0, ...Promise.withResolvers<void>() })
    run.most = Math.min(run.most + most, IN_A_RUN)
    this.#sendMore(run)
    return run.promise
  }

  /** Sends items as long as some may be in flight; the run is over once none is. */
  #sendMore(run: Run) {
    for (;;) {
      const maySend = this.#inFlight.size < IN_FLIGHT && run.attempted < run.most
      const item = maySend ? this.#nextDue() : undefined
      if (!item) break
      run.attempted += 1
      // An item whose end could not be saved stays due: it is delivered again.
      void this.#attempt(item)
        .catch(() => item.seq !== undefined && this.#unlisted?.end(item.seq, false))
        .finally(() => this.#sendMore(run))
    }
    if (this.#inFlight.size > 0) return
    this.#running = undefined
    this.#arm(this.#firstDue())
    run.resolve()
  }

  #nextDue(): Item | undefined {
    const due = this.#mayHaveRows ? this.#rowsDue() : []
    return [...due, this.#unlisted?.next()].find((item) => item && !this.#inFlight.has(idOf(item)))
  }

  #rowsDue(): OutboxRow[] {
    return this.#sql<OutboxRow>`
      SELECT * FROM outbox
      WHERE due <= ${Date.now()} ORDER BY due LIMIT ${IN_FLIGHT + this.#inFlight.size}`
  }

  #firstDue(): number | undefined {
    if (this.#unlisted?.next()) return Date.now()
    if (!this.#mayHaveRows) return undefined
    const [row] = this.#sql<{ due: number | null }>`
      SELECT MIN(due) AS due FROM outbox`
    this.#mayHaveRows = typeof row?.due === 'number'
    return row?.due ?? undefined
  }

  async #attempt(item: Item) {
    const flight = { renewed: false }
    this.#inFlight.set(idOf(item), flight)
    const { seq } = item
    if (seq !== undefined) this.#unlisted?.begin(seq)
    // As a call, so that what is thrown at once is a failure, too.
    const ended = await withTimeout(
      (async () => this.#deliver(item))().catch(() => 'failed' as const),
      TIMEOUT_MS,
    )
    this.#inFlight.delete(idOf(item))
    const now = Date.now()
    const wait = REPEATS[item.repeats]
    // KV takes one write of a key in a second.
    if (flight.renewed) this.#change(item, part`due = ${now + SECOND}`)
    else if (ended === 'failed' || ended === 'late') {
      if (seq !== undefined) this.#list(item)
      const due = now + (BACKOFF[item.attempts] ?? HOUR)
      this.#change(item, part`attempts = attempts + 1, due = ${due}`)
    } else if (ended === 'repeat' && wait !== undefined)
      this.#change(item, part`attempts = 0, repeats = repeats + 1, due = ${now + wait}`)
    else if (this.#mayHaveRows) this.#sql`DELETE FROM outbox WHERE ${isItem(item)}`
    if (seq !== undefined) this.#unlisted?.end(seq, true)
  }

  #list({ kind, key, detail }: Omit<OutboxRow, 'attempts' | 'repeats'>, due = 0) {
    this.#mayHaveRows = true
    this.#sql`
      INSERT INTO outbox (kind, key, detail, due, attempts, repeats)
      VALUES (${kind}, ${key}, ${detail}, ${due}, 0, 0)
      ON CONFLICT DO UPDATE SET due = excluded.due, attempts = 0, repeats = 0`
  }

  #change(item: OutboxRow, change: SqlPart) {
    this.#sql`UPDATE outbox SET ${change} WHERE ${isItem(item)}`
  }

  /**
   * Sees to it that an alarm comes by then. One that comes earlier is left alone, since to set it
   * is a write.
   */
  #arm(due: number | undefined) {
    if (due === undefined) return
    const at = Math.max(due, Date.now() + SECOND)
    if (this.#alarmAt !== undefined && this.#alarmAt <= at) return
    this.#alarmAt = at
    // What could not be set is set with the next item, or by the next instance.
    this.#setAlarm(at).catch(() => (this.#alarmAt = undefined))
  }
}

const isItem = ({ kind, key, detail }: Pick<OutboxRow, 'kind' | 'key' | 'detail'>): SqlPart =>
  part`kind = ${kind} AND key = ${key} AND detail = ${detail}`

const idOf = ({ kind, key, detail }: Pick<OutboxRow, 'kind' | 'key' | 'detail'>) =>
  [kind, key, detail].join(' ')
