import type { Slot } from '../../../../core/domain/availability.ts'
import {
  type BookingRequest,
  LIST_MARGIN_MS,
  bookingIdOf,
} from '../../../../core/domain/booking.ts'
import {
  type LookupOutcome,
  NOT_FOUND,
  type StepOutcome,
  UNKNOWN,
  busy,
  ok,
  refused,
} from '../../../../core/domain/outcome.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import { DAY } from '../../../../core/domain/time/duration.ts'
import { isoUtc } from '../../../../core/domain/time/time.ts'
import { type Origin, whoseBooking, whoseReason } from '../../../../core/domain/whose-booking.ts'
import type { BookingReads } from './bookings.ts'
import type { CalendlyClient, RefusedChange } from './client.ts'
import { DOWN } from './errors.ts'
import { isOwn } from './event-type.ts'
import {
  type CalendlyEvent,
  type CalendlyInvitee,
  eventTypeIdIn,
  eventsSchema,
  type CalendlyCancellation,
} from './schemas.ts'

/** With the rest of a commit it stays below the 50 requests that a Worker on the free plan may make. */
const MAX = { requests: 32, eventPages: 8 }

type ListScope = { user: string } | { organization: string }
type Status = 'active' | 'canceled'

interface AtStart {
  ours: CalendlyEvent | undefined
  others: { event: CalendlyEvent; invitees: CalendlyInvitee[] }[]
  complete: boolean
}

/** Finds out from Calendly what became of a change. It only reads. */
export function calendlyReconcile(client: CalendlyClient, bookings: BookingReads) {
  const events = (
    asked: ListScope & { status: Status },
    from: number,
    to: number,
    maxPages: number,
  ) =>
    client.list(
      {
        path: '/scheduled_events',
        query: { ...asked, min_start_time: isoUtc(from), max_start_time: isoUtc(to) },
        scope: 'scheduled_events:read',
        schema: eventsSchema,
      },
      maxPages,
    )

  /** Searches a start for the marker, the likeliest event first; of all hosts if others are possible. */
  async function atStart(
    { start }: Slot,
    eventTypeNamed: string,
    marker: string,
  ): Promise<AtStart> {
    const me = await client.user()
    const eventTypeId = eventTypeIdIn(eventTypeNamed)
    const found: AtStart = { ours: undefined, others: [], complete: true }
    const examined = new Set<string>()
    let left = MAX.requests

    async function examine(scope: ListScope, status: Status): Promise<void> {
      if (found.ours) return
      const most = Math.min(MAX.eventPages, left)
      const [from, to] = [start - LIST_MARGIN_MS, start + LIST_MARGIN_MS]
      const { items, complete, pages } = await events({ ...scope, status }, from, to, most)
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
        if (invitees.items.some(isUnder(marker))) return void (found.ours = event)
        if (!invitees.complete) found.complete = false
        found.others.push({ event, invitees: invitees.items })
      }
    }

    const own = { user: me.uri }
    await examine(own, 'active')
    const wide =
      found.ours || (await isOwn(client, eventTypeNamed))
        ? []
        : [{ organization: me.current_organization }]
    for (const scope of wide) await examine(scope, 'active')
    for (const scope of [own, ...wide]) await examine(scope, 'canceled')
    return found
  }

  /** Whether another booking certainly holds the time, so that ours cannot exist. */
  async function isHeldByAnother(
    { eventTypeId: named, start, end, invitee: { email } }: BookingRequest,
    marker: string,
    { others }: AtStart,
  ) {
    const { uri: user } = await client.user()
    // If several hosts take turns, the booking of one leaves room for ours with another.
    if (!(await isOwn(client, named))) return false
    const holds = (event: CalendlyEvent) =>
      event.status === 'active' && event.start_time < end && event.end_time > start
    const foreign = others
      .filter(
        ({ invitees }) =>
          invitees.length > 0 && !invitees.some((one) => mayBeOurs(one, email, marker)),
      )
      .map(({ event }) => event)
    const around = await events({ user, status: 'active' }, start - DAY, end, 1)
    const elsewhere = around.items.filter(
      (event) => Math.abs(event.start_time - start) > LIST_MARGIN_MS,
    )
    const holder = [...foreign, ...elsewhere].find(holds)
    // A list may lag behind; a read by id does not.
    const now = holder && (await bookings.event(bookingIdOf(holder.uri)))
    return now !== undefined && holds(now)
  }

  async function findCancelled(bookingId: string, marker: string): Promise<LookupOutcome> {
    const event = await orBusy(() => bookings.event(bookingId))
    if (!event) return UNKNOWN
    if ('is' in event) return event
    if (event.status === 'active') return NOT_FOUND
    const by = cancelledBy(event.cancellation, marker)
    if (by === 'us') return ok()
    if (by === 'unsaid') return UNKNOWN
    return refused('booking_not_active')
  }

  async function ifOurs(
    bookingId: string,
    eventTypeId: string,
    marker: string,
  ): Promise<LookupOutcome> {
    const event = await bookings.event(bookingId)
    if (!event) return UNKNOWN
    const { items } = await bookings.inviteesOf(event.uri)
    return items.some(isUnder(marker)) ? ok(bookings.factsOf(event, eventTypeId)) : UNKNOWN
  }

  return {
    async findBooked(
      slot: Slot,
      eventTypeId: string,
      marker: string,
      named?: string,
    ): Promise<LookupOutcome> {
      if (named !== undefined) return orBusy(() => ifOurs(named, eventTypeId, marker))
      const found = await orBusy(() => atStart(slot, eventTypeId, marker))
      if ('is' in found) return found
      if (found.ours) return ok(bookings.factsOf(found.ours, eventTypeId))
      return found.complete && !found.others.some(mayHideOurs) ? NOT_FOUND : UNKNOWN
    },

    findCancelled,

    /** Whose booking an answer names; the invitees say it where the answer does not. */
    async whoseReturned(
      { event, origin }: { event: string; origin: Origin },
      marker: string,
      sentAt: number,
    ): Promise<ReturnType<typeof whoseBooking>> {
      const whose = whoseBooking(origin, marker, sentAt)
      if (whose !== 'unsaid') return whose
      const seen = await orBusy(() => bookings.inviteesOf(event))
      return 'items' in seen && seen.items.some(isUnder(marker)) ? 'us' : 'unsaid'
    },

    /** Whether another person is the reason of the refusal, or a first delivery of this very request. */
    async afterRefusedBooking(
      request: BookingRequest,
      marker: string,
      { is, refusal, doubt }: RefusedChange,
    ): Promise<StepOutcome> {
      try {
        const found = await atStart(request, request.eventTypeId, marker)
        if (found.ours) return ok(bookings.factsOf(found.ours, request.eventTypeId))
        // A list may lag behind: if nothing in it holds the time, our own booking may.
        const isNotOurs =
          doubt === 'conflict' ? await isHeldByAnother(request, marker, found) : found.complete
        return isNotOurs ? { is, refusal } : UNKNOWN
      } catch {
        return UNKNOWN
      }
    },

    async afterRefusedCancellation(
      bookingId: string,
      marker: string,
      { is, refusal, doubt }: RefusedChange,
    ): Promise<StepOutcome> {
      const seen = await findCancelled(bookingId, marker)
      if (seen.is === 'ok' || seen.is === 'refused') return seen
      return seen.is === 'not_found' && doubt === 'unexplained' ? { is, refusal } : UNKNOWN
    },
  }
}

const isUnder =
  (marker: string) =>
  ({ tracking }: CalendlyInvitee) =>
    tracking?.utm_content === marker

/** Whether a booking does not show what it carries: by no invitee, or by one without its tracking. */
const mayHideOurs = ({ invitees }: AtStart['others'][number]) =>
  invitees.length === 0 || invitees.some(({ tracking }) => tracking?.utm_content === undefined)

const newestFirst = (a: CalendlyEvent, b: CalendlyEvent) =>
  (b.created_at ?? 0) - (a.created_at ?? 0)

/** The result of a read; a read that fails is `busy`, since it changed nothing. */
export async function orBusy<T>(read: () => Promise<T>): Promise<T | ReturnType<typeof busy>> {
  try {
    return await read()
  } catch (thrown) {
    return busy(thrown instanceof Problem ? thrown.refusal : DOWN)
  }
}

/** Without a marker, only another email address proves another booking. */
function mayBeOurs({ tracking, email: theirs }: CalendlyInvitee, ours: string, marker: string) {
  const content = tracking?.utm_content ?? ''
  // A text that was cut is the beginning of the marker.
  if (content !== '') return marker.startsWith(content)
  return ours.toLowerCase().startsWith(theirs.toLowerCase())
}

/** How a booking carries the marker of its step. Calendly refuses it unless all six keys are sent. */
export const trackedBy = (marker: string) => ({
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_content: marker,
  utm_term: null,
  salesforce_uuid: null,
})

/** Who cancelled. Without a reason, or with the start of ours, only an invitee is certainly not us. */
function cancelledBy(
  cancellation: CalendlyCancellation | null | undefined,
  marker: string,
): 'us' | 'another' | 'unsaid' {
  const whose = whoseReason(cancellation?.reason, marker)
  if (whose === 'ours') return 'us'
  const isInvitees = whose === 'unsaid' && cancellation?.canceler_type === 'invitee'
  return whose === 'other' || isInvitees ? 'another' : 'unsaid'
}
