import { type Booking, type BookingsWanted, bookingIdOf } from '../../../domain/booking.ts'
import { Problem } from '../../../domain/problem/problem.ts'
import { isoUtc } from '../../../domain/time/time.ts'
import type { Scheduling } from '../../../ports/scheduling.ts'
import { LIST_MARGIN_MS } from '../../connection.ts'
import { misconfigured } from '../../error-table.ts'
import { createdAt, isGroup, stateOf } from './booking.ts'
import type { CalendlyClient } from './client.ts'
import { DOWN, FIX } from './errors.ts'
import { hasOtherHosts } from './event-type.ts'
import { type CalendlyEvent, eventTypeIdIn, eventsSchema, nextPage } from './schemas.ts'

/** A Worker may have six connections open. */
const CONCURRENT_READS = 5

const UPCOMING_ON_PAGE = 100

/** Lists bookings by Calendly's own paging. The page fails if `bookingOf` cannot read an invitee. */
export function calendlyBookings(
  client: CalendlyClient,
  bookingOf: (event: CalendlyEvent) => Promise<Booking>,
): Scheduling['bookings'] {
  return async (asked, place) => {
    const page = await eventsPage(client, asked, place)
    if (page === 'unknown place') return page
    const single = page.wanted.filter((event) => !isGroup(event))
    const bookings: Booking[] = []
    for (let at = 0; at < single.length; at += CONCURRENT_READS)
      bookings.push(...(await Promise.all(single.slice(at, at + CONCURRENT_READS).map(bookingOf))))
    return { bookings, notShown: page.wanted.length - single.length, next: page.next }
  }
}

/** Lists active bookings in the same way, without a read for each. */
export const upcomingEvents =
  (client: CalendlyClient): Scheduling['upcoming'] =>
  async (asked, place) => {
    const wanted = { ...asked, states: ['confirmed'], limit: UPCOMING_ON_PAGE } as const
    const page = await eventsPage(client, wanted, place)
    if (page === 'unknown place') return page
    const bookings = page.wanted
      .filter((event) => !isGroup(event))
      .map((event) => ({
        bookingId: bookingIdOf(event.uri),
        state: stateOf(event),
        start: event.start_time,
        createdAt: createdAt(event),
      }))
    return { bookings, next: page.next }
  }

async function eventsPage(
  client: CalendlyClient,
  { from, to, states, eventTypeIds, limit }: BookingsWanted,
  place: string | undefined,
): Promise<{ wanted: CalendlyEvent[]; next: string | undefined } | 'unknown place'> {
  const statuses = statusesFor(states)
  if (statuses === 'none') return { wanted: [], next: undefined }
  const page = await client.read({
    path: '/scheduled_events',
    query: {
      ...(await scopeOf(client, eventTypeIds)),
      ...(statuses === 'all' ? {} : { status: statuses }),
      sort: 'start_time:asc',
      min_start_time: isoUtc(from - LIST_MARGIN_MS),
      max_start_time: isoUtc(to + LIST_MARGIN_MS),
      count: String(limit),
      page_token: place,
    },
    scope: 'scheduled_events:read',
    schema: eventsSchema,
    // A 400 to a later page can only mean its token.
    noneOn: place === undefined ? [] : [400],
  })
  if (!page && place !== undefined) return 'unknown place'
  if (!page) throw new Problem(DOWN)
  const next = nextPage(page)
  // A list that does not say whether there is more must not look complete.
  if (next === undefined) throw new Problem(misconfigured(FIX.form))
  const ids = eventTypeIds.map(eventTypeIdIn)
  const wanted = page.collection.filter(
    (event) =>
      event.start_time >= from &&
      event.start_time < to &&
      ids.includes(event.event_type) &&
      states.includes(stateOf(event)),
  )
  return { wanted, next: next ?? undefined }
}

async function scopeOf(client: CalendlyClient, eventTypeIds: readonly string[]) {
  const { uri, current_organization } = await client.user()
  return (await hasOtherHosts(client, eventTypeIds)) ? { organization: current_organization } : { user: uri }
}

/** Calendly has no bookings that wait for the host. */
function statusesFor(states: BookingsWanted['states']): 'active' | 'canceled' | 'all' | 'none' {
  const [active, cancelled] = [states.includes('confirmed'), states.includes('cancelled')]
  if (active && cancelled) return 'all'
  if (active) return 'active'
  return cancelled ? 'canceled' : 'none'
}
