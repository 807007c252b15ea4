import * as z from 'zod'

import type { Slot, WantedTime } from '../../core/domain/availability.ts'
import type { Booking } from '../../core/domain/booking.ts'
import {
  canonicalEmail,
  caselessEmail,
  emailSchema,
  maskEmail,
  withWholeDomain,
} from '../../core/domain/email.ts'
import { type EventTypeDetails, placeOf } from '../../core/domain/event-type.ts'
import { pluralOf } from '../../core/domain/plural.ts'
import type { EventType } from '../../core/domain/practice.ts'
import { invalidField } from '../../core/domain/problem/problem.ts'
import {
  dateTimeSchema,
  instantOf,
  isoInZone,
  isoUtc,
  spokenTime,
  zoneSchema,
} from '../../core/domain/time/time.ts'
import { offsetWarnings } from '../../core/domain/time/written-time.ts'
import {
  HAS_TO_ACCEPT,
  addressWarnings,
  eventTypeField,
  eventTypeOf,
  locationField,
  needsAcceptance,
  presentLimit,
} from './booking/event-type.ts'
import {
  changedHost,
  hostChanged,
  hostChangedField,
  hostToCompare,
  mayChangeHost,
} from './booking/hosts.ts'
import {
  type Pinned,
  changedInvitee,
  changedInviteeFields,
  compensationResult,
  goesAlong,
  hasAddress,
  linksOf,
  refuseUnsaid,
  rescheduleSteps,
  warningsOf,
  whoseAndWhereTo,
} from './booking/moves.ts'
import {
  addedSince,
  alsoTold,
  comeAlong,
  keptPeople,
  otherNumber,
  otherPeopleField,
  otherPeopleIn,
  textOfGuests,
  withoutInvitee,
} from './booking/other-people.ts'
import { noWarnings } from './booking/questions.ts'
import {
  EXAMPLE_BOOKING,
  FIND_BOOKING,
  asPreviewed,
  bookedFacts,
  bookedKind,
  bookedSlot,
  bookingEndRecord,
  bookingFields,
  bookingIdField,
  bookingRecord,
  differenceOf,
  differsBesides,
  futureInstant,
  maskedInviteeFields,
  minutesOf,
  notFree,
  pinnedBooking,
  slotAt,
  slotIn,
  timeFields,
  timeFieldsOf,
} from './booking/schema.ts'
import { activeBooking } from './booking/view.ts'
import { emailIndex } from './client/identity.ts'
import { defineMutation } from './operation.ts'
import { namedObject } from './schemas.ts'

const movedTo = {
  location: locationField.describe(
    'Where it takes place, as the practice set it up. ' +
      'Null if the provider does not say, or if it moves the booking itself and keeps the ' +
      'place.',
  ),
}

const oldFields = {
  old_start_time: timeFields.start_time,
  old_end_time: timeFields.end_time,
  old_local_time: timeFields.local_time,
}

const previewSchema = namedObject('PreviewedMove', {
  booking_id: bookingIdField,
  ...oldFields,
  ...timeFields,
  event_type: eventTypeField,
  ...maskedInviteeFields,
  ...changedInviteeFields,
  ...otherPeopleField,
  ...movedTo,
})
type Preview = z.infer<typeof previewSchema>

/** Both lengths where they differ, and that of the kind. */
function lengths(old: Slot, moved: Slot, kind = minutesOf(moved)) {
  const [was, is] = [minutesOf(old), minutesOf(moved)]
  if (was !== is) return `, for ${pluralOf(is, 'minute')} instead of ${was}`
  return is === kind ? '' : `, for ${pluralOf(is, 'minute')} as now, not the ${kind} of its kind`
}

/** A provider that moves a booking keeps its length; what is booked again has that of its kind. */
function otherLength(old: Slot, moved: Slot, kind: number) {
  const [was, is] = [minutesOf(old), minutesOf(moved)]
  const then =
    was === is
      ? `and its kind ${kind}. If the calendar makes it ${kind}, the answer says so.`
      : `and ${is} after the move, which is the length of its kind. ` +
        'Ask the person whether that is enough.'
  return was !== kind && `The consult takes ${pluralOf(was, 'minute')} now, ${then}`
}

/**
 * What the new time has to be free for: the length of the booking, where the provider may move it
 * itself. A move by the key of a host accepts one that waits, which is not for every caller.
 */
function wantedFor(
  booking: Booking,
  eventType: EventType,
  sameInvitee: boolean,
  timezone = booking.timezone,
): WantedTime['eventType'] {
  const wanted = { ...eventType, moved: booking.bookingId }
  return sameInvitee && booking.state === 'confirmed'
    ? { ...wanted, minutes: minutesOf(booking), timezone: booking.timezone }
    : { ...wanted, timezone }
}

/** What stands against it now; where the old booking is cancelled first, also against that. */
function limitsOf(details: EventTypeDetails, start: number, now: number, inOneCall: boolean) {
  const move = presentLimit('moves', details, start, now)
  const cancellation = inOneCall ? null : presentLimit('cancellations', details, start, now)
  return [move, cancellation].filter((one) => one !== null).join(' ') || null
}

const OLD_TIME_FIRST =
  'The old time is given up first; if the new time is then refused, the old time is booked again, ' +
  'unless the calendar takes no booking that begins so soon.'

/** A provider that moves a booking itself leaves it its zone, in which it tells the invitee the time. */
const zoneStays = ({ timezone: its }: Booking, { start }: Slot, named: string) =>
  isoInZone(start, its) !== isoInZone(start, named) &&
  `The calendar keeps the time zone of the booking, and its messages say the time in ${its}.`

/** The provider may confirm at once what a host moves. */
const MAY_HAVE_TO_ACCEPT = 'The practice may have to accept the new time.'

const { booking_id, state, ...EXAMPLE } = EXAMPLE_BOOKING
const EXAMPLE_MOVED = {
  ...EXAMPLE,
  start_time: '2037-11-25T14:00:00-05:00',
  end_time: '2037-11-25T14:30:00-05:00',
  local_time: 'Wednesday, November 25, 2037, 2:00 PM EST',
  location: 'video (mock)',
}

export const rescheduleBooking = defineMutation({
  name: 'reschedule_booking',
  title: 'Reschedule a booking',
  description:
    'Reschedules a booked consult: moves the appointment or meeting to another day or ' +
    'time, in two calls, preview and commit. ' +
    'Use this when a person wants another time. The booking_id is from book_consult or an ' +
    `earlier move. ${FIND_BOOKING} The new start_time is from list_availability. ` +
    'Returns a new booking_id; the old one ends. The old time may be given up first; ' +
    'if the new one is then refused, the old time is booked again. ' +
    'Cannot change the kind of consult.',
  scope: 'bookings:write',
  route: 'POST /v1/bookings/{booking_id}/reschedule',
  provider: 'scheduling',
  destructive: true,
  problems: [
    'booking_not_found',
    'booking_not_active',
    'slot_unavailable',
    'reschedule_restored',
    'partially_applied',
  ],
  input: z.strictObject({
    booking_id: bookingIdField,
    start_time: dateTimeSchema.meta({
      description: 'The new start, RFC 3339 with an offset: the start_time of a free slot.',
      examples: ['2037-11-25T14:00:00-05:00'],
    }),
    timezone: zoneSchema.optional().meta({
      description: 'IANA zone of the invitee; by default the zone of the booking.',
      examples: ['America/New_York'],
    }),
    invitee_email: emailSchema
      .optional()
      .describe(
        'Email address for the new booking, by default that of the old one; returned masked.',
      ),
  }),
  preview: previewSchema,
  committed: namedObject('MovedBooking', {
    // Before the new one: a model may take the last id that it reads.
    previous_booking_id: bookingIdField,
    ...bookingFields,
    ...changedInviteeFields,
    ...otherPeopleField,
    ...hostChangedField,
    ...movedTo,
  }),
  canonical: (input) => ({
    ...input,
    start_time: isoUtc(instantOf(input.start_time)),
    ...(input.invitee_email === undefined
      ? {}
      : { invitee_email: canonicalEmail(input.invitee_email) }),
  }),
  async wantedTime({ booking_id, start_time, timezone, invitee_email }, { practice, scheduling }) {
    const booking = await scheduling.booking(booking_id)
    if (!booking) return undefined
    const kind = eventTypeOf(practice, booking.eventTypeId)
    const address = invitee_email && (await scheduling.invitee(booking_id))?.email
    const isSame = !invitee_email || canonicalEmail(address ?? '') === canonicalEmail(invitee_email)
    const eventType = wantedFor(booking, kind, isSame, timezone)
    return { eventType, start: instantOf(start_time), timezone: timezone ?? booking.timezone }
  },
  async facts(input, reading) {
    const { ports, refuse, mac, keyId } = reading
    const { scheduling, practice, now } = ports
    const booking = await activeBooking(input.booking_id, reading)
    const start = futureInstant(input.start_time, now())
    if (start === booking.start)
      throw invalidField('/start_time', 'Expected another time than the present one.')
    const eventType = eventTypeOf(practice, booking.eventTypeId)
    const previous = await scheduling.invitee(input.booking_id)
    if (!previous) throw refuse('booking_not_found')
    const email = canonicalEmail(input.invitee_email ?? previous.email)
    const index = await emailIndex(await ports.keyring(), keyId, email)
    const sameInvitee = await hasAddress(booking, previous, email, index, ports.records)
    const wanted = wantedFor(booking, eventType, sameInvitee, input.timezone)
    const free = await slotAt(scheduling, wanted, start)
    const timezone = input.timezone ?? booking.timezone
    if (!free)
      throw refuse('slot_unavailable', notFree(input.start_time, [timezone, practice.timezone]))
    const invitee = withoutInvitee(previous, email)
    // From the same read as their addresses: they may change between the two.
    const others = { otherPeople: invitee.guests.length || undefined }
    const details = await scheduling.eventType(eventType)
    const inOneCall =
      scheduling.reschedule !== undefined &&
      wanted.minutes !== undefined &&
      (details.lengths?.includes(wanted.minutes) ?? true)
    const slot = inOneCall ? { start, end: start + booking.end - booking.start } : free
    // What the provider moves itself keeps its answers and its place there.
    if (!inOneCall) refuseUnsaid(details, invitee.said, practice)
    const along = goesAlong(details, invitee.said, inOneCall)
    const place = details.asks && placeOf(details.asks, invitee.said)
    const host = hostToCompare(details, booking)
    const pinned: Pinned = {
      ...pinnedBooking(booking),
      start_time: isoUtc(slot.start),
      end_time: isoUtc(slot.end),
      timezone: input.timezone ?? null,
      invitee_mac: await mac(caselessEmail(email)),
      same_invitee: sameInvitee,
      old_invitee_mac: sameInvitee ? null : await mac(canonicalEmail(invitee.email)),
      in_one_call: inOneCall,
      location: inOneCall ? null : ((place?.location ?? details.location)?.text ?? null),
      needs_acceptance: needsAcceptance(details, start, now()),
      answers_mac: along.text === '' ? null : await mac(along.text),
      other_people: others.otherPeople ?? 0,
      other_people_mac: others.otherPeople ? await mac(textOfGuests(invitee.guests)) : null,
      host_mac: host === undefined ? null : await mac(host),
      limits: limitsOf(details, booking.start, now(), inOneCall),
    }
    return {
      pinned,
      index,
      booking,
      eventType,
      slot,
      timezone,
      invitee,
      others,
      email,
      details,
      along,
    }
  },
  show(input, facts, { practice }) {
    const { pinned, booking, eventType, slot, timezone, email, invitee, others } = facts
    const { details, along } = facts
    const inOneCall = pinned.in_one_call
    const old = timeFieldsOf(booking, timezone)
    const preview: Preview = {
      booking_id: booking.bookingId,
      old_start_time: old.start_time,
      old_end_time: old.end_time,
      old_local_time: old.local_time,
      ...timeFieldsOf(slot, timezone),
      event_type: eventType.name,
      invitee_email: pinned.same_invitee ? booking.maskedEmail : maskEmail(email),
      invitee_name: booking.initials,
      ...(pinned.same_invitee ? {} : changedInvitee(booking, email)),
      ...otherPeopleIn(others),
      location: pinned.location,
    }
    const [whose, whereTo] = whoseAndWhereTo(preview)
    const spoken = ({ start }: Slot) => spokenTime(start, practice.timezone, timezone)
    return {
      preview,
      summary:
        `Move the ${eventType.name} of ${whose} from ${spoken(booking)} to ` +
        `${spoken(slot)}${lengths(booking, slot, details.minutes)}${whereTo}.`,
      warnings: [
        offsetWarnings(input.start_time, [timezone, practice.timezone]),
        pinned.needs_acceptance && (inOneCall ? MAY_HAVE_TO_ACCEPT : HAS_TO_ACCEPT),
        pinned.limits,
        otherLength(booking, slot, details.minutes),
        mayChangeHost(details),
        inOneCall && zoneStays(booking, slot, timezone),
        inOneCall ? alsoTold(others) : comeAlong(invitee),
        !inOneCall && addressWarnings(details, email),
        !inOneCall && noWarnings(details, invitee),
        warningsOf(preview),
        along.warnings,
        !inOneCall && OLD_TIME_FIRST,
        'The booking gets a new booking_id.',
      ],
      sealed: [
        {
          readers: ['approver'],
          texts: {
            // The mock knows initials only.
            invitee_name: invitee.name === booking.initials ? null : invitee.name,
            invitee_email: withWholeDomain(email),
          },
        },
      ],
    }
  },
  namesAddress: ({ invitee_changed }) => invitee_changed === true,
  lockKeys: (pinned) => [
    `booking:${pinned.booking_id}`,
    `slot:${pinned.event_type_id}:${pinned.start_time}`,
    `slot:${pinned.event_type_id}:${pinned.old_start_time}`,
  ],
  steps: (pinned) => rescheduleSteps(pinned),
  changes: ['booking_id', 'local_time'],
  differs: (finished) => [
    ...differsBesides(finished),
    ...addedSince(finished.preview, finished.stepResults.at(-1)),
  ],
  result: ({ preview, pinned, stepResults, eventTypes }) => {
    const facts = stepResults.at(-1)
    const {
      booking_id,
      old_start_time: _s,
      old_end_time: _e,
      old_local_time: _l,
      ...kept
    } = preview
    return {
      ...kept,
      ...bookedFacts(facts, pinned),
      ...keptPeople(preview, facts),
      ...hostChanged(facts),
      ...timeFieldsOf(bookedSlot(facts, pinned), preview.timezone),
      event_type: bookedKind(facts, { ...preview, ...pinned }, eventTypes),
      previous_booking_id: booking_id,
    }
  },
  summary: (result, finished) => {
    const { preview, practiceZone } = finished
    const { state, event_type, start_time, timezone, booking_id, ...invitee } = result
    const people = otherNumber(preview.other_people, result.other_people)
    const difference = differenceOf(result, finished) + people + changedHost(result)
    const when = spokenTime(instantOf(start_time), practiceZone, timezone)
    const [whose, whereTo] = whoseAndWhereTo(invitee)
    const { old_start_time, old_end_time } = preview
    const old = slotIn({ start_time: old_start_time, end_time: old_end_time })
    const length = lengths(old, slotIn(result))
    const moved = `Moved the ${event_type} of ${whose} to ${when}${length}${whereTo}; it is now ${booking_id}`
    switch (state) {
      case 'confirmed':
        return `${moved}.${difference}`
      case 'pending_host_approval':
        return `${moved}, and the practice still has to accept it.${difference}`
      case 'cancelled':
        return `${moved}, and has been cancelled since.${difference}`
    }
  },
  records: ({ invitee_changed: _changed, old_invitee_email: _old, ...booking }, finished) => [
    bookingEndRecord(booking.previous_booking_id, finished, {
      next_booking_id: booking.booking_id,
    }),
    bookingRecord({ ...booking, ...asPreviewed(finished.differs) }, finished, linksOf(finished)),
  ],
  recordId: ['booking_id'],
  incomplete: (finished, end) => compensationResult(finished, end),
  example: {
    input: { booking_id, start_time: EXAMPLE_MOVED.start_time },
    preview: {
      booking_id,
      old_start_time: EXAMPLE.start_time,
      old_end_time: EXAMPLE.end_time,
      old_local_time: EXAMPLE.local_time,
      ...EXAMPLE_MOVED,
    },
    result: {
      booking_id: 'bk_mock_9a0b1c2d3e4f5061',
      previous_booking_id: booking_id,
      state,
      ...EXAMPLE_MOVED,
    },
  },
})
