import { providerIdOf } from '../../../domain/booking.ts'
import type { LookupOutcome } from '../../../domain/outcome.ts'
import { Problem } from '../../../domain/problem.ts'
import type { Scheduling } from '../../../ports/index.ts'
import type { CalcomBooking } from './schemas.ts'
import { factsOf, isOver, single } from './booking.ts'
import type { CalcomClient } from './client.ts'
import { eventTypeNumber } from './event-type.ts'
import { endedBy, hidesMarker, madeUnder, movedBy } from './marker.ts'
import { notActive } from './errors.ts'

type Reconciliations = Pick<Scheduling, 'findBooked' | 'findCancelled'> & {
  read(bookingId: string): Promise<CalcomBooking | undefined>
  findMoved: NonNullable<Scheduling['reschedule']>['reconcile']
}

/** Finds out from Cal.com what became of a change. It only reads. */
export function calcomReconcile(client: CalcomClient): Reconciliations {
  /** The booking with this id, if Cal.com knows one. Raises `provider_misconfigured` for a series or seats. */
  async function read(bookingId: string): Promise<CalcomBooking | undefined> {
    const uid = providerIdOf(bookingId)
    const found = uid === undefined ? undefined : await client.booking(uid)
    return found && single(found)
  }

  /**
   * Our booking near this time; an active one before one that has ended since. Unknown if one may be ours and does not
   * say so, or if not all could be read.
   */
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
    return complete && !found.some((one) => whose(one) === 'unsaid') ? { is: 'not_found' } : { is: 'unknown' }
  }

  return {
    read,

    findBooked: ({ start }, eventTypeId, marker, named) =>
      unknownOnProblem(async () => {
        if (named !== undefined) {
          const one = await read(named)
          return one && madeUnder(one, marker) ? { is: 'ok', facts: factsOf(one) } : { is: 'unknown' }
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
