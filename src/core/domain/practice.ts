import type { BookingField } from './booking-asks.ts'

/** A kind of consult: our name for it, and the provider's own id. */
export type EventType = { name: string; id: string }

/** What the settings say about the practice. */
export interface Practice {
  name: string
  /** IANA name of the default zone. */
  timezone: string
  schedulingPageUrl: string | null
  /** The text above the button on the page of a client link. */
  clientLinkNotice: string | null
  /** What a booking is subject to, in the practice's own words. */
  bookingTerms: string | null
  /** The fields of a booking that are offered, since a kind of consult asks for them. */
  bookingAsks: readonly BookingField[]
  /** At least one; the first is the default. */
  eventTypes: readonly [EventType, ...EventType[]]
}
