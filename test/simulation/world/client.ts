import { Erasure } from '../../../src/confirm/erasure.ts'
import type { ErasureHost } from '../../../src/confirm/erasure-host.ts'
import type { Kept } from '../auditor/records.ts'
import { type AlarmClock, alarmClock } from './alarm-clock.ts'
import { type DurableObject, durableObject, type Life, Reset } from './durable-object.ts'
import type { World } from './world.ts'

/** What the object of a deleted client keeps. */
export interface ClientKept {
  kv: ReadonlyMap<string, unknown>
  alarm: Kept['alarm']
}

/** One client object: what durable-objects/client.ts is around the real `Erasure`. */
export function clientObject(world: World, clientId: string): DurableObject<ClientKept, Erasure> {
  const name = `the erasure of ${clientId.slice(0, 8)}`
  const object: DurableObject<ClientKept, Erasure> = durableObject<ClientKept, Erasure>(world, {
    name,
    empty: { kv: new Map(), alarm: undefined },
    construct(life) {
      const host = hostIn(world, life)
      return new Erasure(world.policy.erasure?.(host) ?? host)
    },
    becameDurable: (before, after) => clock.set(before.alarm, after.alarm),
    ended: (life) => clock.ended(life),
    threw: (error) => {
      // A deletion that could not be decided says so.
      if (!(error instanceof Reset) && !/register cannot be reached/.test(String(error)))
        world.auditor.report('I19', `${name} threw ${String(error)}`)
    },
  })
  const clock: AlarmClock<ClientKept> = alarmClock(world, object, (erasure) => erasure.alarm())
  return object
}

function hostIn(world: World, life: Life<ClientKept>): ErasureHost {
  const out = <T>(send: () => Promise<T>): Promise<T> =>
    life.own(new Promise<T>((resolve, reject) => life.release(() => void send().then(resolve, reject))))
  const change = (edit: (kv: Map<string, unknown>) => unknown): void => {
    const kv = new Map(life.value.kv)
    edit(kv)
    life.write({ ...life.value, kv })
  }
  return {
    now: () => world.timeline.now + life.skew,
    kv: {
      get<T>(key: string) {
        life.touch()
        return life.value.kv.get(key) as T | undefined
      },
      put: (key, value) => change((kv) => kv.set(key, value)),
      delete: (key) => change((kv) => kv.delete(key)),
      list({ prefix, limit = Infinity, startAfter = '' }) {
        life.touch()
        const found = [...life.value.kv].filter(([key]) => key.startsWith(prefix) && key > startAfter)
        return found.sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, limit)
      },
    },
    setAlarm: (at) => life.write({ ...life.value, alarm: at === undefined ? undefined : { at } }),
    register: {
      eraseClient: (clientId) =>
        out(() => world.register.call('erase', (register) => register.eraseClient(clientId))),
      release: (clientId) =>
        out(() => world.register.call('release', (register) => register.release(clientId))),
    },
    records: world.records.kv(out),
    eraseIn: (flow, clientId) => out(() => world.object(flow).erase(clientId)),
    restOf: (flow) => out(() => world.object(flow).rest()),
    append: (entries) => out(() => world.audit.append(entries)),
  }
}
