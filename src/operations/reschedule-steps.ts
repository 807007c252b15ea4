import type { StepContext, Finished, Step } from '../confirm/mutation.ts'
import type { Invitee } from '../domain/booking.ts'
import { canonicalEmail } from '../domain/email.ts'
import type { Facts } from '../domain/facts.ts'
import type { StepOutcome } from '../domain/outcome.ts'
import { recordKey } from '../domain/records.ts'
import { bookedFacts, bookedSlot, bookingEndRecord, bookingRecord } from './booking-schema.ts'
import { timeFieldsOf } from './time-fields.ts'

/** The facts that a preview of a move pins; times in UTC. */
export interface Pinned extends Facts {
  via: string
  booking_id: string
  old_start_time: string
  old_end_time: string
  old_state: string
  event_type_id: string
  start_time: string
  end_time: string
  invitee_mac: string
  /** The new booking is for the address of the old one. */
  same_invitee: boolean
  /** The address of the old booking, where the new one is for another. */
  old_invitee_mac: string | null
  /** The provider moves it in one call of its own. */
  in_one_call: boolean
  /** Where the new booking takes place, where a booking of the kind decides it. */
  location: string | null
}

const newSlot = (pinned: Pinned) => bookedSlot(undefined, pinned)
/** The time of the old booking; of one that took its place, where its facts are given. */
const oldSlot = (pinned: Pinned, facts?: Facts) =>
  bookedSlot(facts, { start_time: pinned.old_start_time, end_time: pinned.old_end_time })

/** The invitee of the old booking, if the address is the one that was previewed; read, used and dropped. */
async function previewedInvitee({ ports, pinned, mac }: StepContext<Pinned>): Promise<Invitee | undefined> {
  const invitee = await ports.scheduling.invitee(pinned.booking_id)
  return invitee && (await mac(canonicalEmail(invitee.email))) === pinned.invitee_mac ? invitee : undefined
}

/** What the new booking is found again by: its address, and what the old one is found by if they share it. */
export const linksOf = ({
  index,
  pinned: { same_invitee, booking_id },
}: Pick<Finished<Pinned, object>, 'index' | 'pinned'>) => ({
  links: index,
  ...(same_invitee && { copyLinksFrom: recordKey('booking', booking_id) }),
})

const notSent: StepOutcome = { is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } }

type Input = { invitee_email?: string | undefined; timezone?: string | undefined }

const oneCall = (pinned: Pinned): Step<Input, Pinned> => {
  const request = { bookingId: pinned.booking_id, eventTypeId: pinned.event_type_id, ...newSlot(pinned) }
  return {
    unattended: true,
    execute: async ({ ports, marker }) =>
      (await ports.scheduling.reschedule?.execute(request, marker)) ?? notSent,
    reconcile: async ({ ports, marker }) =>
      (await ports.scheduling.reschedule?.reconcile(request, marker)) ?? { is: 'unknown' },
  }
}

const cancelOldBooking = (pinned: Pinned): Step<Input, Pinned> => ({
  unattended: true,
  retryWindowMs: Infinity,
  execute: ({ ports, marker }) => ports.scheduling.cancel(pinned.booking_id, 'Rescheduled', marker),
  reconcile: ({ ports, marker }) => ports.scheduling.findCancelled(pinned.booking_id, marker),
  compensate: {
    async execute({ ports, marker }) {
      const invitee = await ports.scheduling.invitee(pinned.booking_id)
      if (!invitee) return notSent
      return ports.scheduling.book({ eventTypeId: pinned.event_type_id, ...oldSlot(pinned), invitee }, marker)
    },
    reconcile: ({ ports, marker, named }) =>
      ports.scheduling.findBooked(oldSlot(pinned), pinned.event_type_id, marker, named),
  },
})

const bookNewTime = (pinned: Pinned): Step<Input, Pinned> => ({
  unattended: true,
  async execute(at, input) {
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
    const request = { eventTypeId: pinned.event_type_id, ...newSlot(pinned), invitee }
    return ports.scheduling.book(request, marker)
  },
  reconcile: ({ ports, marker, named }) =>
    ports.scheduling.findBooked(newSlot(pinned), pinned.event_type_id, marker, named),
})

/** The steps of a move: one call of the provider's own, or cancel and book, with the old time as the way back. */
export const rescheduleSteps = (pinned: Pinned): Step<Input, Pinned>[] =>
  pinned.in_one_call ? [oneCall(pinned)] : [cancelOldBooking(pinned), bookNewTime(pinned)]

interface Shown {
  timezone: string
  event_type: string
  invitee_name: string | null
}

/** What exists after the new time was refused: the old time under a new id, or nothing. */
export function compensationResult(finished: Finished<Pinned, Shown>, end: 'compensated' | 'partial') {
  const { preview, pinned, stepResults } = finished
  const restored = end === 'compensated'
  const old = timeFieldsOf(oldSlot(pinned), preview.timezone)
  const { booking_id: previous_booking_id } = pinned
  if (!restored) {
    const booking = { booking_id: null, previous_booking_id, state: 'cancelled' as const, ...old }
    return {
      refusal: { code: 'partially_applied' as const, booking },
      records: [bookingEndRecord(previous_booking_id, finished)],
      recordId: previous_booking_id,
    }
  }
  const { event_type, invitee_name } = preview
  const facts = stepResults.at(-1)
  const oldTime = timeFieldsOf(oldSlot(pinned, facts), preview.timezone)
  const again = { ...bookedFacts(facts), previous_booking_id, ...oldTime }
  return {
    refusal: { code: 'reschedule_restored' as const, booking: again },
    recordId: again.booking_id,
    records: [
      bookingEndRecord(previous_booking_id, finished, { next_booking_id: again.booking_id }),
      bookingRecord({ ...again, event_type, invitee_name }, finished, {
        copyLinksFrom: recordKey('booking', previous_booking_id),
      }),
    ],
  }
}
