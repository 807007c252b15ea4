import { DurableObject } from 'cloudflare:workers'
import { eventId } from '../src/crypto/tokens.ts'
import { type HappenedEvent, factOf } from '../src/domain/events/topics.ts'
import type { Env } from '../src/env.ts'
import type { Provider, WebhookSender } from '../src/domain/providers.ts'
import type { EventPage, EventQuery, LoggedEvent } from '../src/ports/events.ts'
import type { Hint, KeptWebhook, MadeWebhook, OverdueHints } from '../src/ports/provider-webhooks.ts'
import type { NewSubscription, Whose } from '../src/ports/subscriptions.ts'
import { EventTable } from './events/table.ts'
import { ProviderHints } from './provider-sync/notifications.ts'
import { ProviderWebhookTable, WebhookUpkeep } from './provider-sync/upkeep.ts'
import { providerSourcesFrom } from '../src/wiring/services.ts'
import { ProviderEvents } from './provider-sync/changes.ts'
import { SharedAlarm } from './shared/alarm.ts'
import { SubscriptionTable } from './events/subscriptions.ts'
import { WebhookDelivery } from './events/delivery.ts'
import { webhookPlatform } from './events/platform.ts'
import { WebhookRequests } from './events/requests.ts'
import { Webhooks } from './events/webhooks.ts'

/**
 * What happened in the practice, in one object: facts in the order in which the records were written, each once. It keeps
 * ids, states and times. Its parts have tables of their own, and share the alarm.
 */
export class EventLog extends DurableObject<Env> {
  readonly #events: EventTable
  readonly #hints: ProviderHints
  readonly #providers: ProviderEvents
  readonly #providerWebhooks: ProviderWebhookTable
  readonly #delivery: WebhookDelivery
  readonly #webhooks: Webhooks
  readonly #alarm: SharedAlarm

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { storage } = ctx
    this.#events = new EventTable(storage)
    this.#hints = new ProviderHints(storage)
    this.#providerWebhooks = new ProviderWebhookTable(storage.sql)
    const table = new SubscriptionTable(storage.sql)
    const platform = webhookPlatform(env)
    const requests = new WebhookRequests(platform)
    const given = { ...platform, events: this.#events, table, requests }
    this.#delivery = new WebhookDelivery({ ...given, wake: () => ctx.waitUntil(this.#alarm.set()) })
    this.#webhooks = new Webhooks({ ...given, delivery: this.#delivery })
    this.#providers = new ProviderEvents({
      storage,
      now: () => Date.now(),
      hints: this.#hints,
      sources: () => providerSourcesFrom(env),
      sendsWebhooks: (adapter) => this.#providerWebhooks.kept(adapter as Provider).works,
      hasSubscribers: () => [...table.all()].some(({ stopped_at }) => stopped_at === null),
      append: (events, write) => this.#append(events, write),
    })
    this.#alarm = new SharedAlarm(storage, [
      this.#events,
      this.#delivery,
      this.#providers,
      new WebhookUpkeep(storage.sql, env),
    ])
  }

  /** Appends events, all or none; one that is there already stays as it is. */
  async append(events: readonly HappenedEvent[]): Promise<void> {
    await this.#append(events, () => {
      this.#providers.committed(events, Date.now())
      return true
    })
    await this.#alarm.set()
  }

  /** A page of events, the newest last. */
  async page(query: EventQuery): Promise<EventPage | 'unknown place'> {
    this.#providers.listened(Date.now())
    await this.#alarm.set()
    return this.#events.page(query)
  }

  /** Keeps what a delivery of a provider was about, and reads it soon. */
  async hint(sender: WebhookSender, hint: Hint): Promise<void> {
    this.#hints.add(sender, hint, Date.now())
    await this.#alarm.set()
  }

  async overdueHints(): Promise<OverdueHints | undefined> {
    await this.#alarm.set()
    return this.#hints.overdue(Date.now())
  }

  providerWebhook(provider: Provider): KeptWebhook {
    return this.#providerWebhooks.kept(provider)
  }

  keepWebhook(provider: Provider, made: MadeWebhook): void {
    this.#providerWebhooks.keep(provider, made)
  }

  async keepWebhookWorks(provider: Provider, works: boolean): Promise<void> {
    this.#providerWebhooks.keepWorks(provider, works)
    // From now on what happens there is news; and how often the sweep comes depends on it.
    await this.#alarm.set()
  }

  async subscribe(wanted: NewSubscription) {
    const subscribed = await this.#webhooks.subscribe(wanted)
    // How often the sweep comes depends on whether there is a subscription.
    await this.#alarm.set()
    return subscribed
  }

  async subscriptions(whose: Whose) {
    // Where events wait for an alarm that was lost, a look at them sets it again.
    await this.#alarm.set()
    return this.#webhooks.subscriptions(whose)
  }

  unsubscribe(id: string, whose: Whose) {
    return this.#webhooks.unsubscribe(id, whose)
  }

  testSubscription(id: string, whose: Whose) {
    return this.#webhooks.testSubscription(id, whose)
  }

  renewSecret(id: string, whose: Whose) {
    return this.#webhooks.renewSecret(id, whose)
  }

  async resumeSubscription(id: string, whose: Whose, after?: number) {
    const resumed = await this.#webhooks.resumeSubscription(id, whose, after)
    await this.#alarm.set()
    return resumed
  }

  async endSubscriptions(caller: string): Promise<void> {
    await this.#webhooks.endSubscriptions(caller)
    await this.#alarm.set()
  }

  override async alarm(): Promise<void> {
    await this.#delivery.reseal().catch(() => undefined)
    await this.#alarm.ring()
  }

  /** Appends events in one transaction with what `write` writes; nothing where that answers false. */
  async #append(events: readonly HappenedEvent[], write: () => boolean): Promise<boolean> {
    const logged = await Promise.all(events.map(withId))
    return this.ctx.storage.transactionSync(() => {
      if (!write()) return false
      this.#events.append(logged)
      return true
    })
  }
}

/** An event under the id of its fact. */
async function withId({ repeat, ...event }: HappenedEvent): Promise<LoggedEvent> {
  const fact = factOf({ ...event, ...(repeat !== undefined && { repeat }) })
  return { id: await eventId(fact, event.mode), ...event }
}
