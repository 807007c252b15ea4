import * as z from 'zod'

import { caselessEmail } from './email.ts'
import type { Facts } from './facts.ts'
import { SECOND } from './time/duration.ts'
import { isoUtc } from './time/time.ts'

export const bookingStateSchema = z
  .enum(['confirmed', 'pending_host_approval', 'cancelled'])
  .describe('pending_host_approval: the practice still has to accept it.')
export type BookingState = z.infer<typeof bookingStateSchema>

/** Personal data: it stays in memory, on its way between the caller and the provider. */
export type Invitee = {
  email: string
  name: string | null
  timezone: string
  said?: Said
  /** The email addresses of the other people on the booking; missing where there are none. */
  guests?: readonly string[]
  /**
   * What a provider that knows no address keeps in its place, so that it goes with a booking that
   * is moved.
   */
  contact?: string | null
}

/** What an invitee said when booking, besides name and address: personal data, and in memory only. */
export interface Said {
  /** Several choices are on lines of their own. `id` is that of a `Question`. */
  answers: readonly { id: string; answer: string }[]
  /**
   * Where it takes place: the `id` of a `Place`, and the number or the place that the invitee
   * supplied for it.
   */
  place: { id: string; words: string | null } | null
  /** A telephone number besides the place, as for reminders. */
  phone: string | null
}

/** Whether there is nothing of it for a booking to carry. */
export const isNothing = ({ answers, place, phone }: Said) =>
  answers.length === 0 && place === null && phone === null

export interface BookingRequest {
  eventTypeId: string
  /** Epoch milliseconds. */
  start: number
  end: number
  invitee: Invitee
}

/**
 * What is left over where each field is taken by name: nothing. So a new field of a booking compiles
 * only once the operation puts it into `Invitee`, and every adapter says what becomes of it: it takes
 * the field and sends it, or takes it under a name with an underscore.
 */
export type NothingLeft = Record<string, never>

/** Moving a booking by the provider's own single call; the invitee stays the same. */
export interface RescheduleRequest {
  bookingId: string
  eventTypeId: string
  /** Epoch milliseconds. */
  start: number
}

export const DECISIONS = ['accept', 'decline'] as const
/** What the practice says to a booking that waits for it. */
export type Decision = (typeof DECISIONS)[number]

/** The answer of the practice to a booking that waits for it. */
export interface RequestAnswer {
  bookingId: string
  decision: Decision
  /** A text for the invitee, with a decline. */
  reason: string | null
}

/** A booking as the provider describes it, with its invitee masked. Times are epoch milliseconds. */
export interface Booking {
  bookingId: string
  eventTypeId: string
  start: number
  end: number
  state: BookingState
  timezone: string
  maskedEmail: string
  initials: string | null
  /** How many other people are on it; missing where there are none. */
  otherPeople?: number | undefined
  /** The provider’s own ids of the hosts, never an address; missing where it does not say. */
  host?: string | undefined
  /** The booking that replaced it, where the provider itself moved it. */
  movedTo?: string | undefined
}

/** Which bookings are listed: those that begin in `[from, to)`, epoch milliseconds, in one of the states. */
export interface BookingsWanted {
  from: number
  to: number
  states: readonly BookingState[]
  /** The provider's ids, as the settings spell them. */
  eventTypeIds: readonly string[]
  limit: number
}

/** The bookings of one person that are searched for. */
export interface BookingsOf extends Omit<BookingsWanted, 'limit'> {
  /** Personal data: sent to the provider, compared, and dropped. */
  email: string
}

/** What a search found, soonest first. */
export interface FoundBookings {
  bookings: Booking[]
  /** How many of the person's bookings cannot be shown one by one: seats of a group, parts of a series. */
  notShown: number
  /** False if the person may have others in this window. */
  complete: boolean
  /**
   * Whether every spelling of the address was searched. False where the provider may count letter case,
   * and was asked for the address as typed and in lower case.
   */
  everySpelling: boolean
}

export interface BookingPage {
  bookings: Booking[]
  /** How many bookings of this page are left out: seats of a group, parts of a series, unknown forms. */
  notShown: number
  /** Where the next page begins; undefined at the end of the list. */
  next: string | undefined
}

/** Who holds a booking, by the provider's ids; several hosts in any order are the same. */
export const holdersOf = (ids: readonly (string | number)[]): string | undefined =>
  ids.map(String).toSorted().join() || undefined

/** How many other people go along with a booking that is moved: Calendly takes no more. */
export const MOST_GUESTS = 10

/** The most bookings on one page: some providers need one request for each, and limit requests. */
export const BOOKINGS_ON_PAGE = 20

/** `bk_` and the provider's own id, so that you can also move a booking made on the scheduling page. */
export const bookingIdOf = (providerId: string) => `bk_${providerId}`

/** The provider's own id in a booking id; undefined if the booking id is malformed. */
export const providerIdOf = (bookingId: string) =>
  /^bk_([A-Za-z0-9_-]{1,128})$/.exec(bookingId)?.[1]

/** It is not known whether a provider includes the bounds of a window: lists ask for more and filter. */
export const LIST_MARGIN_MS = SECOND

/** The facts that a step keeps of a booking that was made. */
export const factsOfMade = (
  id: string,
  state: BookingState,
  { start, end }: Pick<BookingRequest, 'start' | 'end'>,
  eventTypeId?: string,
  otherPeople = 0,
): Facts => ({
  booking_id: bookingIdOf(id),
  state,
  start_time: isoUtc(start),
  end_time: isoUtc(end),
  ...(eventTypeId !== undefined && { event_type_id: eventTypeId }),
  ...(otherPeople > 0 && { other_people: otherPeople }),
})

/** A fact of a booking that was made for another email address than the one that was sent. */
export const addressFact = (sent: string, kept: readonly (string | null | undefined)[]): Facts => {
  const known = kept.filter((one) => typeof one === 'string' && one !== '') as string[]
  // A text that was cut is the beginning of the address.
  const isIt = (one: string) => caselessEmail(sent).startsWith(caselessEmail(one))
  return known.length > 0 && !known.some(isIt) ? { other_address: true } : {}
}
