import { type AuditEntry, auditEntry } from '../src/core/domain/audit/entry.ts'
import { type HappenedEvent, clientDeleted, eventOf } from '../src/core/domain/events/topics.ts'
import type { Mode } from '../src/core/domain/mode.ts'
import {
  type RecordKind,
  APPROVED,
  END,
  approvedLink,
  kindOf,
  ownerOf,
  recordKey,
} from '../src/core/domain/records.ts'
import { DAY, SECOND } from '../src/core/domain/time/duration.ts'
import { instantOf, isoSeconds } from '../src/core/domain/time/time.ts'
import type { EventLog } from '../src/core/ports/events.ts'
import type {
  ClientRecords,
  Found,
  RecordEntry,
  RecordWrite,
  Records as RecordsPort,
  ClientErasure,
  ErasedBy,
} from '../src/core/ports/records.ts'
import { withTimeout } from '../src/core/with-timeout.ts'
import type { Served } from '../src/practice/adapters/cloudflare/stub.ts'
import type { Env } from '../src/practice/env.ts'
import { auditFrom, eraseFlow, eventLogFrom } from '../src/practice/wiring/objects.ts'
import { CopiedObject } from './shared/copied-object.ts'
import { OutboxTable, type OutboxRow, type Unlisted } from './shared/outbox-table.ts'
import { type Sql, type SqlPart, among, part } from './shared/sql.ts'

/**
 * How long a flow may keep data of a client: the longest preview, and 30 days after it; with a day
 * to spare.
 */
const FLOWS_KEEP = 32 * DAY
/** How long the answer to a deletion waits for the first things to be erased. */
const ERASE_TIMEOUT_MS = 5 * SECOND

type Row = { seq: number; key: string; value: string; ended: number }

/**
 * The masked records of the practice, in the order in which they were made; and which clients are
 * erased, decided here once and for good. It notes which flows hold data of which client, and
 * brings its outbox to KV, which holds a copy that no one else writes or deletes, to these flows,
 * and to the audit log. A new record needs no row there: records are published in the event log and
 * then copied, in their order.
 */
export class Records extends CopiedObject implements Served<RecordsPort & ClientErasure> {
  readonly #outbox: OutboxTable
  readonly #newRecords: NewRecords
  #answersDroppedAt = 0

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    // Rows are never deleted, so no number is given twice. An erased record has no value.
    this.sql`
      CREATE TABLE IF NOT EXISTS records (seq INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL,
        kind TEXT NOT NULL, mode TEXT NOT NULL, value TEXT)`
    this.sql`
      CREATE INDEX IF NOT EXISTS records_of_kind ON records (kind, mode, seq)
      WHERE value IS NOT NULL`
    this.sql`
      CREATE TABLE IF NOT EXISTS links (link TEXT, seq INTEGER,
        PRIMARY KEY (link, seq)) WITHOUT ROWID`
    this.sql`CREATE INDEX IF NOT EXISTS links_of_record ON links (seq)`
    this.sql`
      CREATE TABLE IF NOT EXISTS flow_refs (client TEXT, flow TEXT, at INTEGER,
        PRIMARY KEY (client, flow)) WITHOUT ROWID`
    // What each flow has ended with, for a backup: nothing else lists the flows.
    this.sql`
      CREATE TABLE IF NOT EXISTS answers (flow TEXT PRIMARY KEY, at INTEGER NOT NULL,
        seq INTEGER NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID`
    this.#newRecords = new NewRecords(this.sql, () => eventLogFrom(this.env))
    this.#outbox = new OutboxTable(
      this.sql,
      (at) => ctx.storage.setAlarm(at),
      (item) => this.#deliver(item),
      this.#newRecords,
    )
    // While KV is down, thousands of copies wait.
    this.sql`CREATE INDEX IF NOT EXISTS outbox_due ON outbox (due)`
  }

  /**
   * Writes the records of a commit, all or none; a repeat changes nothing. Those of an erased
   * client are not written, and the flow that holds them is erased. What the flow has ended with is
   * kept in the same transaction.
   */
  upsert(writes: readonly RecordWrite[], flow: string, answer?: string) {
    const added = this.ctx.storage.transactionSync(() => {
      let isErased = false
      const seqs: number[] = []
      for (const write of writes) {
        const client = ownerOf(write.key)
        if (client === undefined || this.registerFlow(client, flow) !== null)
          seqs.push(...this.#write(write, client))
        else {
          this.#eraseFlow(flow, client)
          isErased = true
        }
      }
      if (answer !== undefined && !isErased) this.#keepAnswer(flow, answer)
      return seqs
    })
    this.#newRecords.added(added)
    this.ctx.waitUntil(this.#outbox.run(writes.length))
  }

  /**
   * The record of the client, as `get` answers it. Unless it is erased, notes that this flow holds,
   * or will hold, the client's data.
   */
  registerFlow(clientId: string, flow: string) {
    const client = this.get(recordKey('client', clientId))
    if (client === null) return null
    const now = Date.now()
    const noted = this.sql.written`
      INSERT INTO flow_refs (client, flow, at)
      VALUES (${clientId}, ${flow}, ${now})
      ON CONFLICT DO UPDATE SET at = excluded.at WHERE at < ${now - DAY}`
    if (noted > 0)
      this.sql`DELETE FROM flow_refs WHERE client = ${clientId} AND at < ${now - FLOWS_KEEP}`
    return client
  }

  /** The record as JSON; null if it was erased, undefined if there is none. */
  get(key: string) {
    return this.sql<{ value: string | null }>`
      SELECT value FROM records WHERE key = ${key}`[0]?.value
  }

  /** Which of these keys have a record. */
  known(keys: readonly string[]) {
    return this.under(keys).map(({ key }) => key)
  }

  /** The records under these keys that are there. */
  under(keys: readonly string[]) {
    return this.#rows(part`key IN ${among(keys)}`)
  }

  /** The records of a kind, the newest first, from before a number on. */
  newest(kind: RecordKind, mode: Mode, before: number, limit: number) {
    return this.#rows(
      part`kind = ${kind} AND mode = ${mode} AND seq < ${before} ${newestFirst(limit)}`,
    )
  }

  /** The newest records of a kind and a mode that carry any of these links, and how many there are. */
  linkedTo(links: readonly string[], kind: RecordKind, mode: Mode, limit: number) {
    return this.#found(isLinked(links, kind, mode), limit)
  }

  /** Whether a person approved a change with this address, or a consult with it has taken place. */
  knowsClient(index: readonly string[], mode: Mode, now: number) {
    const isApproved = this.sql.exists`
      records JOIN links USING (seq)
      WHERE link IN ${among(index.map(approvedLink))} AND mode = ${mode}`
    if (isApproved) return true
    return this.newestWith(index, 'booking', mode, MOST_BOOKINGS).some(({ value, ended }) => {
      const { end_time } = JSON.parse(value) as { end_time: string }
      return !ended && instantOf(end_time) <= now
    })
  }

  /** As `linkedTo`, without their number: one person may have thousands. */
  newestWith(links: readonly string[], kind: RecordKind, mode: Mode, limit: number) {
    return this.#rows(part`${isLinked(links, kind, mode)} ${newestFirst(limit)}`)
  }

  /** A client, with the newest intake answers, and the newest of what shares a link with the client's record. */
  ofClient(
    clientId: string,
    modes: { bookings: Mode; paymentLinks: Mode },
    limit: number,
  ): ClientRecords {
    const key = recordKey('client', clientId)
    const sharing = (kind: RecordKind, mode: Mode): Found =>
      this.#found(
        part`kind = ${kind} AND mode = ${mode} AND seq IN
          (SELECT theirs.seq FROM links AS theirs JOIN links AS ours USING (link)
            WHERE ours.seq = (SELECT seq FROM records WHERE key = ${key}))`,
        limit,
      )
    return {
      client: this.get(key),
      intake: this.#found(
        part`kind = ${'intake'} AND seq IN (SELECT seq FROM links WHERE link = ${key})`,
        limit,
      ),
      bookings: sharing('booking', modes.bookings),
      paymentLinks: sharing('payment_link', modes.paymentLinks),
    }
  }

  /** The newest keys of a kind that begin so. */
  keysWithPrefix(kind: RecordKind, mode: Mode, prefix: string, limit: number) {
    const isPrefixed = part`substr(key, 1, ${prefix.length}) = ${prefix}`
    return this.#rows(
      part`kind = ${kind} AND mode = ${mode} AND ${isPrefixed} ${newestFirst(limit)}`,
    ).map(({ key }) => key)
  }

  /** What is kept of a client, for the owner. */
  stored(clientId: string) {
    const key = recordKey('client', clientId)
    const value = this.get(key)
    const counts = this.sql<{ kind: string; count: number }>`
      SELECT kind, COUNT(*) AS count FROM records
      JOIN links USING (seq)
      WHERE link = ${key} AND value IS NOT NULL GROUP BY kind`
    return {
      erased: value === null,
      value: value ?? null,
      counts: Object.fromEntries(counts.map(({ kind, count }) => [kind, count])),
    }
  }

  /**
   * Decides for good that a client is erased, in one transaction: with all records that belong to
   * the client, and all links that lead to bookings and payment links. Copies and flows are erased
   * from the outbox: most before it answers.
   */
  async eraseClient(clientId: string, by: ErasedBy) {
    const key = recordKey('client', clientId)
    const added = this.ctx.storage.transactionSync(() => {
      if (this.get(key) === null) return []
      const [client] = this.sql<{ mode: Mode }>`SELECT mode FROM records WHERE key = ${key}`
      const seqs = this.#erase(clientId)
      const { caller, requestId, operation = 'delete_client' } = by
      const entry = auditEntry({
        id: requestId,
        at: Date.now(),
        event: 'deletion',
        operation,
        code: 'ok',
        record_id: clientId,
        caller,
        request_id: requestId,
      })
      this.#outbox.add('audit', entry.id, JSON.stringify(entry), 'urgent')
      // Of a client whose record never came, no event has published either.
      if (client) {
        const event = clientDeleted(clientId, client.mode, entry.at)
        this.#outbox.add('event', clientId, JSON.stringify(event), 'urgent')
      }
      return seqs
    })
    this.#newRecords.added(added)
    await withTimeout(this.#outbox.run(), ERASE_TIMEOUT_MS)
  }

  /** Erases what there is of a client; a repeat finds nothing. The number of the record, if it is new. */
  #erase(clientId: string): number[] {
    const key = recordKey('client', clientId)
    const erased = this.sql<{ seq: number }>`
      INSERT INTO records (key, kind, mode, value)
      VALUES (${key}, 'client', 'none', NULL) ON CONFLICT DO NOTHING RETURNING seq`
    const owned = this.sql<{ seq: number; key: string }>`
      SELECT seq, key FROM records
      WHERE key = ${key} OR seq IN (SELECT seq FROM links WHERE link = ${key})`
    const seqs = among(owned.map(({ seq }) => seq))
    // An address stays known no longer than its client, unless another one has it.
    this.sql`
      DELETE FROM links
      WHERE link IN (SELECT ${APPROVED} || link FROM links JOIN records USING (seq)
        WHERE key = ${key})
      AND substr(link, ${APPROVED.length + 1}) NOT IN (SELECT link FROM links
        JOIN records USING (seq) WHERE kind = 'client' AND key <> ${key})`
    // What another client is found by, too, stays: two people may share an email address.
    this.sql`
      DELETE FROM links
      WHERE link IN (SELECT link FROM links JOIN records USING (seq) WHERE key = ${key})
      AND link NOT IN (SELECT link FROM links JOIN records USING (seq) WHERE kind = 'client'
        AND key <> ${key})`
    this.sql`DELETE FROM links WHERE seq IN ${seqs}`
    this.sql`
      UPDATE records SET value = NULL
      WHERE seq IN ${seqs}`
    for (const record of owned) this.#outbox.add('copy', record.key, '', 'urgent')
    const flows = this.sql<{ flow: string }>`
      SELECT flow FROM flow_refs WHERE client = ${clientId}`
    for (const { flow } of flows) this.#eraseFlow(flow, clientId)
    this.sql`DELETE FROM flow_refs WHERE client = ${clientId}`
    return erased.map(({ seq }) => seq)
  }

  /**
   * What a flow has ended with, as it kept it; of one that ended while it was copied, not without
   * its records.
   */
  answerOf(flow: string) {
    return this.sql<{ answer: string }>`
      SELECT answer FROM answers WHERE flow = ${flow} AND seq <= ${NEWEST_RECORD}`[0]?.answer
  }

  /**
   * After a restore: clients that the log knows as deleted are deleted again, all client links end,
   * since no one knows which of them were used meanwhile, and all other records are copied to KV.
   */
  async endRestore(deleted: readonly string[]) {
    // What came while they were copied is lost whole: the records themselves were copied as they
    // were at the beginning.
    this.sql`DELETE FROM links WHERE seq > ${NEWEST_RECORD}`
    this.sql`DELETE FROM answers WHERE seq > ${NEWEST_RECORD}`
    this.sql`
      UPDATE progress SET
        published = MIN(published, ${NEWEST_RECORD}), copied = MIN(copied, ${NEWEST_RECORD})`
    this.#newRecords.reload()
    this.sql`
      UPDATE records SET value = json_set(value, '$.ended_by_restore_at', ${isoSeconds(Date.now())})
      WHERE kind = 'client_link' AND json_extract(value, '$.ended_by_restore_at') IS NULL`
    // What was copied before its client was erased is here again.
    this.sql`
      DELETE FROM answers
      WHERE json_extract(answer, '$.subject') IN
        ${among(deleted)}`
    for (const client of deleted) {
      if (typeof this.get(recordKey('client', client)) === 'string')
        await this.eraseClient(client, { caller: 'none', requestId: crypto.randomUUID() })
      else this.#newRecords.added(this.ctx.storage.transactionSync(() => this.#erase(client)))
    }
    this.sql`
      INSERT OR IGNORE INTO outbox (kind, key, detail, due, attempts, repeats)
      SELECT 'copy', key, '', 0, 0, 0 FROM records WHERE value IS NOT NULL`
    this.#outbox.reload()
    this.ctx.waitUntil(this.#outbox.run())
  }

  #eraseFlow(flow: string, client: string) {
    this.#outbox.add('flow', flow, client, 'urgent')
    this.sql`DELETE FROM answers WHERE flow = ${flow}`
  }

  #keepAnswer(flow: string, answer: string) {
    const now = Date.now()
    this.sql`
      INSERT OR REPLACE INTO answers (flow, at, seq, answer)
      VALUES (${flow}, ${now}, ${NEWEST_RECORD}, ${answer})`
    if (now - this.#answersDroppedAt < DAY) return
    this.#answersDroppedAt = now
    this.sql`DELETE FROM answers WHERE at < ${now - FLOWS_KEEP}`
  }

  override async alarm() {
    await this.#outbox.ring()
  }

  /**
   * Writes a record; one that is there keeps its place. It is found by its links, those that it
   * copies, and its owner. The number of one that is new.
   */
  #write(
    { key, mode, value, links = [], copyLinksFrom }: RecordWrite,
    client: string | undefined,
  ): number[] {
    const text = JSON.stringify(value)
    const [added] = this.sql<{ seq: number }>`
      INSERT INTO records (key, kind, mode, value)
      VALUES (${key}, ${kindOf(key)}, ${mode}, ${text}) ON CONFLICT DO NOTHING RETURNING seq`
    const { seq } = added ?? this.#rewrite(key, text)
    if (copyLinksFrom !== undefined)
      this.sql`
        INSERT OR IGNORE INTO links (link, seq)
        SELECT link, ${seq} FROM links
        WHERE seq = (SELECT seq FROM records WHERE key = ${copyLinksFrom})`
    const owner =
      client === undefined ? [] : [recordKey('client', client)].filter((one) => one !== key)
    for (const link of [...links, ...owner])
      this.sql`INSERT OR IGNORE INTO links (link, seq) VALUES (${link}, ${seq})`
    if (!added) return []
    this.#outbox.wake()
    return [seq]
  }

  /** Gives a record that is there this value, unless it was erased. */
  #rewrite(key: string, text: string): { seq: number } {
    const changed = this.sql.written`
      UPDATE records SET value = ${text} WHERE key = ${key} AND value <> ${text}`
    if (changed > 0) this.#outbox.add('copy', key)
    return this.sql<{ seq: number }>`SELECT seq FROM records WHERE key = ${key}`[0]!
  }

  async #deliver({ kind, key, detail }: OutboxRow): Promise<'delivered' | 'repeat'> {
    switch (kind) {
      case 'copy': {
        const value = this.get(key)
        if (typeof value !== 'string') {
          await this.env.RECORDS_KV.delete(key)
          return 'repeat'
        }
        await this.#newRecords.publish()
        await this.env.RECORDS_KV.put(key, value)
        this.#newRecords.save()
        return 'delivered'
      }
      case 'flow':
        if (!(await eraseFlow(this.env, key, detail))) throw new Error('the flow cannot be read')
        return 'repeat'
      case 'audit':
        await auditFrom(this.env).append([JSON.parse(detail) as AuditEntry])
        return 'delivered'
      case 'event':
        await this.#newRecords.publish()
        await this.#newRecords.append([JSON.parse(detail) as HappenedEvent])
        this.#newRecords.save()
        return 'delivered'
    }
  }

  #found(where: SqlPart, limit: number): Found {
    const entries = this.#rows(part`${where} ${newestFirst(limit)}`)
    if (entries.length < limit) return { entries, count: entries.length }
    const { count } = this.sql<{ count: number }>`
      SELECT COUNT(*) AS count FROM records WHERE value IS NOT NULL AND ${where}`[0]!
    return { entries, count }
  }

  #rows(where: SqlPart): RecordEntry[] {
    const rows = this.sql<Row>`
      SELECT seq, key, value,
        EXISTS (SELECT 1 FROM records AS ends WHERE ends.key = records.key || ${END}) AS ended
      FROM records WHERE value IS NOT NULL AND ${where}`
    return rows.map((row) => ({ ...row, ended: row.ended === 1 }))
  }
}

/** How many bookings of an address are looked at. */
const MOST_BOOKINGS = 200

const NEWEST_RECORD = part`(SELECT COALESCE(MAX(seq), 0) FROM records)`
const newestFirst = (limit: number) => part`ORDER BY seq DESC LIMIT ${limit}`
/** Of a kind and a mode, and with any of these links. */
const isLinked = (links: readonly string[], kind: RecordKind, mode: Mode) =>
  part`kind = ${kind} AND mode = ${mode} AND seq IN
    (SELECT seq FROM links WHERE link IN ${among(links)})`

/** How many records are published in one call, and how long that is waited for. */
const AT_ONCE = 50
const PUBLISH_TIMEOUT_MS = 8 * SECOND

/**
 * The new records in the table `records`: each is published in the event log, then copied, without
 * a row of the outbox. Two places say how far both have come.
 */
class NewRecords implements Unlisted {
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

  constructor(sql: Sql, eventLog: () => EventLog) {
    this.#sql = sql
    this.#eventLog = eventLog
    // One row: the last record that has been published, and the last one that was copied, with all before it.
    sql`
      CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY, published INTEGER NOT NULL,
        copied INTEGER NOT NULL)`
    this.reload()
  }

  /** Reads how far both have come: at the beginning, and after a restore has put another place there. */
  reload() {
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
  added(seqs: readonly number[]) {
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

  begin(seq: number) {
    this.#begunTo = seq
    this.#copying.add(seq)
  }

  end(seq: number, isSaved: boolean) {
    this.#copying.delete(seq)
    if (isSaved) this.save()
    else this.#begunTo = Math.min(this.#begunTo, seq - 1)
  }

  /**
   * Publishes every record that is there now. Rejects if the event log did not take them: then it
   * has to be asked again. After a crash before `save` the same ones are published again, and the
   * log knows an event again.
   */
  async publish() {
    const newest = this.#newest
    while (this.#publishedTo < newest)
      await (this.#publishing ??= this.#publishNext().finally(() => (this.#publishing = undefined)))
  }

  /** Appends events that are no records. Rejects if the event log does not answer. */
  async append(events: readonly HappenedEvent[]) {
    if ((await withTimeout(this.#eventLog().append(events), PUBLISH_TIMEOUT_MS)) === 'late')
      throw new Error('the event log does not answer')
  }

  /**
   * Keeps how far both came, in one write with what the object notes at the same time; while copies
   * are being made, the last does.
   */
  save() {
    if (this.#copying.size > 0) return
    this.#sql`
      INSERT INTO progress (one, published, copied)
      VALUES (1, ${this.#publishedTo}, ${this.#begunTo})
      ON CONFLICT DO UPDATE SET published = excluded.published, copied = excluded.copied
      WHERE published < excluded.published OR copied < excluded.copied`
  }

  async #publishNext() {
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
