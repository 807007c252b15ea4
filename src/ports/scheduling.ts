import type { Slot } from '../domain/availability.ts'
import type {
  Booking,
  BookingPage,
  BookingRequest,
  BookingsWanted,
  Invitee,
  RescheduleRequest,
} from '../domain/booking.ts'
import type { EventTypeDetails } from '../domain/event-type.ts'
import type { Mode } from '../domain/mode.ts'
import type { StepOutcome, LookupOutcome } from '../domain/outcome.ts'
import type { EventType } from '../domain/practice.ts'
import type { ProviderBookingState, UpcomingPage } from '../domain/events/provider-changes.ts'

/**
 * The scheduling provider. Reads throw a `Problem` when they fail (`provider_busy`, `provider_misconfigured`);
 * mutations never throw, they answer `ok | refused | busy | unknown`. Times are epoch milliseconds.
 * `marker` is a random name of one step of one operation; it goes with the mutation so that it can be found again.
 * The facts of a booking made are `booking_id`, `state`, `start_time` and `end_time` (UTC), as read back from the provider.
 */
export interface Scheduling {
  mode: Mode
  /** Adapter and mode, as pinned by a preview: a change of it between preview and commit is noticed. */
  adapterId: string
  slots(eventType: EventType, from: number, to: number): Promise<Slot[]>
  /**
   * A kind of consult as it is set up, whether it can be booked or not. At most a minute old; after `slots` of the same kind
   * it is what `slots` just saw, and costs no call.
   */
  eventType(eventType: EventType): Promise<EventTypeDetails>
  /** The booking with this id, or undefined if the provider knows none (a malformed id too). */
  booking(bookingId: string): Promise<Booking | undefined>
  /**
   * One page of bookings, soonest first; `place` is the `next` of the page before. A page is whole or it throws: a
   * failure never makes it shorter. `unknown place`: the provider does not know the place (any more).
   */
  bookings(wanted: BookingsWanted, place: string | undefined): Promise<BookingPage | 'unknown place'>
  /** The invitee of a booking, cancelled or not: personal data, to be used in memory and dropped. */
  invitee(bookingId: string): Promise<Invitee | undefined>
  book(request: BookingRequest, marker: string): Promise<StepOutcome>
  /**
   * Looks for the booking that was made under a marker. With the id of one that the provider has just named, it reads this
   * one alone, past any list that lags behind: `ok` if it is ours, else `unknown`.
   */
  findBooked(slot: Slot, eventTypeId: string, marker: string, named?: string): Promise<LookupOutcome>
  cancel(bookingId: string, reason: string | null, marker: string): Promise<StepOutcome>
  findCancelled(bookingId: string, marker: string): Promise<LookupOutcome>
  /** The booking as the log of events follows it; undefined if there is none, or it is not one booking of one person. */
  seen(bookingId: string): Promise<ProviderBookingState | undefined>
  /**
   * One page of the active bookings that begin in a window, without their invitees, soonest first; the same manners as
   * `bookings`.
   */
  upcoming(
    wanted: Omit<BookingsWanted, 'states' | 'limit'>,
    place: string | undefined,
  ): Promise<UpcomingPage | 'unknown place'>
  /** Only where the provider moves a booking in one call of its own. */
  reschedule?: {
    execute(request: RescheduleRequest, marker: string): Promise<StepOutcome>
    reconcile(request: RescheduleRequest, marker: string): Promise<LookupOutcome>
  }
}
