import type { HappenedEvent, Topic } from '../domain/events/topics.ts'
import type { DeliveryResult, SubscriptionState } from '../domain/events/webhook-schedule.ts'

/** An event as the log keeps it. */
export interface LoggedEvent extends HappenedEvent {
  id: string
}

/** Asks for at most so many events: those after a place, or the newest. */
export interface EventQuery {
  types: readonly Topic[]
  after?: number | undefined
  limit: number
}

/** Asks for at most so many events, the newest first: those before a place, or the newest of all. */
export interface OlderEventQuery {
  types: readonly Topic[]
  before?: number | undefined
  limit: number
}

/** Events against the order of the log, the newest first. */
export interface OlderEvents {
  events: LoggedEvent[]
  /** The place before which older ones follow; null where this page is the last. */
  next: number | null
}

/** Events in the order of the log, the newest last. */
export interface EventPage {
  events: LoggedEvent[]
  next: number
  /** Whether the log has already dropped events after the place that was asked for. */
  truncated: boolean
}

/** What happened in the last 30 days, in the order in which the records were written. */
export interface EventLog {
  /** Appends new events in this order, so a repeat is harmless. Rejects on failure. */
  append(events: readonly HappenedEvent[]): Promise<void>
  /** `unknown place`: the log never came that far. */
  page(query: EventQuery): Promise<EventPage | 'unknown place'>
  newestFirst(query: OlderEventQuery): Promise<OlderEvents>
  /** The events after a place in the log, for following the providers by what was published. */
  after(place: number): Promise<EventsAfter>
}

/** A piece of the log. */
export interface EventsAfter {
  events: LoggedEvent[]
  next: number
  isEnd: boolean
  hasSubscribers: boolean
}

/** A subscription to events as its caller sees it. Times are epoch milliseconds. */
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
  waiting: number
  /** How many events were skipped: refused three times, or unreadable. */
  skipped: number
}

/** Where events are to be sent, for whom. */
export interface NewSubscription {
  caller: string
  url: string
  topics: readonly Topic[]
  origin: string
}

/** Whose subscriptions a call may reach: those of this caller; null for all. */
export type Whose = string | null

export type Subscribed =
  | { is: 'new'; subscription: Subscription; secret: string }
  | { is: 'there'; subscription: Subscription }
  | { is: 'too many' }

/**
 * Each is a place in the log and an address that gets later events, in order and at least once, but
 * for those that it refuses three times.
 */
export interface Subscriptions {
  /** Begins with the next event. The same caller, address and topics again are the same subscription. */
  subscribe(wanted: NewSubscription): Promise<Subscribed>
  subscriptions(whose: Whose): Promise<Subscription[]>
  unsubscribe(id: string, whose: Whose): Promise<boolean>
  /** Sends an example event at once, one time. */
  testSubscription(
    id: string,
    whose: Whose,
  ): Promise<{ result: DeliveryResult; ms: number } | undefined>
  /** Makes a new secret; for a day, deliveries carry the signature of the old one too. */
  renewSecret(id: string, whose: Whose): Promise<string | undefined>
  /** Sends nothing until it is resumed; false where it is not active. */
  pauseSubscription(id: string, whose: Whose): Promise<boolean>
  /** Makes it active and tries at once, from where it stopped or from a place in the log. */
  resumeSubscription(
    id: string,
    whose: Whose,
    after?: number,
  ): Promise<Subscription | 'unknown place' | undefined>
  endSubscriptions(caller: string): Promise<void>
}
