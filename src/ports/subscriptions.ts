import type { Topic } from '../domain/events/topics.ts'
import type { DeliveryResult, SubscriptionState } from '../domain/events/webhook-schedule.ts'

/** A subscription to events, as its caller sees it. Times are epoch milliseconds. */
export interface Subscription {
  id: string
  caller: string
  topics: Topic[]
  /** The host of its address; the rest may hold a secret of the receiver. */
  host: string
  state: SubscriptionState
  created_at: number
  last_ok_at: number | null
  failing_since: number | null
  last_result: DeliveryResult | null
  /** How many events it has still to be sent, counted up to a number. */
  waiting: number
  /** The events that its receiver refused and that are tried alone, the oldest first. */
  refused: { event_id: string; type: Topic; refused_at: number; next_try_at: number }[]
  /** How many events were given up: its receiver refused them for a day, or they cannot be read. */
  skipped: number
}

/** Where events are to be sent, for whom. */
export interface NewSubscription {
  caller: string
  url: string
  topics: readonly Topic[]
  /** The public address of this service, for addresses in the events. */
  origin: string
}

/** Whose subscriptions a call may reach: those of a caller; null: of anybody. */
export type Whose = string | null

export type Subscribed =
  | { is: 'new'; subscription: Subscription; secret: string }
  | { is: 'there'; subscription: Subscription }
  | { is: 'too many' }

/**
 * The subscriptions to events: each is a place in the log, and an address to which what follows is sent, in order and at
 * least once. A secret leaves it only as the answer to the call that made it.
 */
export interface Subscriptions {
  /** Begins with the next event. The same caller, address and topics again are the same subscription. */
  subscribe(wanted: NewSubscription): Promise<Subscribed>
  /** The newest first. */
  subscriptions(whose: Whose): Promise<Subscription[]>
  /** False where there is none. */
  unsubscribe(id: string, whose: Whose): Promise<boolean>
  /** Sends an event that is no real one, at once and one time. */
  testSubscription(id: string, whose: Whose): Promise<{ result: DeliveryResult; ms: number } | undefined>
  /** A new secret; deliveries are signed with the old one, too, for a day. */
  renewSecret(id: string, whose: Whose): Promise<string | undefined>
  /** Active, if it was not, and tried at once: from where it stopped, or from a place in the log. */
  resumeSubscription(
    id: string,
    whose: Whose,
    after?: number,
  ): Promise<Subscription | 'unknown place' | undefined>
  /** Ends all of a caller whose credential has ended. */
  endSubscriptions(caller: string): Promise<void>
}
