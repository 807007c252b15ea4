import type { Practice } from '../domain/practice.ts'
import type { Provider, WebhookSender } from '../domain/providers.ts'
import type { Origin } from '../domain/whose-booking.ts'
import type { Payments } from './payments.ts'
import type {
  Notification,
  KeptWebhook,
  MadeWebhook,
  HeldNotifications,
  OverdueNotifications,
} from './provider-webhooks.ts'
import type { Records } from './records.ts'
import type { Scheduling } from './scheduling.ts'

/** Publishes what happens on the providers' own pages as events; it gets webhooks and looks itself. */
export interface ProviderSync {
  /** Keeps the ids of a delivery, to be read at the provider soon. Resolves once that is durable. */
  notify(sender: WebhookSender, notification: Notification): Promise<void>
  /** What could not be read for a day, or waits for a change of ours that has not ended. */
  overdueNotifications(): Promise<OverdueNotifications | undefined>
  /** The operations in doubt for which what a provider named waits, that of the oldest first. */
  heldNotifications(): Promise<HeldNotifications[]>
  /** Notes that events are read or subscribed to, so that looking often pays. */
  listened(): Promise<void>
  /** Whether what happened at the providers before a restore is still looked for. */
  isSearching(): Promise<boolean>
  providerWebhook(provider: Provider): Promise<KeptWebhook>
  keepWebhook(provider: Provider, made: MadeWebhook): Promise<void>
  keepWebhookWorks(provider: Provider, works: boolean): Promise<void>
}

/** A booking that a provider has just named, as a change of ours compares it with what it sent. */
export interface NamedBooking extends Origin {
  bookingId: string
  movedFrom: string | undefined
}

/** Finds out what a provider's webhook was about: it reads, and lets changes in doubt look. */
export interface ProviderSources extends Pick<Records, 'known'> {
  practice: Practice
  scheduling: Pick<Scheduling, 'mode' | 'provider' | 'seen' | 'upcoming'>
  payments: Pick<Payments, 'mode' | 'seen'>
  /**
   * Notes that a client completed a link after the backup, with this consult; `at` in epoch ms. A
   * repeat changes nothing.
   */
  completeLink(linkId: string, bookingId: string, at: number): Promise<void>
  /**
   * Lets the last changes under these locks look, also at this booking. The id of an operation that
   * is not done and may have changed it; undefined where none may have.
   */
  look(lockKeys: string[], named: NamedBooking | undefined): Promise<string | undefined>
}
