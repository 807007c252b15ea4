import type { Provider, WebhookSender } from '../src/core/domain/providers.ts'
import type { ProviderSync as ProviderSyncPort } from '../src/core/ports/provider-sync.ts'
import type {
  HeldNotifications,
  Notification,
  KeptWebhook,
  MadeWebhook,
  OverdueNotifications,
} from '../src/core/ports/provider-webhooks.ts'
import type { Served } from '../src/practice/adapters/cloudflare/stub.ts'
import type { Env } from '../src/practice/env.ts'
import { auditFrom, eventLogFrom } from '../src/practice/wiring/objects.ts'
import { providerQuotaFrom } from '../src/practice/wiring/providers.ts'
import { providerSourcesFrom } from '../src/practice/wiring/services.ts'
import { Notifications } from './provider-sync/notifications.ts'
import { ProviderEvents } from './provider-sync/provider-events.ts'
import { ProviderWebhookTable } from './provider-sync/provider-webhook-table.ts'
import { WebhookUpkeep } from './provider-sync/webhook-upkeep.ts'
import { CopiedObject } from './shared/copied-object.ts'
import { SharedAlarm } from './shared/shared-alarm.ts'
import { sqlOf } from './shared/sql.ts'

/**
 * Follows the providers: what their webhooks named is read there, compared with what was last
 * published, and published in the event log. It keeps ids, states and times. Its parts have tables
 * of their own, and share the alarm.
 */
export class ProviderSync extends CopiedObject implements Served<ProviderSyncPort> {
  readonly #notifications: Notifications
  readonly #events: ProviderEvents
  readonly #webhooks: ProviderWebhookTable
  readonly #alarm: SharedAlarm

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { storage } = ctx
    this.#notifications = new Notifications(storage)
    this.#webhooks = new ProviderWebhookTable(storage.sql)
    this.#events = new ProviderEvents({
      storage,
      now: () => Date.now(),
      notifications: this.#notifications,
      log: eventLogFrom(env),
      audit: auditFrom(env),
      sources: () => providerSourcesFrom(env),
      quota: () => providerQuotaFrom(env, (work) => ctx.waitUntil(work)),
      sendsWebhooks: (provider) => provider !== 'mock' && this.#webhooks.kept(provider).works,
    })
    this.#alarm = new SharedAlarm(storage, [this.#events, new WebhookUpkeep(storage.sql, env)])
  }

  async notify(sender: WebhookSender, notification: Notification): Promise<void> {
    this.#notifications.add(sender, notification, Date.now())
    await this.#alarm.set()
  }

  overdueNotifications(): OverdueNotifications | undefined {
    return this.#notifications.overdue(Date.now())
  }

  heldNotifications(): HeldNotifications[] {
    return this.#notifications.held()
  }

  async listened(): Promise<void> {
    this.#events.listened(Date.now())
    await this.#alarm.set()
  }

  isSearching(): boolean {
    return sqlOf(this.ctx.storage.sql).exists`following WHERE found_until > ${Date.now()}`
  }

  providerWebhook(provider: Provider): KeptWebhook {
    return this.#webhooks.kept(provider)
  }

  keepWebhook(provider: Provider, made: MadeWebhook): void {
    this.#webhooks.keep(provider, made)
  }

  async keepWebhookWorks(provider: Provider, works: boolean): Promise<void> {
    this.#webhooks.keepWorks(provider, works)
    // From now on what happens there is news; and how often the sweep comes depends on it.
    await this.#alarm.set()
  }

  /**
   * After a restore: what happened at the providers meanwhile is looked for at once, from the
   * beginning, and marked.
   */
  async endRestore(): Promise<void> {
    sqlOf(this.ctx.storage.sql)`
      UPDATE following SET
        swept_at = 0, place = NULL, place_from = NULL, found_until = ${Number.MAX_SAFE_INTEGER}`
    await this.#alarm.set()
  }

  override async alarm(): Promise<void> {
    await this.#alarm.ring()
  }
}
