import { type HappenedEvent, factOf } from '../../../../src/domain/event-topics.ts'
import type { Auditor } from '../auditor/auditor.ts'
import type { Surroundings } from './durable-object.ts'

/** The event log: far away, sometimes out of reach; what it once holds stays, and a fact that it holds is not taken again. */
export interface EventLog {
  /** By their facts, in the order of the log. */
  events: ReadonlyMap<string, HappenedEvent>
  append(events: readonly HappenedEvent[]): Promise<void>
}

export function eventLog(world: Surroundings & { auditor: Auditor }): EventLog {
  const { random, timeline, faults } = world
  const events = new Map<string, HappenedEvent>()
  return {
    events,
    append: (batch) =>
      new Promise((resolve, reject) => {
        const fails = faults.strikes('eventLogFails')
        const appends = !fails || random.chance(0.4)
        timeline.after(random.int(1, 200), 'the event log gets events', () => {
          if (appends) {
            for (const event of batch) {
              if (events.has(factOf(event))) continue
              events.set(factOf(event), event)
              world.auditor.scan('the event log', event)
            }
          }
          if (fails) reject(new Error('the event log does not answer'))
          else resolve()
        })
      }),
  }
}
