import { newToken } from '../../src/core/crypto/encoding.ts'
import { newWebhookSecret } from '../../src/core/crypto/webhook-signature.ts'
import {
  MOST_COUNTED,
  MOST_WEBHOOKS,
  MOST_WEBHOOKS_OF_A_CALLER,
  resumed,
} from '../../src/core/domain/events/webhook-schedule.ts'
import { calledUrl } from '../../src/core/domain/events/webhook-url.ts'
import type { Mode } from '../../src/core/domain/mode.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { isoSeconds } from '../../src/core/domain/time/time.ts'
import type {
  NewSubscription,
  Subscribed,
  Subscription,
  Subscriptions,
  Whose,
} from '../../src/core/ports/events.ts'
import type { Keyring } from '../../src/core/ports/keyring.ts'
import type { WebhookDelivery } from './delivery.ts'
import { SEAL, type WebhookRequests } from './requests.ts'
import { type SubscriptionRow, type SubscriptionTable, newRow, stopped } from './subscriptions.ts'
import type { EventTable } from './table.ts'

/** How long the secret before signs, too. */
const OVERLAP = DAY

interface Given {
  now(): number
  events: EventTable
  table: SubscriptionTable
  requests: WebhookRequests
  delivery: WebhookDelivery
  keyring(): Promise<Keyring>
  /** Whether the practice is real. */
  mode(): Mode
}

/** What callers do with their subscriptions. */
export class Webhooks implements Subscriptions {
  readonly #given: Given

  constructor(given: Given) {
    this.#given = given
  }

  async subscribe({ caller, url: asked, topics, origin }: NewSubscription): Promise<Subscribed> {
    const url = calledUrl(asked)
    const id = `wh_${newToken(16)}`
    const secret = newWebhookSecret()
    // Nothing is awaited between the question whether there is one and the answer.
    const sealed = await (await this.#given.keyring()).seal(SEAL, id, secret)
    const wanted = [...new Set(topics)].toSorted()
    const own = [...this.#given.table.all()].filter(
      (row) => row.caller === caller && row.state !== 'ended',
    )
    const same = own.find((row) => row.url === url && row.topics.join() === wanted.join())
    if (same) return { is: 'there', subscription: this.#shown(same) }
    if (own.length >= MOST_WEBHOOKS_OF_A_CALLER || !this.#makeRoom()) return { is: 'too many' }
    const host = new URL(url).host
    const row = newRow(
      { id, caller, topics: wanted, url, host, origin, sealed },
      this.#given.events.end(),
      this.#given.now(),
    )
    return { is: 'new', subscription: this.#shown(this.#given.table.keep(row)), secret }
  }

  async subscriptions(whose: Whose): Promise<Subscription[]> {
    return [...this.#given.table.all()]
      .filter((row) => whose === null || row.caller === whose)
      .toSorted((a, b) => b.created_at - a.created_at)
      .map((row) => this.#shown(row))
  }

  async unsubscribe(id: string, whose: Whose): Promise<boolean> {
    const row = this.#given.table.get(id, whose)
    if (row) this.#given.table.remove(row.id)
    return row !== undefined
  }

  async testSubscription(id: string, whose: Whose) {
    const row = this.#live(id, whose)
    if (!row) return undefined
    const event = {
      id: `evt_test_${newToken(16)}`,
      type: 'webhook.test',
      timestamp: isoSeconds(this.#given.now()),
      mode: this.#given.mode(),
      data: { webhook_id: row.id },
    }
    const keyring = await this.#given.keyring()
    const wanted = () => this.#live(id, whose) !== undefined
    const answer = await this.#given.requests.send(
      row,
      event.id,
      JSON.stringify(event),
      keyring,
      wanted,
    )
    return answer && { result: answer.result, ms: answer.ms }
  }

  async renewSecret(id: string, whose: Whose): Promise<string | undefined> {
    const secret = newWebhookSecret()
    const sealed = await (await this.#given.keyring()).seal(SEAL, id, secret)
    const row = this.#live(id, whose)
    if (!row) return undefined
    this.#given.table.keep({
      ...row,
      sealed,
      sealed_old: row.sealed,
      old_until: this.#given.now() + OVERLAP,
    })
    return secret
  }

  async pauseSubscription(id: string, whose: Whose): Promise<boolean> {
    const row = this.#live(id, whose)
    if (row?.state !== 'active') return false
    // The one who paused it needs no alert.
    this.#given.table.keep({ ...stopped(row, 'paused', this.#given.now()), unreported: null })
    return true
  }

  async resumeSubscription(
    id: string,
    whose: Whose,
    after?: number,
  ): Promise<Subscription | 'unknown place' | undefined> {
    const row = this.#live(id, whose)
    if (!row) return undefined
    if (after !== undefined && after > this.#given.events.end()) return 'unknown place'
    const active = {
      ...row,
      ...resumed(row, after ?? row.cursor, this.#given.now()),
      stopped_at: null,
      unreported: null,
    }
    return this.#shown(this.#given.table.keep(active))
  }

  async endSubscriptions(caller: string): Promise<void> {
    this.#given.delivery.end(caller)
  }

  #live(id: string, whose: Whose): SubscriptionRow | undefined {
    const row = this.#given.table.get(id, whose)
    return row?.state === 'ended' ? undefined : row
  }

  /** Whether there is room for one more; those that ended first give way. */
  #makeRoom(): boolean {
    if (this.#given.table.size < MOST_WEBHOOKS) return true
    const [oldest] = [...this.#given.table.all()]
      .filter(({ state }) => state === 'ended')
      .toSorted((a, b) => (a.stopped_at ?? 0) - (b.stopped_at ?? 0))
    if (oldest) this.#given.table.remove(oldest.id)
    return oldest !== undefined
  }

  #shown({ id, caller, topics, host, cursor, skipped, ...row }: SubscriptionRow): Subscription {
    const { events } = this.#given
    const { state, created_at, last_ok_at, failing_since, last_result } = row
    const waiting = state === 'ended' ? 0 : events.countAfter(topics, cursor, MOST_COUNTED)
    const shown = { id, caller, topics: [...topics], host, state, created_at, last_ok_at }
    return { ...shown, failing_since, last_result, waiting, skipped }
  }
}
