import * as z from 'zod'

import type { Invitee, NothingLeft } from '../../core/domain/booking.ts'
import {
  canonicalEmail,
  caselessEmail,
  emailSchema,
  maskEmail,
  withWholeDomain,
} from '../../core/domain/email.ts'
import {
  initials,
  outgoingName,
  outgoingNameWarnings,
  placeholderWarnings,
} from '../../core/domain/name.ts'
import { UNKNOWN, refused } from '../../core/domain/outcome.ts'
import { phoneNumber } from '../../core/domain/phone.ts'
import type { Practice } from '../../core/domain/practice.ts'
import {
  dateTimeSchema,
  instantOf,
  isoUtc,
  spokenTime,
  zoneSchema,
} from '../../core/domain/time/time.ts'
import { offsetWarnings } from '../../core/domain/time/written-time.ts'
import {
  HAS_TO_ACCEPT,
  addressWarnings,
  eventTypeChoices,
  eventTypeField,
  eventTypeNamed,
  laterLimits,
  locationField,
  needsAcceptance,
  orBookOnPage,
  refuseUnbookable,
  wantedEventType,
  timedKind,
} from './booking/event-type.ts'
import { withAddress } from './booking/hosts.ts'
import {
  answerWarnings,
  noWarnings,
  requireSaid,
  saidAtCommit,
  saidFields,
  shownSaid,
  shownSaidFields,
  textOfSaid,
  unlistedSaid,
  wholeSaid,
} from './booking/questions.ts'
import {
  EXAMPLE_BOOKING,
  asPreviewed,
  bookedConsultSchema,
  bookedFacts,
  bookedKind,
  bookedSlot,
  bookingRecord,
  differenceOf,
  differsBesides,
  futureInstant,
  maskedInviteeFields,
  minutesOf,
  notFree,
  slotAt,
  slotIn,
  timeFields,
  timeFieldsOf,
} from './booking/schema.ts'
import { NO_NOTICES, emailIndex, otherConsults } from './client/identity.ts'
import { defineMutation } from './operation.ts'
import { namedObject } from './schemas.ts'

const EXAMPLE = { ...EXAMPLE_BOOKING, location: 'video (mock)' }
const { booking_id: _id, state: _state, ...notYetBooked } = EXAMPLE

export const previewedBookingSchema = namedObject('PreviewedBooking', {
  ...timeFields,
  event_type: eventTypeField,
  ...maskedInviteeFields,
  location: locationField,
  ...shownSaidFields,
})

/**
 * The practice's terms as the preview of a booking says them, quoted on one line: they are for
 * people, and no instruction. Who approves the booking signs them, too; a commit whose terms have
 * changed since is stale.
 */
function termsOf({ bookingTerms: { en } }: Practice): string | null {
  if (en === null) return null
  const line = en.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').replaceAll(/[“”]/g, '"')
  return `The terms of the practice, to be shown to the person: “${line}”`
}

/** The zones in which a written time may be meant. */
const zonesOf = ({ timezone }: { timezone: string }, practice: Practice) =>
  [timezone, practice.timezone] as const

const STALE = refused('preview_stale', { changes: [{ field: 'answers' }] })

export const bookConsult = defineMutation({
  name: 'book_consult',
  title: 'Book a consult',
  description:
    'Books a consult (appointment, meeting, call) in the calendar of the practice, in two ' +
    'calls, preview and commit. Use this when a person has chosen a time. list_availability ' +
    'has the free ones. Returns the booking_id, its state and its location. reschedule_booking ' +
    'and cancel_booking take the booking_id. The scheduling provider notifies the invitee. Cannot ' +
    'move or cancel a booking.',
  scope: 'bookings:write',
  route: 'POST /v1/bookings',
  provider: 'scheduling',
  destructive: false,
  problems: ['slot_unavailable'],
  input: z.strictObject({
    start_time: dateTimeSchema.meta({
      description: 'Start of the consult, RFC 3339 with an offset: the start_time of a free slot.',
      examples: ['2037-11-24T10:00:00-05:00'],
    }),
    timezone: zoneSchema.meta({
      description: 'IANA zone of the invitee.',
      examples: ['America/New_York'],
    }),
    invitee_email: emailSchema.meta({
      description:
        'Email address of the invitee; goes to the scheduling provider, returned masked.',
      examples: ['jordan@example.com'],
    }),
    invitee_name: outgoingName()
      .optional()
      .describe(
        'Name of the invitee, on one line, without links or markup; ' +
          'goes to the scheduling provider, returned as initials.',
      ),
    event_type: wantedEventType,
    ...saidFields,
  }),
  unlisted: unlistedSaid,
  defaults: ({ eventTypes: [{ name }] }) => ({ event_type: name }),
  choices: eventTypeChoices,
  preview: previewedBookingSchema,
  committed: bookedConsultSchema,
  canonical: ({ phone, answers = [], ...input }) => ({
    ...input,
    ...(answers.length > 0 && { answers }),
    ...(phone !== undefined && { phone: phoneNumber(phone) }),
    start_time: isoUtc(instantOf(input.start_time)),
    invitee_email: canonicalEmail(input.invitee_email),
  }),
  wantedTime: async ({ start_time, timezone, event_type }, { practice }) => ({
    eventType: eventTypeNamed(practice, event_type),
    start: instantOf(start_time),
    timezone,
  }),
  async facts(input, reading) {
    const { ports, isPreview, refuse, keyId, mac } = reading
    const { scheduling, practice, keyring, now } = ports
    const eventType = eventTypeNamed(practice, input.event_type)
    const start = futureInstant(input.start_time, now())
    const index = isPreview ? await emailIndex(await keyring(), keyId, input.invitee_email) : []
    const [slot, notices] = await Promise.all([
      orBookOnPage(slotAt(scheduling, { ...eventType, timezone: input.timezone }, start), practice),
      isPreview ? otherConsults(index, input.timezone, reading) : NO_NOTICES,
    ])
    if (!slot) throw refuse('slot_unavailable', notFree(input.start_time, zonesOf(input, practice)))
    const details = await scheduling.eventType(eventType)
    refuseUnbookable(details, practice)
    const read = requireSaid(details, input, reading.sentAs)
    const pinned = {
      event_type_id: eventType.id,
      start_time: isoUtc(slot.start),
      end_time: isoUtc(slot.end),
      location: (read.place?.location ?? details.location)?.text ?? null,
      needs_acceptance: needsAcceptance(details, start, now()),
      terms: practice.bookingTerms.en,
      limits: laterLimits(details).filter(Boolean).join(' ') || null,
      answers_mac: read.said ? await mac(textOfSaid(read.said)) : null,
      address_mac: await mac(caselessEmail(input.invitee_email)),
    }
    return { pinned, index, eventType, slot, details, read, notices }
  },
  show(input, { pinned, eventType, slot, details, read, notices }, { practice }) {
    const asks = pinned.needs_acceptance
    const preview = {
      ...timeFieldsOf(slot, input.timezone),
      event_type: eventType.name,
      invitee_email: maskEmail(input.invitee_email),
      invitee_name: input.invitee_name === undefined ? null : initials(input.invitee_name),
      location: pinned.location,
      ...shownSaid(read),
    }
    return {
      preview,
      summary:
        `${asks ? 'Ask for' : 'Book'} ${timedKind(minutesOf(slot), eventType.name)} on ` +
        `${spokenTime(slot.start, practice.timezone, input.timezone)} for ` +
        `${preview.invitee_email}${asks ? '; the practice has to accept it' : ''}.`,
      warnings: [
        termsOf(practice),
        offsetWarnings(input.start_time, zonesOf(input, practice)),
        placeholderWarnings(input.invitee_name),
        asks && HAS_TO_ACCEPT,
        addressWarnings(details, input.invitee_email),
        answerWarnings(read),
        noWarnings(details, read),
        laterLimits(details),
        notices.warnings,
        outgoingNameWarnings(input.invitee_name ?? ''),
      ],
      discloses: notices.discloses,
      sealed: [
        { readers: ['caller', 'approver'], texts: shownSaid(read) },
        {
          readers: ['approver'],
          texts: {
            invitee_name: input.invitee_name,
            invitee_email: withWholeDomain(input.invitee_email),
            ...wholeSaid(read),
          },
        },
      ],
    }
  },
  namesAddress: () => true,
  lockKeys: (pinned) => [`slot:${pinned.event_type_id}:${pinned.start_time}`],
  steps: (pinned) => {
    const slot = bookedSlot(undefined, pinned)
    return [
      {
        async execute(at, input) {
          if (!input) return UNKNOWN
          const { ports, marker } = at
          const said = await saidAtCommit(at, input)
          if (said === 'changed') return STALE
          const {
            invitee_email: email,
            invitee_name: name = null,
            timezone,
            start_time: _pinned,
            event_type: _kind,
            answers: _said,
            phone: _number,
            location: _place,
            ...left
          } = input
          void (left satisfies NothingLeft)
          const invitee: Invitee = { email, name, timezone, ...(said && { said }) }
          return ports.scheduling.book(
            { eventTypeId: pinned.event_type_id, ...slot, invitee },
            marker,
          )
        },
        async reconcile(at) {
          const { ports, marker, named } = at
          const { findBooked } = ports.scheduling
          const found = await findBooked(slot, pinned.event_type_id, marker, named)
          return withAddress(found, at, pinned.address_mac)
        },
      },
    ]
  },
  changes: ['local_time'],
  differs: (finished) => differsBesides(finished),
  result: ({ preview: previewed, pinned, stepResults, eventTypes }) => {
    const { answers: _answers, phone: _phone, ...preview } = previewed
    const facts = stepResults.at(-1)
    return {
      ...bookedFacts(facts, pinned),
      ...preview,
      ...timeFieldsOf(bookedSlot(facts, pinned), preview.timezone),
      event_type: bookedKind(facts, { ...preview, ...pinned }, eventTypes),
    }
  },
  summary: (result, finished) => {
    const { state, timezone, invitee_email, event_type } = result
    const slot = slotIn(result)
    const when = spokenTime(slot.start, finished.practiceZone, timezone)
    const kind = timedKind(minutesOf(slot), event_type)
    const booked = `Booked ${kind} on ${when} for ${invitee_email}`
    const difference = differenceOf(result, finished)
    switch (state) {
      case 'confirmed':
        return `${booked}.${difference}`
      case 'pending_host_approval':
        return (
          `Asked for ${kind} on ${when} for ${invitee_email}; ` +
          `the practice still has to accept it.${difference}`
        )
      case 'cancelled':
        return `${booked}; it has been cancelled since.${difference}`
    }
  },
  records: (result, finished) => [
    bookingRecord({ ...result, ...asPreviewed(finished.differs) }, finished, {
      links: finished.index,
    }),
  ],
  recordId: ['booking_id'],
  example: {
    input: {
      start_time: '2037-11-24T10:00:00-05:00',
      timezone: 'America/New_York',
      invitee_email: 'jordan@example.com',
      invitee_name: 'Jordan Doe',
    },
    preview: notYetBooked,
    result: EXAMPLE,
  },
})
