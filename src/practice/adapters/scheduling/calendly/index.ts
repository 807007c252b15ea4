import type { Slot } from '../../../../core/domain/availability.ts'
import {
  type Booking,
  MOST_GUESTS,
  type NothingLeft,
  addressFact,
  bookingIdOf,
  factsOfMade,
  providerIdOf,
} from '../../../../core/domain/booking.ts'
import { NOT_UNDERSTOOD, UNKNOWN, ok, refused } from '../../../../core/domain/outcome.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import { DAY, MINUTE } from '../../../../core/domain/time/duration.ts'
import { isoUtc } from '../../../../core/domain/time/time.ts'
import { ALREADY_BOOKED, reasonWith } from '../../../../core/domain/whose-booking.ts'
import type { Scheduling } from '../../../../core/ports/scheduling.ts'
import type { SchedulingConnection } from '../../connection.ts'
import { misconfigured } from '../../error-table.ts'
import {
  bookingReads,
  isGroup,
  nameOf,
  otherBooking,
  stateOf,
  calendlyBookings,
  calendlyBookingsOf,
  upcomingEvents,
} from './bookings.ts'
import { calendlyClient } from './client.ts'
import { FIX, GUESTS_REFUSED } from './errors.ts'
import { bookingFieldsOf, detailsOf, refuseClosed, saidIn } from './event-type.ts'
import { trackedBy, calendlyReconcile, orBusy } from './reconcile.ts'
import { cancelledSchema, createdSchema, eventTypeUri, openTimesSchema } from './schemas.ts'

const MAX_WINDOW = 31 * DAY
/**
 * Minutes ahead from which open times are read, again from later if Calendly's clock is ahead of
 * ours.
 */
const AHEAD = [1, 3, 10, 30] as const

/**
 * Calendly, with event types cached for a minute. Bookings name an event type as `eventTypeIds` do.
 */
export function calendlyScheduling(connection: SchedulingConnection): Scheduling {
  const { now, eventTypeIds = [] } = connection
  const client = calendlyClient(connection)
  const bookings = bookingReads(client, eventTypeIds)
  const reconcile = calendlyReconcile(client, bookings)

  async function openTimes(id: string, from: number, to: number, ahead = 0): Promise<number[]> {
    const start = Math.max(from, now() + AHEAD[ahead]! * MINUTE)
    if (start >= to) return []
    try {
      const answer = await client.read({
        path: '/event_type_available_times',
        query: { event_type: eventTypeUri(id), start_time: isoUtc(start), end_time: isoUtc(to) },
        scope: 'availability:read',
        schema: openTimesSchema,
      })
      if (!answer) throw new Problem(misconfigured(FIX.eventType))
      return answer.collection.read
        .filter((time) => time.status === 'available' && time.invitees_remaining !== 0)
        .map((time) => time.start_time)
    } catch (thrown) {
      const later = AHEAD.findIndex((minutes, at) => at > ahead && now() + minutes * MINUTE > start)
      const isRejected = thrown instanceof Problem && thrown.refusal.detail === FIX.request
      if (!isRejected || later === -1) throw thrown
      return openTimes(id, from, to, later)
    }
  }

  return {
    mode: 'live',
    provider: 'calendly',
    adapterId: 'calendly',

    async slots({ id: named }, from, to): Promise<Slot[]> {
      const { id, eventType } = await client.eventType(named, 'uncached')
      refuseClosed(eventType)
      const minutes = eventType.duration
      const starts = new Set<number>()
      const first = Math.max(from, now() + MINUTE)
      for (let at = first; at < to; at += MAX_WINDOW) {
        const until = Math.min(to, at + MAX_WINDOW)
        for (const start of await openTimes(id, at, until)) starts.add(start)
      }
      return [...starts]
        .sort((one, other) => one - other)
        .map((start) => ({ start, end: start + minutes * MINUTE }))
        .filter(({ start, end }) => start >= first && end <= to)
    },

    eventType: async ({ id }, how) => detailsOf((await client.eventType(id, how)).eventType),

    async booking(bookingId): Promise<Booking | undefined> {
      const event = await bookings.event(bookingId)
      if (!event) return undefined
      bookings.refuseGroup(event)
      return bookings.bookingOf(event)
    },

    bookings: calendlyBookings(client, bookings),

    bookingsOf: calendlyBookingsOf(client, bookings),

    upcoming: upcomingEvents(client),

    async seen(bookingId) {
      const event = await bookings.event(bookingId)
      if (!event || isGroup(event)) return undefined
      const invitee = await bookings.invitee(event.uri)
      const carried = invitee?.tracking?.utm_content
      return {
        bookingId: bookingIdOf(event.uri),
        eventTypeId: bookings.asInSettings(event.event_type),
        state: stateOf(event),
        start: event.start_time,
        end: event.end_time,
        createdAt: event.created_at,
        noShow: invitee?.no_show === undefined ? undefined : invitee.no_show !== null,
        movedFrom: otherBooking(event, invitee?.old_invitee),
        movedTo: otherBooking(event, invitee?.new_invitee),
        marker: carried === undefined ? undefined : carried || null,
      }
    },

    async invitee(bookingId) {
      const event = await bookings.event(bookingId)
      if (!event) return undefined
      const invitee = await bookings.invitee(event.uri)
      if (!invitee?.email) return undefined
      return {
        email: invitee.email,
        name: nameOf(invitee),
        timezone: await bookings.zoneOf(invitee),
        said: saidIn(event, invitee),
        guests: event.event_guests,
        contact: null,
      }
    },

    async book(request, marker) {
      const { eventTypeId, start, end, invitee } = request
      const {
        name,
        email,
        timezone,
        said,
        guests: others = [],
        contact: _ofMock,
        ...left
      } = invitee
      void (left satisfies NothingLeft)
      const type = await orBusy(async () => {
        const { id, eventType } = await client.eventType(eventTypeId)
        return { id, fields: bookingFieldsOf(eventType, said) }
      })
      if ('is' in type) return type
      const { id, fields } = type
      const body = {
        event_type: eventTypeUri(id),
        start_time: isoUtc(start),
        // Calendly demands a name: without one, send the email address rather than invent one.
        invitee: {
          name: name || email,
          email,
          timezone,
          ...(said?.phone && { text_reminder_number: said.phone }),
        },
        ...fields,
        tracking: trackedBy(marker),
      }
      const sentAt = now()
      const guests = others.filter(Boolean).slice(0, MOST_GUESTS)
      const change = (sent: object) => client.change('book', '/invitees', sent, createdSchema)
      const first = await change(guests.length > 0 ? { ...body, event_guests: guests } : body)
      // It read the request and made nothing: the person is booked without the others.
      const isWithout = 'refusal' in first && first.refusal === GUESTS_REFUSED
      const made = isWithout ? await change(body) : first
      if ('doubt' in made) return reconcile.afterRefusedBooking(request, marker, made)
      if (made.is !== 'ok') return made
      const { event: eventId, email: kept, sure } = made.value.resource
      const address = addressFact(email, [kept])
      const whose = await reconcile.whoseReturned(made.value.resource, marker, sentAt)
      if (whose === 'another') return ALREADY_BOOKED
      if (whose === 'unsaid') return NOT_UNDERSTOOD
      const event = await orBusy(() => bookings.event(bookingIdOf(eventId)))
      if (event && !('is' in event))
        return ok({ ...bookings.factsOf(event, eventTypeId), ...address })
      if (!sure) return UNKNOWN
      const count = isWithout ? 0 : guests.length
      const facts = factsOfMade(eventId, 'confirmed', { start, end }, undefined, count)
      return ok({ ...facts, ...address })
    },

    fullForSeconds: client.fullForSeconds,

    findBooked: reconcile.findBooked,

    async cancel(bookingId, reason, marker) {
      const id = providerIdOf(bookingId)
      if (id === undefined) return refused('booking_not_found')
      const path = `/scheduled_events/${encodeURIComponent(id)}/cancellation`
      const body = { reason: reasonWith(marker, reason) }
      const done = await client.change('cancel', path, body, cancelledSchema)
      if ('doubt' in done) return reconcile.afterRefusedCancellation(bookingId, marker, done)
      return done.is === 'ok' ? ok() : done
    },

    findCancelled: reconcile.findCancelled,
  }
}
