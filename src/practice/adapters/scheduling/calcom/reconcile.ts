import {
  type RequestAnswer,
  type RescheduleRequest,
  bookingIdOf,
  providerIdOf,
} from '../../../../core/domain/booking.ts'
import {
  type LookupOutcome,
  NOT_FOUND,
  NOT_UNDERSTOOD,
  type StepOutcome,
  UNKNOWN,
  ok,
} from '../../../../core/domain/outcome.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import {
  ALREADY_BOOKED,
  isCutMarker,
  type Origin,
  whoseBooking,
  whoseReason,
} from '../../../../core/domain/whose-booking.ts'
import type { Scheduling } from '../../../../core/ports/scheduling.ts'
import { factsOf, isAnswered, isOver, single } from './bookings.ts'
import type { CalcomClient } from './client.ts'
import { notActive } from './errors.ts'
import { eventTypeNumber } from './event-type.ts'
import type { CalcomBooking } from './schemas.ts'

type Reconciliations = Pick<Scheduling, 'findBooked' | 'findCancelled'> & {
  read(bookingId: string): Promise<CalcomBooking | undefined>
  findMoved: NonNullable<Scheduling['reschedule']>['reconcile']
  findAnswered(answer: Omit<RequestAnswer, 'reason'>): Promise<LookupOutcome>
  /** The outcome of a request to book, sent at `sentAt`, to which Cal.com returned this booking. */
  ofBooked(returned: CalcomBooking, marker: string, sentAt: number): Promise<StepOutcome>
  /** The outcome of a move to which it returned this booking. */
  ofMoved(returned: CalcomBooking, request: RescheduleRequest, marker: string): Promise<StepOutcome>
}

/** Finds out from Cal.com what became of a change. It only reads. */
export function calcomReconcile(client: CalcomClient): Reconciliations {
  async function read(bookingId: string): Promise<CalcomBooking | undefined> {
    const uid = providerIdOf(bookingId)
    const found = uid === undefined ? undefined : await client.booking(uid)
    return found && single(found)
  }

  const made = async (one: CalcomBooking) => ok(await factsOf(client, one))

  /** Our booking near this time, an active one first. Unknown if ours may be hidden or unreadable. */
  async function findNear(
    eventTypeId: string,
    start: number,
    whose: (one: CalcomBooking) => 'us' | 'another' | 'unsaid',
  ): Promise<LookupOutcome> {
    const id = eventTypeNumber(eventTypeId)
    if (id === undefined) return UNKNOWN
    const { found, complete } = await client.bookingsNear(id, start)
    const matches = found.filter((one) => whose(one) === 'us')
    const match = matches.find((one) => !isOver(one)) ?? matches[0]
    if (match) return made(match)
    if (!complete || found.some((one) => whose(one) === 'unsaid')) return UNKNOWN
    return (await client.listsAll(id)) ? NOT_FOUND : UNKNOWN
  }

  const findMoved: Reconciliations['findMoved'] = ({ bookingId, eventTypeId, start }, marker) =>
    unknownOnProblem(async () => {
      const old = await read(bookingId)
      if (!old) return UNKNOWN
      const move = { from: old.uid, start }
      if (old.rescheduledToUid) {
        const next = await client.booking(old.rescheduledToUid)
        if (!next || next === 'series') return UNKNOWN
        const by = movedBy({ ...next, rescheduledFromUid: old.uid }, move, marker)
        if (by === 'us') return made(next)
        return by === 'another' ? notActive : UNKNOWN
      }
      const seen = await findNear(eventTypeId, start, (one) => movedBy(one, move, marker))
      if (seen.is !== 'not_found') return seen
      // A booking that was moved is cancelled too, and its successor may not be listed yet.
      const ended = endedBy(old, marker)
      if (ended === undefined) return seen
      return ended === 'another' ? notActive : UNKNOWN
    })

  return {
    read,

    findBooked: ({ start }, eventTypeId, marker, named) =>
      unknownOnProblem(async () => {
        if (named !== undefined) {
          const one = await read(named)
          return one && madeUnder(one, marker) ? made(one) : UNKNOWN
        }
        return findNear(eventTypeId, start, (one) => {
          if (madeUnder(one, marker)) return 'us'
          return one.start === start && hidesMarker(one, marker) ? 'unsaid' : 'another'
        })
      }),

    findCancelled: (bookingId, marker) =>
      unknownOnProblem(async () => {
        const found = await read(bookingId)
        if (!found) return UNKNOWN
        const ended = endedBy(found, marker)
        if (ended === undefined) return NOT_FOUND
        if (ended === 'us') return ok()
        return ended === 'another' ? notActive : UNKNOWN
      }),

    findMoved,

    // Cal.com does not return the reason of a decline, so an answer carries no marker of ours.
    findAnswered: ({ bookingId, decision }) =>
      unknownOnProblem(async () => {
        const found = await read(bookingId)
        // One that was cancelled may have been accepted before.
        if (!found || found.status === 'cancelled') return UNKNOWN
        return isAnswered(found, decision) ? made(found) : NOT_FOUND
      }),

    async ofBooked(returned, marker, sentAt) {
      const whose = whoseBooking(originOf(returned), marker, sentAt)
      if (whose === 'us') return made(returned)
      if (whose === 'another') return ALREADY_BOOKED
      const seen = await unknownOnProblem(async () => {
        const again = await read(bookingIdOf(returned.uid))
        return again && madeUnder(again, marker) ? made(again) : UNKNOWN
      })
      return seen.is === 'ok' ? seen : NOT_UNDERSTOOD
    },

    async ofMoved(returned, request, marker) {
      if (returned.uid === providerIdOf(request.bookingId)) return NOT_UNDERSTOOD
      if (isMoved(returned, request, marker)) return made(returned)
      const seen = await findMoved(request, marker)
      if (seen.is === 'not_found') return ALREADY_BOOKED
      return seen.is === 'unknown' ? NOT_UNDERSTOOD : seen
    },
  }
}

/** A read that fails proves nothing. */
async function unknownOnProblem(read: () => Promise<LookupOutcome>): Promise<LookupOutcome> {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof Problem) return UNKNOWN
    throw thrown
  }
}

const KEY = 'consult_ref'

/** The metadata by which a booking is found again. */
export const metadataWith = (marker: string): Record<string, string> => ({ [KEY]: marker })

/** What a booking says of where it comes from. */
export function originOf({ metadata, createdAt }: CalcomBooking): Origin {
  if (!metadata) return { carried: undefined, createdAt }
  const carried = metadata[KEY]
  if (typeof carried === 'string') return { carried, createdAt }
  return { carried: KEY in metadata ? undefined : null, createdAt }
}

/** Whether a booking was made under this marker. A move keeps the metadata, so the moved one was too. */
const madeUnder = (booking: CalcomBooking, marker: string) => originOf(booking).carried === marker

/** Whether a booking may be ours since it does not say under which marker it was made. */
function hidesMarker(booking: CalcomBooking, marker: string) {
  const { carried } = originOf(booking)
  if (carried === null) return false
  return carried === undefined || isCutMarker(carried, marker)
}

interface Move {
  from: string
  start: number
}

/** Who moved a booking. Without a reason, a move to the very time that was requested counts as ours. */
function movedBy(booking: CalcomBooking, { from, start }: Move, marker: string) {
  const whose = whoseReason(booking.reschedulingReason, marker)
  const sameStart = booking.start === start
  // A later move may keep our reason, so it counts only with the booking that it came from, or the time.
  const origin = booking.rescheduledFromUid
  if (origin ? origin !== from : whose !== 'ours' || !sameStart) return 'another'
  if (whose === 'ours' || (whose !== 'other' && sameStart)) return 'us'
  return whose === 'cut' ? 'unsaid' : 'another'
}

/**
 * Whether a booking that was returned to a move is the old one moved; it may have another time than
 * was asked for.
 */
function isMoved(
  { reschedulingReason, rescheduledFromUid: origin }: CalcomBooking,
  { bookingId }: RescheduleRequest,
  marker: string,
) {
  const whose = whoseReason(reschedulingReason, marker)
  return origin ? origin === providerIdOf(bookingId) && whose !== 'other' : whose === 'ours'
}

/** Who ended a booking, by its reason; undefined while it is active. */
function endedBy(booking: CalcomBooking, marker: string): 'us' | 'another' | 'unsaid' | undefined {
  if (!isOver(booking)) return undefined
  const whose = whoseReason(booking.cancellationReason, marker)
  if (whose === 'ours') return 'us'
  // Only the practice declines, and a move names its successor; another end without a reason could be ours.
  const explained = booking.status === 'rejected' || Boolean(booking.rescheduledToUid)
  return whose === 'other' || explained ? 'another' : 'unsaid'
}
