import * as z from 'zod'
import { BOOKINGS_ON_PAGE, type Booking, type BookingState } from '../../../domain/booking.ts'
import { Problem, problem } from '../../../domain/problem.ts'
import type { Scheduling } from '../../../ports/index.ts'
import { ADVICE } from './messages.ts'
import { bookingsOf, placedAnswer } from './schemas.ts'
import { bookingOf, single } from './booking.ts'
import type { CalcomClient } from './client.ts'
import { eventTypeNumber } from './event-type.ts'

/** Whether a start that equals the bound is listed is not known, hence the margin. */
const MARGIN = 1000
const ACTIVE = 'upcoming,recurring,past,unconfirmed'
const CANCELLED = 'cancelled'

/**
 * Where a list goes on. Versions with cursors have their own. The others count how many to skip, and would leave one out
 * if an earlier one ended meanwhile: with them it goes on from the last start, without those already told of it.
 */
const placeSchema = z.union([
  z.object({ cursor: z.string() }),
  z.object({ after: z.int(), told: z.array(z.string()).max(200) }),
])

function placeIn(text: string): z.infer<typeof placeSchema> | undefined {
  try {
    return placeSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Lists bookings by Cal.com's own paging, soonest first. */
export const calcomListing =
  (client: CalcomClient): Scheduling['bookings'] =>
  async ({ from, to, states, eventTypeIds }, given) => {
    const numbers = eventTypeIds.map(eventTypeNumber)
    if (numbers.includes(undefined)) throw problem('provider_misconfigured', { detail: ADVICE.eventTypeId })
    const place = given === undefined ? undefined : placeIn(given)
    if (given !== undefined && place === undefined) return 'unknown place'
    const { after, told } = place && 'after' in place ? place : { after: from, told: [] }
    const { found, next, more } = await client.bookingsPage(
      numbers.filter((one) => one !== undefined),
      {
        after: after - MARGIN,
        until: to,
        statuses: statusesFor(states),
        most: BOOKINGS_ON_PAGE + told.length,
      },
      place && 'cursor' in place ? place.cursor : undefined,
    )
    const placed = placedAnswer.safeParse(found)
    if (!placed.success) throw problem('provider_misconfigured', { detail: ADVICE.form })
    const isNew = ({ uid, start }: { uid: string; start: number }) => start >= after && !told.includes(uid)
    const news = placed.data.filter(isNew)
    const inWindow = news.filter(({ start }) => start < to)
    const readable = bookingsOf(found).filter((one) => isNew(one) && one.start < to)
    const bookings = readable
      .flatMap((one) => asBooking(() => bookingOf(single(one))))
      .toSorted((one, other) => one.start - other.start)
    const shown = bookings.filter(({ state }) => states.includes(state))
    return {
      bookings: shown,
      notShown: inWindow.length - bookings.length,
      next: client.listsByCursor ? cursorOf(next, more) : afterLast(news, { after, told, to, more }),
    }
  }

const cursorOf = (cursor: string | undefined, more: boolean) =>
  more && cursor !== undefined ? JSON.stringify({ cursor }) : undefined

function afterLast(
  news: { uid: string; start: number }[],
  { after, told, to, more }: { after: number; told: string[]; to: number; more: boolean },
): string | undefined {
  const last = Math.max(...news.map(({ start }) => start))
  if (!more || last >= to) return undefined
  // A page that brought nothing new would come again for ever.
  if (news.length === 0) throw problem('provider_misconfigured', { detail: ADVICE.form })
  const atLast = news.filter(({ start }) => start === last).map(({ uid }) => uid)
  return JSON.stringify({ after: last, told: last === after ? [...told, ...atLast] : atLast })
}

function statusesFor(states: readonly BookingState[]): string {
  const active = states.some((state) => state !== 'cancelled')
  return [...(active ? [ACTIVE] : []), ...(states.includes('cancelled') ? [CANCELLED] : [])].join(',')
}

/** Nothing where it is a part of a series, or has seats: it cannot be told as one booking. */
function asBooking(read: () => Booking): Booking[] {
  try {
    return [read()]
  } catch (thrown) {
    if (thrown instanceof Problem) return []
    throw thrown
  }
}
