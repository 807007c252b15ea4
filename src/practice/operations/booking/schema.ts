import * as z from 'zod'

import type { Finished } from '../../../core/confirm/mutation.ts'
import type { Slot } from '../../../core/domain/availability.ts'
import { type Booking, bookingStateSchema } from '../../../core/domain/booking.ts'
import type { Facts } from '../../../core/domain/facts.ts'
import { pluralOf } from '../../../core/domain/plural.ts'
import type { Practice } from '../../../core/domain/practice.ts'
import { type Refusal, invalidField } from '../../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../../core/domain/problem/problems.ts'
import { recordKey } from '../../../core/domain/records.ts'
import { DAY, MINUTE } from '../../../core/domain/time/duration.ts'
import {
  instantOf,
  isoInZone,
  isoUtc,
  localTime,
  spokenTime,
} from '../../../core/domain/time/time.ts'
import { offsetDetail } from '../../../core/domain/time/written-time.ts'
import type { RecordWrite } from '../../../core/ports/records.ts'
import type { Scheduling } from '../../../core/ports/scheduling.ts'
import { type Ended, recordWrite } from '../operation.ts'
import { namedObject, textOrNull, textField, momentField } from '../schemas.ts'
import { eventTypeField, eventTypeOf, locationField } from './event-type.ts'
import { otherPeopleIn } from './other-people.ts'

/** A span of time in answers: in the asked zone with its offset, and in words. */
export const timeFields = {
  start_time: momentField,
  end_time: momentField,
  timezone: textField('IANA time zone name.'),
  local_time: textField('The start in words, in that zone.'),
}

export const timeFieldsOf = ({ start, end }: Slot, timezone: string) => ({
  start_time: isoInZone(start, timezone),
  end_time: isoInZone(end, timezone),
  timezone,
  local_time: localTime(start, timezone),
})

/** The span of time that two moments of an answer bound. */
export const slotIn = ({
  start_time,
  end_time,
}: Record<'start_time' | 'end_time', string>): Slot => ({
  start: instantOf(start_time),
  end: instantOf(end_time),
})

export const minutesOf = ({ start, end }: Slot) => Math.round((end - start) / MINUTE)

type Shown = Record<'start_time' | 'end_time' | 'timezone' | 'event_type', string>

/** The fields that differ though they may look the same: two addresses can have one mask. */
export const differsBesides = ({ stepResults }: { stepResults: readonly Facts[] }) =>
  stepResults.at(-1)?.['other_address'] === true ? ['invitee_email'] : []

const OTHER_ADDRESS =
  ' The scheduling provider has it under another email address than the one that was sent. Tell the person.'

/** Sentences about a booking that is not the one its preview showed; empty if it is. */
export function differenceOf(
  made: Shown,
  { preview: previewed, practiceZone, differs }: Finished<Facts, Shown>,
): string {
  if (differs.length === 0) return ''
  const [was, is] = [slotIn(previewed), slotIn(made)]
  const minutes = minutesOf(is)
  const spoken = (at: number) => spokenTime(at, practiceZone, made.timezone)
  const others = [
    was.start !== is.start && `it was to begin on ${spoken(was.start)}`,
    minutesOf(was) !== minutes &&
      `it takes ${pluralOf(minutes, 'minute')} instead of ${minutesOf(was)}, until ${spoken(is.end)}`,
    previewed.event_type !== made.event_type &&
      `its kind is ${made.event_type} instead of ${previewed.event_type}`,
  ].filter((words) => words !== false)
  const address = differs.includes('invitee_email') ? OTHER_ADDRESS : ''
  if (others.length === 0) return address
  return ` This is not what the preview showed: ${others.join('; ')}. Tell the person.${address}`
}

/** The instant of a start_time that lies in the future. Raises `validation_failed`. */
export function futureInstant(startTime: string, now: number): number {
  const start = instantOf(startTime)
  if (start <= now) throw invalidField('/start_time', 'Expected a time in the future.')
  return start
}

/**
 * What the refusal of a time that is not free says of it, if its offset is not one that its zone
 * has then: the answer would say that the time which the person meant is not free.
 */
export function notFree(
  startTime: string,
  zones: readonly [string, ...string[]],
): Pick<Refusal, 'detail'> {
  const about = offsetDetail(startTime, zones)
  return about === undefined ? {} : { detail: `${PROBLEMS.slot_unavailable.detail} ${about}` }
}

export async function slotAt(
  scheduling: Scheduling,
  of: Parameters<Scheduling['slots']>[0],
  start: number,
): Promise<Slot | undefined> {
  const slots = await scheduling.slots(of, start, start + DAY)
  return slots.find((slot) => slot.start === start)
}

const EXAMPLE_BOOKING_ID = 'bk_mock_4f1c2a9b7d3e8f60'

export const bookingIdField = z.string().meta({
  description: 'The booking: bk_ and its id at the scheduling provider.',
  examples: [EXAMPLE_BOOKING_ID],
})

/** How to find a booking_id that the caller did not make. */
export const FIND_BOOKING =
  'find_bookings finds the booking_id by the email address, and list_bookings by the day.'

export const maskedInviteeFields = {
  invitee_email: textField('Masked.'),
  invitee_name: textOrNull.describe('Initials only.'),
}

export const bookingFields = {
  booking_id: bookingIdField,
  state: bookingStateSchema,
  ...timeFields,
  event_type: eventTypeField,
  ...maskedInviteeFields,
}

/** The present state of a booking; its schema has a name in the documents, so it exists once. */
export const bookingSchema = namedObject('Booking', bookingFields)

export const bookedConsultSchema = namedObject('BookedConsult', {
  ...bookingFields,
  location: locationField,
})

/** The facts of a booking that a preview pins; times in UTC. */
export const pinnedBooking = (booking: Booking) => ({
  booking_id: booking.bookingId,
  old_start_time: isoUtc(booking.start),
  old_end_time: isoUtc(booking.end),
  old_state: booking.state,
  event_type_id: booking.eventTypeId,
})

/** The same of a booking that is changed as it is, with those on it. */
export const pinnedWithPeople = (booking: Booking) => ({
  ...pinnedBooking(booking),
  invitee_email: booking.maskedEmail,
  invitee_name: booking.initials,
  other_people: booking.otherPeople ?? 0,
})

/** A booking as the provider has it now, in previews and answers. */
export const bookingNow = (booking: Booking, practice: Practice, timezone = booking.timezone) => ({
  booking_id: booking.bookingId,
  state: booking.state,
  ...timeFieldsOf(booking, timezone),
  event_type: eventTypeOf(practice, booking.eventTypeId).name,
  invitee_email: booking.maskedEmail,
  invitee_name: booking.initials,
  ...otherPeopleIn(booking),
})

/** The slot that a step said it booked, or the one that was asked for. */
export const bookedSlot = (
  facts: Facts | undefined,
  asked: { start_time: string; end_time: string },
): Slot =>
  slotIn({
    start_time: String(facts?.['start_time'] ?? asked.start_time),
    end_time: String(facts?.['end_time'] ?? asked.end_time),
  })

const bookedFactsSchema = z.object({ booking_id: z.string(), state: bookingStateSchema })

/**
 * What a booking step learnt, in the words of answers. An owner who says that it happened gives the id
 * alone: the state is then that of a new booking, which the practice may have to accept. Throws a
 * ZodError if a step broke its word.
 */
export const bookedFacts = (
  facts: Facts | undefined,
  { needs_acceptance }: { needs_acceptance: boolean },
) =>
  bookedFactsSchema.parse({
    state: needs_acceptance ? 'pending_host_approval' : 'confirmed',
    ...facts,
  })

/** The kind of a booking that was made: another one where the provider says so. */
export function bookedKind(
  facts: Facts | undefined,
  asked: { event_type: string; event_type_id: unknown },
  eventTypes: Practice['eventTypes'],
): string {
  const id = facts?.['event_type_id']
  if (typeof id !== 'string' || id === asked.event_type_id) return asked.event_type
  return eventTypeOf({ eventTypes }, id).name
}

/** How a record and its event say that the booking is not as previewed. */
export const asPreviewed = (differs: readonly string[]) =>
  differs.length === 0 ? {} : { differs_from_preview: differs }

/** The record of a booking; one key per fact, written once, so that a late repeat cannot undo a later one. */
export const bookingRecord = (
  booking: { booking_id: string; [field: string]: unknown },
  ended: Ended,
  found: Pick<RecordWrite, 'links' | 'copyLinksFrom'>,
): RecordWrite => recordWrite(recordKey('booking', booking.booking_id), booking, ended, found)

/** The record that a booking ended, under a key of its own. */
export const bookingEndRecord = (bookingId: string, ended: Ended, more = {}): RecordWrite =>
  recordWrite(
    recordKey('booking_end', bookingId),
    { booking_id: bookingId, state: 'cancelled', ...more },
    ended,
  )

export const EXAMPLE_BOOKING = {
  booking_id: EXAMPLE_BOOKING_ID,
  state: 'confirmed' as const,
  start_time: '2037-11-24T10:00:00-05:00',
  end_time: '2037-11-24T10:30:00-05:00',
  timezone: 'America/New_York',
  local_time: 'Tuesday, November 24, 2037, 10:00 AM EST',
  event_type: 'consult',
  invitee_email: 'j***@***.com',
  invitee_name: 'J. D.',
}
