import { type AuditEntry, LINK_COMPLETED, auditEntry } from '../../src/core/domain/audit/entry.ts'
import { linkOfMarker } from '../../src/core/domain/client-link.ts'
import {
  type Published,
  type PublishedLink,
  type ProviderBookingState,
  type Difference,
  NOTHING,
  RECORDS_OF_BOOKING,
  type RecordOfBooking,
  SETTLED,
  bookingDifference,
  isActive,
  isLongOver,
  linkDifference,
  mayBeOwnChange,
  publishedBy,
} from '../../src/core/domain/events/provider-changes.ts'
import { type HappenedEvent, factOf } from '../../src/core/domain/events/topics.ts'
import { ANY_TIME } from '../../src/core/domain/lock-holders.ts'
import { Problem } from '../../src/core/domain/problem/problem.ts'
import type { QuotaUse } from '../../src/core/domain/provider-quota.ts'
import type { SchedulingProvider } from '../../src/core/domain/providers.ts'
import { recordKey } from '../../src/core/domain/records.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import { instantOf, isoUtc } from '../../src/core/domain/time/time.ts'
import type { EventLog } from '../../src/core/ports/events.ts'
import type { ProviderSources } from '../../src/core/ports/provider-sync.ts'
import type { Env } from '../../src/practice/env.ts'
import { auditFrom, eventLogFrom } from '../../src/practice/wiring/objects.ts'
import { providerQuotaFrom } from '../../src/practice/wiring/providers.ts'
import { providerSourcesFrom } from '../../src/practice/wiring/services.ts'
import type { AlarmPart } from '../shared/shared-alarm.ts'
import type { Sql } from '../shared/sql.ts'
import type { DueNotification, Notifications } from './notifications.ts'
import { PublishedStates } from './published-states.ts'

/**
 * How many notifications are followed in one alarm: the object has six connections, and the sweep
 * takes one.
 */
const NOTIFICATIONS_PER_ALARM = 5
/** How long a notification gives way to callers at most, where the provider allows no more requests. */
const GIVES_WAY_MS = 5 * MINUTE
/** By whom the requests to providers count. */
const CALLER = 'provider_sync'
/** How often a booking is followed back to the one from which it was moved. */
const MOST_MOVES = 5
/** How far ahead the sweep looks. */
const SWEEP_WINDOW_MS = 366 * DAY
/** How long someone who read the events counts as listening. */
const LISTENING_MS = DAY

interface Given {
  ctx: DurableObjectState
  env: Env
  sql: Sql
  notifications: Notifications
  /** Whether the webhook that is registered with a provider works. */
  sendsWebhooks(provider: SchedulingProvider | 'mock'): boolean
}

type Following = {
  since: number
  swept_at: number
  /** The page that the sweep reads next, and from when on; null between two sweeps. */
  place: string | null
  place_from: number | null
  /** What was named until then was found by the first look after a restore. */
  found_until: number | null
}

/**
 * Follows what happens on the providers' own pages: reads what a notification named, compares it
 * with what was last published about it, and publishes what leads from one to the other. A sweep
 * finds what no notification named, and makes notifications of it. It only reads.
 */
export class ProviderEvents implements AlarmPart {
  readonly #given: Given
  readonly #sql: Sql
  readonly #states: PublishedStates
  #listenedAt: number | undefined

  constructor(given: Given) {
    this.#given = given
    this.#sql = given.sql
    this.#states = new PublishedStates(given.sql)
    // One row for each provider that was ever followed, so that the bookings of a new one are no news.
    this.#sql`
      CREATE TABLE IF NOT EXISTS following (provider TEXT PRIMARY KEY, since INTEGER NOT NULL,
        swept_at INTEGER NOT NULL, place TEXT, place_from INTEGER,
        found_until INTEGER) WITHOUT ROWID`
    this.#sql`
      CREATE TABLE IF NOT EXISTS commits_read (one INTEGER PRIMARY KEY, place INTEGER NOT NULL)`
    this.#sql`
      CREATE TABLE IF NOT EXISTS publishing (target TEXT PRIMARY KEY,
        difference TEXT NOT NULL) WITHOUT ROWID`
    this.#sql`CREATE TABLE IF NOT EXISTS listening (one INTEGER PRIMARY KEY, at INTEGER NOT NULL)`
  }

  get #log(): EventLog {
    return eventLogFrom(this.#given.env)
  }

  get #sources(): ProviderSources {
    return providerSourcesFrom(this.#given.env)
  }

  /** Runs what asks a provider within its quota. */
  #asking<T>(use: QuotaUse, run: () => Promise<T>): Promise<T> {
    const { env, ctx } = this.#given
    const quota = providerQuotaFrom(env, (work) => ctx.waitUntil(work))
    return quota.use({ caller: CALLER, use }, run)
  }

  /** What commits have published becomes known here, from the log; whether anyone has subscribed to it. */
  async #readCommits() {
    for (;;) {
      const [read] = this.#sql<{ place: number }>`SELECT place FROM commits_read`
      const { events, next, isEnd, hasSubscribers } = await this.#log.after(read?.place ?? 0)
      const now = Date.now()
      this.#given.ctx.storage.transactionSync(() => {
        // To read an event again changes nothing.
        for (const event of events)
          for (const published of publishedBy(event, (id) => this.#states.booking(id)))
            this.#states.write('bookingId' in published ? published : this.#linkNow(published), now)
        if (next !== read?.place)
          this.#sql`INSERT OR REPLACE INTO commits_read (one, place) VALUES (1, ${next})`
      })
      if (isEnd) return hasSubscribers
    }
  }

  /** A link after an event of a commit: what is known of it already stays, but that it has ended. */
  #linkNow(said: PublishedLink): PublishedLink {
    const known = this.#states.link(said.paymentLinkId)
    if (!known) return said
    return known.state === 'open' ? { ...known, state: said.state } : known
  }

  /** Someone reads the events, so that it pays to look often. */
  listened(now: number) {
    // A row a day is enough to know it.
    if (now - this.#lastListened < LISTENING_MS / 2) return
    this.#listenedAt = now
    this.#sql`INSERT OR REPLACE INTO listening (one, at) VALUES (1, ${now})`
  }

  dueAt(): number {
    const { swept_at, place } = this.#following(Date.now())
    return Math.min(
      this.#given.notifications.dueAt(),
      place === null ? swept_at + this.#interval() : 0,
    )
  }

  async ring() {
    const now = Date.now()
    const due = this.#given.notifications.due(now, NOTIFICATIONS_PER_ALARM)
    const following = this.#following(now)
    const sweeps = following.place !== null || following.swept_at + this.#interval() <= now
    await Promise.all([
      ...due.map((notification) => this.#follow(notification)),
      ...(sweeps ? [this.#sweep(following, now)] : []),
    ])
  }

  /** Hourly where no webhook comes and someone listens, else daily. */
  #interval(): number {
    if (this.#given.sendsWebhooks(this.#sources.scheduling.provider)) return DAY
    return Date.now() - this.#lastListened < LISTENING_MS ? HOUR : DAY
  }

  get #lastListened(): number {
    this.#listenedAt ??= this.#sql<{ at: number }>`SELECT at FROM listening`[0]?.at
    return this.#listenedAt ?? -Infinity
  }

  #following(now: number): Following {
    const { provider } = this.#sources.scheduling
    const [known] = this.#sql<Following & Record<string, SqlStorageValue>>`
      SELECT * FROM following WHERE provider = ${provider}`
    if (known) return known
    this.#sql`
      INSERT INTO following (provider, since, swept_at, place, place_from, found_until)
      VALUES (${provider}, ${now}, ${now}, NULL, NULL, NULL)`
    return { since: now, swept_at: now, place: null, place_from: null, found_until: null }
  }

  /** Reads what a notification is about, and publishes it. Never rejects. */
  async #follow(notification: DueNotification) {
    const { notifications } = this.#given
    const { target, notifiedAt } = notification
    const use = Date.now() - notifiedAt < GIVES_WAY_MS ? 'background' : 'reserved'
    try {
      await this.#finishPublishing(target)
      await this.#readCommits()
      const result = await this.#asking(use, () =>
        target.startsWith('bk_')
          ? this.#followBooking(notification)
          : this.#followLinks(notification),
      )
      if (result === 'done') notifications.done(notification)
      else notifications.wait(notification, Date.now(), result.waitsFor)
    } catch (thrown) {
      const seconds = secondsToGiveWay(thrown)
      if (seconds === undefined) notifications.failed(notification, Date.now())
      else notifications.giveWay(notification, Date.now(), seconds)
    }
  }

  async #followBooking(notification: DueNotification): Promise<Followed> {
    const bookingId = notification.target
    const { scheduling, practice, look, known } = this.#sources
    const before = this.#states.booking(bookingId)
    const age = Date.now() - notification.notifiedAt
    const seen = await scheduling.seen(bookingId)
    // Cal.com reads from a copy of its data (bookings.repository.ts of its source), which is a little behind.
    if (!seen && age < SETTLED) return SOON_AGAIN
    const eventType = practice.eventTypes.find(({ id }) => id === seen?.eventTypeId)
    if (!seen || !eventType || isLongOver(seen, Date.now())) return 'done'
    const { movedFrom, movedTo, marker: carried, createdAt } = seen
    // What shows that it carries no marker was not made here, whatever of ours is in doubt.
    const mayBeMadeHere = !this.#states.booking(bookingId) && carried !== null
    const named = { bookingId, movedFrom, carried, createdAt }
    const waitsFor = await look(locksOf(seen, mayBeMadeHere), named)
    if (waitsFor !== undefined) return { waitsFor }
    // A change may have ended between our read and its look: what was seen may be its first half.
    const keyOf = (kind: RecordOfBooking) => recordKey(kind, bookingId)
    const made = await known(RECORDS_OF_BOOKING.map(keyOf))
    const isRecorded = (kind: RecordOfBooking) => made.includes(keyOf(kind))
    const compare = (): Difference<Published> | 'unsettled' => {
      const published = this.#states.booking(bookingId)
      const now = Date.now()
      if (mayBeOwnChange({ before, published, seen, isRecorded, age })) return 'unsettled'
      const difference = bookingDifference(published, seen, {
        mode: scheduling.mode,
        now,
        timezone: practice.timezone,
        since: this.#following(now).since,
        previous: movedFrom === undefined ? undefined : this.#states.booking(movedFrom),
        eventType: eventType.name,
      })
      // Cal.com says that a booking is cancelled before it cancels it (handleCancelBooking.ts of its source).
      const mayCome = difference.events.length === 0 && seen.state !== 'cancelled'
      return mayCome && age < SETTLED ? 'unsettled' : difference
    }
    const result = await this.#publish(notification, compare, seen)
    // The other half of a move has the times.
    const isUnpublished = (to: string) =>
      isActive(this.#states.booking(bookingId)) || !this.#states.booking(to)
    if (result === 'done' && movedTo !== undefined && isUnpublished(movedTo))
      this.#given.notifications.suspect(movedTo, notification.notifiedAt)
    return result
  }

  async #followLinks(notification: DueNotification): Promise<Followed> {
    const { target } = notification
    const { payments, look, known } = this.#sources
    const linkOfOurs = target.startsWith('plink_') ? await payments.seen(target) : undefined
    const invoiceId = target.startsWith('plink_') ? linkOfOurs?.invoiceId : target
    if (invoiceId === undefined) return 'done'
    const waitsFor = await look([`invoice:${invoiceId}`], undefined)
    if (waitsFor !== undefined) return { waitsFor }
    const mayBe = linkOfOurs?.paymentLinkId ?? `pl_${invoiceId}`
    const isMade =
      !this.#states.link(mayBe) && (await known([recordKey('payment_link', mayBe)])).length > 0
    if (isMade) return SOON_AGAIN
    for (const { paymentLinkId } of this.#states.linksOf(invoiceId)) {
      const seen =
        linkOfOurs?.paymentLinkId === paymentLinkId
          ? linkOfOurs
          : await payments.seen(paymentLinkId)
      if (!seen) continue
      const { mode } = payments
      await this.#publish(notification, () => {
        const published = this.#states.link(paymentLinkId)
        return published ? linkDifference(published, seen, { mode, now: Date.now() }) : NOTHING
      })
    }
    return 'done'
  }

  /**
   * Appends what a comparison finds, and then keeps what is published by it. It is noted before:
   * after a crash just this is appended again, which is harmless, whatever has happened at the
   * provider since.
   */
  async #publish(
    { target, notifiedAt }: DueNotification,
    compare: () => Difference<Published> | 'unsettled',
    booking?: ProviderBookingState,
  ): Promise<Followed> {
    const found = compare()
    if (found === 'unsettled') return SOON_AGAIN
    if (found.events.length === 0 && found.published.length === 0) return 'done'
    const isFound = notifiedAt <= (this.#following(Date.now()).found_until ?? 0)
    if (isFound) for (const { data } of found.events) data.found_after_restore = true
    const noted: Noted = { ...found, ...(isFound && (await this.#lostCompletion(booking))) }
    this.#sql`
      INSERT OR REPLACE INTO publishing (target, difference)
      VALUES (${target}, ${JSON.stringify(noted)})`
    await this.#finishPublishing(target)
    return 'done'
  }

  /** Which link of the backup a client completed after it. A marker that names another one proves nothing. */
  async #lostCompletion(
    booking: ProviderBookingState | undefined,
  ): Promise<Pick<Noted, 'completed'>> {
    const linkId = await this.#linkOf(booking)
    if (linkId === undefined) return {}
    const keys = [recordKey('client_link', linkId), recordKey('client_link_end', linkId)]
    const known = await this.#sources.known(keys)
    return known.length === 1 && known[0] === keys[0] ? { completed: linkId } : {}
  }

  /** The link that the marker of a booking names, or that of the booking from which it was moved. */
  async #linkOf(booking: ProviderBookingState | undefined): Promise<string | undefined> {
    let one = booking
    for (let moves = 0; one && moves <= MOST_MOVES; moves++) {
      const linkId = linkOfMarker(one.marker)
      if (linkId !== undefined || one.movedFrom === undefined) return linkId
      one = await this.#sources.scheduling.seen(one.movedFrom)
    }
    return undefined
  }

  async #finishPublishing(target: string) {
    const [noted] = this.#sql<{ difference: string }>`
      SELECT difference FROM publishing WHERE target = ${target}`
    if (!noted) return
    const { events, published, completed } = JSON.parse(noted.difference) as Noted
    if (events.length > 0) await this.#log.append(events)
    const lost = events.filter(({ data }) => data.found_after_restore)
    const entries = lost.map(foundEntry)
    const [first] = lost
    const bookingId = first?.data.booking_id
    if (first && completed !== undefined && bookingId !== undefined) {
      const at = instantOf(first.timestamp)
      entries.push(
        auditEntry({
          id: `found.${completed}`,
          at,
          ...FOUND,
          code: LINK_COMPLETED,
          record_id: completed,
          about: { booking_id: bookingId },
        }),
      )
      await this.#sources.completeLink(completed, bookingId, at)
    }
    if (entries.length > 0) await auditFrom(this.#given.env).append(entries)
    this.#given.ctx.storage.transactionSync(() => {
      for (const one of published) this.#states.write(one, Date.now())
      this.#sql`DELETE FROM publishing WHERE target = ${target}`
    })
  }

  /**
   * Reads one page of what is booked, and makes notifications of what is not as it was published.
   * At the end, of open links too.
   */
  async #sweep({ since, place, place_from }: Following, now: number) {
    const { notifications } = this.#given
    const { scheduling, practice } = this.#sources
    const from = place_from ?? now
    const to = now + SWEEP_WINDOW_MS
    const eventTypeIds = practice.eventTypes.map(({ id }) => id)
    const page = await this.#readCommits()
      .then((hasSubscribers) => {
        if (hasSubscribers) this.listened(now)
        return this.#asking('background', () =>
          scheduling.upcoming({ from, to, eventTypeIds }, place ?? undefined),
        )
      })
      .catch((thrown: unknown) => secondsToGiveWay(thrown) ?? ('no answer' as const))
    // Tried again from the beginning: in an hour, or once callers leave room for it.
    if (page === 'no answer' || page === 'unknown place' || typeof page === 'number') {
      const wait = typeof page === 'number' ? page * SECOND : HOUR
      return this.#swept(null, null, now - this.#interval() + wait)
    }
    const { bookings, next } = page
    // A page that has a next one ends with its last booking.
    const until = next === undefined ? to : Math.max(from, ...bookings.map(({ start }) => start))
    this.#given.ctx.storage.transactionSync(() => {
      for (const { bookingId, state, start, createdAt } of bookings) {
        const published = this.#states.booking(bookingId)
        if (published?.state === state && published.start === start) continue
        if (published || (createdAt !== null && createdAt > since))
          notifications.suspect(bookingId, now)
        else this.#states.write({ bookingId, state, start, noShow: false, repeats: 0 }, now)
      }
      const listed = new Set(bookings.map(({ bookingId }) => bookingId))
      for (const { bookingId } of this.#states.activeBetween(from, until))
        if (!listed.has(bookingId)) notifications.suspect(bookingId, now)
      if (next === undefined) {
        this.#states.drop(now)
        // Only of this provider: a mock is swept before the owner has entered the token of the real
        // one again.
        this.#sql`
          UPDATE following SET found_until = MIN(found_until, ${now})
          WHERE provider = ${scheduling.provider}`
        for (const invoiceId of this.#states.openInvoices()) notifications.suspect(invoiceId, now)
      }
      this.#swept(next ?? null, next === undefined ? null : until, now)
    })
  }

  #swept(place: string | null, from: number | null, now: number) {
    this.#sql`
      UPDATE following SET swept_at = ${now}, place = ${place}, place_from = ${from}
      WHERE provider = ${this.#sources.scheduling.provider}`
  }
}

/** How long callers go first, in seconds; undefined where something else was thrown. */
const secondsToGiveWay = (thrown: unknown) =>
  thrown instanceof Problem && thrown.refusal.code === 'rate_limited'
    ? thrown.refusal.retry_after_seconds
    : undefined

/** What is published, and the client link whose completion was lost, where it shows one. */
type Noted = Difference<Published> & { completed?: string }

/** Whether a notification is done, or for which operation of ours in doubt it waits, if for one. */
type Followed = 'done' | { waitsFor: string | null }
/** A change of ours has ended and its own event is on its way, or what was named cannot be read yet. */
const SOON_AGAIN = { waitsFor: null }

const FOUND = { event: 'found_after_restore', caller: 'none', operation: 'restore' } as const
const foundEntry = (event: HappenedEvent): AuditEntry =>
  auditEntry({
    id: `found.${factOf(event)}`,
    at: instantOf(event.timestamp),
    ...FOUND,
    code: event.type.replace('.', '_'),
    record_id: event.data.booking_id ?? event.data.payment_link_id ?? null,
  })

/**
 * Under which locks a change of ours may have made or ended this booking. One that was made here may
 * be at another time than was asked for, so a change of ours at any time may be it.
 */
const locksOf = (
  { bookingId, movedFrom, eventTypeId, start }: ProviderBookingState,
  mayBeMadeHere: boolean,
) => [
  `booking:${bookingId}`,
  ...(movedFrom === undefined ? [] : [`booking:${movedFrom}`]),
  `slot:${eventTypeId}:${isoUtc(start)}`,
  ...(mayBeMadeHere ? [`slot:${eventTypeId}:${ANY_TIME}`] : []),
]
