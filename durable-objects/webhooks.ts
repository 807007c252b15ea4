import { newWebhookSecret } from '../src/crypto/webhook-signature.ts'
import { newToken } from '../src/crypto/tokens.ts'
import { DAY } from '../src/domain/duration.ts'
import { isoSeconds } from '../src/domain/time.ts'
import { MOST_COUNTED, MOST_WEBHOOKS, MOST_WEBHOOKS_OF_A_CALLER } from '../src/domain/webhook-limits.ts'
import { resumed } from '../src/domain/webhook-schedule.ts'
import { calledUrl } from '../src/domain/webhook-url.ts'
import type { Env } from '../src/env.ts'
import { practiceMode } from '../src/operations/operation.ts'
import type {
  NewSubscription,
  Subscribed,
  Subscription,
  Subscriptions,
  Whose,
} from '../src/ports/subscriptions.ts'
import { settingsFrom } from '../src/settings.ts'
import { keyringFrom, providerModesFrom } from '../src/wiring.ts'
import type { EventTable } from './event-table.ts'
import { type SubscriptionRow, type SubscriptionTable, newRow } from './subscriptions.ts'
import { SEAL, type WebhookDelivery } from './webhook-delivery.ts'

/** How long the secret before signs, too. */
const OVERLAP = DAY

/** What callers do with their subscriptions. */
export class Webhooks implements Subscriptions {
  readonly #env: Env
  readonly #events: EventTable
  readonly #table: SubscriptionTable
  readonly #delivery: WebhookDelivery

  constructor(env: Env, events: EventTable, table: SubscriptionTable, delivery: WebhookDelivery) {
    this.#env = env
    this.#events = events
    this.#table = table
    this.#delivery = delivery
  }

  async subscribe({ caller, url: asked, topics, origin }: NewSubscription): Promise<Subscribed> {
    const url = calledUrl(asked)
    const id = `wh_${newToken(16)}`
    const secret = newWebhookSecret()
    // Nothing is awaited between the question whether there is one and the answer.
    const sealed = await (await this.#keyring()).seal(SEAL, id, secret)
    const wanted = [...new Set(topics)].toSorted()
    const own = [...this.#table.all()].filter((row) => row.caller === caller && row.state !== 'ended')
    const same = own.find((row) => row.url === url && row.topics.join() === wanted.join())
    if (same) return { is: 'there', subscription: this.#shown(same) }
    if (own.length >= MOST_WEBHOOKS_OF_A_CALLER || !this.#makeRoom()) return { is: 'too many' }
    const host = new URL(url).host
    const row = newRow(
      { id, caller, topics: wanted, url, host, origin, sealed },
      this.#events.end(),
      Date.now(),
    )
    return { is: 'new', subscription: this.#shown(this.#table.keep(row)), secret }
  }

  async subscriptions(whose: Whose): Promise<Subscription[]> {
    return [...this.#table.all()]
      .filter((row) => whose === null || row.caller === whose)
      .toSorted((a, b) => b.created_at - a.created_at)
      .map((row) => this.#shown(row))
  }

  async unsubscribe(id: string, whose: Whose): Promise<boolean> {
    const row = this.#table.get(id, whose)
    if (row) this.#table.remove(row.id)
    return row !== undefined
  }

  async testSubscription(id: string, whose: Whose) {
    const row = this.#live(id, whose)
    if (!row) return undefined
    const event = {
      id: `evt_test_${newToken(16)}`,
      type: 'webhook.test',
      timestamp: isoSeconds(Date.now()),
      mode: practiceMode(providerModesFrom(this.#env)),
      data: { webhook_id: row.id },
    }
    const { result, ms } = await this.#delivery.send(
      row,
      event.id,
      JSON.stringify(event),
      await this.#keyring(),
    )
    return { result, ms }
  }

  async renewSecret(id: string, whose: Whose): Promise<string | undefined> {
    const secret = newWebhookSecret()
    const sealed = await (await this.#keyring()).seal(SEAL, id, secret)
    const row = this.#live(id, whose)
    if (!row) return undefined
    this.#table.keep({ ...row, sealed, sealed_old: row.sealed, old_until: Date.now() + OVERLAP })
    return secret
  }

  async resumeSubscription(
    id: string,
    whose: Whose,
    after?: number,
  ): Promise<Subscription | 'unknown place' | undefined> {
    const row = this.#live(id, whose)
    if (!row) return undefined
    if (after !== undefined && after > this.#events.end()) return 'unknown place'
    const active = {
      ...row,
      ...resumed(row, after ?? row.cursor, Date.now()),
      stopped_at: null,
      unreported: null,
    }
    return this.#shown(this.#table.keep(active))
  }

  async endSubscriptions(caller: string): Promise<void> {
    this.#delivery.end(caller)
  }

  #keyring() {
    return keyringFrom(settingsFrom(this.#env))
  }

  #live(id: string, whose: Whose): SubscriptionRow | undefined {
    const row = this.#table.get(id, whose)
    return row?.state === 'ended' ? undefined : row
  }

  /** Whether there is room for one more; those that ended first give way. */
  #makeRoom(): boolean {
    if (this.#table.size < MOST_WEBHOOKS) return true
    const [oldest] = [...this.#table.all()]
      .filter(({ state }) => state === 'ended')
      .toSorted((a, b) => (a.stopped_at ?? 0) - (b.stopped_at ?? 0))
    if (oldest) this.#table.remove(oldest.id)
    return oldest !== undefined
  }

  #shown({ id, caller, topics, host, cursor, skipped, ...row }: SubscriptionRow): Subscription {
    const { state, created_at, last_ok_at, failing_since, last_result } = row
    const waiting = state === 'ended' ? 0 : this.#events.countAfter(topics, cursor, MOST_COUNTED)
    const shown = { id, caller, topics: [...topics], host, state, created_at, last_ok_at }
    return { ...shown, failing_since, last_result, waiting, skipped }
  }
}
