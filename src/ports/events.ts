import type { HappenedEvent, Topic } from '../domain/events/topics.ts'
import type { Provider, WebhookSender } from '../domain/providers.ts'
import type { Practice } from '../domain/practice.ts'
import type { Payments } from './payments.ts'
import type { Scheduling } from './scheduling.ts'
import type { Hint, KeptWebhook, MadeWebhook, OverdueHints } from './provider-webhooks.ts'
import type { Records } from './records.ts'

/** An event as the log keeps it. */
export interface LoggedEvent extends HappenedEvent {
  id: string
}

/** Which events are wanted, at most so many: those after a place, or the newest. */
export interface EventQuery {
  types: readonly Topic[]
  after?: number | undefined
  limit: number
}

/** Events in the order of the log, the newest last. */
export interface EventPage {
  events: LoggedEvent[]
  /** The place after which the next page begins, now or later. */
  next: number
  /** Events after the place that was asked for are not kept any more. */
  truncated: boolean
}

/** What happened in the last 30 days, in the order in which the records were written. */
export interface EventLog {
  /** Appends events that are new, in this order, so a repeat is harmless. Rejects if that failed. */
  append(events: readonly HappenedEvent[]): Promise<void>
  /** `unknown place`: the log never came as far as that. */
  page(query: EventQuery): Promise<EventPage | 'unknown place'>
  /** Keeps what a delivery of a provider was about, to be read there soon. Resolves once that is durable. */
  hint(sender: WebhookSender, hint: Hint): Promise<void>
  /** What could not be read at the providers for a day, or where the change of ours that it waits for has not ended. */
  overdueHints(): Promise<OverdueHints | undefined>
  /** What is kept of the webhook of a provider. */
  providerWebhook(provider: Provider): Promise<KeptWebhook>
  /** Keeps that a webhook was made here, its secret sealed. */
  keepWebhook(provider: Provider, made: MadeWebhook): Promise<void>
  keepWebhookWorks(provider: Provider, works: boolean): Promise<void>
}

/** What the log asks to find out what a provider's webhook was about: it reads, and lets changes that are in doubt look. */
export interface ProviderSources extends Pick<Records, 'known'> {
  practice: Practice
  scheduling: Pick<Scheduling, 'mode' | 'adapterId' | 'seen' | 'upcoming'>
  payments: Pick<Payments, 'mode' | 'seen'>
  /**
   * Lets the changes that took these locks last look, among other places at this booking. `busy`: one of them is not done,
   * or its records are not written yet.
   */
  look(lockKeys: string[], bookingId: string | undefined): Promise<'busy' | 'idle'>
}
