import * as z from 'zod'
import type { At, Finished, Step } from '../confirm/mutation.ts'
import type { Invitee } from '../domain/booking.ts'
import { canonicalEmail, emailSchema, maskEmail } from '../domain/email.ts'
import type { Facts } from '../domain/facts.ts'
import type { Ran } from '../domain/outcome.ts'
import { invalidField } from '../domain/problem.ts'
import { dateTimeSchema, instantOf, isoUtc, spokenTime, zoneSchema } from '../domain/time.ts'
import {
  bookedFacts,
  bookedSlot,
  bookingEndRecord,
  bookingFields,
  bookingIdField,
  bookingRecord,
  maskedInviteeFields,
  pinnedBooking,
  recordedAt,
} from './booked.ts'
import { activeBooking } from './cancel-booking.ts'
import { eventTypeField, eventTypeNameOf, futureInstant, momentFields, momentOf, slotAt } from './moment.ts'
import { defineMutation } from './operation.ts'

const oldFields = {
  old_start_time: momentFields.start_time,
  old_end_time: momentFields.end_time,
  old_local_time: momentFields.local_time,
}

interface Pinned extends Facts {
  via: string
  booking_id: string
  old_start_time: string
  old_end_time: string
  old_state: string
  event_type_id: string
  start_time: string
  end_time: string
  invitee_mac: string
  /** The provider moves it in one call of its own. */
  in_one_call: boolean
}

const previewSchema = z.strictObject({
  booking_id: bookingIdField,
  ...oldFields,
  ...momentFields,
  event_type: eventTypeField,
  ...maskedInviteeFields,
})
type Preview = z.infer<typeof previewSchema>

const newSlot = (pinned: Pinned) => bookedSlot(undefined, pinned)
const oldSlot = (pinned: Pinned) =>
  bookedSlot(undefined, { start_time: pinned.old_start_time, end_time: pinned.old_end_time })

/** The invitee of the old booking, if the address is the one that was previewed; read, used and dropped. */
async function previewedInvitee({ ports, pinned, mac }: At<Pinned>): Promise<Invitee | undefined> {
  const invitee = await ports.scheduling.invitee(pinned.booking_id)
  return invitee && (await mac(canonicalEmail(invitee.email))) === pinned.invitee_mac ? invitee : undefined
}

const notSent: Ran = { is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } }

type Input = { invitee_email?: string | undefined; timezone?: string | undefined }

const oneCall = (pinned: Pinned): Step<Input, Pinned> => {
  const request = { bookingId: pinned.booking_id, eventTypeId: pinned.event_type_id, ...newSlot(pinned) }
  return {
    alone: true,
    run: async ({ ports, marker }) => (await ports.scheduling.reschedule?.run(request, marker)) ?? notSent,
    find: async ({ ports, marker }) =>
      (await ports.scheduling.reschedule?.find(request, marker)) ?? { is: 'unknown' },
  }
}

const giveUpOldTime = (pinned: Pinned): Step<Input, Pinned> => ({
  alone: true,
  repeatMs: Infinity,
  run: ({ ports, marker }) => ports.scheduling.cancel(pinned.booking_id, 'Rescheduled', marker),
  find: ({ ports, marker }) => ports.scheduling.findCancelled(pinned.booking_id, marker),
  undo: {
    async run({ ports, marker }) {
      const invitee = await ports.scheduling.invitee(pinned.booking_id)
      if (!invitee) return notSent
      return ports.scheduling.book({ eventTypeId: pinned.event_type_id, ...oldSlot(pinned), invitee }, marker)
    },
    find: ({ ports, marker }) => ports.scheduling.findBooked(oldSlot(pinned), pinned.event_type_id, marker),
  },
})

const bookNewTime = (pinned: Pinned): Step<Input, Pinned> => ({
  alone: true,
  async run(at, input) {
    const { ports, marker } = at
    const previous = input?.invitee_email
      ? await ports.scheduling.invitee(pinned.booking_id)
      : await previewedInvitee(at)
    // Only the caller can bring an address that differs from the old one: wait for a repeat of the call.
    if (!previous) return notSent
    const invitee = {
      ...previous,
      email: input?.invitee_email ?? previous.email,
      timezone: input?.timezone ?? previous.timezone,
    }
    return ports.scheduling.book({ eventTypeId: pinned.event_type_id, ...newSlot(pinned), invitee }, marker)
  },
  find: ({ ports, marker }) => ports.scheduling.findBooked(newSlot(pinned), pinned.event_type_id, marker),
})

export const rescheduleBooking = defineMutation({
  name: 'reschedule_booking',
  title: 'Reschedule a booking',
  description:
    'With confirm=false, returns a preview of moving a booking to another time and a confirmation token; nothing is moved. With confirm=true and that token, cancels the old time and books the new one; if the new one is refused, the old time is booked again. The booking gets a new booking_id.',
  scope: 'bookings:write',
  http: { method: 'post', path: '/v1/bookings/{booking_id}/reschedule' },
  openWorld: true,
  destructive: true,
  problems: [
    'booking_not_found',
    'booking_not_active',
    'slot_unavailable',
    'duplicate_in_doubt',
    'reschedule_restored',
    'partially_applied',
    'provider_busy',
    'provider_misconfigured',
  ],
  input: z.strictObject({
    booking_id: bookingIdField,
    start_time: dateTimeSchema.meta({
      description: 'The new start, RFC 3339 with an offset: the start_time of a free slot.',
      examples: ['2026-11-25T14:00:00-05:00'],
    }),
    timezone: zoneSchema.optional().meta({
      description: 'IANA zone of the invitee; by default the zone of the booking.',
      examples: ['America/New_York'],
    }),
    invitee_email: emailSchema.optional().meta({
      description:
        'Mail address for the new booking; by default the one of the old booking. Returned masked.',
    }),
  }),
  preview: previewSchema,
  committed: z.strictObject({ ...bookingFields, previous_booking_id: bookingIdField }),
  canonical: (input) => ({
    ...input,
    start_time: isoUtc(instantOf(input.start_time)),
    ...(input.invitee_email === undefined ? {} : { invitee_email: canonicalEmail(input.invitee_email) }),
  }),
  mode: ({ scheduling }) => scheduling.mode,
  via: ({ scheduling }) => scheduling.via,
  async prepare(input, preparing) {
    const { ports, refuse, mac } = preparing
    const { scheduling, practice, now } = ports
    const booking = await activeBooking(input.booking_id, preparing)
    const start = futureInstant(input.start_time, now())
    if (start === booking.start)
      throw invalidField('/start_time', 'Expected another time than the present one.')
    const eventTypeId = booking.eventTypeId
    const eventType = { id: eventTypeId, name: eventTypeNameOf(practice, eventTypeId) }
    const slot = await slotAt(scheduling, eventType, start)
    if (!slot) throw refuse('slot_unavailable')
    const invitee = await scheduling.invitee(input.booking_id)
    if (!invitee) throw refuse('booking_not_found')
    const email = canonicalEmail(input.invitee_email ?? invitee.email)
    const inOneCall = scheduling.reschedule !== undefined && email === canonicalEmail(invitee.email)
    const timezone = input.timezone ?? booking.timezone
    const old = momentOf(booking, timezone)
    const preview: Preview = {
      booking_id: booking.bookingId,
      old_start_time: old.start_time,
      old_end_time: old.end_time,
      old_local_time: old.local_time,
      ...momentOf(slot, timezone),
      event_type: eventType.name,
      invitee_email: maskEmail(email),
      invitee_name: booking.initials,
    }
    const pinned: Pinned = {
      via: scheduling.via,
      ...pinnedBooking(booking),
      event_type_id: eventTypeId,
      start_time: isoUtc(slot.start),
      end_time: isoUtc(slot.end),
      invitee_mac: await mac(email),
      in_one_call: inOneCall,
    }
    return {
      preview,
      summary: `Move the ${eventType.name} of ${preview.invitee_email} from ${spokenTime(booking.start, timezone)} to ${spokenTime(slot.start, timezone)}.`,
      warnings: [
        ...(inOneCall
          ? []
          : [
              'The old time is given up first; if the new time is then refused, the old time is booked again.',
            ]),
        'The booking gets a new booking_id.',
      ],
      pinned,
    }
  },
  targets: (pinned: Pinned) => [
    `booking:${pinned.booking_id}`,
    `slot:${pinned.event_type_id}:${pinned.start_time}`,
    `slot:${pinned.event_type_id}:${pinned.old_start_time}`,
  ],
  steps: (pinned: Pinned) =>
    pinned.in_one_call ? [oneCall(pinned)] : [giveUpOldTime(pinned), bookNewTime(pinned)],
  result: ({ preview, pinned, learnt }) => {
    const facts = learnt.at(-1)
    const {
      booking_id,
      old_start_time: _start,
      old_end_time: _end,
      old_local_time: _local,
      ...kept
    } = preview
    return {
      ...kept,
      ...bookedFacts(facts),
      ...momentOf(bookedSlot(facts, pinned), preview.timezone),
      previous_booking_id: booking_id,
    }
  },
  summary: ({ event_type, start_time, timezone, invitee_email, booking_id }) =>
    `Moved the ${event_type} of ${invitee_email} to ${spokenTime(instantOf(start_time), timezone)}; it is now ${booking_id}.`,
  records: (result, { mode, now }) => [
    bookingEndRecord(result.previous_booking_id, {
      ...recordedAt(mode, now),
      next_booking_id: result.booking_id,
    }),
    bookingRecord(result, recordedAt(mode, now)),
  ],
  left: (finished, restored) => whatIsLeft(finished, restored),
  example: {
    input: { booking_id: 'bk_mock_4f1c2a9b7d3e8f60', start_time: '2026-11-25T14:00:00-05:00' },
    preview: {
      booking_id: 'bk_mock_4f1c2a9b7d3e8f60',
      old_start_time: '2026-11-24T10:00:00-05:00',
      old_end_time: '2026-11-24T10:30:00-05:00',
      old_local_time: 'Tuesday, November 24, 2026, 10:00 AM EST',
      start_time: '2026-11-25T14:00:00-05:00',
      end_time: '2026-11-25T14:30:00-05:00',
      timezone: 'America/New_York',
      local_time: 'Wednesday, November 25, 2026, 2:00 PM EST',
      event_type: 'consult',
      invitee_email: 'j***@***.com',
      invitee_name: 'J. D.',
    },
    result: {
      booking_id: 'bk_mock_9a0b1c2d3e4f5061',
      previous_booking_id: 'bk_mock_4f1c2a9b7d3e8f60',
      state: 'confirmed',
      start_time: '2026-11-25T14:00:00-05:00',
      end_time: '2026-11-25T14:30:00-05:00',
      timezone: 'America/New_York',
      local_time: 'Wednesday, November 25, 2026, 2:00 PM EST',
      event_type: 'consult',
      invitee_email: 'j***@***.com',
      invitee_name: 'J. D.',
    },
  },
})

/** What exists after the new time was refused: the old time under a new id, or nothing. */
function whatIsLeft({ preview, pinned, learnt, mode, now }: Finished<Pinned, Preview>, restored: boolean) {
  const old = momentOf(oldSlot(pinned), preview.timezone)
  const recorded = recordedAt(mode, now)
  const { booking_id: previous_booking_id } = pinned
  if (!restored) {
    const booking = { booking_id: null, previous_booking_id, state: 'cancelled' as const, ...old }
    return { refusal: { booking }, records: [bookingEndRecord(previous_booking_id, recorded)] }
  }
  const { event_type, invitee_name } = preview
  const again = { ...bookedFacts(learnt.at(-1)), previous_booking_id, ...old }
  return {
    refusal: { booking: again },
    records: [
      bookingEndRecord(previous_booking_id, { ...recorded, next_booking_id: again.booking_id }),
      bookingRecord({ ...again, event_type, invitee_name }, recorded),
    ],
  }
}
