import type { AuditEntry } from '../../../../src/ports/audit.ts'
import type { Auditor } from '../auditor/auditor.ts'
import type { Surroundings } from './durable-object.ts'

/** The trail: far away, sometimes out of reach, and what it once holds stays. */
export interface AuditTrail {
  entries: ReadonlyMap<string, AuditEntry>
  append(entries: readonly AuditEntry[]): Promise<void>
}

export function auditTrail(world: Surroundings & { auditor: Auditor }): AuditTrail {
  const { random, timeline, weather } = world
  const entries = new Map<string, AuditEntry>()
  return {
    entries,
    append: (batch) =>
      new Promise((resolve, reject) => {
        const fails = weather.strikes('trailFails')
        const appends = !fails || random.chance(0.4)
        timeline.after(random.int(1, 200), 'the trail is told', () => {
          if (appends) {
            for (const entry of batch) {
              const name = `${entry.at} ${entry.id}`
              if (entries.has(name)) continue
              entries.set(name, entry)
              world.auditor.scan('the trail', entry)
            }
          }
          if (fails) reject(new Error('the trail does not answer'))
          else resolve()
        })
      }),
  }
}
