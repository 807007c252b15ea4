import { newToken } from '../../src/core/crypto/encoding.ts'
import { newWebhookSecret } from '../../src/core/crypto/webhook-signature.ts'
import {
  MOST_COUNTED,
  MOST_WEBHOOKS,
  MOST_WEBHOOKS_OF_A_CALLER,
  freshProgress,
  resumed,
} from '../../src/core/domain/events/webhook-schedule.ts'
import { calledUrl } from '../../src/core/domain/events/webhook-url.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { isoSeconds } from '../../src/core/domain/time/time.ts'
import type {
  NewSubscription,
  Subscribed,
  Subscription,
  Subscriptions,
  Whose,
} from '../../src/core/ports/events.ts'
import { testEventData } from '../../src/practice/operations/webhooks.ts'
import type { WebhookDelivery } from './delivery.ts'
import type { WebhookPlatform } from './platform.ts'
import { SEAL, type WebhookRequests } from './requests.ts'
import {
  type SubscriptionRow,
  type SubscriptionTable,
  olderSecrets,
  stopped,
} from './subscriptions.ts'
import type { EventTable } from './table.ts'

/** How long the secrets before sign, too, and how many: which one a receiver has is not known. */
const OVERLAP = DAY
const MOST_OLDER = 3

interface Given extends WebhookPlatform {
  events: EventTable
  table: SubscriptionTable
  requests: WebhookRequests
  delivery: WebhookDelivery
}

/** What callers do with their subscriptions. */
export function webhooksWith(given: Given): Subscriptions {
  async function subscribe({
    caller,
    url: asked,
    topics,
    origin,
  }: NewSubscription): Promise<Subscribed> {
    const url = calledUrl(asked)
    const id = `wh_${newToken(16)}`
    const secret = newWebhookSecret()
    // Nothing is awaited between the question whether there is one and the answer.
    const sealed = await (await given.keyring()).seal(SEAL, id, secret)
    const wanted = [...new Set(topics)].toSorted()
    const own = [...given.table.all()].filter(
      (row) => row.caller === caller && row.state !== 'ended',
    )
    const same = own.find((row) => row.url === url && row.topics.join() === wanted.join())
    if (same) return { is: 'there', subscription: shown(same) }
    if (own.length >= MOST_WEBHOOKS_OF_A_CALLER || !makeRoom()) return { is: 'too many' }
    const now = given.now()
    const row: SubscriptionRow = {
      id,
      caller,
      topics: wanted,
      url,
      host: new URL(url).host,
      origin,
      sealed,
      ...freshProgress(given.events.end(), now),
      created_at: now,
      sealed_old: null,
      old_until: 0,
      stopped_at: null,
      unreported: null,
    }
    return { is: 'new', subscription: shown(given.table.keep(row)), secret }
  }

  async function subscriptions(whose: Whose): Promise<Subscription[]> {
    return [...given.table.all()]
      .filter((row) => whose === null || row.caller === whose)
      .toSorted((a, b) => b.created_at - a.created_at)
      .map(shown)
  }

  async function unsubscribe(id: string, whose: Whose) {
    const row = given.table.get(id, whose)
    if (row) given.table.remove(row.id)
    return row !== undefined
  }

  async function testSubscription(id: string, whose: Whose) {
    const row = live(id, whose)
    if (!row) return undefined
    const event = {
      id: `evt_test_${newToken(16)}`,
      type: 'webhook.test',
      timestamp: isoSeconds(given.now()),
      mode: given.mode(),
      data: testEventData(given.requests.originOf(row), row.id),
    }
    const keyring = await given.keyring()
    const wanted = () => live(id, whose) !== undefined
    const answer = await given.requests.send(row, event, keyring, wanted)
    return answer && { result: answer.result, ms: answer.ms }
  }

  async function renewSecret(id: string, whose: Whose): Promise<string | undefined> {
    const secret = newWebhookSecret()
    const sealed = await (await given.keyring()).seal(SEAL, id, secret)
    const row = live(id, whose)
    if (!row) return undefined
    const now = given.now()
    const until = now + OVERLAP
    const before = olderSecrets(row).filter((one) => one.until > now)
    const older = [{ sealed: row.sealed, until }, ...before].slice(0, MOST_OLDER)
    given.table.keep({
      ...row,
      sealed,
      sealed_old: older.map((one) => one.sealed).join(' '),
      old_until: until,
      old_ends: older.map((one) => one.until),
      // It is lost no more, though nothing is sent before a resume.
      last_result: row.last_result === 'secret_lost' ? null : row.last_result,
    })
    return secret
  }

  async function pauseSubscription(id: string, whose: Whose) {
    const row = live(id, whose)
    if (row?.state !== 'active') return false
    // The one who paused it needs no alert.
    given.table.keep({ ...stopped(row, 'paused', given.now()), unreported: null })
    return true
  }

  async function resumeSubscription(
    id: string,
    whose: Whose,
    after?: number,
  ): Promise<Subscription | 'unknown place' | undefined> {
    const row = live(id, whose)
    if (!row) return undefined
    if (after !== undefined && after > given.events.end()) return 'unknown place'
    const active = resumed(row, after ?? row.cursor, given.now())
    return shown(given.table.keep({ ...row, ...active, stopped_at: null, unreported: null }))
  }

  async function endSubscriptions(caller: string) {
    given.delivery.end(caller)
  }

  function live(id: string, whose: Whose): SubscriptionRow | undefined {
    const row = given.table.get(id, whose)
    return row?.state === 'ended' ? undefined : row
  }

  /** Whether there is room for one more; those that ended first give way. */
  function makeRoom() {
    if (given.table.size < MOST_WEBHOOKS) return true
    const [oldest] = [...given.table.all()]
      .filter(({ state }) => state === 'ended')
      .toSorted((a, b) => (a.stopped_at ?? 0) - (b.stopped_at ?? 0))
    if (oldest) given.table.remove(oldest.id)
    return oldest !== undefined
  }

  function shown({
    id,
    caller,
    topics,
    host,
    state,
    created_at,
    last_ok_at,
    failing_since,
    last_result,
    skipped,
    cursor,
  }: SubscriptionRow): Subscription {
    return {
      id,
      caller,
      topics: [...topics],
      host,
      state,
      created_at,
      last_ok_at,
      failing_since,
      last_result,
      waiting: state === 'ended' ? 0 : given.events.countAfter(topics, cursor, MOST_COUNTED),
      skipped,
    }
  }

  return {
    subscribe,
    subscriptions,
    unsubscribe,
    testSubscription,
    renewSecret,
    pauseSubscription,
    resumeSubscription,
    endSubscriptions,
  }
}
