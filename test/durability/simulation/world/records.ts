import type { AuditEntry } from '../../../../src/core/domain/audit/entry.ts'
import type { HappenedEvent } from '../../../../src/core/domain/events/topics.ts'
import type { ClientErasure, Records } from '../../../../src/core/ports/records.ts'
import { alarmClock } from './alarm-clock.ts'
import { WIRING_FILES, builtObject } from './built.ts'
import { type DurableObject, durableObject, type Instance, Reset } from './durable-object.ts'
import { type Database, databaseOf, type SqlKept, type SqlStorage } from './sql-storage.ts'
import type { World } from './world.ts'

/** The methods of durable-objects/records.ts. */
type RecordsMethods = Records & ClientErasure & { alarm(): Promise<void> }

/** Where the outbox of the records delivers to. */
export interface Deliveries {
  put(key: string, value: string): Promise<void>
  delete(key: string): Promise<void>
  eraseFlow(flow: string, clientId: string): Promise<boolean>
  append(entries: readonly AuditEntry[]): Promise<void>
  publish(events: readonly HappenedEvent[]): Promise<void>
}

/** The real object of the records, over a database of its own. */
export interface RecordsObject {
  readonly object: DurableObject<SqlKept, RecordsMethods>
  /** Reads what is stored, without an instance. */
  query: Database['query']
  /** A later version adds to what is stored; returns what lacks what it had added. */
  addLater(): string[]
  close(): void
}

interface Platform {
  ctx: { storage: SqlStorage; waitUntil(task: Promise<unknown>): void }
  env: { RECORDS_KV: Pick<Deliveries, 'put' | 'delete'>; deliveries: Deliveries }
}

/** Stands for src/practice/wiring. */
const WIRING = {
  eraseFlow: ({ deliveries }: Platform['env'], flow: string, clientId: string) =>
    deliveries.eraseFlow(flow, clientId),
  auditFrom: ({ deliveries }: Platform['env']) => deliveries,
  eventLogFrom: ({ deliveries }: Platform['env']) => ({ append: deliveries.publish }),
}

const recordsModule = builtObject<{ Records: new (ctx: unknown, env: unknown) => RecordsMethods }>(
  'records.ts',
  [...WIRING_FILES],
  WIRING,
  ['Date', 'setTimeout', 'clearTimeout'],
)

interface Clock {
  now(): number
  setTimeout(run: () => void, ms: number): () => void
}

/** A new instance of the real class. */
function recordsOver({ ctx, env }: Platform, { now, setTimeout }: Clock): RecordsMethods {
  const { Records } = recordsModule(
    Object.assign(class extends Date {}, { now }),
    setTimeout,
    (callOff: () => void) => callOff(),
  )
  return new Records(ctx, env)
}

export function recordsObject(world: World): RecordsObject {
  const name = 'the records'
  const { auditor, policy, timeline } = world
  const database = databaseOf()

  function construct(instance: Instance<SqlKept>): RecordsMethods {
    database.rewind(instance.value.changes)
    /** An outdated instance ends where it would go on: its first access to storage would end it. */
    const goesOn = (): boolean => {
      try {
        instance.touch()
        return true
      } catch {
        return false
      }
    }
    const out = <T>(send: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) =>
        instance.release(
          () =>
            void send().then(
              (value) => goesOn() && resolve(value),
              (error: unknown) => goesOn() && reject(error),
            ),
        ),
      )
    const deliveries: Deliveries = {
      put: (key, value) => out(() => world.copies.put(key, value)),
      delete: (key) => out(() => world.copies.delete(key)),
      eraseFlow: (flow, clientId) => out(() => world.object(flow).erase(clientId)),
      append: (entries) => out(() => world.audit.append(entries)),
      publish: (events) => out(() => world.events.append(events)),
    }
    const chosen = policy.deliveries?.(deliveries) ?? deliveries
    return recordsOver(
      {
        ctx: {
          storage: database.storage(instance),
          waitUntil(task) {
            instance.tasks += 1
            void task.finally(() => (instance.tasks -= 1))
          },
        },
        env: { RECORDS_KV: chosen, deliveries: chosen },
      },
      {
        now: () => timeline.now + instance.skew,
        setTimeout: (run, ms) =>
          timeline.after(ms, `${name}: patience ends`, () => void (goesOn() && run())),
      },
    )
  }

  const object = durableObject<SqlKept, RecordsMethods>(world, {
    name,
    empty: { changes: 0, alarm: undefined },
    construct,
    becameDurable: (before, after) => clock.set(before.alarm, after.alarm),
    ended: (instance) => clock.ended(instance),
    threw: (error) => {
      if (!(error instanceof Reset)) auditor.report('I19', `${name} threw ${String(error)}`)
    },
  })
  const clock = alarmClock(world, object, (records) => records.alarm())

  return {
    object,
    query(sql, ...values) {
      if (!object.current) database.rewind(object.disk.changes)
      return database.query(sql, ...values)
    },
    addLater() {
      database.rewind(object.disk.changes)
      const { changes, lost } = database.addLater()
      object.persist({ ...object.disk, changes })
      return lost
    },
    close: () => database.close(),
  }
}

const METHODS = [
  'upsert',
  'get',
  'known',
  'under',
  'newest',
  'linkedTo',
  'knowsClient',
  'newestWith',
  'ofClient',
  'keysWithPrefix',
  'registerFlow',
] as const satisfies readonly (keyof Records)[]

/** The port, as an instance reaches it: each call may be lost, on its way there or back. */
export function recordsPort(
  { records, auditor }: World,
  out: <T>(send: () => Promise<T>) => Promise<T>,
): Records {
  const call = (method: keyof Records, args: unknown[]): Promise<unknown> => {
    if (method === 'upsert') auditor.scan('the records', args)
    return out(() =>
      records.object.call(method, (self) =>
        (self[method] as (...given: unknown[]) => unknown)(...args),
      ),
    )
  }
  return Object.fromEntries(
    METHODS.map((method) => [method, (...args: unknown[]) => call(method, args)]),
  ) as unknown as Records
}
