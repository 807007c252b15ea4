import type { Records } from '../../../src/ports/index.ts'
import type { Auditor } from '../auditor/auditor.ts'
import type { Random } from '../random.ts'
import type { Timeline } from '../timeline.ts'
import type { Weather } from '../weather.ts'

/** Workers KV: fails, lags, and may lose everything without harm. */
export interface RecordStore {
  stored: Map<string, unknown>
  wiped: boolean
  port(through: <T>(send: () => Promise<T>) => Promise<T>): Records
  wipe(): void
}

export function recordStore(world: {
  auditor: Auditor
  random: Random
  timeline: Timeline
  weather: Weather
}): RecordStore {
  const { random, timeline, weather } = world
  const stored = new Map<string, unknown>()
  const store: RecordStore = {
    stored,
    wiped: false,
    wipe() {
      stored.clear()
      store.wiped = true
    },
    port: (through) => ({
      put: (key, value) =>
        through(
          () =>
            new Promise((resolve, reject) => {
              const fails = weather.strikes('recordsFail')
              const stores = !fails || random.chance(0.3)
              timeline.after(random.int(5, 300), `${key} is put`, () => {
                if (stores) {
                  world.auditor.scan(`the records, ${key}`, key)
                  world.auditor.scan(`the records, ${key}`, value)
                  stored.set(key, value)
                }
                if (fails) reject(new Error('KV PUT failed'))
                else resolve()
              })
            }),
        ),
      keys: async (prefix) => [...stored.keys()].filter((key) => key.startsWith(prefix)),
      get: (key) =>
        through(
          () =>
            new Promise((resolve, reject) => {
              const fails = weather.strikes('recordsFail')
              const stale = weather.strikes('recordsStale')
              timeline.after(random.int(2, 60), `${key} is read`, () => {
                if (fails) reject(new Error('KV GET failed'))
                else resolve(stale ? null : (stored.get(key) ?? null))
              })
            }),
        ),
    }),
  }
  return store
}
