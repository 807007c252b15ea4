import { createHash, createHmac } from 'node:crypto'

import type {
  PublishedBooking,
  PublishedLink,
} from '../../../../src/core/domain/events/provider-changes.ts'
import {
  type HappenedEvent,
  type Topic,
  factOf,
} from '../../../../src/core/domain/events/topics.ts'
import { HOUR, MINUTE } from '../../../../src/core/domain/time/duration.ts'
import * as time from '../../../../src/core/domain/time/time.ts'
import type {
  EventLog as EventLogPort,
  LoggedEvent,
  Subscriptions,
} from '../../../../src/core/ports/events.ts'
import type { ProviderSources, ProviderSync } from '../../../../src/core/ports/provider-sync.ts'
import { shownEvent } from '../../../../src/practice/operations/events.ts'
import { noQuota } from '../../../support/fakes/provider-quota.ts'
import { type Random, randomFrom } from '../../../support/random.ts'
import { subscriptionsLedger } from '../auditor/subscriptions.ts'
import { WIRING_FILES, builtObject } from './built.ts'
import { type Living, livingIn } from './living.ts'
import { sourcesIn } from './provider-sources.ts'
import type { SimulatedBooking } from './scheduling.ts'
import {
  type LogInstance,
  type SubscriptionRow,
  type WebhookPlatform,
  subscribers,
} from './subscribers.ts'
import type { World } from './world.ts'

/** The event log, the real one: far away, sometimes out of reach; what it once holds stays, whatever becomes of its instances. */
export interface EventLog {
  /** By their facts, in the order of the log. */
  events: ReadonlyMap<string, HappenedEvent>
  append(events: readonly HappenedEvent[]): Promise<void>
  /** A booking or an invoice has changed at its provider, whose webhook may be lost, late or doubled. */
  notify(target: string): void
  /** When a webhook about a booking last arrived. */
  notifiedAt(bookingId: string): number | undefined
  /** A webhook about it is still to be followed. */
  isWaiting(target: string): boolean
  published(bookingId: string): PublishedBooking | undefined
  publishedLinks(): PublishedLink[]
  /** Its instance ends; what is on its way may still arrive. */
  restart(): void
  /** A later version adds to what is stored; returns what lacks what it had added. */
  addLater(): string[]
  /** Faults have stopped: endpoints are well, and paused callers go on. */
  calm(): void
  /** All has come to rest: what was subscribed to has arrived. */
  judgeWebhooks(): void
  close(): void
}

/** What is used of durable-objects/event-log.ts. */
interface Methods extends Subscriptions, Pick<EventLogPort, 'after'> {
  append(events: readonly HappenedEvent[]): Promise<void>
  alarm(): Promise<void>
}

/** What is used of durable-objects/provider-sync.ts. */
interface SyncMethods extends Pick<ProviderSync, 'notify' | 'keepWebhookWorks' | 'listened'> {
  alarm(): Promise<void>
}

/** What the two objects know of the platform and of each other. */
interface Env {
  webhooks?: WebhookPlatform
  sources?: ProviderSources
  log?: Pick<EventLogPort, 'append' | 'after'>
  sync?: Pick<ProviderSync, 'listened'>
}

/** Stands for src/practice/wiring and what else knows the platform. */
const WIRING = {
  webhookPlatform: ({ webhooks }: Env) => webhooks,
  providerSourcesFrom: ({ sources }: Env) => sources,
  eventLogFrom: ({ log }: Env) => log,
  providerSyncFrom: ({ sync }: Env) => sync,
  providerQuotaFrom: () => noQuota,
  // Nothing is restored here, so nothing is found after a restore, which alone is audited.
  auditFrom: () => ({ append: () => Promise.reject(new Error('nothing is restored here')) }),
  // Nothing is registered with a provider here.
  settingsFrom: () => ({ isLive: false }),
  ensureProviderWebhooks: () => Promise.reject(new Error('nothing is registered here')),
  // Without a clock of their own, so each run can use the same ones.
  shownEvent,
  ...time,
}

const EXTERNAL = [
  ...WIRING_FILES,
  '*/settings.ts',
  '*/events/platform.ts',
  '*/provider-sync/registering.ts',
  '*/operations/events.ts',
  '*/time.ts',
]
const GIVEN = ['Date', 'crypto', 'setTimeout', 'clearTimeout']
type Made<Object> = new (ctx: unknown, env: Env) => Object
const eventLogModule = builtObject<{ EventLog: Made<Methods> }>(
  'event-log.ts',
  EXTERNAL,
  WIRING,
  GIVEN,
)
const syncModule = builtObject<{ ProviderSync: Made<SyncMethods> }>(
  'provider-sync.ts',
  EXTERNAL,
  WIRING,
  GIVEN,
)

/** All at once, so that a run does not depend on the machine's threads. */
const cryptoOf = (own: Random) => ({
  subtle: {
    digest: async (_name: string, bytes: Uint8Array) => createHash('sha256').update(bytes).digest(),
    importKey: async (_format: string, bytes: Uint8Array) => bytes,
    sign: async (_name: string, key: Uint8Array, bytes: Uint8Array) =>
      createHmac('sha256', key).update(bytes).digest(),
  },
  getRandomValues: (bytes: Uint8Array) => {
    bytes.set(own.bytes(bytes.length))
    return bytes
  },
  randomUUID: () => own.bytes(16).toString('hex'),
})

/** The log. It has chance of its own for its instances and its subscribers. */
export function eventLog(world: World, seed: number): EventLog {
  const { random, timeline, faults, auditor } = world
  const own = randomFrom(seed ^ 0x6576)
  const strength = own.weighted([
    [1, 0],
    [3, 0.5],
    [4, 1],
    [2, 2],
  ])
  const events = new Map<string, HappenedEvent>()
  const places = new Map<string, number>()
  const notified = new Map<string, number>()
  const ledger = subscriptionsLedger(auditor)
  const given = [
    Object.assign(class extends Date {}, { now: () => timeline.now }),
    cryptoOf(own),
    (run: () => void, ms: number) =>
      timeline.after(ms, 'the event log waits no longer', run, 'aside'),
    (callOff: () => void) => callOff(),
  ]
  const { EventLog } = eventLogModule(...given)
  const { ProviderSync } = syncModule(...given)

  const take = (event: LoggedEvent, place: number): void => {
    const fact = factOf(event)
    events.set(events.has(fact) ? `${fact}|${place}` : fact, event)
    places.set(event.id, place)
    ledger.appended(place, event.type)
    auditor.scan('the event log', event)
    const { booking_id = '', source } = event.data
    if (source === 'provider') {
      const one = world.scheduling.bookings.get(booking_id)
      if (one && isDoneHere(event.type, one))
        auditor.report('I34', `${fact} was done here, and is published as the provider’s`)
    }
    people.appended()
  }

  const object = livingIn(world, own, strength)
  const log: Living<Methods> = object<Methods>('the event log', {
    watched: {
      appended: (event, place) => take(event as LoggedEvent, place),
      keptWebhook: (id, row) => people.kept(id, row as SubscriptionRow),
    },
    make: (ctx, one) =>
      new EventLog(ctx, {
        webhooks: people.platform(one),
        sync: { listened: () => one.waits(sync.call((other) => other.listened())) },
      }),
  })
  const sync: Living<SyncMethods> = object<SyncMethods>('provider sync', {
    make: (ctx, one) =>
      new ProviderSync(ctx, {
        sources: sourcesFor(one),
        log: {
          append: (batch) => one.waits(log.call((other) => other.append(batch))),
          after: (place) => one.waits(log.call(async (other) => other.after(place))),
        },
      }),
  })
  const rows = () =>
    log
      .query('SELECT id, row FROM webhooks')
      .map(({ id, row }) => ({ ...(JSON.parse(String(row)) as SubscriptionRow), id: String(id) }))
  const people = subscribers({
    world,
    own,
    ledger,
    strength,
    call: log.call,
    rows,
    placeOf: (id) => places.get(id),
    restart: log.end,
  })
  const sources = sourcesIn(world)
  const chosen = world.policy.sources?.(sources) ?? sources
  const sourcesFor = ({ waits }: LogInstance): ProviderSources => ({
    ...chosen,
    scheduling: {
      ...chosen.scheduling,
      seen: (id) => waits(chosen.scheduling.seen(id)),
      upcoming: (window, place) => waits(chosen.scheduling.upcoming(window, place)),
    },
    payments: { ...chosen.payments, seen: (id) => waits(chosen.payments.seen(id)) },
    known: (keys) => waits(chosen.known(keys)),
    look: (lockKeys, bookingId) => waits(chosen.look(lockKeys, bookingId)),
  })

  // The provider sends webhooks from the beginning, and someone has subscribed.
  function begin(): void {
    timeline.after(0, 'the event log begins', () =>
      sync.call((one) => one.keepWebhookWorks('calendly', true)).then(people.begin, begin),
    )
  }
  begin()

  return {
    events,
    append: (batch) =>
      new Promise((resolve, reject) => {
        const fails = faults.strikes('eventLogFails')
        const appends = !fails || random.chance(0.4)
        timeline.after(random.int(1, 200), 'the event log gets events', () => {
          const appended = appends ? log.call((one) => one.append(batch)) : Promise.resolve()
          if (fails) reject(new Error('the event log does not answer'))
          appended.then(resolve, reject)
        })
      }),
    notify(target) {
      if (faults.strikes('notificationLost')) return
      for (let times = faults.strikes('notificationTwice') ? 2 : 1; times > 0; times--) {
        const delay = faults.strikes('notificationLate')
          ? random.int(MINUTE, 5 * HOUR)
          : random.int(0, 2000)
        timeline.after(delay, `a webhook names ${target}`, () => {
          const at = timeline.now
          const isInvoice = target.startsWith('in_')
          const [bookings, invoices] = isInvoice ? [[], [target]] : [[target], []]
          sync
            .call((one) =>
              one.notify(isInvoice ? 'stripe' : 'calendly', { bookings, invoices, links: [] }),
            )
            .then(
              () => notified.set(target, at),
              () => {},
            )
        })
      }
    },
    notifiedAt: (bookingId) => notified.get(bookingId),
    isWaiting: (target) =>
      sync.query('SELECT 1 FROM notifications WHERE target = ?', target).length > 0,
    published(bookingId) {
      const [row] = sync.query(
        'SELECT published FROM provider_states WHERE resource = ?',
        `booking:${bookingId}`,
      )
      return row && (JSON.parse(String(row['published'])) as PublishedBooking)
    },
    publishedLinks: () =>
      sync
        .query('SELECT published FROM provider_states WHERE invoice IS NOT NULL')
        .map(({ published }) => JSON.parse(String(published)) as PublishedLink),
    restart() {
      log.end()
      sync.end()
    },
    addLater: () => [...log.addLater(), ...sync.addLater()],
    calm: people.calm,
    judgeWebhooks: () => ledger.atRest(new Map(rows().map(({ id, state }) => [id, state]))),
    close() {
      log.close()
      sync.close()
    },
  }
}

/** Whether what an event says of a booking was done here, as the provider knows it. */
function isDoneHere(type: Topic, { over, answeredBy, marker }: SimulatedBooking): boolean {
  switch (type) {
    case 'booking.cancelled':
      return over !== 'by hand'
    case 'booking.confirmed':
      return answeredBy !== 'by hand'
    case 'booking.no_show':
      return false
    default:
      return marker !== undefined
  }
}
