import type { BookingState } from '../booking.ts'
import { DAY } from '../time/duration.ts'
import type { EventData, HappenedEvent, Topic } from './topics.ts'
import type { Mode } from '../mode.ts'
import type { Invoice } from '../payment-link.ts'
import { instantOf, isoInZone, isoSeconds } from '../time/time.ts'

/** How long after its meeting a booking can still change. */
const FOLLOWED = 30 * DAY

/** A booking as its provider has it now: ids, states and times, and nothing of its invitee. Times are epoch milliseconds. */
export interface ProviderBookingState {
  bookingId: string
  /** The id of the provider, as the settings spell it. */
  eventTypeId: string
  state: BookingState
  start: number
  end: number
  /** Null where the provider does not say. */
  createdAt: number | null
  /** Nobody came; missing where that was not read. */
  noShow?: boolean
  /** The bookings before and after it, where it was moved. */
  movedFrom?: string
  movedTo?: string
}

/** Active bookings as a list has them; it may lag behind the bookings themselves. */
export interface UpcomingPage {
  bookings: Pick<ProviderBookingState, 'bookingId' | 'state' | 'start' | 'createdAt'>[]
  /** Where the next page begins; undefined at the end of the list. */
  next: string | undefined
}

/** A link and its invoice as the payment provider has them now. */
export interface ProviderLinkState extends Pick<
  Invoice,
  'invoiceId' | 'status' | 'amount' | 'amountPaid' | 'currency'
> {
  paymentLinkId: string
  /** How often a payment was tried and failed, as far as the provider counts it. */
  failures: number
  /** The practice switched the link off; false where it was used up. */
  switchedOff: boolean
}

export interface PublishedBooking {
  bookingId: string
  state: BookingState | 'moved'
  start: number
  noShow: boolean
  repeats: number
}

export interface PublishedLink {
  paymentLinkId: string
  invoiceId: string
  state: 'open' | 'paid' | 'closed'
  failures: number
}

export type Published = PublishedBooking | PublishedLink

/** Events, with what is published once they are. */
export interface Difference<P extends Published> {
  events: HappenedEvent[]
  published: P[]
}

interface Comparing {
  mode: Mode
  now: number
  timezone: string
}

interface ComparingBooking extends Comparing {
  /** The name of its kind of consult, by the settings. */
  eventType: string
  /** Bookings made before then were there when the connector began, and are no news. */
  since: number
  previous: PublishedBooking | undefined
}

const NOTHING = { events: [], published: [] }

/** Whether a booking is so long over that nothing of it is published any more. */
export const isLongOver = ({ start }: Pick<ProviderBookingState, 'start'>, now: number): boolean =>
  start < now - FOLLOWED

/** What leads from what was published about a booking to what is there now. A booking that is long over is left alone. */
export function bookingDifference(
  published: PublishedBooking | undefined,
  seen: ProviderBookingState,
  comparing: ComparingBooking,
): Difference<PublishedBooking> {
  const { now, since, previous } = comparing
  if (isLongOver(seen, now)) return NOTHING
  const { bookingId, state, start, movedFrom, movedTo } = seen
  const isNew = seen.createdAt !== null && seen.createdAt > since
  // What was moved on was active before; the events of its successor say the rest.
  const active = state === 'cancelled' ? 'confirmed' : state
  const before = published ?? { bookingId, state: active, start, noShow: false, repeats: 0 }
  const out: Difference<PublishedBooking> = { events: [], published: [before] }
  if (movedFrom !== undefined && (published ? isActive(previous) : previous || isNew)) {
    // Both halves of a move are one event.
    out.events.push(bookingEvent('booking.rescheduled', seen, comparing))
    if (previous) out.published.unshift({ ...previous, state: 'moved' })
  } else if (!published && isNew && state !== 'cancelled')
    out.events.push(bookingEvent('booking.created', seen, comparing))
  if (isActive(before)) {
    if (state === 'cancelled') {
      if (movedTo === undefined) also(out, { state }, bookingEvent('booking.cancelled', seen, comparing))
      else if (!published && out.events.length === 0) return NOTHING
    } else {
      if (before.state === 'pending_host_approval' && state === 'confirmed')
        also(out, { state }, bookingEvent('booking.confirmed', seen, comparing))
      if (before.start !== start) {
        const repeats = before.repeats + 1
        const moved = { ...seen, movedFrom: bookingId }
        also(out, { start, repeats }, bookingEvent('booking.rescheduled', moved, comparing, repeats))
      }
      addNoShow(out, seen, comparing)
    }
  }
  return published && out.events.length === 0 ? NOTHING : out
}

/** Whether more can happen to it. */
export const isActive = (published: PublishedBooking | undefined): boolean =>
  published !== undefined && published.state !== 'cancelled' && published.state !== 'moved'

function addNoShow(
  out: Difference<PublishedBooking>,
  seen: ProviderBookingState,
  comparing: ComparingBooking,
): void {
  const { noShow, repeats } = last(out)
  if (seen.noShow === undefined || seen.noShow === noShow) return
  const again = repeats + 1
  also(out, { noShow: seen.noShow, repeats: again }, bookingEvent('booking.no_show', seen, comparing, again))
}

const last = ({ published }: Difference<PublishedBooking>): PublishedBooking => published.at(-1)!

function also(
  out: Difference<PublishedBooking>,
  change: Partial<PublishedBooking>,
  event: HappenedEvent,
): void {
  out.events.push(event)
  out.published[out.published.length - 1] = { ...last(out), ...change }
}

type BookingTopic = Extract<Topic, `booking.${string}`>

function bookingEvent(
  type: BookingTopic,
  { bookingId, movedFrom, state, start, end, noShow }: ProviderBookingState,
  { mode, now, timezone, eventType }: ComparingBooking,
  repeat?: number,
): HappenedEvent {
  const about: EventData = {
    booking_id: bookingId,
    ...(type === 'booking.rescheduled' && movedFrom !== undefined && { previous_booking_id: movedFrom }),
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
  return { type, timestamp: isoSeconds(now), mode, data: about, ...(repeat !== undefined && { repeat }) }
}

/** What leads from what was published about a payment link to what is there now. Only links made here are published. */
export function linkDifference(
  published: PublishedLink,
  seen: ProviderLinkState,
  { mode, now }: Pick<Comparing, 'mode' | 'now'>,
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
  if (published.state === 'closed') return NOTHING
  const events = []
  const { failures } = seen
  if (failures > published.failures) events.push(event('payment_link.payment_failed', failures))
  const isClosed = seen.status === 'void' || seen.status === 'uncollectible' || seen.switchedOff
  if (isClosed) events.push(event('payment_link.closed'))
  if (events.length === 0) return NOTHING
  return {
    events,
    published: [
      {
        ...published,
        failures: Math.max(failures, published.failures),
        state: isClosed ? 'closed' : 'open',
      },
    ],
  }
}

/** What is published once an event of a commit is, so that the provider's echo of it says nothing new. */
export function publishedBy(
  { type, data, timestamp }: HappenedEvent,
  before: (bookingId: string) => PublishedBooking | undefined,
): Published[] {
  const { booking_id, previous_booking_id, start_time, payment_link_id, invoice_id } = data
  if (type === 'payment_link.created' && payment_link_id !== undefined && invoice_id !== undefined)
    return [{ paymentLinkId: payment_link_id, invoiceId: invoice_id, state: 'open', failures: 0 }]
  if (booking_id === undefined || data.source !== 'connector') return []
  const at = (bookingId: string, time = timestamp): PublishedBooking =>
    before(bookingId) ?? {
      bookingId,
      state: 'confirmed',
      start: instantOf(time),
      noShow: false,
      repeats: 0,
    }
  if (type === 'booking.cancelled') return [{ ...at(booking_id), state: 'cancelled' }]
  const made = before(booking_id) ?? { ...at(booking_id, start_time), state: data.state as BookingState }
  return previous_booking_id === undefined ? [made] : [{ ...at(previous_booking_id), state: 'moved' }, made]
}
