import type { Practice } from '../domain/practice.ts'
import type { Provider, WebhookSender } from '../domain/providers.ts'
import type { Origin } from '../domain/whose-booking.ts'
import type { Payments } from './payments.ts'
import type { Records } from './records.ts'
import type { Scheduling } from './scheduling.ts'

/** The public ids that a delivery is about. Nothing else of a delivery is kept. */
export interface Notification {
  bookings: string[]
  invoices: string[]
  /** By the provider's own id, where a link is more than the page of its invoice. */
  links: string[]
}

/** Notifications that could not be followed for a day: how many, and since when, in epoch milliseconds. */
export interface OverdueNotifications {
  count: number
  since: number
}

/** How many notifications wait for one change whose outcome is not known, and since when (epoch ms). */
export interface HeldNotifications {
  operation_id: string
  count: number
  /** What was named: ids of bookings and invoices, in order. */
  targets: string[]
  since: number
}

/** A delivery as it came: a signature covers the very bytes of the body. */
export interface Delivery {
  headers: Headers
  body: Uint8Array
}

/** The webhook that is wanted at a provider. */
export interface WantedWebhook {
  /** Any other webhook at this address, whatever its query, is an earlier one of ours. */
  url: string
  /** The key that the provider signs with, if it takes ours. */
  key?: string
  /** The id of the webhook whose secret is kept here, if the provider makes the secret. */
  knownId?: string
  /** The ids of those that were made here lately: they are ours at any address. */
  madeIds: readonly string[]
}

/** A webhook that was made. The provider shows a secret that it made only now. */
export interface MadeWebhook {
  id: string
  secret?: string
}

/** The state of the wanted webhook at the provider. */
export type WebhookState =
  /**
   * Since when its deliveries fail, in epoch milliseconds, if the provider says so; `isPartial`: it is
   * not told of some of the bookings.
   */
  | { is: 'active'; failingSince?: number; isPartial?: true }
  | { is: 'missing' | 'disabled' | 'incomplete' }
  /** The credential lacks the right to webhooks; `detail` says what to change. */
  | { is: 'not permitted'; detail: string }

/** The webhooks of one provider. */
export interface ProviderWebhooks {
  /** The ids in a delivery. `refused`: no key signed it, or its time is too far from `now` (epoch ms). */
  read(delivery: Delivery, keys: readonly string[], now: number): Promise<Notification | 'refused'>
  /** Whether the provider makes the secret, instead of signing with a key of ours. */
  makesSecret: boolean
  reaches(origin: string): boolean
  /** Reads how the wanted webhook stands. Raises a `Problem` if the provider cannot be asked. */
  state(wanted: WantedWebhook): Promise<WebhookState>
  /** Makes what is missing before it deletes earlier ones. `keep` resolves once the new one is durable. */
  ensure(wanted: WantedWebhook, keep: (made: MadeWebhook) => Promise<void>): Promise<WebhookState>
}

/** What is kept here of the webhook of a provider. */
export interface KeptWebhook {
  /** Those made here lately, the newest first, with a sealed secret if the provider made one. */
  made: MadeWebhook[]
  /** Whether it worked at the last check; the owner is alerted once when it stops. */
  works: boolean
  /** When the newest genuine delivery came, in epoch milliseconds. */
  lastDelivery: number | null
}

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
