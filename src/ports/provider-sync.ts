import type { Practice } from '../domain/practice.ts'
import type { Provider, WebhookSender } from '../domain/providers.ts'
import type { Payments } from './payments.ts'
import type { Hint, KeptWebhook, MadeWebhook, OverdueHints } from './provider-webhooks.ts'
import type { Records } from './records.ts'
import type { Scheduling } from './scheduling.ts'

/** Follows what happens on the providers' own pages, by their webhooks and by looking itself, and publishes it as events. */
export interface ProviderSync {
  /** Keeps what a delivery of a provider was about, to be read there soon. Resolves once that is durable. */
  hint(sender: WebhookSender, hint: Hint): Promise<void>
  /** What could not be read at the providers for a day, or where the change of ours that it waits for has not ended. */
  overdueHints(): Promise<OverdueHints | undefined>
  /** Events are read or subscribed to, so that it pays to look often. */
  listened(): Promise<void>
  /** What is kept of the webhook of a provider. */
  providerWebhook(provider: Provider): Promise<KeptWebhook>
  /** Keeps that a webhook was made here, its secret sealed. */
  keepWebhook(provider: Provider, made: MadeWebhook): Promise<void>
  keepWebhookWorks(provider: Provider, works: boolean): Promise<void>
}

/** What is asked to find out what a provider's webhook was about: it reads, and lets changes that are in doubt look. */
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
