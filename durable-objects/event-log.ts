import { eventId } from '../src/core/crypto/encoding.ts'
import { type HappenedEvent, TOPIC_NAMES, factOf } from '../src/core/domain/events/topics.ts'
import { DAY } from '../src/core/domain/time/duration.ts'
import type {
  EventPage,
  EventsAfter,
  EventQuery,
  OlderEventQuery,
  OlderEvents,
  LoggedEvent,
  EventLog as EventLogPort,
  NewSubscription,
  Whose,
  Subscriptions,
} from '../src/core/ports/events.ts'
import type { Served } from '../src/practice/adapters/cloudflare/stub.ts'
import type { Env } from '../src/practice/env.ts'
import { providerSyncFrom } from '../src/practice/wiring/objects.ts'
import { type WebhookDelivery, webhookDelivery } from './events/delivery.ts'
import { webhookPlatform } from './events/platform.ts'
import { webhookRequests } from './events/requests.ts'
import { SubscriptionTable } from './events/subscriptions.ts'
import { EventTable } from './events/table.ts'
import { webhooksWith } from './events/webhooks.ts'
import { CopiedObject } from './shared/copied-object.ts'
import { SharedAlarm } from './shared/shared-alarm.ts'

/** How many events a reader that follows the providers gets at once. */
const READ_AT_ONCE = 500
/** How often it is said that someone listens. */
const SAY_LISTENED = DAY / 2

interface Sending {
  delivery: WebhookDelivery
  webhooks: Subscriptions
}

/**
 * What happened in the practice, in one object: facts in the order in which the records were
 * written, each once. It keeps ids, states and times. Its parts have tables of their own, and share
 * the alarm.
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
    const delivery = webhookDelivery({ ...given, wake })
    return { delivery, webhooks: webhooksWith({ ...given, delivery }) }
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
  page(query: EventQuery): EventPage | 'unknown place' {
    this.#listened()
    return this.#events.page(query)
  }

  /** A page of events, the newest first. */
  newestFirst(query: OlderEventQuery): OlderEvents {
    this.#listened()
    return this.#events.newestFirst(query)
  }

  /** The events after a place; from the end, where the log has been restored to before it. */
  after(place: number): EventsAfter {
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

  async subscribe(wanted: NewSubscription) {
    const subscribed = await this.#sending.webhooks.subscribe(wanted)
    this.#listened()
    return subscribed
  }

  async subscriptions(whose: Whose) {
    // Where events wait for an alarm that was lost, a look at them sets it again.
    await this.#alarm.set()
    return this.#sending.webhooks.subscriptions(whose)
  }

  unsubscribe(id: string, whose: Whose) {
    return this.#sending.webhooks.unsubscribe(id, whose)
  }

  testSubscription(id: string, whose: Whose) {
    return this.#sending.webhooks.testSubscription(id, whose)
  }

  renewSecret(id: string, whose: Whose) {
    return this.#sending.webhooks.renewSecret(id, whose)
  }

  pauseSubscription(id: string, whose: Whose) {
    return this.#sending.webhooks.pauseSubscription(id, whose)
  }

  async resumeSubscription(id: string, whose: Whose, after?: number) {
    const resumed = await this.#sending.webhooks.resumeSubscription(id, whose, after)
    this.#listened()
    await this.#alarm.set()
    return resumed
  }

  async endSubscriptions(caller: string) {
    await this.#sending.webhooks.endSubscriptions(caller)
    await this.#alarm.set()
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
