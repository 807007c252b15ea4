import type { Slot } from '../../../domain/availability.ts'
import { providerIdOf } from '../../../domain/booking.ts'
import { problem } from '../../../domain/problem.ts'
import { isoUtc } from '../../../domain/time.ts'
import type { Scheduling } from '../../../ports/index.ts'
import { ADVICE, cannotBook } from './messages.ts'
import { bookingAnswer } from './schemas.ts'
import { bookedFacts, bookingOf, inviteeOf, isOver } from './booking.ts'
import { type CalcomConnection, calcomClient } from './client.ts'
import { eventTypeNumber, obstaclesIn } from './event-type.ts'
import { calcomListing } from './list-bookings.ts'
import { calcomLooks } from './reconcile.ts'
import { metadataWith, reasonWith } from './marker.ts'
import { badEventTypeId, notFound } from './outcomes.ts'
import { believed } from './read-errors.ts'
import { verdictOn } from './errors.ts'

export { type CalcomConnection, type CalcomVersions, DEFAULT_VERSIONS } from './client.ts'

const DAY = 86_400_000

/** Cal.com, API v2. Nothing it says is believed before it is parsed, and none of its words are passed on. */
export function calcomScheduling(connection: CalcomConnection): Scheduling {
  const { now } = connection
  const client = calcomClient(connection)
  const { read, findBooked, findCancelled, findMoved } = calcomLooks(client)

  return {
    mode: 'live',
    via: 'calcom',

    async slots({ id }, from, to): Promise<Slot[]> {
      const eventTypeId = eventTypeNumber(id)
      if (eventTypeId === undefined) throw problem('provider_misconfigured', { detail: ADVICE.eventTypeId })
      // Read anew each time: a commit must see what was changed since its preview.
      const eventType = await client.eventType(eventTypeId)
      const obstacles = obstaclesIn(eventType)
      if (obstacles.length > 0)
        throw problem('provider_misconfigured', { detail: cannotBook(eventTypeId, obstacles) })
      const first = Math.max(from, now())
      if (to <= first) return []
      // From a day before: Cal.com lays its grid of times from where the question begins.
      const open = await client.slots(eventTypeId, Math.max(first - DAY, now()), to)
      const length = eventType.lengthInMinutes * 60_000
      return open
        .map(({ start, end }) => ({ start, end: end ?? start + length }))
        .filter(({ start, end }) => start >= first && start < end && end <= to)
        .toSorted((one, other) => one.start - other.start)
        .filter(({ start }, index, all) => start !== all[index - 1]?.start)
    },

    async booking(bookingId) {
      const found = await read(bookingId)
      return found && bookingOf(found)
    },

    bookings: calcomListing(client),

    async invitee(bookingId) {
      const found = await read(bookingId)
      return found && inviteeOf(found)
    },

    async book({ eventTypeId, start, end, invitee }, marker) {
      const id = eventTypeNumber(eventTypeId)
      if (id === undefined) return badEventTypeId
      const heard = await client.send('/v2/bookings', {
        eventTypeId: id,
        start: isoUtc(start),
        attendee: {
          name: invitee.name ?? invitee.email,
          email: invitee.email,
          timeZone: invitee.timezone,
        },
        metadata: metadataWith(marker),
      })
      const made = believed(heard, bookingAnswer)
      if (made) return { is: 'ok', facts: bookedFacts(made.data) }
      return verdictOn('book', heard, now(), () => findBooked({ start, end }, eventTypeId, marker))
    },

    findBooked,

    async cancel(bookingId, reason, marker) {
      const uid = providerIdOf(bookingId)
      if (uid === undefined) return notFound
      const heard = await client.send(`/v2/bookings/${encodeURIComponent(uid)}/cancel`, {
        cancellationReason: reasonWith(marker, reason ?? 'Cancelled.'),
      })
      const ended = believed(heard, bookingAnswer)
      if (ended && isOver(ended.data)) return { is: 'ok', facts: {} }
      return verdictOn('cancel', heard, now(), () => findCancelled(bookingId, marker))
    },

    findCancelled,

    reschedule: {
      async run(request, marker) {
        const uid = providerIdOf(request.bookingId)
        if (uid === undefined) return notFound
        const heard = await client.send(`/v2/bookings/${encodeURIComponent(uid)}/reschedule`, {
          start: isoUtc(request.start),
          reschedulingReason: reasonWith(marker, 'Rescheduled.'),
        })
        const moved = believed(heard, bookingAnswer)
        if (moved && moved.data.uid !== uid) return { is: 'ok', facts: bookedFacts(moved.data) }
        return verdictOn('move', heard, now(), () => findMoved(request, marker))
      },
      find: findMoved,
    },
  }
}
