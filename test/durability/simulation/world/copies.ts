import { HOUR, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import type { Auditor } from '../auditor/auditor.ts'
import type { Surroundings } from './durable-object.ts'

/** The copies of the records in Workers KV: a request may fail, be carried out all the same, or land much later. */
export interface Copies {
  stored: ReadonlyMap<string, string>
  /** All copies were lost at some time. */
  wiped: boolean
  put(key: string, value: string): Promise<void>
  delete(key: string): Promise<void>
  wipe(): void
}

export function copiesInKv(world: Surroundings & { auditor: Auditor }): Copies {
  const { auditor, random, timeline, faults } = world
  const stored = new Map<string, string>()

  function ask(what: string, act: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (faults.strikes('copiesLate')) {
        // Less than the day after which an erasure is repeated for the last time.
        const late = random.int(SECOND, random.pick([30 * SECOND, 50 * MINUTE, 20 * HOUR]))
        return void timeline.after(late, `${what}, late`, act)
      }
      const fails = faults.strikes('copiesFail')
      const acts = !fails || random.chance(0.3)
      timeline.after(random.int(2, 300), what, () => {
        if (acts) act()
        if (fails) reject(new Error('KV does not answer'))
        else resolve()
      })
    })
  }

  const copies: Copies = {
    stored,
    wiped: false,
    put: (key, value) =>
      ask(`the copy of ${key} is put`, () => {
        auditor.scan(`the copy of ${key}`, key)
        auditor.scan(`the copy of ${key}`, value)
        stored.set(key, value)
      }),
    delete: (key) => ask(`the copy of ${key} is deleted`, () => void stored.delete(key)),
    wipe() {
      stored.clear()
      copies.wiped = true
    },
  }
  return copies
}
