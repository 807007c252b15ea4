import { DurableObject } from 'cloudflare:workers'
import { eventId } from '../src/crypto/event-id.ts'
import { type HappenedEvent, factOf } from '../src/domain/event-topics.ts'
import type { Env } from '../src/env.ts'
import type { Provider } from '../src/domain/providers.ts'
import type { EventPage, EventQuery } from '../src/ports/events.ts'
import type { Hint, KeptWebhook } from '../src/ports/provider-webhooks.ts'
import { EventTable } from './event-table.ts'
import { ProviderHints } from './hints.ts'
import { ProviderWebhookTable } from './provider-webhooks.ts'
import { SharedAlarm } from './shared-alarm.ts'

/**
 * What happened in the practice, in one object: facts in the order in which the records were written, each once. It keeps
 * ids, states and times. Its parts have tables of their own, and share the alarm.
 */
export class EventLog extends DurableObject<Env> {
  readonly #events: EventTable
  readonly #hints: ProviderHints
  readonly #providerWebhooks: ProviderWebhookTable
  readonly #alarm: SharedAlarm

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#events = new EventTable(ctx.storage)
    this.#hints = new ProviderHints(ctx.storage)
    this.#providerWebhooks = new ProviderWebhookTable(ctx.storage.sql)
    this.#alarm = new SharedAlarm(ctx.storage, [this.#events])
  }

  /** Appends events, all or none; one that is there already stays as it is. */
  async append(events: readonly HappenedEvent[]): Promise<void> {
    this.#events.append(
      await Promise.all(
        events.map(async (event) => ({ id: await eventId(factOf(event), event.mode), ...event })),
      ),
    )
    await this.#alarm.set()
  }

  /** A page of events, the newest last. */
  page(query: EventQuery): EventPage | 'unknown place' {
    return this.#events.page(query)
  }

  /** Keeps what a delivery of a provider was about. */
  hint(provider: Provider, hint: Hint): void {
    this.#hints.add(provider, hint, Date.now())
  }

  providerWebhook(provider: Provider): KeptWebhook {
    return this.#providerWebhooks.kept(provider)
  }

  keepWebhookSecret(provider: Provider, id: string, sealed: string): void {
    this.#providerWebhooks.keepSecret(provider, id, sealed)
  }

  keepWebhookWorks(provider: Provider, works: boolean): void {
    this.#providerWebhooks.keepWorks(provider, works)
  }

  override alarm(): Promise<void> {
    return this.#alarm.ring()
  }
}
