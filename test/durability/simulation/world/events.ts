import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { HOUR, MINUTE } from '../../../../src/domain/duration.ts'
import { type HappenedEvent, factOf } from '../../../../src/domain/event-topics.ts'
import { problem } from '../../../../src/domain/problem.ts'
import type { PublishedBooking, SeenBooking } from '../../../../src/domain/provider-changes.ts'
import type { ProviderSources } from '../../../../src/ports/events.ts'
import { PRACTICE } from './ports.ts'
import { EVENT_TYPE, type SimulatedBooking } from './scheduling.ts'
import type { World } from './world.ts'

/** The event log: far away, sometimes out of reach; what it once holds stays, and a fact that it holds is not taken again. */
export interface EventLog {
  /** By their facts, in the order of the log. */
  events: ReadonlyMap<string, HappenedEvent>
  append(events: readonly HappenedEvent[]): Promise<void>
  /** A booking has changed at the provider, whose webhook may be lost, late or doubled. */
  notify(bookingId: string): void
  /** When a webhook about a booking last arrived. */
  notifiedAt(bookingId: string): number | undefined
  /** A webhook about it is still to be followed. */
  isWaiting(bookingId: string): boolean
  published(bookingId: string): PublishedBooking | undefined
}

interface Storage {
  sql: { exec(sql: string, ...values: SQLInputValue[]): { toArray(): unknown[] } }
  transactionSync<T>(work: () => T): T
}

interface Hints {
  add(sender: string, hint: { bookings: string[]; invoices: string[]; links: string[] }, now: number): void
}
interface Following {
  dueAt(): number | undefined
  ring(): Promise<void>
  committed(events: readonly HappenedEvent[], now: number): void
}
interface States {
  booking(bookingId: string): PublishedBooking | undefined
}

// By address, since these are typed by the Workers' types, which do not go together with those of Node.
const load = (path: string): Promise<unknown> => import(new URL(path, import.meta.url).href)
const { ProviderHints } = (await load('../../../../durable-objects/hints.ts')) as {
  ProviderHints: new (storage: Storage) => Hints
}
const { ProviderEvents } = (await load('../../../../durable-objects/provider-events.ts')) as {
  ProviderEvents: new (given: object) => Following
}
const { PublishedStates } = (await load('../../../../durable-objects/published-states.ts')) as {
  PublishedStates: new (sql: Storage['sql']) => States
}

function storageInMemory(): Storage {
  const database = new DatabaseSync(':memory:')
  const statements = new Map<string, StatementSync>()
  return {
    sql: {
      exec(sql, ...values) {
        const statement = statements.get(sql) ?? database.prepare(sql)
        statements.set(sql, statement)
        const rows = statement.all(...values)
        return { toArray: () => rows }
      },
    },
    transactionSync: (work) => work(),
  }
}

/** The log, with the real code that follows what its hints are about. */
export function eventLog(world: World): EventLog {
  const { random, timeline, faults, auditor } = world
  const events = new Map<string, HappenedEvent>()
  const notified = new Map<string, number>()
  const storage = storageInMemory()
  const hints = new ProviderHints(storage)
  const sources = sourcesIn(world)

  const take = (event: HappenedEvent): void => {
    if (events.has(factOf(event))) return
    events.set(factOf(event), event)
    auditor.scan('the event log', event)
    const { booking_id = '', source } = event.data
    if (source !== 'provider') return
    const one = world.scheduling.bookings.get(booking_id)
    const isOurs = event.type === 'booking.cancelled' ? one?.over !== 'by hand' : one?.marker !== undefined
    if (one && isOurs)
      auditor.report('I34', `${factOf(event)} was done here, and is published as the provider’s`)
  }
  const following = new ProviderEvents({
    storage,
    now: () => timeline.now,
    hints,
    sources: () => world.policy.sources?.(sources) ?? sources,
    sendsWebhooks: () => true,
    hasSubscribers: () => false,
    async append(batch: readonly HappenedEvent[], write: () => boolean) {
      await Promise.resolve()
      if (!write()) return false
      for (const event of batch) take(event)
      return true
    },
  })
  const states = new PublishedStates(storage.sql)

  let planned: { at: number; callOff(): void } | undefined
  let ringing = false
  function arm(): void {
    const due = Math.max(following.dueAt() ?? Infinity, timeline.now)
    if (ringing || due === Infinity || (planned && planned.at <= due)) return
    planned?.callOff()
    planned = {
      at: due,
      callOff: timeline.after(due - timeline.now, 'the event log wakes', () => void ring()),
    }
  }
  async function ring(): Promise<void> {
    planned = undefined
    ringing = true
    // As the shared alarm does: what fails is tried again in a minute.
    await following.ring().catch(() => {})
    ringing = false
    arm()
  }

  // Somebody has asked for the events, so the log has begun.
  timeline.after(0, 'the event log begins', arm)

  return {
    events,
    append: (batch) =>
      new Promise((resolve, reject) => {
        const fails = faults.strikes('eventLogFails')
        const appends = !fails || random.chance(0.4)
        timeline.after(random.int(1, 200), 'the event log gets events', () => {
          if (appends) {
            following.committed(batch, timeline.now)
            for (const event of batch) take(event)
            arm()
          }
          if (fails) reject(new Error('the event log does not answer'))
          else resolve()
        })
      }),
    notify(bookingId) {
      if (faults.strikes('hookLost')) return
      for (let times = faults.strikes('hookTwice') ? 2 : 1; times > 0; times--) {
        const delay = faults.strikes('hookLate') ? random.int(MINUTE, 5 * HOUR) : random.int(0, 2000)
        timeline.after(delay, `a webhook names ${bookingId}`, () => {
          notified.set(bookingId, timeline.now)
          hints.add('calendly', { bookings: [bookingId], invoices: [], links: [] }, timeline.now)
          arm()
        })
      }
    },
    notifiedAt: (bookingId) => notified.get(bookingId),
    isWaiting: (bookingId) =>
      storage.sql.exec('SELECT 1 FROM hints WHERE target = ?', bookingId).toArray().length > 0,
    published: (bookingId) => states.booking(bookingId),
  }
}

/** What the log asks, over the objects and the provider of the run. */
function sourcesIn(world: World): ProviderSources {
  const { faults, settings, coordinator } = world
  const seenOf = (one: SimulatedBooking): SeenBooking => ({
    bookingId: one.id,
    eventTypeId: EVENT_TYPE,
    state: one.over ? 'cancelled' : settings.approves ? 'pending_host_approval' : 'confirmed',
    start: one.start,
    end: one.end,
    createdAt: one.madeAt,
    ...(one.movedFrom !== undefined && { movedFrom: one.movedFrom }),
    ...(one.movedTo !== undefined && { movedTo: one.movedTo }),
  })
  const read = <T>(answer: () => T): Promise<T> =>
    new Promise((resolve, reject) =>
      world.timeline.after(world.random.int(1, 300), 'the log reads at the provider', () =>
        faults.strikes('readFails') ? reject(problem('provider_busy')) : resolve(answer()),
      ),
    )
  return {
    practice: PRACTICE,
    scheduling: {
      mode: 'live',
      adapterId: 'calendly',
      seen: (bookingId) =>
        read(() => {
          const one = world.scheduling.bookings.get(bookingId)
          return one && seenOf(one)
        }),
      upcoming: ({ from, to }) =>
        read(() => ({
          bookings: [...world.scheduling.bookings.values()]
            .filter(
              ({ over, start, listedFrom }) =>
                !over && start >= from && start < to && listedFrom <= world.timeline.now,
            )
            .map(seenOf),
          next: undefined,
        })),
    },
    payments: { mode: 'live', seen: () => Promise.resolve(undefined) },
    known: (keys) => world.records.object.call('known', (records) => records.known(keys)),
    async look(lockKeys, bookingId) {
      const holders = await coordinator.call('holders', (rows) => rows.holders(lockKeys))
      const looked = await Promise.all(holders.map((holder) => world.object(holder).look(bookingId ?? '')))
      return looked.includes('busy') ? 'busy' : 'idle'
    },
  }
}
