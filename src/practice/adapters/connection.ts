import type { Slot } from '../../core/domain/availability.ts'
import type { BookingField } from '../../core/domain/booking-asks.ts'
import { type BookingState, bookingIdOf } from '../../core/domain/booking.ts'
import { caselessEmail } from '../../core/domain/email.ts'
import type { Facts } from '../../core/domain/facts.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { isoUtc } from '../../core/domain/time/time.ts'

export interface SchedulingConnection {
  token: string
  /** Another host, for tests. */
  baseUrl?: string | undefined
  /** The deadline of each call. */
  timeoutMs: number
  fetch: typeof fetch
  now(): number
  eventTypeIds?: readonly string[]
}

/**
 * `hosted_invoice`: the invoice's own page, which settles it when paid. `payment_link`: a new link
 * that does not.
 */
export type LinkStyle = 'hosted_invoice' | 'payment_link'

export interface PaymentConnection {
  secretKey: string
  baseUrl?: string | undefined
  timeoutMs: number
  fetch: typeof fetch
  style: LinkStyle
}

/** An event type as its owner knows it. */
export interface EventTypeChoice {
  id: string
  title: string
  minutes: number
  /** The fields that a booking of it needs besides name and address; missing where it needs none. */
  asks?: readonly BookingField[]
}

/** It is not known whether a provider includes the bounds of a window: lists ask for more and filter. */
export const LIST_MARGIN_MS = SECOND

/** The facts that a step keeps of a booking that was made. */
export const factsOfMade = (
  id: string,
  state: BookingState,
  { start, end }: Slot,
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
