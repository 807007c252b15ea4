import type { Slot } from '../../../domain/availability.ts'
import { type BookingRequest, bookingIdOf } from '../../../domain/booking.ts'
import type { Ran, Seen } from '../../../domain/outcome.ts'
import { Problem, type Refusal } from '../../../domain/problem.ts'
import { isoUtc } from '../../../domain/time.ts'
import { type CalendlyEvent, type CalendlyInvitee, eventTypeIdIn, eventsSchema } from './schemas.ts'
import { type CalendlyBookings, factsOf } from './booking.ts'
import type { CalendlyClient, Turned } from './client.ts'
import { isHostedBy } from './event-type.ts'
import { cancelledBy, mayCarry } from './marker.ts'
import { DOWN } from './errors.ts'

/** Whether the bounds of a list belong to it is not known, hence the margin. */
const MARGIN = 1000
const DAY = 24 * 60 * 60 * 1000
/**
 * How far a look goes: it must end, and together with the rest of a commit stay below the 50 requests that a Worker on
 * the free plan may make.
 */
const MOST = { requests: 32, pagesOfEvents: 8 }

type Whose = { user: string } | { organization: string }
type Status = 'active' | 'canceled'

interface AtStart {
  ours: CalendlyEvent | undefined
  /** The others that were examined, with their invitees as far as they are known. */
  others: { event: CalendlyEvent; invitees: CalendlyInvitee[] }[]
  /** Nothing was left out. */
  complete: boolean
}

/** Finds out from Calendly what became of a change. Nothing here changes anything. */
export function calendlyLooks(client: CalendlyClient, bookings: CalendlyBookings) {
  const events = (whose: Whose, status: Status, from: number, to: number, mostPages: number) =>
    client.list(
      {
        path: '/scheduled_events',
        query: { ...whose, status, min_start_time: isoUtc(from), max_start_time: isoUtc(to) },
        scope: 'scheduled_events:read',
        schema: eventsSchema,
      },
      mostPages,
    )

  const isOwn = async (eventTypeNamed: string, user: string): Promise<boolean> =>
    isHostedBy(user, (await client.eventType(eventTypeNamed)).eventType)

  /**
   * Looks through the events of a start for the one that carries the marker: active ones first, then those of the same
   * event type, then the newest. The organization is asked too where the host may be another user.
   */
  async function atStart({ start }: Slot, eventTypeNamed: string, marker: string): Promise<AtStart> {
    const me = await client.user()
    const eventTypeId = eventTypeIdIn(eventTypeNamed)
    const found: AtStart = { ours: undefined, others: [], complete: true }
    const examined = new Set<string>()
    let left = MOST.requests

    async function examine(whose: Whose, status: Status): Promise<void> {
      if (found.ours) return
      const most = Math.min(MOST.pagesOfEvents, left)
      const { items, complete, pages } = await events(whose, status, start - MARGIN, start + MARGIN, most)
      left -= pages
      if (!complete) found.complete = false
      const rank = (event: CalendlyEvent) => (event.event_type === eventTypeId ? 0 : 1)
      const ranked = items
        .filter(({ uri }) => !examined.has(uri))
        .toSorted((a, b) => rank(a) - rank(b) || newestFirst(a, b))
      for (const event of ranked) {
        if (left <= 0) return void (found.complete = false)
        examined.add(event.uri)
        const invitees = await bookings.inviteesOf(event.uri)
        left -= invitees.pages
        if (invitees.items.some(({ tracking }) => tracking?.utm_content === marker))
          return void (found.ours = event)
        if (!invitees.complete) found.complete = false
        found.others.push({ event, invitees: invitees.items })
      }
    }

    const own = { user: me.uri }
    await examine(own, 'active')
    const wide =
      found.ours || (await isOwn(eventTypeNamed, me.uri)) ? [] : [{ organization: me.current_organization }]
    for (const whose of wide) await examine(whose, 'active')
    for (const whose of [own, ...wide]) await examine(whose, 'canceled')
    return found
  }

  /** Whether the time is held by a booking that is proved to be another one, so that ours cannot be there too. */
  async function isHeldByAnother(
    { eventTypeId: named, start, end, invitee: { email } }: BookingRequest,
    marker: string,
    { others }: AtStart,
  ): Promise<boolean> {
    const { uri: user } = await client.user()
    // Where several hosts take turns, the booking of one leaves room for ours with another.
    if (!(await isOwn(named, user))) return false
    const holds = (event: CalendlyEvent) =>
      event.status === 'active' && event.start_time < end && event.end_time > start
    const strangers = others
      .filter(({ invitees }) => invitees.length > 0 && !invitees.some((one) => mayBeOurs(one, email, marker)))
      .map(({ event }) => event)
    const around = await events({ user }, 'active', start - DAY, end, 1)
    const elsewhere = around.items.filter((event) => Math.abs(event.start_time - start) > MARGIN)
    const holder = [...strangers, ...elsewhere].find(holds)
    // A list may be behind: the booking itself has the last word.
    const now = holder && (await bookings.event(bookingIdOf(holder.uri)))
    return now !== undefined && holds(now)
  }

  async function findCancelled(bookingId: string, marker: string): Promise<Seen> {
    const event = await attempted(() => bookings.event(bookingId))
    if (!event) return { is: 'unknown' }
    if ('is' in event) return event
    if (event.status === 'active') return { is: 'absent' }
    const by = cancelledBy(event.cancellation, marker)
    if (by === 'us') return { is: 'ok', facts: {} }
    if (by === 'unsaid') return { is: 'unknown' }
    return { is: 'refused', refusal: { code: 'booking_not_active', effect: 'none' } }
  }

  return {
    async findBooked(slot: Slot, eventTypeId: string, marker: string): Promise<Seen> {
      const found = await attempted(() => atStart(slot, eventTypeId, marker))
      if ('is' in found) return found
      if (found.ours) return { is: 'ok', facts: factsOf(found.ours) }
      return found.complete ? { is: 'absent' } : { is: 'unknown' }
    },

    findCancelled,

    /** Was the booking refused because of somebody else, or because a first delivery of this very request made it? */
    async afterRefusedBooking(
      request: BookingRequest,
      marker: string,
      { is, refusal, doubt }: Turned,
    ): Promise<Ran> {
      try {
        const found = await atStart(request, request.eventTypeId, marker)
        if (found.ours) return { is: 'ok', facts: factsOf(found.ours) }
        // A list may be behind: a time that is taken by nothing in it may be taken by our own booking.
        const isNotOurs =
          doubt === 'conflict' ? await isHeldByAnother(request, marker, found) : found.complete
        return isNotOurs ? { is, refusal } : { is: 'unknown' }
      } catch {
        return { is: 'unknown' }
      }
    },

    /** The same of a cancellation. */
    async afterRefusedCancellation(
      bookingId: string,
      marker: string,
      { is, refusal, doubt }: Turned,
    ): Promise<Ran> {
      const seen = await findCancelled(bookingId, marker)
      if (seen.is === 'ok' || seen.is === 'refused') return seen
      return seen.is === 'absent' && doubt === 'unexplained' ? { is, refusal } : { is: 'unknown' }
    },
  }
}

/** Calendly writes all its times alike, so that they can be compared as they are. */
const newestFirst = (a: CalendlyEvent, b: CalendlyEvent): number =>
  Number(a.created_at < b.created_at) - Number(a.created_at > b.created_at)

/** What was read, or why not: nothing has been changed by a read that failed. */
export async function attempted<T>(reading: () => Promise<T>): Promise<T | { is: 'busy'; refusal: Refusal }> {
  try {
    return await reading()
  } catch (thrown) {
    return { is: 'busy', refusal: thrown instanceof Problem ? thrown.refusal : DOWN }
  }
}

/** Where the marker is not said, another address is what proves another booking. */
function mayBeOurs({ tracking, email: theirs }: CalendlyInvitee, ours: string, marker: string): boolean {
  const content = tracking?.utm_content ?? ''
  if (content !== '') return mayCarry(content, marker)
  return ours.toLowerCase().startsWith(theirs.toLowerCase())
}
