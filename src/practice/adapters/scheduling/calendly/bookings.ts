import {
  type BookingState,
  BOOKINGS_ON_PAGE,
  LIST_MARGIN_MS,
  bookingIdOf,
  factsOfMade,
  holdersOf,
  providerIdOf,
  type Booking,
  type BookingsWanted,
} from '../../../../core/domain/booking.ts'
import { caselessEmail, maskEmail, spellingsOf } from '../../../../core/domain/email.ts'
import type { Facts } from '../../../../core/domain/facts.ts'
import { initials } from '../../../../core/domain/name.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import { isoUtc, providerZoneSchema } from '../../../../core/domain/time/time.ts'
import type { Scheduling } from '../../../../core/ports/scheduling.ts'
import { misconfigured } from '../../error-table.ts'
import type { CalendlyClient } from './client.ts'
import { DOWN, FIX } from './errors.ts'
import { hasOtherHosts } from './event-type.ts'
import {
  type CalendlyEvent,
  type CalendlyInvitee,
  UNREADABLE,
  inviteesSchema,
  oneEventSchema,
  eventTypeIdIn,
  eventsSchema,
  nextPage,
} from './schemas.ts'

const scope = 'scheduled_events:read'
const MAX_INVITEE_PAGES = 2

const GROUP = misconfigured(
  'This booking is one seat of a Calendly group event, and the API can only cancel the ' +
    'whole event, for all who come. Change it in Calendly by hand.',
)

/** Several people attend, or could: one invitee does not represent the booking. */
export function isGroup({ status, invitees_counter }: CalendlyEvent): boolean {
  const { limit, active } = invitees_counter ?? {}
  return status === 'active' && ((limit ?? 1) > 1 || (active ?? 1) > 1)
}

export const stateOf = ({ status }: CalendlyEvent): BookingState =>
  status === 'active' ? 'confirmed' : 'cancelled'

export const otherBooking = ({ uri }: CalendlyEvent, id: string | null | undefined) =>
  id && id !== uri ? bookingIdOf(id) : undefined

/** The invitee's name, unless it is the email address in place of one. */
export function nameOf({ name, first_name, last_name, email }: CalendlyInvitee): string | null {
  const given = name?.trim() || `${first_name ?? ''} ${last_name ?? ''}`.trim()
  return given === '' || given.toLowerCase() === email.toLowerCase() ? null : given
}

const isIn = ({ status }: CalendlyInvitee) => status !== 'canceled'

/** The invitee who attends; of a cancelled event, the one who would have attended, if that is one person. */
function attending(invitees: readonly CalendlyInvitee[]): CalendlyInvitee | undefined {
  const [first, ...others] = invitees
  return (
    invitees.find(({ status }) => status === 'active') ?? (others.length > 0 ? undefined : first)
  )
}

export type BookingReads = ReturnType<typeof bookingReads>

export function bookingReads(client: CalendlyClient, eventTypeIds: readonly string[]) {
  const pathOf = (eventId: string) => `/scheduled_events/${encodeURIComponent(eventId)}`

  /** The invitees of an event; not `complete` if there are more, or the event is not found. */
  const inviteesOf = (eventId: string) =>
    client.list(
      { path: `${pathOf(eventId)}/invitees`, scope, schema: inviteesSchema },
      MAX_INVITEE_PAGES,
    )

  /** The id of an event type as the settings spell it. */
  const asInSettings = (id: string) =>
    eventTypeIds.find((named) => eventTypeIdIn(named) === id) ?? id

  /** The invitee who attends; of a cancelled event, the one who would have attended. */
  async function invitee(eventId: string): Promise<CalendlyInvitee | undefined> {
    const { items, complete } = await inviteesOf(eventId)
    if (items.length === 0 && !complete) throw new Problem(DOWN)
    return attending(items)
  }

  async function zoneOf(invitee: CalendlyInvitee | undefined) {
    const theirs = providerZoneSchema.safeParse(invitee?.timezone)
    if (theirs.success) return theirs.data
    const host = await client.user().catch(() => undefined)
    return providerZoneSchema.safeParse(host?.timezone).data ?? 'UTC'
  }

  async function bookingFor(
    event: CalendlyEvent,
    invitee: CalendlyInvitee | undefined,
  ): Promise<Booking> {
    const name = invitee && nameOf(invitee)
    return {
      bookingId: bookingIdOf(event.uri),
      eventTypeId: asInSettings(event.event_type),
      start: event.start_time,
      end: event.end_time,
      state: stateOf(event),
      timezone: await zoneOf(invitee),
      maskedEmail: maskEmail(invitee?.email ?? ''),
      initials: name ? initials(name) : null,
      otherPeople: event.event_guests.length || undefined,
      host: holdersOf((event.event_memberships ?? []).map(({ user }) => user)),
      movedTo: otherBooking(event, invitee?.new_invitee),
    }
  }

  return {
    inviteesOf,
    asInSettings,
    invitee,
    zoneOf,
    bookingFor,

    /** The booking of an event. Raises a `Problem` where its invitee cannot be read. */
    bookingOf: async (event: CalendlyEvent) => bookingFor(event, await invitee(event.uri)),

    /**
     * `asked` is the event type of the request: an id that is the beginning of its id proves no
     * other one.
     */
    factsOf(event: CalendlyEvent, asked: string): Facts {
      const { uri, start_time: start, end_time: end, event_type: type, event_guests } = event
      const wanted = eventTypeIdIn(asked) ?? ''
      const isCut = type !== wanted && wanted.startsWith(type)
      const known = type === UNREADABLE || isCut ? undefined : asInSettings(type)
      return factsOfMade(uri, stateOf(event), { start, end }, known, event_guests.length)
    },

    async event(bookingId: string): Promise<CalendlyEvent | undefined> {
      const id = providerIdOf(bookingId)
      if (id === undefined) return undefined
      // A 400 to a read by id can only mean the id.
      const found = await client.read({
        path: pathOf(id),
        scope,
        schema: oneEventSchema,
        noneOn: [400],
      })
      if (found && found.resource.uri !== id) throw new Problem(misconfigured(FIX.form))
      return found?.resource
    },

    /** Raises `provider_misconfigured` for a seat in a group, which cannot be cancelled alone. */
    refuseGroup(event: CalendlyEvent) {
      if (isGroup(event)) throw new Problem(GROUP)
    },
  }
}

/** A Worker may have six connections open. */
const CONCURRENT_READS = 5

const UPCOMING_ON_PAGE = 100

/**
 * Each needs a request of its own, to see whose it is: one search stays below the 50 that a Worker
 * may make.
 */
const MOST_SEARCHED = 25
const SEARCHED_ON_PAGE = 100

/** Lists bookings by Calendly's own paging. The page fails if `bookingOf` cannot read an invitee. */
export function calendlyBookings(
  client: CalendlyClient,
  { bookingOf }: BookingReads,
): Scheduling['bookings'] {
  return async (asked, place) => {
    const page = await eventsPage(client, asked, place)
    if (page === 'unknown place') return page
    const single = page.wanted.filter((event) => !isGroup(event))
    const bookings = await inBatches(single, bookingOf)
    const notShown = page.wanted.length - single.length + page.unread
    return { bookings, notShown, next: page.next }
  }
}

/** What one event says of the bookings of a person. */
interface Look {
  booking?: Booking
  /** A seat of theirs in a group, which is no booking here. */
  isSeat?: true
  /** Whether the invitees of a group were all read. */
  complete?: boolean
}

/**
 * Searches the bookings of a person. Whether case counts at Calendly is not documented, so it is
 * asked for both spellings, and the invitees are compared here.
 */
export function calendlyBookingsOf(
  client: CalendlyClient,
  { inviteesOf, bookingFor }: BookingReads,
): Scheduling['bookingsOf'] {
  return async ({ email, ...asked }) => {
    const { events, complete } = await eventsOf(client, asked, spellingsOf(email))
    const isTheirs = (one: CalendlyInvitee) => caselessEmail(one.email) === caselessEmail(email)
    const lookAt = async (event: CalendlyEvent): Promise<Look> => {
      const { items, complete } = await inviteesOf(event.uri)
      if (isGroup(event)) {
        const isSeat = items.some((one) => isIn(one) && isTheirs(one))
        return isSeat ? { isSeat, complete } : { complete }
      }
      const invitee = event.status === 'active' ? attending(items) : items.find(isTheirs)
      if (!invitee && !complete) throw new Problem(DOWN)
      if (!invitee || !isTheirs(invitee)) return {}
      return { booking: await bookingFor(event, invitee) }
    }
    const looks = await inBatches(events.slice(0, MOST_SEARCHED), lookAt)
    const bookings = looks.flatMap(({ booking }) => booking ?? [])
    return {
      bookings: bookings.slice(0, BOOKINGS_ON_PAGE),
      notShown: looks.filter(({ isSeat }) => isSeat).length,
      complete:
        complete &&
        events.length <= MOST_SEARCHED &&
        bookings.length <= BOOKINGS_ON_PAGE &&
        looks.every((look) => look.complete !== false),
      // Its documents do not say whether invitee_email counts letter case.
      everySpelling: false,
    }
  }
}

/** The events that Calendly has for any of these spellings, soonest first. */
async function eventsOf(
  client: CalendlyClient,
  asked: Omit<BookingsWanted, 'limit'>,
  spellings: readonly string[],
): Promise<{ events: CalendlyEvent[]; complete: boolean }> {
  const found = new Map<string, CalendlyEvent>()
  let complete = true
  for (const inviteeEmail of spellings) {
    const page = await eventsPage(
      client,
      { ...asked, limit: SEARCHED_ON_PAGE, inviteeEmail },
      undefined,
    )
    if (page === 'unknown place') throw new Problem(DOWN)
    complete &&= page.next === undefined && page.unread === 0
    for (const event of page.wanted) found.set(event.uri, event)
  }
  const events = [...found.values()].toSorted((one, other) => one.start_time - other.start_time)
  return { events, complete }
}

/** The results in their order, a few requests at a time. */
async function inBatches<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < all.length; at += CONCURRENT_READS)
    results.push(...(await Promise.all(all.slice(at, at + CONCURRENT_READS).map(act))))
  return results
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
        createdAt: event.created_at,
      }))
    return { bookings, next: page.next }
  }

async function eventsPage(
  client: CalendlyClient,
  {
    from,
    to,
    states,
    eventTypeIds,
    limit,
    inviteeEmail,
  }: BookingsWanted & { inviteeEmail?: string },
  place: string | undefined,
): Promise<
  { wanted: CalendlyEvent[]; unread: number; next: string | undefined } | 'unknown place'
> {
  const statuses = statusesFor(states)
  if (statuses === 'none') return { wanted: [], unread: 0, next: undefined }
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
      invitee_email: inviteeEmail,
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
  const { read, unread } = page.collection
  const wanted = read
    .filter(({ start_time }) => start_time >= from && start_time < to)
    .filter((event) => ids.includes(event.event_type) && states.includes(stateOf(event)))
  return { wanted, unread, next: next ?? undefined }
}

async function scopeOf(client: CalendlyClient, eventTypeIds: readonly string[]) {
  const { uri, current_organization } = await client.user()
  return (await hasOtherHosts(client, eventTypeIds))
    ? { organization: current_organization }
    : { user: uri }
}

/** Calendly has no bookings that wait for the host. */
function statusesFor(states: BookingsWanted['states']): 'active' | 'canceled' | 'all' | 'none' {
  const isCancelled = states.includes('cancelled')
  if (states.includes('confirmed')) return isCancelled ? 'all' : 'active'
  return isCancelled ? 'canceled' : 'none'
}
