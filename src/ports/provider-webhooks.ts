/** The things that a delivery is about, by their public ids. Nothing else of a delivery is kept. */
export interface Hint {
  bookings: string[]
  invoices: string[]
  /** Payment links by the provider's own id, where a link is more than the page of its invoice. */
  links: string[]
}

/** Hints that could not be followed for a day: how many, and since when, in epoch milliseconds. */
export interface OverdueHints {
  count: number
  since: number
}

/** A delivery as it came over the wire: a signature covers the very bytes of the body. */
export interface Delivery {
  headers: Headers
  body: Uint8Array
}

/** The webhook that is wanted at a provider. */
export interface WantedWebhook {
  /** Every other one at the same address, whatever its query, is an earlier one of ours. */
  url: string
  /** What the provider is to sign with, where it takes our key. */
  key?: string
  /** The id of the one whose secret is kept here, where the provider makes the secret. */
  knownId?: string
  /** The ids of those that were made here lately: they are ours at whatever address. */
  madeIds: readonly string[]
}

/** A webhook that was made, with its secret where the provider made that; the provider does not show it again. */
export interface MadeWebhook {
  id: string
  secret?: string
}

/** How the wanted webhook stands at the provider. */
export type WebhookState =
  /** Since when its deliveries fail, in epoch milliseconds, where the provider says so. */
  | { is: 'active'; failingSince?: number }
  | { is: 'missing' | 'disabled' | 'incomplete' }
  /** The credential lacks the right to webhooks; what to change. */
  | { is: 'not permitted'; detail: string }

/** The webhooks of one provider. */
export interface ProviderWebhooks {
  /**
   * The ids in a delivery that one of these keys has signed. `refused`: the signature is missing or wrong, or made too long
   * ago or in the future. A hint without ids: genuine, but about nothing that is kept here. `now` is in epoch milliseconds.
   */
  read(delivery: Delivery, keys: readonly string[], now: number): Promise<Hint | 'refused'>
  /** Whether the provider makes the secret itself, instead of signing with a key of ours. */
  makesSecret: boolean
  /** Whether the provider can send anything to this origin. */
  reaches(origin: string): boolean
  /** Reads how the wanted webhook stands. Raises a `Problem` if the provider cannot be asked. */
  state(wanted: WantedWebhook): Promise<WebhookState>
  /**
   * The same after making what is missing. The new one is made before an old one is deleted, so that nothing is lost
   * between; what an earlier run left is deleted too, and what sends to an earlier address of ours. `keep` stores what was
   * made, and resolves once that is durable.
   */
  ensure(wanted: WantedWebhook, keep: (made: MadeWebhook) => Promise<void>): Promise<WebhookState>
}

/** What is kept here of the webhook of a provider. */
export interface KeptWebhook {
  /** Those that were made here lately, the newest first, each with its sealed secret where the provider made that. */
  made: MadeWebhook[]
  /** Whether it worked when it was last checked; from then on the owner is alerted, once, if it does not. */
  works: boolean
  /** When the newest genuine delivery came, in epoch milliseconds. */
  lastDelivery: number | null
}
