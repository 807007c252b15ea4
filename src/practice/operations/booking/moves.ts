import * as z from 'zod'

import type { Finished, Step, StepContext, Sentence } from '../../../core/confirm/mutation.ts'
import type { Slot } from '../../../core/domain/availability.ts'
import type { Booking, Invitee, Said } from '../../../core/domain/booking.ts'
import { canonicalEmail, caselessEmail, maskEmail } from '../../../core/domain/email.ts'
import {
  type EventTypeDetails,
  answerTo,
  demandsMore,
  placeOf,
  unsaid,
} from '../../../core/domain/event-type.ts'
import type { Facts } from '../../../core/domain/facts.ts'
import { NOT_SENT, UNKNOWN, busy } from '../../../core/domain/outcome.ts'
import type { Practice } from '../../../core/domain/practice.ts'
import { type Refusal, problem } from '../../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../../core/domain/problem/problems.ts'
import { recordKey } from '../../../core/domain/records.ts'
import type { Records } from '../../../core/ports/records.ts'
import { changedHost, hostChanged, withAddress, withHost } from './hosts.ts'
import { keptOf, otherNumber, textOfGuests, withoutInvitee } from './other-people.ts'
import {
  bookedFacts,
  bookedSlot,
  bookingEndRecord,
  bookingRecord,
  maskedInviteeFields,
  timeFieldsOf,
} from './schema.ts'

/** The facts that a preview of a move pins; times in UTC. */
export interface Pinned extends Facts {
  booking_id: string
  old_start_time: string
  old_end_time: string
  old_state: string
  event_type_id: string
  start_time: string
  end_time: string
  /**
   * The zone that the invitee has from now on; null where the caller named none. A preview of an
   * earlier version left it to the request.
   */
  timezone?: string | null
  /** A keyed hash of the new address without its case: some calendars keep it so. */
  invitee_mac: string
  same_invitee: boolean
  old_invitee_mac: string | null
  in_one_call: boolean
  /** Where the new booking takes place, if its kind decides that. */
  location: string | null
  needs_acceptance: boolean
  /** What the invitee said when booking and goes along; null where that is nothing. */
  answers_mac: string | null
  /** The other people on the booking: how many, and a keyed hash of their addresses. */
  other_people: number
  other_people_mac: string | null
  /** Where hosts take turns, a keyed hash of who holds the old booking. */
  host_mac: string | null
  /** What limits a move now, as the preview says it. */
  limits: string | null
}

const newSlot = (pinned: Pinned) => bookedSlot(undefined, pinned)
/** The time of the old booking, or of the one in its place if its facts are given. */
const oldSlot = (pinned: Pinned, facts?: Facts) =>
  bookedSlot(facts, { start_time: pinned.old_start_time, end_time: pinned.old_end_time })

/** The invitee of the old booking, if the address is the previewed one; read, used and dropped. */
async function previewedInvitee({
  ports,
  pinned,
  mac,
}: StepContext<Pinned>): Promise<Required<Invitee> | undefined> {
  const invitee = await ports.scheduling.invitee(pinned.booking_id)
  return invitee && (await mac(caselessEmail(invitee.email))) === pinned.invitee_mac
    ? invitee
    : undefined
}

/** The index of the new booking: its address, and the index of the old one if they share it. */
export const linksOf = ({ index, pinned }: Finished<Pinned, object>) => ({
  links: index,
  ...(pinned.same_invitee && { copyLinksFrom: recordKey('booking', pinned.booking_id) }),
})

const fullFor = (seconds: number): Refusal => ({
  code: 'provider_busy',
  effect: 'none',
  retry_after_seconds: seconds,
  detail:
    'The scheduling provider has reached its limit of bookings for now, so the old time was not ' +
    'given up; nothing was done.',
})

type Input = { invitee_email?: string | undefined; timezone?: string | undefined }

const oneCall = (pinned: Pinned): Step<Input, Pinned> => {
  const request = {
    bookingId: pinned.booking_id,
    eventTypeId: pinned.event_type_id,
    ...newSlot(pinned),
  }
  return {
    execute: async (at) =>
      withHost((await at.ports.scheduling.reschedule?.execute(request, at.marker)) ?? NOT_SENT, at),
    reconcile: async (at) =>
      withHost(
        (await at.ports.scheduling.reschedule?.reconcile(request, at.marker)) ?? UNKNOWN,
        at,
      ),
  }
}

const cancelOldBooking = (pinned: Pinned): Step<Input, Pinned> => ({
  asks: 'was the old time cancelled?',
  retryWindowMs: Infinity,
  async execute({ ports: { scheduling }, marker }) {
    const seconds = await scheduling.fullForSeconds?.()
    // The new time could not be booked, nor the old one again.
    if (seconds !== undefined) return busy(fullFor(seconds))
    return scheduling.cancel(pinned.booking_id, 'Rescheduled', marker)
  },
  reconcile: ({ ports, marker }) => ports.scheduling.findCancelled(pinned.booking_id, marker),
  compensate: {
    asks: 'was the old time booked again?',
    async execute(at) {
      const { scheduling } = at.ports
      const invitee = await scheduling.invitee(pinned.booking_id)
      if (!invitee) return NOT_SENT
      const request = { eventTypeId: pinned.event_type_id, ...oldSlot(pinned), invitee }
      return withHost(await scheduling.book(request, at.marker), at)
    },
    reconcile: async (at) => withHost(await found(oldSlot(pinned), at), at),
  },
})

const bookNewTime = (pinned: Pinned): Step<Input, Pinned> => ({
  asks: 'was the new time booked?',
  async execute(at, input) {
    const { ports, marker, mac } = at
    const previous = input?.invitee_email
      ? await ports.scheduling.invitee(pinned.booking_id)
      : await previewedInvitee(at)
    // Only the caller can bring an address that differs from the old one: wait for a repeat of the call.
    if (!previous) return NOT_SENT
    const email = input?.invitee_email ?? previous.email
    const moved = withoutInvitee(previous, email)
    const hasOthers = (await mac(textOfGuests(moved.guests))) === pinned.other_people_mac
    const invitee = {
      ...moved,
      // Only those that were shown. If they cannot be read again, the answer says so.
      guests: hasOthers ? moved.guests : [],
      email,
      timezone: pinned.timezone ?? input?.timezone ?? previous.timezone,
    }
    const request = { eventTypeId: pinned.event_type_id, ...newSlot(pinned), invitee }
    return withHost(await ports.scheduling.book(request, marker), at)
  },
  reconcile: async (at) =>
    withHost(await withAddress(await found(newSlot(pinned), at), at, pinned.invitee_mac), at),
})

/** The booking that was made for a time, looked for. */
const found = (slot: Slot, { ports, pinned, marker, named }: StepContext<Pinned>) =>
  ports.scheduling.findBooked(slot, pinned.event_type_id, marker, named)

/** The steps of a move: one call of the provider, or cancel and book, with the old time as the way back. */
export const rescheduleSteps = (pinned: Pinned): Step<Input, Pinned>[] =>
  pinned.in_one_call ? [oneCall(pinned)] : [cancelOldBooking(pinned), bookNewTime(pinned)]

const NOT_THE_OLD_TIME =
  'The old time was given up, the new time was then refused, and the consult has been ' +
  'booked again, but the provider did not give it the old time; ' +
  'booking has the time that it has. Tell the person.'

/** Why the new time could not be booked, where the caller or the owner can do something about it. */
function whyIn(turnedAway: Refusal | undefined, end: 'compensated' | 'partial'): Partial<Refusal> {
  const { code, errors, detail = '' } = turnedAway ?? {}
  const { detail: usual } =
    PROBLEMS[end === 'partial' ? 'partially_applied' : 'reschedule_restored']
  if (errors)
    return { errors, detail: `${usual} The scheduling provider did not accept what errors lists.` }
  return code === 'provider_misconfigured' && detail !== '' ? { detail: `${usual} ${detail}` } : {}
}

interface Shown {
  timezone: string
  event_type: string
  invitee_name: string | null
}

/** What exists after the new time was refused: the old time under a new id, or nothing. */
export function compensationResult(
  finished: Finished<Pinned, Shown>,
  end: 'compensated' | 'partial',
) {
  const { preview, pinned, stepResults, turnedAway } = finished
  const restored = end === 'compensated'
  const old = timeFieldsOf(oldSlot(pinned), preview.timezone)
  const { booking_id: previous_booking_id } = pinned
  if (!restored) {
    const booking = { previous_booking_id, booking_id: null, state: 'cancelled' as const, ...old }
    return {
      refusal: { code: 'partially_applied' as const, booking, ...whyIn(turnedAway, end) },
      records: [bookingEndRecord(previous_booking_id, finished)],
      recordId: previous_booking_id,
    }
  }
  const { event_type, invitee_name } = preview
  const facts = stepResults.at(-1)
  const oldTime = timeFieldsOf(oldSlot(pinned, facts), preview.timezone)
  const again = { previous_booking_id, ...bookedFacts(facts, pinned), ...oldTime }
  const people = otherNumber(pinned.other_people, keptOf(pinned.other_people, facts))
  const isOldTime = oldTime.start_time === old.start_time && oldTime.end_time === old.end_time
  const { detail: usual } = PROBLEMS.reschedule_restored
  const { detail: why = usual, ...errors } = whyIn(turnedAway, end)
  const detail = (isOldTime ? why : NOT_THE_OLD_TIME) + people + changedHost(hostChanged(facts))
  return {
    refusal: {
      code: 'reschedule_restored' as const,
      booking: again,
      ...errors,
      ...(detail === usual ? {} : { detail }),
    },
    recordId: again.booking_id,
    records: [
      bookingEndRecord(previous_booking_id, finished, { next_booking_id: again.booking_id }),
      bookingRecord({ ...again, event_type, invitee_name }, finished, {
        copyLinksFrom: recordKey('booking', previous_booking_id),
      }),
    ],
  }
}

/** Only for a move to another person: two addresses can have the same mask. */
export const changedInviteeFields = {
  invitee_changed: z
    .literal(true)
    .optional()
    .describe('Present only if the booking moves to another email address.'),
  old_invitee_email: maskedInviteeFields.invitee_email
    .optional()
    .describe('Masked; present only if the old address looks different from the new one.'),
}

interface ShownInvitee {
  invitee_email: string
  invitee_changed?: true | undefined
  old_invitee_email?: string | undefined
}

export const changedInvitee = ({ maskedEmail }: Booking, email: string) => ({
  invitee_changed: true as const,
  ...(maskedEmail === maskEmail(email) ? {} : { old_invitee_email: maskedEmail }),
})

const MOST_BOOKINGS = 200

/** Whether a booking has this address. The mock keeps masks only: there the record's hashes decide. */
export async function hasAddress(
  { bookingId }: Booking,
  invitee: Invitee,
  email: string,
  links: readonly string[],
  records: Records,
): Promise<boolean> {
  if (email === canonicalEmail(invitee.email)) return true
  const isMasked = maskEmail(invitee.email) === invitee.email
  if (!isMasked || maskEmail(email) !== invitee.email) return false
  const entries = await records.newestWith(links, 'booking', 'mock', MOST_BOOKINGS)
  return entries.some(({ key }) => key === recordKey('booking', bookingId))
}

/** Whose booking it is, and where it goes if the address changes: the beginning and end of a sentence. */
export function whoseAndWhereTo(shown: ShownInvitee): [string, string] {
  const { invitee_email, invitee_changed, old_invitee_email } = shown
  if (!invitee_changed) return [invitee_email, '']
  const alike = old_invitee_email === undefined ? ', which looks the same masked' : ''
  return [
    old_invitee_email ?? invitee_email,
    `, and to another email address${alike}: ${invitee_email}`,
  ]
}

const GOES_TO_ANOTHER = 'The booking goes to another email address than it has now.'
const SAME_MASK =
  'Both addresses look the same masked: compare the whole new address, as it was sent, with the client’s.'

export const warningsOf = ({ invitee_changed, old_invitee_email }: ShownInvitee): Sentence[] => [
  invitee_changed && GOES_TO_ANOTHER,
  invitee_changed && old_invitee_email === undefined && SAME_MASK,
]

/** What a move takes along: what the invitee said when booking, which the provider holds. */
interface GoesAlong {
  /** The questions by their words, and the rest in ours. It never holds what was said. */
  warnings: Sentence[]
  /** All that was said in one text, for a keyed hash; empty where nothing goes along. */
  text: string
}

/**
 * What goes along with a move. Answers to questions that the kind asks no more, and choices that it
 * has no more, stay with the old booking; a provider that moves it itself checks no choice.
 */
export function goesAlong(
  { asks }: EventTypeDetails,
  said: Said | undefined,
  inOneCall: boolean,
): GoesAlong {
  const answers = said?.answers ?? []
  const kept = (asks?.questions ?? []).filter((one) =>
    inOneCall ? answers.some(({ id }) => id === one.id) : answerTo(one, said) !== undefined,
  )
  const along = answers.filter(({ id }) => kept.some((one) => one.id === id))
  // The number of the invitee goes along in a field of its own.
  const lost = answers.filter((one) => !along.includes(one) && one.answer !== said?.phone).length
  const words = said?.place?.words ?? null
  const needs = asks && placeOf(asks, said)?.needs
  const suppliesPlace = needs !== undefined && words !== null
  const hasNumber = Boolean(said?.phone) || (suppliesPlace && needs === 'phone')
  return {
    warnings: [
      kept.length > 0 && answersGo(kept.map(({ question }) => question)),
      lost > 0 && answersStay(lost),
      hasNumber && 'The telephone number of the invitee goes along.',
      suppliesPlace && needs === 'place' && 'The place that the invitee named goes along.',
    ],
    text:
      kept.length > 0 || hasNumber || suppliesPlace
        ? JSON.stringify([along, words, said?.phone ?? null])
        : '',
  }
}

function answersGo(questions: string[]) {
  const quoted = questions.map((one) => `“${one}”`).join(', ')
  return questions.length === 1
    ? `The invitee's answer to 1 question goes along: ${quoted}.`
    : `The invitee's answers to ${questions.length} questions go along: ${quoted}.`
}

const answersStay = (count: number) =>
  count === 1
    ? '1 answer of the invitee stays behind: the calendar does not take it for this kind of consult.'
    : `${count} answers of the invitee stay behind: the calendar does not take them for this kind of consult.`

/**
 * Raises `provider_misconfigured` where a booking for this invitee would lack what the kind demands
 * by now.
 */
export function refuseUnsaid(
  { asks }: EventTypeDetails,
  said: Said | undefined,
  { schedulingPageUrl }: Practice,
) {
  const missing = asks ? unsaid(asks, said) : []
  if (missing.length === 0) return
  throw problem('provider_misconfigured', {
    detail: `${demandsMore(missing)} Nothing was done.`,
    next_step:
      'Tell the person to move the booking on the scheduling page, or the owner to make it optional there.',
    ...(schedulingPageUrl !== null && { scheduling_page_url: schedulingPageUrl }),
  })
}
