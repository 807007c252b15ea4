import type { WebhookSender } from '../../src/core/domain/providers.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import type {
  HeldNotifications,
  Notification,
  OverdueNotifications,
} from '../../src/core/ports/provider-sync.ts'
import type { Sql } from '../shared/sql.ts'

/**
 * Waits before a notification is tried again whose provider did not answer; from then on it is
 * tried once a day.
 */
const BACKOFF = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR]

/** How soon a notification is tried again that waits for a change of ours, and after how long once a day. */
const SHORTEST_WAIT = 20 * SECOND
const WAITS_DAILY_AFTER = 3 * DAY

/** How long a notification is tried. */
const KEPT = 30 * DAY
/** A notification that is older was not read in time. */
const OVERDUE = DAY

/** Something that a provider said may have changed. */
export interface DueNotification {
  target: string
  notifiedAt: number
  tries: number
}

/**
 * What the providers' webhooks were about, until it has been read at the provider: ids only, in
 * tables of `ProviderSync`.
 */
export class Notifications {
  readonly #sql: Sql
  readonly #storage: Pick<DurableObjectStorage, 'transactionSync'>
  /** When the first one is due, as far as it was read. */
  #dueAt: number | undefined

  constructor(sql: Sql, storage: Pick<DurableObjectStorage, 'transactionSync'>) {
    this.#sql = sql
    this.#storage = storage
    // The prefix of an id says what it names: bk_, in_ or plink_.
    sql`
      CREATE TABLE IF NOT EXISTS notifications (target TEXT PRIMARY KEY, due INTEGER NOT NULL,
        notified_at INTEGER NOT NULL, tries INTEGER NOT NULL, waits_for TEXT) WITHOUT ROWID`
    sql`
      CREATE TABLE IF NOT EXISTS deliveries (provider TEXT PRIMARY KEY,
        last_at INTEGER NOT NULL) WITHOUT ROWID`
  }

  /**
   * Keeps each target once, due now. A target that waits already is due now too, and is marked as
   * named again, so that a reader of it at the provider does not forget it.
   */
  add(sender: WebhookSender, { bookings, invoices, links }: Notification, now: number) {
    this.#storage.transactionSync(() => {
      this.#sql`
        INSERT OR REPLACE INTO deliveries (provider, last_at)
        VALUES (${sender}, ${now})`
      for (const target of [...bookings, ...invoices, ...links])
        this.#sql`
          INSERT OR REPLACE INTO notifications (target, due, notified_at, tries, waits_for)
          VALUES (${target}, ${now}, ${now}, 0, NULL)`
    })
    this.#dueAt = undefined
  }

  /** Adds what was noticed here; one that waits already stays as it is. */
  suspect(target: string, now: number) {
    this.#sql`
      INSERT OR IGNORE INTO notifications (target, due, notified_at, tries, waits_for)
      VALUES (${target}, ${now}, ${now}, 0, NULL)`
    this.#dueAt = undefined
  }

  /** When the first is due; Infinity where there is none. */
  dueAt(): number {
    this.#dueAt ??=
      this.#sql<{ due: number | null }>`SELECT MIN(due) AS due FROM notifications`[0]!.due ??
      Infinity
    return this.#dueAt
  }

  /** The first that are due, at most so many. */
  due(now: number, most: number): DueNotification[] {
    return this.#sql<DueNotification>`
      SELECT target, notified_at AS notifiedAt, tries FROM notifications
      WHERE due <= ${now} ORDER BY due, target LIMIT ${most}`
  }

  /**
   * It was read at the provider, and published: it is forgotten, unless another notification named
   * it meanwhile.
   */
  done({ target, notifiedAt }: DueNotification) {
    this.#sql`
      DELETE FROM notifications WHERE target = ${target} AND notified_at = ${notifiedAt}`
    this.#dueAt = undefined
  }

  /**
   * It has to wait for a change of ours to end, the longer that takes, the longer: for this
   * operation, whose outcome is not known, or for one whose event is on its way.
   */
  wait(notification: DueNotification, now: number, waitsFor: string | null) {
    const age = now - notification.notifiedAt
    const wait = age < WAITS_DAILY_AFTER ? Math.min(HOUR, Math.max(SHORTEST_WAIT, age / 4)) : DAY
    this.#again({ ...notification, due: now + wait, waitsFor }, now)
  }

  /** Callers go first, for so many seconds. */
  giveWay(notification: DueNotification, now: number, seconds: number) {
    this.#again({ ...notification, due: now + seconds * SECOND, waitsFor: null }, now)
  }

  /** Its provider did not answer. */
  failed(notification: DueNotification, now: number) {
    const { tries } = notification
    const due = now + (BACKOFF[tries] ?? DAY)
    this.#again({ ...notification, due, tries: tries + 1, waitsFor: null }, now)
  }

  #again(notification: DueNotification & { due: number; waitsFor: string | null }, now: number) {
    const { target, notifiedAt, tries, due, waitsFor } = notification
    if (now - notifiedAt >= KEPT) return this.done(notification)
    this.#sql`
      UPDATE notifications SET due = ${Math.round(due)}, tries = ${tries}, waits_for = ${waitsFor}
      WHERE target = ${target} AND notified_at = ${notifiedAt}`
    this.#dueAt = undefined
  }

  /** For which operations in doubt some wait, that of the oldest first. */
  held(): HeldNotifications[] {
    return this.#sql<Omit<HeldNotifications, 'targets'> & { targets: string }>`
      SELECT waits_for AS operation_id, COUNT(*) AS count, MIN(notified_at) AS since,
        json_group_array(target ORDER BY target) AS targets
      FROM notifications WHERE waits_for IS NOT NULL GROUP BY waits_for ORDER BY since`.map(
      (row) => ({ ...row, targets: JSON.parse(row.targets) as string[] }),
    )
  }

  /** How many wait for more than a day, and since when. */
  overdue(now: number): OverdueNotifications | undefined {
    const [row] = this.#sql<OverdueNotifications>`
      SELECT COUNT(*) AS count, MIN(notified_at) AS since FROM notifications
      WHERE notified_at < ${now - OVERDUE}`
    return row?.count ? row : undefined
  }
}
