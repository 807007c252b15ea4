import type { WaitingApproval } from './approvals.ts'
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
import type { Facts } from '../domain/facts.ts'
import type { Mode } from '../domain/mode.ts'
import type { StepOutcome, LookupOutcome } from '../domain/outcome.ts'
import type { PaymentLinkStatus, Invoice, LinkRequest, Reconciliation } from '../domain/payment-link.ts'
import type { EventType, Practice } from '../domain/practice.ts'
import type { SeenBooking, SeenLink, UpcomingPage } from '../domain/provider-changes.ts'
import type { Refusal } from '../domain/problem.ts'
import type { Scope } from '../domain/scopes.ts'
import type { AuditBy } from './audit.ts'
import type { Records } from './records.ts'

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
  cancel(bookingId: string, reason: string | undefined, marker: string): Promise<StepOutcome>
  findCancelled(bookingId: string, marker: string): Promise<LookupOutcome>
  /** The booking as the log of events follows it; undefined if there is none, or it is not one booking of one person. */
  seen(bookingId: string): Promise<SeenBooking | undefined>
  /**
   * One page of the active bookings that begin in a window, without their invitees, soonest first; the same manners as
   * `bookings`.
   */
  upcoming(
    wanted: Omit<BookingsWanted, 'states'>,
    place: string | undefined,
  ): Promise<UpcomingPage | 'unknown place'>
  /** Only where the provider moves a booking in one call of its own. */
  reschedule?: {
    execute(request: RescheduleRequest, marker: string): Promise<StepOutcome>
    reconcile(request: RescheduleRequest, marker: string): Promise<LookupOutcome>
  }
}

/**
 * The payment provider; the same manners as `Scheduling`. Amounts are integers in minor units. The facts of a link are
 * `payment_link_id` and `url`, and `used_up` where it was ours and somebody has paid through it since.
 */
export interface Payments {
  mode: Mode
  adapterId: string
  reconciliation: Reconciliation
  /**
   * The invoice with this id, or undefined if the provider knows none (a malformed id too). `linksOf` receives the
   * payer's email address, if there is one; only its result is returned.
   */
  invoice(
    invoiceId: string,
    linksOf?: (email: string) => Promise<readonly string[]>,
  ): Promise<Invoice | undefined>
  /** The present state of a link and its invoice by the id of the link; undefined if unknown or malformed. */
  link(paymentLinkId: string): Promise<PaymentLinkStatus | undefined>
  /** The same as the log of events follows it, without anything of the payer. */
  seen(paymentLinkId: string): Promise<SeenLink | undefined>
  /**
   * Creates a link, or returns the one made under the same marker within the last 23 hours. Sends nothing from
   * `sendBefore` on, judged after everything that is read first; that is `busy`.
   */
  createLink(request: LinkRequest, marker: string, sendBefore?: number): Promise<StepOutcome>
  findLink(request: LinkRequest, marker: string): Promise<LookupOutcome>
}

/**
 * Keyed hashes and seals under the signing secrets of the practice. `purpose` separates the keys (HKDF), so a hash made for
 * one purpose is worth nothing for another.
 */
export interface Keyring {
  /** The id of the secret that signs today. */
  current: string
  /** The ids of all secrets that verify, today's first. */
  ids: readonly string[]
  /** HMAC-SHA-256 in base64url. Throws a RangeError for an id that is not listed. */
  mac(id: string, purpose: string, text: string): Promise<string>
  /** AES-256-GCM under today's secret; it can be opened only for the same purpose and owner. It begins with the key id. */
  seal(purpose: string, owner: string, text: string): Promise<string>
  /** What was sealed; undefined where its secret is listed no more, or it is not genuine. */
  open(purpose: string, owner: string, sealed: string): Promise<string | undefined>
  /** The key with which this secret signs the audit log. Throws a RangeError for an id that is not listed. */
  signer(id: string): Promise<Signer>
}

/** A key that signs with Ed25519, always the same bytes for the same text. */
export interface Signer {
  publicKey: Uint8Array
  sign(text: string): Promise<Uint8Array>
}

/** What an operation may use. */
export interface Ports {
  practice: Practice
  scheduling: Scheduling
  payments: Payments
  records: Records
  /** Opened when it is first used. Raises `not_configured` without a signing secret. */
  keyring(): Promise<Keyring>
  now(): number
}

/** Whether each provider is real; all that the mode of an answer is made from. */
export interface ProviderModes {
  scheduling: { mode: Mode }
  payments: { mode: Mode }
}

/** One call of a mutation, as its confirmation object is asked it. The input crosses in memory only. */
export interface ConfirmationCall {
  operation: string
  input: object
  confirm: boolean
  /** The nonce of a token that is genuine for this object; `missing` or `invalid` otherwise. */
  token: { id: string } | 'missing' | 'invalid'
  /** The fingerprint of the payload under each id of the keyring. */
  fingerprints: Readonly<Record<string, string>>
  /** The public address of this service, for addresses in the answer. */
  origin: string
  /** The caller's scopes now: a preview shows only what the caller may read. */
  scopes: readonly Scope[]
  /** How long a commit that nobody has approved waits for a person to decide, in milliseconds; it does not by default. */
  approvalWaitMs?: number | undefined
  /** For the audit log. */
  by: AuditBy
}

export interface Shown {
  preview: object
  summary: string
  warnings: string[]
}

/** The approval that a preview needs, as its answer says it. */
export interface PreviewApproval {
  required: 'person'
  status: 'pending' | 'approved'
  code: string
  url: string
}

/** `audited`: the object keeps the entry for the audit log; of any other reply the Worker writes one. */
export type ConfirmationReply = { audited?: true } & (
  | ({
      is: 'preview'
      mode: Mode
      id: string
      keyId: string
      expiresAt: number
      /** Where a person has to approve it. */
      approval?: PreviewApproval
    } & Shown)
  | { is: 'committed'; body: object; replayed: boolean }
  | { is: 'refused'; refusal: Refusal; replayed: boolean }
)

/** The status of the change under an idempotency key, with the answer or refusal that a repeat of its commit gets now. */
export type OperationStatus =
  | { is: 'never_seen' }
  | {
      is:
        | 'previewed'
        | 'awaiting_approval'
        | 'running'
        | 'committed'
        | 'failed'
        | 'outcome_unknown'
        | 'expired'
      operation: string
      mode: Mode
      /** When its preview ends, or ended, in epoch milliseconds. */
      expiresAt: number
      body?: object
      refusal?: Refusal
      /** A person has approved it. */
      approved?: true
      /** When the change ended, in epoch milliseconds. */
      endedAt?: number
    }

/** The confirmation objects, one per (caller, idempotency key). A call never throws: an unknown outcome is answered as unknown. */
export interface Confirmations {
  perform(name: string, call: ConfirmationCall): Promise<ConfirmationReply>
  /** The id of the object, as the audit log and the owner know it; null if it cannot be named now. */
  operationId(name: string): string | null
  /** Looks at the provider first where the outcome is in doubt. Keeps nothing where nothing was kept. */
  status(name: string): Promise<OperationStatus>
}

/** An operation whose outcome a person has to find out. */
export interface Unresolved {
  operation_id: string
  operation: string
  /** RFC 3339, UTC. */
  since: string
}

/** An alert to the owner; times are RFC 3339, UTC. */
export type Alert =
  | ({ event: 'needs_attention' } & Unresolved)
  | ({ event: 'approval_needed'; url: string } & Pick<WaitingApproval, 'operation_id' | 'operation' | 'code'>)
  /** A provider's webhook that worked cannot be kept working; `provider` is its name in the settings. */
  | { event: 'provider_hook_broken'; provider: string; reason: string }
  /** Deliveries to a webhook failed for so long that they stopped. */
  | { event: 'webhook_paused'; webhook_id: string; caller: string; since: string }
  | { event: 'degraded'; reasons: { reason: string; since: string }[] }
  | { event: 'recovered' }

/** The operations that need a person, and the owner's word on them. */
export interface UnresolvedOperations {
  list(): Promise<Unresolved[]>
  resolve(
    operationId: string,
    happened: boolean,
    facts: Facts,
  ): Promise<'settled' | 'not in doubt' | 'facts missing'>
}
