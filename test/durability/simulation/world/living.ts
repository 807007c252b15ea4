import { SECOND } from '../../../../src/core/domain/time/duration.ts'
import type { Random } from '../../../support/random.ts'
import { Reset } from './durable-object.ts'
import { eventStorage } from './event-storage.ts'
import type { LogInstance } from './subscribers.ts'
import type { World } from './world.ts'

/** How long the platform waits before it rings an alarm again whose instance ended. */
const RETRY = 2 * SECOND

interface Making<Methods> {
  watched?: Pick<Parameters<typeof eventStorage>[2], 'appended' | 'keptWebhook'>
  make(ctx: object, one: LogInstance): Methods
}

/** A real object over a storage of its own. */
export interface Living<Methods> extends Pick<
  ReturnType<typeof eventStorage>,
  'query' | 'addLater' | 'close'
> {
  call<T>(method: (self: Methods) => Promise<T>): Promise<T>
  /** Its instance ends; what is on its way may still arrive. */
  end(): void
}

/** Objects over storage of their own, the real ones, whose instances end wherever they wait. */
export function livingIn(
  { timeline, faults, auditor, tally }: World,
  own: Random,
  strength: number,
) {
  return function object<Methods extends { alarm(): Promise<void> }>(
    name: string,
    { watched, make }: Making<Methods>,
  ): Living<Methods> {
    interface Instance extends LogInstance {
      alive: boolean
      readonly self: Methods
      /** Those who wait for an answer. */
      readonly waiting: Set<() => void>
    }
    let current: Instance | undefined
    let ringing: Instance | undefined
    const storage = eventStorage(timeline, name, { ...watched, rings: ring })

    function end(): void {
      if (!current) return
      const ended = current
      timeline.note(`${name} ends`)
      tally.count(`restarts of ${name}`)
      current = undefined
      ended.alive = false
      for (const fail of ended.waiting) fail()
      if (ringing === ended) {
        ringing = undefined
        void storage.alarm.setAlarm(timeline.now + RETRY)
      }
    }

    function instance(): Instance {
      if (current) return current
      const one: LogInstance & { alive: boolean } = {
        alive: true,
        mayEnd() {
          if (one.alive && !faults.cleared && own.chance(0.01 * strength)) end()
        },
        waits: (promise) =>
          new Promise((resolve, reject) => {
            const goesOn = (): boolean => {
              one.mayEnd()
              return one.alive
            }
            promise.then(
              (value) => goesOn() && resolve(value),
              (error: unknown) => goesOn() && reject(error as Error),
            )
          }),
      }
      const self = make({ storage: storage.storageFor(one), waitUntil: () => {} }, one)
      return (current = Object.assign(one, { self, waiting: new Set<() => void>() }))
    }

    function call<T>(method: (self: Methods) => Promise<T>): Promise<T> {
      const { self, waiting } = instance()
      return new Promise((resolve, reject) => {
        const fail = (): void => reject(new Reset('Network connection lost.'))
        waiting.add(fail)
        method(self)
          .finally(() => waiting.delete(fail))
          .then(resolve, reject)
      })
    }

    async function ring(): Promise<void> {
      // The platform runs one handler at a time.
      if (ringing) return storage.alarm.setAlarm(timeline.now + RETRY)
      const one = (ringing = instance())
      try {
        await one.self.alarm()
      } catch (error) {
        auditor.report('I36', `the alarm of ${name} threw ${String(error)}`)
      }
      if (ringing === one) ringing = undefined
    }

    return { call, end, query: storage.query, addLater: storage.addLater, close: storage.close }
  }
}
