import { eventId, newToken } from '../src/core/crypto/encoding.ts'
import { newWebhookSecret } from '../src/core/crypto/webhook-signature.ts'
import { type HappenedEvent, TOPIC_NAMES, factOf } from '../src/core/domain/events/topics.ts'
import {
  MOST_COUNTED,
  MOST_WEBHOOKS,
  MOST_WEBHOOKS_OF_A_CALLER,
  freshProgress,
  resumed,
} from '../src/core/domain/events/webhook-schedule.ts'
import { calledUrl } from '../src/core/domain/events/webhook-url.ts'
import { DAY } from '../src/core/domain/time/duration.ts'
import { isoSeconds } from '../src/core/domain/time/time.ts'
import type {
  EventPage,
  EventQuery,
  OlderEventQuery,
  LoggedEvent,
  EventLog as EventLogPort,
  NewSubscription,
  Subscribed,
  Subscription,
  Whose,
  Subscriptions,
} from '../src/core/ports/events.ts'
import type { Served } from '../src/practice/adapters/cloudflare/stub.ts'
import type { Env } from '../src/practice/env.ts'
import { testEventData } from '../src/practice/operations/webhooks.ts'
import { providerSyncFrom } from '../src/practice/wiring/objects.ts'
import { type WebhookDelivery, webhookDelivery } from './events/delivery.ts'
import { type WebhookPlatform, webhookPlatform } from './events/platform.ts'
import { SEAL, type WebhookRequests, webhookRequests } from './events/requests.ts'
import {
  type SubscriptionRow,
  SubscriptionTable,
  olderSecrets,
  stopped,
} from './events/subscriptions.ts'
import { EventTable } from './events/table.ts'
import { CopiedObject } from './shared/copied-object.ts'
import { SharedAlarm } from './shared/shared-alarm.ts'

/** How many events a reader that follows the providers gets at once. */
const READ_AT_ONCE = 500
/** How often it is said that someone listens. */
const SAY_LISTENED = DAY / 2

/** How long the secrets before sign, too, and how many: which one a receiver has is not known. */
const OVERLAP = DAY
const MOST_OLDER = 3

interface Sending extends Pick<WebhookPlatform, 'keyring' | 'mode'> {
  requests: WebhookRequests
  delivery: WebhookDelivery
}

/**
 * What happened in the practice, in one object: facts in the order in which the records were
 * written, each once; and the subscriptions to it. It keeps ids, states and times. Its parts have
 * tables of their own, and share the alarm.
 */
export class EventLog extends CopiedObject implements Served<EventLogPort & Subscriptions> {
  readonly #events: EventTable
  readonly #subscriptions: SubscriptionTable
  readonly #alarm: SharedAlarm
  #sendingParts: Sending | undefined
  #listenedAt = -Infinity

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { storage } = ctx
    this.#events = new EventTable(this.sql, storage)
    this.#subscriptions = new SubscriptionTable(this.sql)
    const delivery = {
      dueAt: () => (this.#hasSubscriptions ? this.#sending.delivery.dueAt() : Infinity),
      ring: () => this.#sending.delivery.ring(),
    }
    this.#alarm = new SharedAlarm(storage, [this.#events, delivery])
  }

  /** Where there is none, nothing of what sends is made. */
  get #hasSubscriptions(): boolean {
    return this.#subscriptions.size > 0
  }

  /** What sends to subscriptions, made when it is first needed. */
  get #sending(): Sending {
    return (this.#sendingParts ??= this.#makeSending())
  }

  #makeSending(): Sending {
    const platform = webhookPlatform(this.env)
    const requests = webhookRequests(platform)
    const given = { ...platform, events: this.#events, table: this.#subscriptions, requests }
    const wake = () => this.ctx.waitUntil(this.#alarm.set())
    return { ...platform, requests, delivery: webhookDelivery({ ...given, wake }) }
  }

  /** Appends events, all or none; one that is there already stays as it is. */
  async append(events: readonly HappenedEvent[]) {
    const logged = await Promise.all(events.map(withId))
    const begins = this.#events.append(logged)
    // What the practice does from its first event on is followed at the providers, too.
    if (begins) this.#listened()
    await this.#alarm.set()
  }

  /** A page of events, the newest last. */
  page(query: EventQuery) {
    this.#listened()
    return this.#events.page(query)
  }

  /** A page of events, the newest first. */
  newestFirst(query: OlderEventQuery) {
    this.#listened()
    return this.#events.newestFirst(query)
  }

  /** The events after a place; from the end, where the log has been restored to before it. */
  after(place: number) {
    const query = {
      types: TOPIC_NAMES,
      after: Math.min(place, this.#events.end()),
      limit: READ_AT_ONCE,
    }
    const { events, next } = this.#events.page(query) as EventPage
    const hasSubscribers = [...this.#subscriptions.all()].some(
      ({ stopped_at }) => stopped_at === null,
    )
    return { events, next, isEnd: events.length < READ_AT_ONCE, hasSubscribers }
  }

  async subscribe({ caller, url: asked, topics, origin }: NewSubscription): Promise<Subscribed> {
    const url = calledUrl(asked)
    const id = `wh_${newToken(16)}`
    const secret = newWebhookSecret()
    // Nothing is awaited between the question whether there is one and the answer.
    const sealed = await (await this.#sending.keyring()).seal(SEAL, id, secret)
    const wanted = [...new Set(topics)].toSorted()
    const own = [...this.#subscriptions.all()].filter(
      (row) => row.caller === caller && row.state !== 'ended',
    )
    const same = own.find((row) => row.url === url && row.topics.join() === wanted.join())
    this.#listened()
    if (same) return { is: 'there', subscription: this.#shown(same) }
    if (own.length >= MOST_WEBHOOKS_OF_A_CALLER || !this.#makeRoom()) return { is: 'too many' }
    const now = Date.now()
    const row: SubscriptionRow = {
      id,
      caller,
      topics: wanted,
      url,
      host: new URL(url).host,
      origin,
      sealed,
      ...freshProgress(this.#events.end(), now),
      created_at: now,
      sealed_old: null,
      old_until: 0,
      stopped_at: null,
      unreported: null,
    }
    return { is: 'new', subscription: this.#shown(this.#subscriptions.keep(row)), secret }
  }

  async subscriptions(whose: Whose) {
    // Where events wait for an alarm that was lost, a look at them sets it again.
    await this.#alarm.set()
    return [...this.#subscriptions.all()]
      .filter((row) => whose === null || row.caller === whose)
      .toSorted((a, b) => b.created_at - a.created_at)
      .map((row) => this.#shown(row))
  }

  unsubscribe(id: string, whose: Whose) {
    const row = this.#subscriptions.get(id, whose)
    if (row) this.#subscriptions.remove(row.id)
    return row !== undefined
  }

  async testSubscription(id: string, whose: Whose) {
    const row = this.#live(id, whose)
    if (!row) return undefined
    const { requests, keyring, mode } = this.#sending
    const event = {
      id: `evt_test_${newToken(16)}`,
      type: 'webhook.test',
      timestamp: isoSeconds(Date.now()),
      mode: mode(),
      data: testEventData(requests.originOf(row), row.id),
    }
    const wanted = () => this.#live(id, whose) !== undefined
    const answer = await requests.send(row, event, await keyring(), wanted)
    return answer && { result: answer.result, ms: answer.ms }
  }

  async renewSecret(id: string, whose: Whose) {
    const secret = newWebhookSecret()
    const sealed = await (await this.#sending.keyring()).seal(SEAL, id, secret)
    const row = this.#live(id, whose)
    if (!row) return undefined
    const now = Date.now()
    const until = now + OVERLAP
    const before = olderSecrets(row).filter((one) => one.until > now)
    const older = [{ sealed: row.sealed, until }, ...before].slice(0, MOST_OLDER)
    this.#subscriptions.keep({
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

  pauseSubscription(id: string, whose: Whose) {
    const row = this.#live(id, whose)
    if (row?.state !== 'active') return false
    // The one who paused it needs no alert.
    this.#subscriptions.keep({ ...stopped(row, 'paused', Date.now()), unreported: null })
    return true
  }

  async resumeSubscription(id: string, whose: Whose, after?: number) {
    const row = this.#live(id, whose)
    if (!row) return undefined
    if (after !== undefined && after > this.#events.end()) return 'unknown place'
    const active = resumed(row, after ?? row.cursor, Date.now())
    const kept = { ...row, ...active, stopped_at: null, unreported: null }
    const shown = this.#shown(this.#subscriptions.keep(kept))
    this.#listened()
    await this.#alarm.set()
    return shown
  }

  async endSubscriptions(caller: string) {
    this.#sending.delivery.end(caller)
    await this.#alarm.set()
  }

  #live(id: string, whose: Whose): SubscriptionRow | undefined {
    const row = this.#subscriptions.get(id, whose)
    return row?.state === 'ended' ? undefined : row
  }

  /** Whether there is room for one more; those that ended first give way. */
  #makeRoom() {
    if (this.#subscriptions.size < MOST_WEBHOOKS) return true
    const [oldest] = [...this.#subscriptions.all()]
      .filter(({ state }) => state === 'ended')
      .toSorted((a, b) => (a.stopped_at ?? 0) - (b.stopped_at ?? 0))
    if (oldest) this.#subscriptions.remove(oldest.id)
    return oldest !== undefined
  }

  #shown({
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
      waiting: state === 'ended' ? 0 : this.#events.countAfter(topics, cursor, MOST_COUNTED),
      skipped,
    }
  }

  /**
   * After a restore: nothing is sent but to those that stay. Places that were given since the
   * backup are still before the end.
   */
  async endRestore(stays: readonly string[]) {
    this.#subscriptions.pauseAllBut(stays, Date.now())
    this.sql`UPDATE log SET seq = seq + 1000000 WHERE seq = (SELECT MAX(seq) FROM log)`
    await this.#alarm.set()
  }

  override async alarm() {
    if (this.#hasSubscriptions) await this.#sending.delivery.reseal().catch(() => undefined)
    await this.#alarm.ring()
    if (this.#hasSubscriptions) this.#sending.delivery.moveOn()
  }

  /**
   * Says now and then that someone reads the events or has subscribed: then the providers are
   * looked at more often.
   */
  #listened() {
    const now = Date.now()
    if (now - this.#listenedAt < SAY_LISTENED) return
    this.#listenedAt = now
    const said = providerSyncFrom(this.env).listened()
    this.ctx.waitUntil(said.catch(() => void (this.#listenedAt = -Infinity)))
  }
}

/** An event under the id of its fact. */
async function withId({ repeat, ...event }: HappenedEvent): Promise<LoggedEvent> {
  const fact = factOf({ ...event, ...(repeat !== undefined && { repeat }) })
  return { id: await eventId(fact, event.mode), ...event }
}
