import { providerIdOf } from '../../../../core/domain/booking.ts'
import type { LookupOutcome } from '../../../../core/domain/outcome.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import type { Scheduling } from '../../../../core/ports/scheduling.ts'
import { factsOf, isOver, single } from './bookings.ts'
import type { CalcomClient } from './client.ts'
import { notActive } from './errors.ts'
import { eventTypeNumber } from './event-type.ts'
import type { CalcomBooking } from './schemas.ts'

type Reconciliations = Pick<Scheduling, 'findBooked' | 'findCancelled'> & {
  read(bookingId: string): Promise<CalcomBooking | undefined>
  findMoved: NonNullable<Scheduling['reschedule']>['reconcile']
}

/** Finds out from Cal.com what became of a change. It only reads. */
export function calcomReconcile(client: CalcomClient): Reconciliations {
  async function read(bookingId: string): Promise<CalcomBooking | undefined> {
    const uid = providerIdOf(bookingId)
    const found = uid === undefined ? undefined : await client.booking(uid)
    return found && single(found)
  }

  /** Our booking near this time, an active one first. Unknown if ours may be hidden or unreadable. */
  async function findNear(
    eventTypeId: string,
    start: number,
    whose: (one: CalcomBooking) => 'us' | 'another' | 'unsaid',
  ): Promise<LookupOutcome> {
    const id = eventTypeNumber(eventTypeId)
    if (id === undefined) return { is: 'unknown' }
    const { found, complete } = await client.bookingsNear(id, start)
    const matches = found.filter((one) => whose(one) === 'us')
    const match = matches.find((one) => !isOver(one)) ?? matches[0]
    if (match) return { is: 'ok', facts: factsOf(match) }
    return complete && !found.some((one) => whose(one) === 'unsaid')
      ? { is: 'not_found' }
      : { is: 'unknown' }
  }

  return {
    read,

    findBooked: ({ start }, eventTypeId, marker, named) =>
      unknownOnProblem(async () => {
        if (named !== undefined) {
          const one = await read(named)
          return one && madeUnder(one, marker)
            ? { is: 'ok', facts: factsOf(one) }
            : { is: 'unknown' }
        }
        return findNear(eventTypeId, start, (one) => {
          if (madeUnder(one, marker)) return 'us'
          return one.start === start && hidesMarker(one, marker) ? 'unsaid' : 'another'
        })
      }),

    findCancelled: (bookingId, marker) =>
      unknownOnProblem(async () => {
        const found = await read(bookingId)
        if (!found) return { is: 'unknown' }
        const ended = endedBy(found, marker)
        if (ended === undefined) return { is: 'not_found' }
        if (ended === 'us') return { is: 'ok', facts: {} }
        return ended === 'another' ? notActive : { is: 'unknown' }
      }),

    findMoved: ({ bookingId, eventTypeId, start }, marker) =>
      unknownOnProblem(async () => {
        const old = await read(bookingId)
        if (!old) return { is: 'unknown' }
        const move = { from: old.uid, start }
        if (old.rescheduledToUid) {
          const next = await client.booking(old.rescheduledToUid)
          if (!next || next === 'series') return { is: 'unknown' }
          const by = movedBy({ ...next, rescheduledFromUid: old.uid }, move, marker)
          if (by === 'us') return { is: 'ok', facts: factsOf(next) }
          return by === 'another' ? notActive : { is: 'unknown' }
        }
        const seen = await findNear(eventTypeId, start, (one) => movedBy(one, move, marker))
        if (seen.is !== 'not_found') return seen
        // A booking that was moved is cancelled too, and its successor may not be listed yet.
        const ended = endedBy(old, marker)
        if (ended === undefined) return seen
        return ended === 'another' ? notActive : { is: 'unknown' }
      }),
  }
}

/** A read that fails proves nothing. */
async function unknownOnProblem(read: () => Promise<LookupOutcome>): Promise<LookupOutcome> {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof Problem) return { is: 'unknown' }
    throw thrown
  }
}

const KEY = 'consult_ref'

const reference = (marker: string): string => `(ref ${marker})`

/** The metadata by which a booking is found again. */
export const metadataWith = (marker: string): Record<string, string> => ({ [KEY]: marker })

/** The reason that finds a change again. The reference comes first: a cut reason loses its end. */
export const reasonWithMarker = (marker: string, reason: string): string =>
  `${reference(marker)} ${reason}`

/** Whether a booking was made under this marker. A move keeps the metadata, so the moved one was too. */
const madeUnder = ({ metadata }: CalcomBooking, marker: string): boolean =>
  metadata?.[KEY] === marker

/** A marker that was not cut ends with the number of its step. */
const WHOLE = /\.\d+u?$/

/** Whether a booking may be ours since it does not say under which marker it was made. */
function hidesMarker({ metadata }: CalcomBooking, marker: string): boolean {
  if (!metadata) return true
  const carried = metadata[KEY]
  if (typeof carried !== 'string') return KEY in metadata
  return !WHOLE.test(carried) && isCut(carried, marker)
}

/** Whose reason it is. A missing one proves nothing, nor does one that was cut inside our reference. */
function reasonOf(
  reason: string | null | undefined,
  marker: string,
): 'ours' | 'cut' | 'unsaid' | 'other' {
  if (reason?.includes(reference(marker))) return 'ours'
  if (!reason?.trim()) return 'unsaid'
  return isCut(reason, reference(marker)) ? 'cut' : 'other'
}

const isCut = (text: string, whole: string): boolean =>
  whole.startsWith(text.trim().replace(/(?:…|\.{3})$/, ''))

export interface Move {
  from: string
  start: number
}

/** Who moved a booking. Without a reason, a move to the very time that was requested counts as ours. */
function movedBy(booking: CalcomBooking, { from, start }: Move, marker: string) {
  const whose = reasonOf(booking.reschedulingReason, marker)
  const sameStart = booking.start === start
  // A later move may keep our reason, so it counts only with the booking that it came from, or the time.
  const origin = booking.rescheduledFromUid
  if (origin ? origin !== from : whose !== 'ours' || !sameStart) return 'another'
  if (whose === 'ours' || (whose !== 'other' && sameStart)) return 'us'
  return whose === 'cut' ? 'unsaid' : 'another'
}

/** Who ended a booking, by its reason; undefined while it is active. */
export function endedBy(
  booking: CalcomBooking,
  marker: string,
): 'us' | 'another' | 'unsaid' | undefined {
  if (!isOver(booking)) return undefined
  const whose = reasonOf(booking.cancellationReason, marker)
  if (whose === 'ours') return 'us'
  // Only the practice declines, and a move names its successor; another end without a reason could be ours.
  const explained = booking.status === 'rejected' || Boolean(booking.rescheduledToUid)
  return whose === 'other' || explained ? 'another' : 'unsaid'
}
