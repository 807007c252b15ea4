import { DAY, HOUR } from '../../src/domain/time/duration.ts'
import { type HappenedEvent, factOf } from '../../src/domain/events/topics.ts'
import {
  type Published,
  type ProviderBookingState,
  type Difference,
  bookingDifference,
  isActive,
  isLongOver,
  linkDifference,
  publishedBy,
} from '../../src/domain/events/provider-changes.ts'
import { recordKey } from '../../src/domain/records.ts'
import { isoUtc } from '../../src/domain/time/time.ts'
import type { ProviderSources } from '../../src/ports/events.ts'
import type { DueHint, ProviderHints } from './notifications.ts'
import { PublishedStates } from './published-states.ts'
import type { AlarmPart } from '../shared/alarm.ts'

/** How many hints are followed in one alarm: few, since deliveries to subscribers share the object's connections. */
const AT_ONCE = 4
/** How far ahead the sweep looks. */
const AHEAD = 366 * DAY
/** How long somebody who read the events counts as listening. */
const LISTENS = DAY

interface Given {
  storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>
  now(): number
  hints: ProviderHints
  /** Built when they are first used. */
  sources(): ProviderSources
  /** Whether the webhook that is registered with a provider works. */
  sendsWebhooks(adapter: string): boolean
  /** Whether anybody has subscribed to events. */
  hasSubscribers(): boolean
  /** Appends events, with what is written beside them in the same transaction; nothing where `write` answers false. */
  append(events: readonly HappenedEvent[], write: () => boolean): Promise<boolean>
}

type Following = {
  since: number
  swept_at: number
  /** The page that the sweep reads next, and from when on; null between two sweeps. */
  place: string | null
  place_from: number | null
}

/**
 * Follows what happens on the providers' own pages: reads what a hint named, compares it with what was last published about
 * it, and publishes what leads from one to the other. A sweep finds what no hint named, and makes hints of it. It only reads.
 */
export class ProviderEvents implements AlarmPart {
  readonly #given: Given
  readonly #sql: SqlStorage
  readonly #states: PublishedStates
  #listenedAt: number | undefined

  constructor(given: Given) {
    this.#given = given
    this.#sql = given.storage.sql
    this.#states = new PublishedStates(this.#sql)
    // One row for each provider that was ever followed, so that the bookings of a new one are no news.
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS following (adapter TEXT PRIMARY KEY, since INTEGER NOT NULL, swept_at INTEGER NOT NULL, place TEXT, place_from INTEGER) WITHOUT ROWID',
    )
    this.#sql.exec('CREATE TABLE IF NOT EXISTS listening (one INTEGER PRIMARY KEY, at INTEGER NOT NULL)')
  }

  /** What commits have published becomes known here, in the transaction that appends the events. */
  committed(events: readonly HappenedEvent[], now: number): void {
    for (const event of events)
      for (const published of publishedBy(event, (id) => this.#states.booking(id)))
        if ('bookingId' in published || !this.#states.link(published.paymentLinkId))
          this.#states.write(published, now)
  }

  /** Somebody reads the events, so that it pays to look often. */
  listened(now: number): void {
    this.#listenedAt ??= this.#sql.exec<{ at: number }>('SELECT at FROM listening').toArray()[0]?.at
    // A row a day is enough to know it.
    if (this.#listenedAt !== undefined && now - this.#listenedAt < LISTENS / 2) return
    this.#listenedAt = now
    this.#sql.exec('INSERT OR REPLACE INTO listening VALUES (1, ?)', now)
  }

  dueAt(): number | undefined {
    const { swept_at, place } = this.#following(this.#given.now())
    return Math.min(this.#given.hints.dueAt() ?? Infinity, place === null ? swept_at + this.#interval() : 0)
  }

  async ring(): Promise<void> {
    const now = this.#given.now()
    const { hints } = this.#given
    const due = hints.due(now, AT_ONCE)
    const following = this.#following(now)
    const sweeps = following.place !== null || following.swept_at + this.#interval() <= now
    await Promise.all([
      ...due.map((hint) => this.#follow(hint)),
      ...(sweeps ? [this.#sweep(following, now)] : []),
    ])
  }

  /** Hourly where no webhook comes and somebody listens, else daily. */
  #interval(): number {
    const sendsWebhooks = this.#given.sendsWebhooks(this.#given.sources().scheduling.adapterId)
    this.#listenedAt ??= this.#sql.exec<{ at: number }>('SELECT at FROM listening').toArray()[0]?.at
    if (sendsWebhooks) return DAY
    if (this.#given.hasSubscribers()) return HOUR
    const isListening = this.#listenedAt !== undefined && this.#given.now() - this.#listenedAt < LISTENS
    return isListening ? HOUR : DAY
  }

  #following(now: number): Following {
    const adapter = this.#given.sources().scheduling.adapterId
    const [known] = this.#sql
      .exec<Following>('SELECT since, swept_at, place, place_from FROM following WHERE adapter = ?', adapter)
      .toArray()
    if (known) return known
    this.#sql.exec('INSERT INTO following VALUES (?, ?, ?, NULL, NULL)', adapter, now, now)
    return { since: now, swept_at: now, place: null, place_from: null }
  }

  /** Reads what a hint is about, and publishes it. Never rejects. */
  async #follow(hint: DueHint): Promise<void> {
    const { hints } = this.#given
    try {
      const result = hint.target.startsWith('bk_')
        ? await this.#followBooking(hint.target)
        : await this.#followLinks(hint.target)
      if (result === 'done') hints.done(hint)
      else hints.wait(hint, this.#given.now())
    } catch {
      hints.failed(hint, this.#given.now())
    }
  }

  async #followBooking(bookingId: string): Promise<'done' | 'wait'> {
    const { scheduling, practice, look, known } = this.#given.sources()
    const seen = await scheduling.seen(bookingId)
    const eventType = practice.eventTypes.find(({ id }) => id === seen?.eventTypeId)
    if (!seen || !eventType || isLongOver(seen, this.#given.now())) return 'done'
    const { movedFrom, movedTo } = seen
    if ((await look(locksOf(seen), bookingId)) === 'busy') return 'wait'
    // A change may have ended between our read and its look: what was seen may be its first half.
    const made = await known([recordKey('booking', bookingId), recordKey('booking_end', bookingId)])
    const compare = (): Difference<Published> | 'own_change_pending' => {
      const published = this.#states.booking(bookingId)
      if (!published && made.includes(recordKey('booking', bookingId))) return 'own_change_pending'
      const mayEnd = !published || isActive(published)
      if (mayEnd && seen.state === 'cancelled' && made.includes(recordKey('booking_end', bookingId)))
        return 'own_change_pending'
      const { since } = this.#following(this.#given.now())
      const previous = movedFrom === undefined ? undefined : this.#states.booking(movedFrom)
      const { mode } = scheduling
      const now = this.#given.now()
      const { timezone } = practice
      return bookingDifference(published, seen, {
        mode,
        now,
        timezone,
        since,
        previous,
        eventType: eventType.name,
      })
    }
    const result = await this.#publish(compare)
    // The other half of a move has the times.
    if (result === 'done' && movedTo !== undefined && this.#isUnpublished(bookingId, movedTo))
      this.#given.hints.suspect(movedTo, this.#given.now())
    return result
  }

  /** A move of which neither half is published. */
  #isUnpublished(from: string, to: string): boolean {
    return isActive(this.#states.booking(from)) || !this.#states.booking(to)
  }

  async #followLinks(target: string): Promise<'done' | 'wait'> {
    const { payments, look, known } = this.#given.sources()
    const linkOfOurs = target.startsWith('plink_') ? await payments.seen(target) : undefined
    const invoiceId = target.startsWith('plink_') ? linkOfOurs?.invoiceId : target
    if (invoiceId === undefined) return 'done'
    if ((await look([`invoice:${invoiceId}`], undefined)) === 'busy') return 'wait'
    const mayBe = [linkOfOurs?.paymentLinkId ?? `pl_${invoiceId}`]
    const made = mayBe.some((id) => this.#states.link(id))
      ? []
      : await known(mayBe.map((id) => recordKey('payment_link', id)))
    if (made.length > 0) return 'wait'
    for (const { paymentLinkId } of this.#states.linksOf(invoiceId)) {
      const seen =
        linkOfOurs?.paymentLinkId === paymentLinkId ? linkOfOurs : await payments.seen(paymentLinkId)
      if (!seen) continue
      const { mode } = payments
      await this.#publish(() => {
        const published = this.#states.link(paymentLinkId)
        return published ? linkDifference(published, seen, { mode, now: this.#given.now() }) : NOTHING
      })
    }
    return 'done'
  }

  /** Appends what a comparison finds, in one transaction with what is published then; compares again if that has changed. */
  async #publish(compare: () => Difference<Published> | 'own_change_pending'): Promise<'done' | 'wait'> {
    for (;;) {
      const found = compare()
      if (found === 'own_change_pending') return 'wait'
      if (found.events.length === 0 && found.published.length === 0) return 'done'
      const isWritten = await this.#given.append(found.events, () => {
        const again = compare()
        if (again === 'own_change_pending' || !sameFacts(found, again)) return false
        for (const published of again.published) this.#states.write(published, this.#given.now())
        return true
      })
      if (isWritten) return 'done'
    }
  }

  /** Reads one page of what is booked, and makes hints of what is not as it was published. At the end, of open links too. */
  async #sweep({ since, place, place_from }: Following, now: number): Promise<void> {
    const { hints, sources } = this.#given
    const { scheduling, practice } = sources()
    const from = place_from ?? now
    const to = now + AHEAD
    const eventTypeIds = practice.eventTypes.map(({ id }) => id)
    const page = await scheduling
      .upcoming({ from, to, eventTypeIds }, place ?? undefined)
      .catch(() => 'no answer' as const)
    // Tried again in an hour, from the beginning.
    if (page === 'no answer' || page === 'unknown place')
      return this.#swept(null, null, now - this.#interval() + HOUR)
    const { bookings, next } = page
    // A page that has a next one ends with its last booking.
    const until = next === undefined ? to : Math.max(from, ...bookings.map(({ start }) => start))
    this.#given.storage.transactionSync(() => {
      for (const { bookingId, state, start, createdAt } of bookings) {
        const published = this.#states.booking(bookingId)
        if (published?.state === state && published.start === start) continue
        if (published || (createdAt !== null && createdAt > since)) hints.suspect(bookingId, now)
        else this.#states.write({ bookingId, state, start, noShow: false, repeats: 0 }, now)
      }
      const listed = new Set(bookings.map(({ bookingId }) => bookingId))
      for (const { bookingId } of this.#states.activeBetween(from, until))
        if (!listed.has(bookingId)) hints.suspect(bookingId, now)
      if (next === undefined) {
        this.#states.drop(now)
        for (const invoiceId of this.#states.openInvoices()) hints.suspect(invoiceId, now)
      }
      this.#swept(next ?? null, next === undefined ? null : until, now)
    })
  }

  #swept(place: string | null, from: number | null, now: number): void {
    this.#sql.exec(
      'UPDATE following SET swept_at = ?, place = ?, place_from = ? WHERE adapter = ?',
      now,
      place,
      from,
      this.#given.sources().scheduling.adapterId,
    )
  }
}

const NOTHING: Difference<Published> = { events: [], published: [] }

/** Under which locks a change of ours may have made or ended this booking. */
const locksOf = ({ bookingId, movedFrom, eventTypeId, start }: ProviderBookingState): string[] => [
  `booking:${bookingId}`,
  ...(movedFrom === undefined ? [] : [`booking:${movedFrom}`]),
  `slot:${eventTypeId}:${isoUtc(start)}`,
]

const sameFacts = (one: Difference<Published>, other: Difference<Published>): boolean =>
  JSON.stringify(one.events.map(factOf)) === JSON.stringify(other.events.map(factOf))
