import type { Provider, WebhookSender } from '../src/core/domain/providers.ts'
import { DAY, HOUR } from '../src/core/domain/time/duration.ts'
import type {
  KeptWebhook,
  MadeWebhook,
  Notification,
  ProviderSync as ProviderSyncPort,
} from '../src/core/ports/provider-sync.ts'
import { settingsFrom } from '../src/core/settings.ts'
import type { Served } from '../src/practice/adapters/cloudflare/stub.ts'
import type { Env } from '../src/practice/env.ts'
import { ensureProviderWebhooks } from '../src/practice/provider-sync/registering.ts'
import { Notifications } from './provider-sync/notifications.ts'
import { ProviderEvents } from './provider-sync/provider-events.ts'
import { CopiedObject } from './shared/copied-object.ts'
import { type AlarmPart, SharedAlarm } from './shared/shared-alarm.ts'
import type { Sql } from './shared/sql.ts'

/**
 * Follows the providers: what their webhooks named is read there, compared with what was last
 * published, and published in the event log. It keeps ids, states and times. Its parts have tables
 * of their own, and share the alarm.
 */
export class ProviderSync extends CopiedObject implements Served<ProviderSyncPort> {
  readonly #notifications: Notifications
  readonly #events: ProviderEvents
  readonly #alarm: SharedAlarm

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { storage } = ctx
    this.#notifications = new Notifications(this.sql, storage)
    this.sql`
      CREATE TABLE IF NOT EXISTS provider_webhooks (provider TEXT PRIMARY KEY, made TEXT NOT NULL,
        works INTEGER NOT NULL) WITHOUT ROWID`
    this.#events = new ProviderEvents({
      ctx,
      env,
      sql: this.sql,
      notifications: this.#notifications,
      sendsWebhooks: (provider) => provider !== 'mock' && this.providerWebhook(provider).works,
    })
    this.#alarm = new SharedAlarm(storage, [this.#events, new WebhookUpkeep(this.sql, env)])
  }

  async notify(sender: WebhookSender, notification: Notification) {
    this.#notifications.add(sender, notification, Date.now())
    await this.#alarm.set()
  }

  overdueNotifications() {
    return this.#notifications.overdue(Date.now())
  }

  heldNotifications() {
    return this.#notifications.held()
  }

  async listened() {
    this.#events.listened(Date.now())
    await this.#alarm.set()
  }

  isSearching() {
    return this.sql.exists`following WHERE found_until > ${Date.now()}`
  }

  providerWebhook(provider: Provider): KeptWebhook {
    const [row] = this.sql<WebhookRow>`
      SELECT made, works, (SELECT last_at FROM deliveries WHERE provider = ${provider}) AS last_at
      FROM (SELECT ${provider} AS provider) LEFT
      JOIN provider_webhooks USING (provider)`
    return {
      made: JSON.parse(row?.made ?? '[]') as MadeWebhook[],
      works: row?.works === 1,
      lastDelivery: row?.last_at ?? null,
    }
  }

  /** Keeps one as the newest, in place of what was kept of it before. */
  keepWebhook(provider: Provider, made: MadeWebhook) {
    const others = this.providerWebhook(provider).made.filter(({ id }) => id !== made.id)
    this.sql`
      INSERT INTO provider_webhooks (provider, made, works)
      VALUES (${provider}, ${JSON.stringify([made, ...others].slice(0, MOST_MADE))}, 0)
      ON CONFLICT DO UPDATE SET made = excluded.made`
  }

  async keepWebhookWorks(provider: Provider, works: boolean) {
    this.sql`
      INSERT INTO provider_webhooks (provider, made, works)
      VALUES (${provider}, '[]', ${Number(works)})
      ON CONFLICT DO UPDATE SET works = excluded.works`
    // From now on what happens there is news; and how often the sweep comes depends on it.
    await this.#alarm.set()
  }

  /**
   * After a restore: what happened at the providers meanwhile is looked for at once, from the
   * beginning, and marked.
   */
  async endRestore() {
    this.sql`
      UPDATE following SET
        swept_at = 0, place = NULL, place_from = NULL, found_until = ${Number.MAX_SAFE_INTEGER}`
    await this.#alarm.set()
  }

  override async alarm() {
    await this.#alarm.ring()
  }
}

/**
 * How many are remembered of each provider. The secret of one that was replaced still verifies what
 * is on its way, or what another run has made meanwhile; and one that could not be deleted yet is
 * still known as ours.
 */
const MOST_MADE = 3

type WebhookRow = { made: string; works: number; last_at: number | null }

/**
 * Checks the webhooks at the providers once a day, and registers missing ones again: a provider
 * disables one without notice.
 */
export class WebhookUpkeep implements AlarmPart {
  readonly #sql: Sql
  readonly #env: Env
  /** When they were last checked, as far as it was read. */
  #at: number | undefined

  constructor(sql: Sql, env: Env) {
    this.#sql = sql
    this.#env = env
    sql`CREATE TABLE IF NOT EXISTS webhook_upkeep (one INTEGER PRIMARY KEY, at INTEGER NOT NULL)`
  }

  dueAt() {
    if (!settingsFrom(this.#env).isLive) return Infinity
    this.#at ??= this.#sql<{ at: number }>`SELECT at FROM webhook_upkeep`[0]?.at
    // The deploy command has just registered them.
    if (this.#at === undefined) this.#checked(Date.now())
    return this.#at! + DAY
  }

  async ring() {
    // What ends with its instance is done again in an hour: it may have deleted one and not made the next.
    this.#checked(Date.now() - DAY + HOUR)
    try {
      await ensureProviderWebhooks(this.#env)
    } finally {
      // What fails is tried again tomorrow, not every minute.
      this.#checked(Date.now())
    }
  }

  #checked(now: number) {
    this.#sql`INSERT OR REPLACE INTO webhook_upkeep (one, at) VALUES (1, ${now})`
    this.#at = now
  }
}
