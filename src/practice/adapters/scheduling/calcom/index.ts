import type { Slot } from '../../../../core/domain/availability.ts'
import {
  type Decision,
  MOST_GUESTS,
  type Said,
  isNothing,
  providerIdOf,
  type NothingLeft,
} from '../../../../core/domain/booking.ts'
import { type StepOutcome, busy, ok } from '../../../../core/domain/outcome.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import { DAY, MINUTE } from '../../../../core/domain/time/duration.ts'
import { isoUtc } from '../../../../core/domain/time/time.ts'
import { reasonWith } from '../../../../core/domain/whose-booking.ts'
import type { Scheduling } from '../../../../core/ports/scheduling.ts'
import type { SchedulingConnection } from '../../connection.ts'
import { misconfigured, ownerMustFix } from '../../error-table.ts'
import {
  addressIn,
  bookingOf,
  factsOf,
  inviteeOf,
  isAnswered,
  isOver,
  isSingle,
  seenOf,
  calcomBookings,
  calcomBookingsOf,
  upcomingBookings,
  withoutHosts,
} from './bookings.ts'
import { calcomClient } from './client.ts'
import { notFound, outcomeOf, ADVICE, cannotBook, refusesGuests } from './errors.ts'
import {
  bookingFieldsOf,
  closedBy,
  detailsOf,
  eventTypeNumber,
  lengthsOf,
  mayHaveMovedOn,
  questionsOf,
  zoneOfGrid,
} from './event-type.ts'
import { originOf, metadataWith, calcomReconcile } from './reconcile.ts'
import type { CalcomBooking } from './schemas.ts'

/** Cal.com, API v2. It caches event types for a minute: keep one as long as the settings stay the same. */
export function calcomScheduling(connection: SchedulingConnection): Scheduling {
  const { now } = connection
  const client = calcomClient(connection)
  const reconcile = calcomReconcile(client)
  const { read, findBooked, findCancelled, findMoved, findAnswered, ofBooked, ofMoved } = reconcile

  /** What a booking sends besides its attendee. Without it Cal.com decides, and costs no request. */
  async function fieldsFor(id: number, said: Said | undefined): Promise<StepOutcome | object> {
    if (!said || isNothing(said)) return {}
    try {
      return bookingFieldsOf(await client.eventType(id), said)
    } catch (thrown) {
      if (thrown instanceof Problem) return busy(thrown.refusal)
      throw thrown
    }
  }

  /** A question as the practice wrote it; undefined where the event type cannot be read, or has none such. */
  async function questionWith(id: number, slug: string): Promise<string | undefined> {
    const eventType = await client.eventType(id).catch(() => undefined)
    return eventType && questionsOf(eventType).find((one) => one.id === slug)?.question
  }

  /**
   * Cal.com shows a booking to each caller that knows its id, and cancels it for them (`bookings.controller.ts`
   * of its source, 02230279). It shows the event type to the owner, the hosts and administrators alone
   * (`event-types.controller.ts`, f65f2d39).
   */
  async function isOfPractice({ eventTypeId }: CalcomBooking): Promise<boolean> {
    if (!eventTypeId || connection.eventTypeIds?.includes(String(eventTypeId))) return true
    try {
      await client.eventType(eventTypeId)
      return true
    } catch (thrown) {
      const { detail } = thrown instanceof Problem ? thrown.refusal : {}
      if (detail === ADVICE.eventTypeGone) return false
      // It is shown, in a form that is not known here.
      if (detail === ADVICE.form) return true
      throw thrown
    }
  }

  return {
    mode: 'live',
    provider: 'calcom',
    adapterId: 'calcom',
    apiVersion: client.apiVersion,

    async slots({ id, moved = '', minutes, timezone }, from, to): Promise<Slot[]> {
      const eventTypeId = knownNumber(id)
      // Never cached: a commit must see a change since its preview.
      const eventType = await client.eventType(eventTypeId, 'uncached')
      const obstacles = closedBy(eventType)
      if (obstacles.length > 0) throw new Problem(misconfigured(cannotBook(eventTypeId, obstacles)))
      const first = Math.max(from, now())
      if (to <= first) return []
      const usual = eventType.lengthInMinutes
      const kept = lengthsOf(eventType).find((one) => one === minutes) ?? usual
      // From a day before: Cal.com lays its grid of times from the start of the window.
      const asked = {
        eventTypeId: String(eventTypeId),
        bookingUidToReschedule: providerIdOf(moved),
        duration: kept === usual ? undefined : String(kept),
        // Its days of a rolling period end in the zone of the person, also when it books (`isOutOfBounds.tsx`
        // of its source, 03670679), and a kind can offer the first time of each day alone.
        timeZone: timezone && zoneOfGrid(timezone, now()),
      }
      const found = await client.slots(asked, Math.max(first - DAY, now()), to)
      const length = kept * MINUTE
      const listed = found.map(({ start }) => start)
      const asks = { minutes: kept, start: first, listed, now: now() }
      const again = mayHaveMovedOn(eventType, asks)
        ? await client.slots(asked, first, first + length)
        : []
      const open = [...found, ...again.filter(({ start }) => start === first)]
      return open
        .map(({ start, end }) => ({ start, end: end ?? start + length }))
        .filter(({ start, end }) => start >= first && start < end && end <= to)
        .toSorted((one, other) => one.start - other.start)
        .filter(({ start }, index, all) => start !== all[index - 1]?.start)
    },

    eventType: async ({ id }, how) => detailsOf(await client.eventType(knownNumber(id), how)),

    async booking(bookingId) {
      const found = await read(bookingId)
      if (!found || !(await isOfPractice(found))) return undefined
      return bookingOf(await withoutHosts(client, found))
    },

    bookings: calcomBookings(client),

    bookingsOf: calcomBookingsOf(client),

    upcoming: upcomingBookings(client),

    async seen(bookingId) {
      const uid = providerIdOf(bookingId)
      const found = uid === undefined ? undefined : await client.booking(uid)
      if (!found || !isSingle(found)) return undefined
      return { ...seenOf(found), marker: originOf(found).carried }
    },

    async invitee(bookingId) {
      const found = await read(bookingId)
      return found && inviteeOf(await withoutHosts(client, found))
    },

    async book({ eventTypeId, start, end, invitee }, marker) {
      const id = eventTypeNumber(eventTypeId)
      if (id === undefined) return ownerMustFix(ADVICE.eventTypeId)
      const {
        name,
        email,
        timezone: timeZone,
        said,
        guests = [],
        contact: _ofMock,
        ...left
      } = invitee
      void (left satisfies NothingLeft)
      const fields = await fieldsFor(id, said)
      if ('is' in fields) return fields
      const sentAt = now()
      const body = {
        eventTypeId: id,
        start: isoUtc(start),
        attendee: {
          name: name ?? email,
          email,
          timeZone,
          ...(said?.phone && { phoneNumber: said.phone }),
        },
        ...fields,
        metadata: metadataWith(marker),
      }
      const withGuests = { ...body, guests: guests.slice(0, MOST_GUESTS) }
      const first = await client.send('/v2/bookings', guests.length > 0 ? withGuests : body)
      // It read the request and made nothing: the person is booked without the others.
      const { response, body: made } = refusesGuests(first.response)
        ? await client.send('/v2/bookings', body)
        : first
      // Where hosts accept or take turns, Cal.com returns a booking that the person has at that time already.
      if (made) {
        const outcome = await ofBooked(made.data, marker, sentAt)
        if (outcome.is !== 'ok') return outcome
        return { ...outcome, facts: { ...outcome.facts, ...addressIn(made.data, email) } }
      }
      return outcomeOf(
        'book',
        response,
        now(),
        () => findBooked({ start, end }, eventTypeId, marker),
        (slug) => questionWith(id, slug),
      )
    },

    findBooked,

    async cancel(bookingId, reason, marker) {
      const uid = providerIdOf(bookingId)
      if (uid === undefined) return notFound
      const path = `/v2/bookings/${encodeURIComponent(uid)}/cancel`
      const { response, body: ended } = await client.send(path, {
        cancellationReason: reasonWith(marker, reason ?? 'Cancelled.'),
      })
      if (ended?.data.uid === uid && isOver(ended.data)) return ok()
      return outcomeOf('cancel', response, now(), () => findCancelled(bookingId, marker))
    },

    findCancelled,

    reschedule: {
      async execute(request, marker) {
        const uid = providerIdOf(request.bookingId)
        if (uid === undefined) return notFound
        const path = `/v2/bookings/${encodeURIComponent(uid)}/reschedule`
        const { response, body: moved } = await client.send(path, {
          start: isoUtc(request.start),
          reschedulingReason: reasonWith(marker, 'Rescheduled.'),
        })
        if (moved) return ofMoved(moved.data, request, marker)
        return outcomeOf('move', response, now(), () => findMoved(request, marker))
      },
      reconcile: findMoved,
    },

    // Both are in Cal.com's OpenAPI description, and read in its source (`bookings.controller.ts`
    // of either version of the API).
    respond: {
      async execute({ bookingId, decision, reason }) {
        const uid = providerIdOf(bookingId)
        if (uid === undefined) return notFound
        const path = `/v2/bookings/${encodeURIComponent(uid)}/${PATHS[decision]}`
        const sent = decision === 'decline' ? { ...(reason !== null && { reason }) } : undefined
        const { response, body } = await client.send(path, sent)
        if (body?.data.uid === uid && isAnswered(body.data, decision))
          return ok(await factsOf(client, body.data))
        const answer = { bookingId, decision }
        return outcomeOf('respond', response, now(), () => findAnswered(answer))
      },
      reconcile: findAnswered,
    },
  }
}

const PATHS = { accept: 'confirm', decline: 'decline' } as const satisfies Record<Decision, string>

function knownNumber(id: string): number {
  const number = eventTypeNumber(id)
  if (number === undefined) throw new Problem(misconfigured(ADVICE.eventTypeId))
  return number
}
