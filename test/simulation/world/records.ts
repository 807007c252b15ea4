import type { Records } from '../../../src/ports/records.ts'
import { emptyRecords } from '../../fakes/records.ts'
import type { Auditor } from '../auditor/auditor.ts'
import type { Random } from '../random.ts'
import type { Timeline } from '../timeline.ts'
import type { Weather } from '../weather.ts'

/** The records: they fail, lag, and may lose everything without harm to a change. */
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
      ...emptyRecords,
      upsert: (writes) =>
        through(
          () =>
            new Promise((resolve, reject) => {
              const fails = weather.strikes('recordsFail')
              const stores = !fails || random.chance(0.3)
              timeline.after(random.int(5, 300), `${writes.map(({ key }) => key).join()} is written`, () => {
                for (const write of stores ? writes : []) {
                  world.auditor.scan(`the records, ${write.key}`, write)
                  stored.set(write.key, write.value)
                }
                if (fails) reject(new Error('the records do not answer'))
                else resolve()
              })
            }),
        ),
      get: (key) =>
        through(
          () =>
            new Promise((resolve, reject) => {
              const fails = weather.strikes('recordsFail')
              const stale = weather.strikes('recordsStale')
              timeline.after(random.int(2, 60), `${key} is read`, () => {
                const value = stale ? undefined : stored.get(key)
                if (fails) reject(new Error('the records do not answer'))
                else resolve(value === undefined ? undefined : JSON.stringify(value))
              })
            }),
        ),
    }),
  }
  return store
}
