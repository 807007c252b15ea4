import * as z from 'zod'

import type { FactsContext, Sentence } from '../../../core/confirm/mutation.ts'
import {
  type Booking,
  type BookingState,
  type BookingsWanted,
  bookingStateSchema,
} from '../../../core/domain/booking.ts'
import type { Mode } from '../../../core/domain/mode.ts'
import { pluralOf } from '../../../core/domain/plural.ts'
import type { Practice } from '../../../core/domain/practice.ts'
import { recordKey } from '../../../core/domain/records.ts'
import { isoInZone, spokenTime, zoneSchema } from '../../../core/domain/time/time.ts'
import type { Ports } from '../../../core/ports/services.ts'
import { type Refuse, mockMark } from '../operation.ts'
import { searchedFrom, searchedTo } from '../pagination.ts'
import { differsField, namedObject } from '../schemas.ts'
import { otherPeopleField } from './other-people.ts'
import {
  EXAMPLE_BOOKING,
  bookingFields,
  bookingNow,
  minutesOf,
  slotIn,
  timeFieldsOf,
} from './schema.ts'

const { booking_id, state, ...otherFields } = bookingFields

/** A booking as the provider returns it now. */
export const shownBookingSchema = namedObject(
  'ShownBooking',
  'A booking as the scheduling provider has it now, masked.',
  {
    booking_id,
    state,
    next_booking_id: booking_id
      .optional()
      .describe(
        'The booking that replaced it, if it was moved. ' +
          'In a list, that booking may itself have been moved; ' +
          'get_booking names the last one.',
      ),
    ...otherFields,
    ...otherPeopleField,
    made_here: z
      .boolean()
      .describe(
        'Whether it was made through this service. A booking that was moved on the ' +
          "provider's own page was not.",
      ),
    differs_from_preview: differsField.optional(),
  },
)

export type ShownBooking = z.infer<typeof shownBookingSchema>

export const shownInZone = zoneSchema.optional().meta({
  description: 'IANA zone for the times in the answer; by default the zone of the practice.',
  examples: ['America/New_York'],
})

export const shownInZoneDefault = ({ timezone }: Practice) => ({ timezone })

/** Which bookings a list has, by their state. */
export const stateField = bookingStateSchema
  .optional()
  .describe('Bookings in this state only; by default all that are not cancelled.')

export const statesOf = (state: BookingState | undefined): BookingsWanted['states'] =>
  state === undefined ? ['confirmed', 'pending_host_approval'] : [state]

/** What every answer with the bookings of a window has. */
export const windowOfBookings = {
  from: searchedFrom,
  to: searchedTo,
  timezone: z.string(),
  bookings: z.array(shownBookingSchema),
}

export const bookingsInWindow = async (
  bookings: readonly Booking[],
  { from, to }: { from: number; to: number },
  timezone: string,
  ports: Pick<Ports, 'practice' | 'records'>,
) => ({
  from: isoInZone(from, timezone),
  to: isoInZone(to, timezone),
  timezone,
  bookings: await shownBookings(bookings, timezone, ports),
})

/** The same in lines; `which` says which bookings they are. */
export const windowLines = (
  {
    bookings,
    not_shown,
    from,
    to,
    timezone,
    mode,
  }: {
    bookings: readonly ShownBooking[]
    not_shown: number
    mode: Mode
  } & Record<'from' | 'to' | 'timezone', string>,
  which = '',
): Sentence[] => [
  `${bookings.length === 0 ? 'No consult' : 'Consults, soonest first,'}${which} from ${from} to ` +
    `${to}, ${timezone}${mockMark(mode)}:`,
  ...bookings.map((booking) => bookingLine(booking)),
  not_shown > 0 && `${not_shown} more cannot be shown one by one; see the provider.`,
]

const keyOf = ({ bookingId }: Booking) => recordKey('booking', bookingId)

const endSchema = z.object({ next_booking_id: z.string().optional() })

async function nextOf({ bookingId, state, movedTo }: Booking, records: Ports['records']) {
  if (state !== 'cancelled' || movedTo !== undefined) return movedTo
  const end = await records.get(recordKey('booking_end', bookingId))
  return typeof end === 'string' ? endSchema.parse(JSON.parse(end)).next_booking_id : undefined
}

const MOST_MOVES = 10

/** The booking in place of one that was moved, after all its moves; undefined if no move of it is known. */
export async function successorOf(
  booking: Booking,
  ports: Pick<Ports, 'scheduling' | 'records'>,
): Promise<Booking | undefined> {
  let last: Booking | undefined
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    const next = await nextOf(last ?? booking, ports.records)
    const found = next === undefined ? undefined : await ports.scheduling.booking(next)
    if (!found) break
    last = found
  }
  return last
}

/** The booking, still active and still ahead. Raises `booking_not_found` or `booking_not_active`. */
export async function activeBooking(
  bookingId: string,
  {
    ports,
    refuse,
  }: Pick<FactsContext, 'ports'> & { refuse: Refuse<'booking_not_found' | 'booking_not_active'> },
  cancelled = 'is cancelled',
): Promise<Booking> {
  const booking = await ports.scheduling.booking(bookingId)
  if (!booking) throw refuse('booking_not_found')
  const end = endOf(booking, ports.now(), cancelled)
  if (end === undefined) return booking
  const next = await successorOf(booking, ports)
  if (!next)
    throw refuse('booking_not_active', {
      detail: `The booking ${end}; nothing was done.`,
      ...(booking.state !== 'cancelled' && { next_step: TELL }),
    })
  const { bookingId: booking_id, state, start, timezone } = next
  const nextEnd = endOf(next, ports.now())
  const when = spokenTime(start, ports.practice.timezone, timezone)
  const words =
    nextEnd === undefined
      ? {
          detail: `The booking was moved: it is now ${booking_id}, on ${when}. Nothing was done.`,
          next_step: `Use ${booking_id} in place of the earlier booking_id, under a new idempotency key.`,
        }
      : {
          detail: `The booking was moved to ${booking_id}, which ${nextEnd}; nothing was done.`,
          next_step: TELL,
        }
  const shown = { booking_id, state, ...timeFieldsOf(next, timezone) }
  throw refuse('booking_not_active', { booking: shown, ...words })
}

const TELL = 'Tell the person. Book a new consult only if the person wants one.'

/** Why a booking cannot be changed any more. */
function endOf({ state, start, end }: Booking, now: number, cancelled = 'is cancelled') {
  if (state === 'cancelled') return cancelled
  if (start > now) return undefined
  return end <= now ? 'is over already' : 'has begun already'
}

/** The shown forms of bookings, with whether each was made here and where it was moved. */
async function shownBookings(
  bookings: readonly Booking[],
  timezone: string,
  { practice, records }: Pick<Ports, 'practice' | 'records'>,
) {
  if (bookings.length === 0) return []
  const [made, ...next] = await Promise.all([
    records.known(bookings.map(keyOf)),
    ...bookings.map((booking) => nextOf(booking, records)),
  ])
  return bookings.map((booking, at) =>
    viewOf(
      booking,
      { next: next[at], isMadeHere: made.includes(keyOf(booking)) },
      timezone,
      practice,
    ),
  )
}

const madeSchema = z.object({ differs_from_preview: z.array(z.string()).optional() })

/** The same of one booking, with what was not as its preview showed it when it was made here. */
export async function shownBooking(
  booking: Booking,
  timezone: string,
  { practice, records }: Pick<Ports, 'practice' | 'records'>,
): Promise<ShownBooking> {
  const [made, next] = await Promise.all([records.get(keyOf(booking)), nextOf(booking, records)])
  const isMadeHere = typeof made === 'string'
  const kept = isMadeHere ? madeSchema.parse(JSON.parse(made)) : {}
  return { ...viewOf(booking, { next, isMadeHere }, timezone, practice), ...kept }
}

const viewOf = (
  booking: Booking,
  { next, isMadeHere }: { next: string | undefined; isMadeHere: boolean },
  timezone: string,
  practice: Practice,
): ShownBooking => ({
  ...bookingNow(booking, practice, timezone),
  ...(next !== undefined && { next_booking_id: next }),
  made_here: isMadeHere,
})

/** What was not as its preview showed it, for a person to read, with a blank before it. */
export const notAsPreviewedText = (differs: readonly string[] = []) =>
  differs.length === 0 ? '' : ` Its preview showed something else for: ${differs.join(', ')}.`

/** A booking in one line; `moved` says whether the next booking is the last one. */
export const bookingLine = (
  booking: ShownBooking,
  moved: 'moved to' | 'moved: it is now' = 'moved to',
): string => {
  const { start_time, local_time, booking_id, event_type, invitee_name, invitee_email } = booking
  const { state, next_booking_id: next } = booking
  const which = next === undefined ? `${state}; ${booking_id}` : `${booking_id}, ${moved} ${next}`
  const minutes = minutesOf(slotIn(booking))
  const who = invitee_name === null ? invitee_email : `${invitee_name}, ${invitee_email}`
  const others = booking.other_people ?? 0
  const invitee = others === 0 ? who : `${who}, and ${others} more`
  return `${local_time} (${start_time}), ${pluralOf(minutes, 'minute')}: ${event_type} for ${invitee}; ${which}.`
}

export const EXAMPLE_SHOWN_BOOKING = { ...EXAMPLE_BOOKING, made_here: true }
