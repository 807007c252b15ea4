import type { Auditor } from '../auditor/auditor.ts'
import type { Random } from '../random.ts'
import type { Timeline } from '../timeline.ts'
import type { Weather } from '../weather.ts'

interface Asked {
  prefix: string
  limit?: number
  cursor?: string
}
type Page = { keys: { name: string }[] } & (
  | { list_complete: true }
  | { list_complete: false; cursor: string }
)

/** What is used of a namespace of Workers KV. */
export interface Kv {
  put(key: string, value: string): Promise<void>
  get(key: string, type: 'json'): Promise<unknown>
  delete(key: string): Promise<void>
  list(asked: Asked): Promise<Page>
}

/** Workers KV: fails, lags, and may lose everything without harm. */
export interface RecordStore {
  stored: Map<string, string>
  wiped: boolean
  kv(through: <T>(send: () => Promise<T>) => Promise<T>): Kv
  wipe(): void
}

export function recordStore(world: {
  auditor: Auditor
  random: Random
  timeline: Timeline
  weather: Weather
}): RecordStore {
  const { random, timeline, weather } = world
  const stored = new Map<string, string>()

  /** A request to it; one that writes and fails may have been carried out. */
  function ask<T>(what: string, most: number, act: () => T, writes: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const fails = weather.strikes('recordsFail')
      const acts = !fails || (writes && random.chance(0.3))
      timeline.after(random.int(2, most), what, () => {
        const done = acts ? { value: act() } : undefined
        if (fails || !done) reject(new Error('KV does not answer'))
        else resolve(done.value)
      })
    })
  }

  const store: RecordStore = {
    stored,
    wiped: false,
    wipe() {
      stored.clear()
      store.wiped = true
    },
    kv: (through) => ({
      put: (key, value) =>
        through(() => {
          const act = (): void => {
            world.auditor.scan(`the records, ${key}`, key)
            world.auditor.scan(`the records, ${key}`, value)
            stored.set(key, value)
          }
          return ask(`${key} is put`, 300, act, true)
        }),
      get: (key) =>
        through(() => {
          const stale = weather.strikes('recordsStale')
          const value = (): unknown => {
            const text = stale ? undefined : stored.get(key)
            return text === undefined ? null : (JSON.parse(text) as unknown)
          }
          return ask(`${key} is read`, 60, value, false)
        }),
      delete: (key) => through(() => ask(`${key} is deleted`, 300, () => void stored.delete(key), true)),
      list: ({ prefix, limit = 1000, cursor = '' }) =>
        through(() => {
          const stale = weather.strikes('recordsStale')
          const page = (): Page => {
            const names = [...stored.keys()].filter((key) => key.startsWith(prefix) && key > cursor).sort()
            const shown = stale ? [] : names.slice(0, limit)
            const keys = shown.map((name) => ({ name }))
            return stale || names.length <= limit
              ? { keys, list_complete: true }
              : { keys, list_complete: false, cursor: shown.at(-1)! }
          }
          return ask(`the records ${prefix} are listed`, 60, page, false)
        }),
    }),
  }
  return store
}
