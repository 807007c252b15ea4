import * as z from 'zod'

import {
  type Booking,
  BOOKINGS_ON_PAGE,
  LIST_MARGIN_MS,
  addressFact,
  bookingIdOf,
  type BookingState,
  type Invitee,
  type BookingsWanted,
  type Decision,
  factsOfMade,
  holdersOf,
} from '../../../../core/domain/booking.ts'
import { remembered } from '../../../../core/domain/bounded-map.ts'
import { caselessEmail, maskEmail, spellingsOf } from '../../../../core/domain/email.ts'
import type { ProviderBookingState } from '../../../../core/domain/events/provider-changes.ts'
import type { Facts } from '../../../../core/domain/facts.ts'
import { initials } from '../../../../core/domain/name.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import { jsonIn } from '../../../../core/json.ts'
import type { Scheduling } from '../../../../core/ports/scheduling.ts'
import { misconfigured } from '../../error-table.ts'
import type { CalcomClient } from './client.ts'
import { ADVICE } from './errors.ts'
import { eventTypeNumber, saidIn } from './event-type.ts'
import { type CalcomBooking, bookingsIn, startsSchema } from './schemas.ts'

const STATES: Record<CalcomBooking['status'], BookingState> = {
  accepted: 'confirmed',
  pending: 'pending_host_approval',
  awaiting_host: 'pending_host_approval',
  cancelled: 'cancelled',
  rejected: 'cancelled',
}

export const isOver = ({ status }: CalcomBooking) => STATES[status] === 'cancelled'

/** Whether the practice has answered a request so, here or on Cal.com's page. */
export const isAnswered = ({ status }: CalcomBooking, decision: Decision) =>
  status === (decision === 'accept' ? 'accepted' : 'rejected')

/** The facts of a booking that was made, as Cal.com returns them. */
export async function factsOf(client: CalcomClient, made: CalcomBooking): Promise<Facts> {
  const booking = await withoutHosts(client, made)
  const { uid, status, start, end, eventTypeId } = booking
  const type = eventTypeId ? String(eventTypeId) : undefined
  return factsOfMade(uid, STATES[status], { start, end }, type, guestsOf(booking).length)
}

/** Whether it is a booking of one person for one time: no part of a series, and no seats. */
export const isSingle = (found: CalcomBooking | 'series'): found is CalcomBooking =>
  found !== 'series' &&
  !found.recurringBookingUid &&
  found.attendees.length > 0 &&
  !found.seatUid &&
  !found.attendees.some(({ seatUid }) => seatUid)

/** Such a booking. Raises `provider_misconfigured` for another one. */
export function single(found: CalcomBooking | 'series'): CalcomBooking {
  const isSeries = found === 'series' || found.recurringBookingUid
  if (isSingle(found)) return found
  throw new Problem(misconfigured(isSeries ? ADVICE.series : ADVICE.seats))
}

/** The attendee who answered the questions; undefined where that is not said. */
function answeringOf({ bookingFieldsResponses: answers, attendees }: CalcomBooking) {
  const answered = answers?.email
  const isAnswered = ({ email }: { email: string }) =>
    typeof answered === 'string' && caselessEmail(email) === caselessEmail(answered)
  return attendees.find(isAnswered)
}

/** The one who booked; guests are attendees too. */
const attendeeOf = (booking: CalcomBooking) => answeringOf(booking) ?? booking.attendees[0]!

const OF_SEVERAL_HOSTS: readonly unknown[] = ['collective', 'roundrobin']

/** Whether a kind is a team's. Throws as the client does where it cannot be read. */
export async function isOfTeam(client: CalcomClient, id: number): Promise<boolean> {
  const { schedulingType } = await client.eventType(id)
  return OF_SEVERAL_HOSTS.includes(schedulingType)
}

/**
 * The booking without the hosts who attend it besides the first. Where a team hosts, Cal.com keeps them
 * among the attendees, and has as guests whom people added, also later (`createBooking.ts`,
 * `addGuests.handler.ts` and the team tests of its source, 03670679). Where it does not say who answered, or
 * its kind cannot be read, no host can be told from a guest, and all count as people.
 */
export async function withoutHosts(
  client: CalcomClient,
  booking: CalcomBooking,
  isTeams = (id: number) => isOfTeam(client, id),
): Promise<CalcomBooking> {
  const { attendees, guests } = booking
  const answering = answeringOf(booking)
  if (!answering || guests === null || guests?.unread) return booking
  const added = (guests?.read ?? []).map(caselessEmail)
  const isAdded = (address: string) => added.includes(caselessEmail(address))
  const people = attendees.filter(
    (one) => one === answering || isAdded(one.email) || isAdded(addressOf(one)),
  )
  const { eventTypeId: id } = booking
  if (people.length === attendees.length || !id) return booking
  return (await isTeams(id).catch(() => false)) ? { ...booking, attendees: people } : booking
}

/** The addresses of the other people on a booking. Guests are attendees, and may stand beside them, too. */
function guestsOf(booking: CalcomBooking): string[] {
  if (booking.attendees.length === 0) return []
  const invitee = attendeeOf(booking)
  const others = booking.attendees.filter((one) => one !== invitee)
  const found = new Map<string, string>()
  for (const address of [...others.map(addressOf), ...(booking.guests?.read ?? [])])
    if (address !== '') found.set(caselessEmail(address), address)
  for (const own of [invitee.email, addressOf(invitee)]) found.delete(caselessEmail(own))
  return [...found.values()]
}

const addressOf = ({ displayEmail, email }: CalcomBooking['attendees'][number]) =>
  displayEmail || email

/** Whether a booking was made for another address than the one that was sent. */
export function addressIn(booking: CalcomBooking, sent: string): Facts {
  if (booking.attendees.length === 0) return {}
  const { email, displayEmail } = attendeeOf(booking)
  return addressFact(sent, [email, displayEmail])
}

export function inviteeOf(booking: CalcomBooking): Required<Invitee> {
  const attendee = attendeeOf(booking)
  const email = attendee.displayEmail || attendee.email
  const named = attendee.name !== '' && attendee.name !== email && attendee.name !== attendee.email
  return {
    email,
    name: named ? attendee.name : null,
    timezone: attendee.timeZone,
    said: saidIn(booking, attendee.phoneNumber),
    guests: guestsOf(booking),
    contact: null,
  }
}

/** The booking as the log of events follows it, without its answers and names. */
export function seenOf(booking: CalcomBooking): ProviderBookingState {
  const { rescheduledFromUid: from, rescheduledToUid: to } = booking
  return {
    ...listedOf(booking),
    eventTypeId: String(booking.eventTypeId),
    end: booking.end,
    noShow: attendeeOf(booking).absent ?? undefined,
    movedFrom: from ? bookingIdOf(from) : undefined,
    movedTo: to ? bookingIdOf(to) : undefined,
  }
}

/**
 * The address that Cal.com makes of a telephone number where it has no other one of the attendee
 * (`contructEmailFromPhoneNumber.ts` of its source, and its team bookings' tests): no mail reaches it.
 */
const MADE_OF_NUMBER = /@sms\.cal\.com$/i

const listedOf = ({ uid, status, start, createdAt }: CalcomBooking) => ({
  bookingId: bookingIdOf(uid),
  state: STATES[status],
  start,
  createdAt,
})

export function bookingOf(booking: CalcomBooking): Booking {
  const { email, name, timezone } = inviteeOf(booking)
  const { eventTypeId } = booking
  if (!eventTypeId) throw new Problem(misconfigured(ADVICE.orphan))
  return {
    bookingId: bookingIdOf(booking.uid),
    eventTypeId: String(eventTypeId),
    start: booking.start,
    end: booking.end,
    state: STATES[booking.status],
    timezone,
    maskedEmail: maskEmail(MADE_OF_NUMBER.test(email) ? '' : email),
    initials: name === null ? null : initials(name),
    otherPeople: guestsOf(booking).length || undefined,
    host: holdersOf((booking.hosts ?? []).map(({ id }) => id)),
    movedTo: booking.rescheduledToUid ? bookingIdOf(booking.rescheduledToUid) : undefined,
  }
}

/** Those that are one booking, soonest first: a part of a series, or one with seats, is none. */
async function shownOf(client: CalcomClient, found: readonly CalcomBooking[]): Promise<Booking[]> {
  const shown: Booking[] = []
  const ofAKind = found.filter(isSingle).filter(({ eventTypeId }) => eventTypeId)
  // The client keeps what it could read: a kind that cannot be read is asked for once a list, too.
  const isTeams = remembered(BOOKINGS_ON_PAGE, (id) => isOfTeam(client, Number(id)))
  for (const one of ofAKind)
    shown.push(bookingOf(await withoutHosts(client, one, (id) => isTeams(String(id)))))
  return shown.toSorted((one, other) => one.start - other.start)
}

const ACTIVE = 'upcoming,recurring,past,unconfirmed'
const CANCELLED = 'cancelled'
const UPCOMING_ON_PAGE = 100

/** Cal.com pages by a count to skip: the list continues from the last start, without those listed already. */
const placeSchema = z.lazy(() => z.object({ after: z.int(), listed: z.array(z.string()).max(200) }))
type Place = z.infer<typeof placeSchema>
type Begun = z.infer<typeof startsSchema>['read'][number]

/** Lists bookings by Cal.com's own paging, soonest first. */
export const calcomBookings =
  (client: CalcomClient): Scheduling['bookings'] =>
  async (wanted, given) => {
    const read = await pageOf(client, wanted, given)
    if (read === 'unknown place') return read
    const { fresh, count, next } = read
    const bookings = await shownOf(client, fresh)
    return {
      bookings: bookings.filter(({ state }) => wanted.states.includes(state)),
      notShown: count - bookings.length,
      next,
    }
  }

const SEARCHED_PAGES = 3
const SEARCHED_ON_PAGE = 100

/**
 * Searches the bookings of a person. Cal.com also finds those to which the address was invited as a
 * guest, and reports differ on whether case counts: it is asked for both spellings, and the invitee
 * is compared here.
 */
export const calcomBookingsOf =
  (client: CalcomClient): Scheduling['bookingsOf'] =>
  async ({ email, from, to, states, eventTypeIds }) => {
    const numbers = numbersOf(eventTypeIds)
    const found = new Map<string, CalcomBooking>()
    let complete = true
    for (const attendeeEmail of spellingsOf(email)) {
      const asked = { attendeeEmail, status: statusesFor(states), sortStart: 'asc' }
      const window = { from: from - LIST_MARGIN_MS, until: to, take: SEARCHED_ON_PAGE }
      const read = await client.bookings(numbers, { ...window, ...asked }, SEARCHED_PAGES)
      complete &&= read.complete
      for (const one of read.found) found.set(one.uid, one)
    }
    const theirs = [...found.values()]
      .filter(({ start }) => start >= from && start < to)
      .filter((one) => states.includes(STATES[one.status]) && isInvitee(one, email))
    const bookings = await shownOf(client, theirs)
    return {
      bookings: bookings.slice(0, BOOKINGS_ON_PAGE),
      notShown: theirs.length - bookings.length,
      complete: complete && bookings.length <= BOOKINGS_ON_PAGE,
      // It compares attendeeEmail with "=" (get.handler.ts of its source), so letter case counts.
      everySpelling: false,
    }
  }

/**
 * Whether the address is that of the one who booked, or of one seat of a group. Cal.com found it, so
 * where a group hides all its seats, it is one of them.
 */
function isInvitee(booking: CalcomBooking, email: string) {
  if (booking.attendees.length === 0) return true
  const isSeated = booking.attendees.some(({ seatUid }) => seatUid)
  const invitees = isSeated ? booking.attendees : [attendeeOf(booking)]
  return invitees.some((one) =>
    [one.email, one.displayEmail].some((its) => its && caselessEmail(its) === caselessEmail(email)),
  )
}

function numbersOf(eventTypeIds: readonly string[]): number[] {
  const numbers = eventTypeIds.flatMap((id) => eventTypeNumber(id) ?? [])
  if (numbers.length < eventTypeIds.length) throw new Problem(misconfigured(ADVICE.eventTypeId))
  return numbers
}

/** Lists active bookings in the same way, without their invitees. */
export const upcomingBookings =
  (client: CalcomClient): Scheduling['upcoming'] =>
  async (asked, given) => {
    const states = ['confirmed', 'pending_host_approval'] as const
    const read = await pageOf(client, { ...asked, states, limit: UPCOMING_ON_PAGE }, given)
    if (read === 'unknown place') return read
    const bookings = read.fresh.filter(isSingle).map(listedOf)
    return { bookings: bookings.filter(({ state }) => state !== 'cancelled'), next: read.next }
  }

async function pageOf(
  client: CalcomClient,
  { from, to, states, eventTypeIds, limit }: BookingsWanted,
  given: string | undefined,
): Promise<{ fresh: CalcomBooking[]; count: number; next: string | undefined } | 'unknown place'> {
  const numbers = numbersOf(eventTypeIds)
  const place =
    given === undefined ? { after: from, listed: [] } : placeSchema.safeParse(jsonIn(given)).data
  if (place === undefined) return 'unknown place'
  const { after, listed } = place
  const paging = { status: statusesFor(states), sortStart: 'asc', take: limit + listed.length }
  const window = { from: after - LIST_MARGIN_MS, until: to }
  const { page, more } = await client.bookingsPage(numbers, { ...window, ...paging })
  const { read: starts, unread } = startsSchema.parse(page)
  const isNew = ({ uid, start }: Begun) => start >= after && !listed.includes(uid)
  const added = starts.filter(isNew)
  return {
    fresh: bookingsIn(page).filter((one) => isNew(one) && one.start < to),
    count: added.filter(({ start }) => start < to).length + unread,
    next: more ? nextPlace(added, place, to) : undefined,
  }
}

function nextPlace(added: Begun[], { after, listed }: Place, to: number): string | undefined {
  const last = Math.max(...added.map(({ start }) => start))
  if (last >= to) return undefined
  // A page that adds nothing would come again for ever.
  if (added.length === 0) throw new Problem(misconfigured(ADVICE.form))
  const atLast = added.filter(({ start }) => start === last).map(({ uid }) => uid)
  const next: Place = { after: last, listed: last === after ? [...listed, ...atLast] : atLast }
  return JSON.stringify(next)
}

function statusesFor(states: readonly BookingState[]) {
  const isActive = states.some((state) => state !== 'cancelled')
  return [isActive && ACTIVE, states.includes('cancelled') && CANCELLED].filter(Boolean).join(',')
}
