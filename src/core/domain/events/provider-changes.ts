import type { BookingState } from '../booking.ts'
import type { Mode } from '../mode.ts'
import type { ProviderLinkState } from '../payment-link.ts'
import type { RecordKind } from '../records.ts'
import { DAY, SECOND } from '../time/duration.ts'
import { instantOf, isoInZone, isoSeconds } from '../time/time.ts'
import type { EventData, HappenedEvent, Topic } from './topics.ts'

/** For how long after its meeting the changes of a booking are followed. */
const FOLLOWED = 30 * DAY

/** A booking as its provider has it now, without its invitee. Times are epoch milliseconds. */
export interface ProviderBookingState {
  bookingId: string
  /** The provider's id, as the settings spell it. */
  eventTypeId: string
  state: BookingState
  start: number
  end: number
  /** Null where the provider does not say. */
  createdAt: number | null
  /** Whether the invitee did not come; missing where that was not read. */
  noShow?: boolean | undefined
  /** The bookings before and after it, where it was moved. */
  movedFrom?: string | undefined
  movedTo?: string | undefined
  /** The marker that it carries; null where it carries none, missing where it hides that. */
  marker?: string | null | undefined
}

/** A page of active bookings; the list may lag behind the bookings themselves. */
export interface UpcomingPage {
  bookings: Pick<ProviderBookingState, 'bookingId' | 'state' | 'start' | 'createdAt'>[]
  /** Where the next page begins; undefined at the end of the list. */
  next: string | undefined
}

export interface PublishedBooking {
  bookingId: string
  state: BookingState | 'moved'
  start: number
  noShow: boolean
  repeats: number
  /** How often the practice accepted it again after its end; missing where it never did. */
  acceptedAgain?: number
}

export interface PublishedLink {
  paymentLinkId: string
  invoiceId: string
  state: 'open' | 'paid' | 'closed'
  failures: number
  submitted: boolean
}

export type Published = PublishedBooking | PublishedLink

/** New events, and the published states that hold once they are published. */
export type Difference<P extends Published> = { events: HappenedEvent[]; published: P[] }

interface ComparingBooking {
  mode: Mode
  now: number
  timezone: string
  /** The name of its kind of consult, by the settings. */
  eventType: string
  /** Bookings that were made before are no news: they existed when the connector began. */
  since: number
  previous: PublishedBooking | undefined
}

/** Nothing has happened. */
export const NOTHING: Difference<never> = { events: [], published: [] }

/** Whether the booking is over for so long that its changes are not published any more. */
export const isLongOver = ({ start }: ProviderBookingState, now: number) => start < now - FOLLOWED

/** The kinds of records that say what was done to a booking here. */
export const RECORDS_OF_BOOKING = [
  'booking',
  'booking_end',
  'booking_acceptance',
] as const satisfies readonly RecordKind[]
export type RecordOfBooking = (typeof RECORDS_OF_BOOKING)[number]

interface KnownOfBooking {
  /** What was published before it was read at the provider, and what is published now. */
  before: PublishedBooking | undefined
  published: PublishedBooking | undefined
  seen: ProviderBookingState
  isRecorded(kind: RecordOfBooking): boolean
  /** How long ago a notification named it. */
  age: number
}

/**
 * A read that shows a booking which is over as active, or none, may lag behind: it is believed once
 * the notification is so old.
 */
export const SETTLED = 15 * SECOND

/**
 * Whether what was seen may be a change of ours whose event is on its way, or may be older than
 * what is published.
 */
export function mayBeOwnChange({
  before,
  published,
  seen,
  isRecorded,
  age,
}: KnownOfBooking): boolean {
  if (!published)
    return isRecorded('booking') || (seen.state === 'cancelled' && isRecorded('booking_end'))
  switch (seen.state) {
    case 'cancelled':
      // The record of an end is from before it was accepted again.
      return isFirstLife(published) && isRecorded('booking_end')
    case 'confirmed':
      // What ended after it was read was not accepted again.
      if (!isActive(published)) return before?.state !== published.state || age < SETTLED
      return published.state === 'pending_host_approval' && isRecorded('booking_acceptance')
    case 'pending_host_approval':
      return false
  }
}

/** The events from the published state of a booking to its state now; none for one that is long over. */
export function bookingDifference(
  published: PublishedBooking | undefined,
  seen: ProviderBookingState,
  comparing: ComparingBooking,
): Difference<PublishedBooking> {
  const { now, since, previous } = comparing
  if (isLongOver(seen, now)) return NOTHING
  const { bookingId, state, start, movedFrom, movedTo } = seen
  const isNew = seen.createdAt !== null && seen.createdAt > since
  // A booking that was moved was active before; the events of its successor say the rest.
  const active = state === 'cancelled' ? 'confirmed' : state
  const before = published ?? { bookingId, state: active, start, noShow: false, repeats: 0 }
  const out: Difference<PublishedBooking> = { events: [], published: [before] }
  const isMove = published ? isFirstLife(previous) : previous || isNew
  if (movedFrom !== undefined && isMove) {
    // The two bookings of a move make one event.
    out.events.push(bookingEvent('booking.rescheduled', seen, comparing))
    if (previous) out.published.unshift({ ...previous, state: 'moved' })
  } else if (!published && isNew && state !== 'cancelled')
    out.events.push(bookingEvent('booking.created', seen, comparing))
  if (isActive(before)) {
    if (state === 'cancelled') {
      if (movedTo === undefined)
        also(
          out,
          { state },
          bookingEvent('booking.cancelled', seen, comparing, before.acceptedAgain),
        )
      else if (!published && out.events.length === 0) return NOTHING
    } else {
      if (before.state === 'pending_host_approval' && state === 'confirmed')
        also(out, { state }, bookingEvent('booking.confirmed', seen, comparing))
      if (before.start !== start) {
        const repeats = before.repeats + 1
        const moved = { ...seen, movedFrom: bookingId }
        also(
          out,
          { start, repeats },
          bookingEvent('booking.rescheduled', moved, comparing, repeats),
        )
      }
      const { noShow, repeats } = last(out)
      if (seen.noShow !== undefined && seen.noShow !== noShow) {
        const again = repeats + 1
        const marked = bookingEvent('booking.no_show', seen, comparing, again)
        also(out, { noShow: seen.noShow, repeats: again }, marked)
      }
    }
  } else if (state === 'confirmed') {
    // Cal.com accepts a request that was cancelled, declined or moved, such as from an old mail to the host.
    const acceptedAgain = (before.acceptedAgain ?? 0) + 1
    const accepted = bookingEvent('booking.confirmed', seen, comparing, acceptedAgain)
    also(out, { state, start, acceptedAgain }, accepted)
  }
  return published && out.events.length === 0 ? NOTHING : out
}

/** Whether more can happen to the booking. */
export const isActive = (published: PublishedBooking | undefined) =>
  published !== undefined && published.state !== 'cancelled' && published.state !== 'moved'

/** Active, and never over before: only then does another booking that came from it say that it was moved. */
const isFirstLife = (published: PublishedBooking | undefined) =>
  isActive(published) && published?.acceptedAgain === undefined

const last = ({ published }: BookingDifference): PublishedBooking => published.at(-1)!

type BookingDifference = Difference<PublishedBooking>

function also(out: BookingDifference, change: Partial<PublishedBooking>, event: HappenedEvent) {
  out.events.push(event)
  out.published[out.published.length - 1] = { ...last(out), ...change }
}

function bookingEvent(
  type: Extract<Topic, `booking.${string}`>,
  { bookingId, movedFrom, state, start, end, noShow }: ProviderBookingState,
  { mode, now, timezone, eventType }: ComparingBooking,
  repeat?: number,
): HappenedEvent {
  const data: EventData = {
    booking_id: bookingId,
    ...(type === 'booking.rescheduled' &&
      movedFrom !== undefined && { previous_booking_id: movedFrom }),
    ...(type === 'booking.no_show' ? { no_show: noShow ?? false } : { state }),
    ...(type !== 'booking.no_show' &&
      type !== 'booking.cancelled' && {
        event_type: eventType,
        start_time: isoInZone(start, timezone),
        end_time: isoInZone(end, timezone),
        timezone,
      }),
    source: 'provider',
  }
  return {
    type,
    timestamp: isoSeconds(now),
    mode,
    data,
    ...(repeat !== undefined && { repeat }),
  }
}

/** The events that lead from the published state of a payment link to its state now. */
export function linkDifference(
  published: PublishedLink,
  seen: ProviderLinkState,
  { mode, now }: { mode: Mode; now: number },
): Difference<PublishedLink> {
  const event = (type: Topic, repeat?: number): HappenedEvent => ({
    type,
    timestamp: isoSeconds(now),
    mode,
    data: {
      payment_link_id: published.paymentLinkId,
      invoice_id: published.invoiceId,
      invoice_status: seen.status,
      currency: seen.currency,
      amount_remaining: seen.amount,
      amount_paid: seen.amountPaid,
    },
    ...(repeat !== undefined && { repeat }),
  })
  if (published.state === 'paid') return NOTHING
  if (seen.status === 'paid')
    return { events: [event('payment_link.paid')], published: [{ ...published, state: 'paid' }] }
  const events = []
  const submitted = seen.isCompleted
  // A page that was open when its link was ended can still be completed. After a failure it can be
  // completed again.
  if (submitted && !published.submitted)
    events.push(event('payment_link.submitted', published.failures || undefined))
  const wasClosed = published.state === 'closed'
  const failures = wasClosed ? published.failures : Math.max(seen.failures, published.failures)
  if (failures > published.failures) events.push(event('payment_link.payment_failed', failures))
  const isClosed = seen.status === 'void' || seen.status === 'uncollectible' || seen.switchedOff
  if (isClosed && !wasClosed) events.push(event('payment_link.closed'))
  const state = isClosed || wasClosed ? 'closed' : 'open'
  const isUnchanged = events.length === 0 && submitted === published.submitted
  return isUnchanged
    ? NOTHING
    : { events, published: [{ ...published, failures, state, submitted }] }
}

const LINK_STATES_OF_COMMITS: Partial<Record<Topic, PublishedLink['state']>> = {
  'payment_link.created': 'open',
  'payment_link.closed': 'closed',
}

/** The published states after an event of a commit, so that the provider's echo makes no second event. */
export function publishedBy(
  { type, data, timestamp }: HappenedEvent,
  before: (bookingId: string) => PublishedBooking | undefined,
): Published[] {
  const { booking_id, previous_booking_id, start_time, payment_link_id, invoice_id } = data
  if (payment_link_id !== undefined && invoice_id !== undefined) {
    const state = LINK_STATES_OF_COMMITS[type]
    const link = { paymentLinkId: payment_link_id, invoiceId: invoice_id }
    const failures = data.failures_before ?? 0
    return state ? [{ ...link, state, failures, submitted: false }] : []
  }
  if (booking_id === undefined || data.source !== 'connector') return []
  const at = (bookingId: string, time = timestamp): PublishedBooking =>
    before(bookingId) ?? {
      bookingId,
      state: 'confirmed',
      start: instantOf(time),
      noShow: false,
      repeats: 0,
    }
  if (type === 'booking.cancelled') {
    const ended = at(booking_id)
    // The log has one end by a commit, so this is the one before the booking was accepted again.
    return [ended.acceptedAgain === undefined ? { ...ended, state: 'cancelled' } : ended]
  }
  if (type === 'booking.confirmed') {
    const accepted = at(booking_id, start_time)
    return [isActive(accepted) ? { ...accepted, state: 'confirmed' } : accepted]
  }
  const made = before(booking_id) ?? {
    ...at(booking_id, start_time),
    state: data.state as BookingState,
  }
  return previous_booking_id === undefined
    ? [made]
    : [{ ...at(previous_booking_id), state: 'moved' }, made]
}
