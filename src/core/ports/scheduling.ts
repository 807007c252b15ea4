import type { Slot, WantedTime } from '../domain/availability.ts'
import type {
  Booking,
  BookingPage,
  BookingRequest,
  BookingsOf,
  BookingsWanted,
  FoundBookings,
  Invitee,
  RequestAnswer,
  RescheduleRequest,
} from '../domain/booking.ts'
import type { EventTypeDetails } from '../domain/event-type.ts'
import type { ProviderBookingState, UpcomingPage } from '../domain/events/provider-changes.ts'
import type { Mode } from '../domain/mode.ts'
import type { LookupOutcome, StepOutcome } from '../domain/outcome.ts'
import type { EventType } from '../domain/practice.ts'
import type { SchedulingProvider } from '../domain/providers.ts'

/**
 * The scheduling provider. Reads throw a `Problem` (`provider_busy`, `provider_misconfigured`);
 * mutations never throw, they answer `ok | refused | busy | unknown`. Times are epoch milliseconds.
 * `marker` is the random name of one step: it goes with the mutation so that it can be found again.
 * The facts of a booking made are `booking_id`, `state`, `start_time`, `end_time` (UTC) and, where
 * the provider says it, `event_type_id` (as the settings spell it), as read back from the provider:
 * never what was asked for.
 * `other_people` is how many others are on it, where there are any, and `other_address` is true
 * where it was made for another email address than the one that was sent.
 */
export interface Scheduling {
  mode: Mode
  provider: SchedulingProvider | 'mock'
  /** What a preview pins: a commit through another adapter is refused. */
  adapterId: string
  /** The version of the provider's API that answered last, where it has several; for the doctor. */
  apiVersion?(): string | undefined
  /**
   * Free times, whatever the kind asks of its invitee. Where the provider can tell, a booking that
   * is to be `moved` is in the way of none, and they take the `minutes` that it keeps, if its kind
   * has that length.
   */
  slots(of: WantedTime['eventType'], from: number, to: number): Promise<Slot[]>
  /**
   * How a kind of consult is set up, at most a minute old unless it is to be read again. After
   * `slots` of the same kind it costs no call.
   */
  eventType(eventType: EventType, how?: 'uncached'): Promise<EventTypeDetails>
  /** The booking with this id; undefined if it is unknown or malformed. */
  booking(bookingId: string): Promise<Booking | undefined>
  /** A page, soonest first; `place` is the `next` of the one before. A failure throws, never shortens. */
  bookings(
    wanted: BookingsWanted,
    place: string | undefined,
  ): Promise<BookingPage | 'unknown place'>
  /**
   * The bookings whose invitee has this email address, in any case, wherever they were made: at
   * most 20, soonest first. Guests are not invitees. A failure throws, never shortens.
   */
  bookingsOf(wanted: BookingsOf): Promise<FoundBookings>
  /**
   * The invitee of a booking, cancelled or not: personal data, to be used in memory and dropped. An
   * adapter says of every field what it reads back: a booking that is moved by cancelling it takes
   * along only that.
   */
  invitee(bookingId: string): Promise<Required<Invitee> | undefined>
  book(request: BookingRequest, marker: string): Promise<StepOutcome>
  /**
   * How many seconds it takes no bookings any more, by its own answers of the last minutes to this
   * instance; undefined where it has not said so.
   */
  fullForSeconds?(): Promise<number | undefined>
  /** Finds the booking made under a marker. An id just `named` is read alone, past a lagging list. */
  findBooked(
    slot: Slot,
    eventTypeId: string,
    marker: string,
    named?: string,
  ): Promise<LookupOutcome>
  cancel(bookingId: string, reason: string | null, marker: string): Promise<StepOutcome>
  findCancelled(bookingId: string, marker: string): Promise<LookupOutcome>
  /** The booking as the log of events follows it; undefined if there is none, or it is a group or series. */
  seen(bookingId: string): Promise<ProviderBookingState | undefined>
  /** Active bookings that begin in a window, without invitees, in pages as those of `bookings`. */
  upcoming(
    wanted: Omit<BookingsWanted, 'states' | 'limit'>,
    place: string | undefined,
  ): Promise<UpcomingPage | 'unknown place'>
  /**
   * Only if the provider moves a booking in one call of its own, which keeps its length. Cal.com
   * accepts a booking that waits when its host moves it (`bookings.service.ts` of its source, 015b57aa,
   * and `getRequiresConfirmationFlags.ts`, 5b6d63e6).
   */
  reschedule?: {
    execute(request: RescheduleRequest, marker: string): Promise<StepOutcome>
    reconcile(request: RescheduleRequest, marker: string): Promise<LookupOutcome>
  }
  /**
   * Only if the provider has bookings that wait for the practice. No provider keeps whose answer it
   * was, so a booking that is as decided counts as answered by us, and one that was cancelled since
   * may have been.
   */
  respond?: {
    execute(answer: RequestAnswer, marker: string): Promise<StepOutcome>
    reconcile(answer: Omit<RequestAnswer, 'reason'>, marker: string): Promise<LookupOutcome>
  }
}

/**
 * What a client link offers of a kind of consult: its free times, in epoch ms, and what the
 * practice says of it.
 */
export interface Offer {
  times: readonly number[]
  details: EventTypeDetails
}

/**
 * The free times that client links offer of each kind of consult, by the provider's own id of it,
 * and the budget within which their pages ask the provider.
 */
export interface OfferedTimes {
  /**
   * What is offered of a kind of consult, at most 30 seconds old; `read` asks the provider. Raises
   * `rate_limited` where the budget is used up.
   */
  of(kind: string, read: () => Promise<Offer>): Promise<Offer>
  /** What was read last of a kind of consult, however old; undefined where nothing was. It asks nothing. */
  known(kind: string): EventTypeDetails | undefined
  /** What was read of a kind of consult is not so any more. */
  forget(kind: string): void
  /** This time is not free any more. */
  drop(kind: string, start: number): void
  /**
   * Takes one question to the provider out of the budget of all links together. Raises
   * `rate_limited` where none is left.
   */
  spend(): Promise<void>
}
