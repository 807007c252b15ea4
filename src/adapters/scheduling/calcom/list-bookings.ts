import * as z from 'zod'
import { type Booking, type BookingState, type BookingsWanted } from '../../../domain/booking.ts'
import { Problem } from '../../../domain/problem/problem.ts'
import type { Scheduling } from '../../../ports/scheduling.ts'
import { LIST_MARGIN_MS } from '../../connection.ts'
import { misconfigured } from '../../error-table.ts'
import { jsonOr } from '../../provider-http.ts'
import { bookingOf, isSingle, listedOf, single } from './booking.ts'
import type { CalcomClient } from './client.ts'
import { eventTypeNumber } from './event-type.ts'
import { ADVICE } from './errors.ts'
import { bookingsIn, type CalcomBooking, startsSchema } from './schemas.ts'

const ACTIVE = 'upcoming,recurring,past,unconfirmed'
const CANCELLED = 'cancelled'
const UPCOMING_ON_PAGE = 100

/** Cal.com pages by a count to skip: the list continues from the last start, without those listed already. */
const placeSchema = z.object({ after: z.int(), listed: z.array(z.string()).max(200) })
type Place = z.infer<typeof placeSchema>

/** Lists bookings by Cal.com's own paging, soonest first. */
export const calcomBookings =
  (client: CalcomClient): Scheduling['bookings'] =>
  async (wanted, given) => {
    const read = await pageOf(client, wanted, given)
    if (read === 'unknown place') return read
    const { fresh, count, next } = read
    const bookings = fresh.flatMap(shownBooking).toSorted((one, other) => one.start - other.start)
    return {
      bookings: bookings.filter(({ state }) => wanted.states.includes(state)),
      notShown: count - bookings.length,
      next,
    }
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
  const numbers = eventTypeIds.map(eventTypeNumber)
  if (numbers.includes(undefined)) throw new Problem(misconfigured(ADVICE.eventTypeId))
  const place = given === undefined ? { after: from, listed: [] } : placeSchema.safeParse(jsonOr(given)).data
  if (place === undefined) return 'unknown place'
  const { after, listed } = place
  const { page, more } = await client.bookingsPage(
    numbers.filter((one) => one !== undefined),
    {
      from: after - LIST_MARGIN_MS,
      until: to,
      status: statusesFor(states),
      sortStart: 'asc',
      take: limit + listed.length,
    },
  )
  const starts = startsSchema.safeParse(page)
  if (!starts.success) throw new Problem(misconfigured(ADVICE.form))
  const isNew = ({ uid, start }: { uid: string; start: number }) => start >= after && !listed.includes(uid)
  const added = starts.data.filter(isNew)
  return {
    fresh: bookingsIn(page).filter((one) => isNew(one) && one.start < to),
    count: added.filter(({ start }) => start < to).length,
    next: more ? nextPlace(added, place, to) : undefined,
  }
}

function nextPlace(
  added: { uid: string; start: number }[],
  { after, listed }: Place,
  to: number,
): string | undefined {
  const last = Math.max(...added.map(({ start }) => start))
  if (last >= to) return undefined
  // A page that adds nothing would come again for ever.
  if (added.length === 0) throw new Problem(misconfigured(ADVICE.form))
  const atLast = added.filter(({ start }) => start === last).map(({ uid }) => uid)
  const next: Place = { after: last, listed: last === after ? [...listed, ...atLast] : atLast }
  return JSON.stringify(next)
}

function statusesFor(states: readonly BookingState[]): string {
  const active = states.some((state) => state !== 'cancelled')
  return [...(active ? [ACTIVE] : []), ...(states.includes('cancelled') ? [CANCELLED] : [])].join(',')
}

/** A part of a series, or one with seats, is not one booking. */
function shownBooking(found: CalcomBooking): Booking[] {
  try {
    return [bookingOf(single(found))]
  } catch (thrown) {
    if (thrown instanceof Problem) return []
    throw thrown
  }
}
