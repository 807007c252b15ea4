import type { AuditEntry } from '../../../../src/ports/audit.ts'
import type { Auditor } from '../auditor/auditor.ts'
import type { Surroundings } from './durable-object.ts'

/** The audit log: far away, sometimes out of reach; what it once holds stays. */
export interface AuditLog {
  entries: ReadonlyMap<string, AuditEntry>
  append(entries: readonly AuditEntry[]): Promise<void>
}

export function auditLog(world: Surroundings & { auditor: Auditor }): AuditLog {
  const { random, timeline, faults } = world
  const entries = new Map<string, AuditEntry>()
  return {
    entries,
    append: (batch) =>
      new Promise((resolve, reject) => {
        const fails = faults.strikes('auditLogFails')
        const appends = !fails || random.chance(0.4)
        timeline.after(random.int(1, 200), 'the audit log gets entries', () => {
          if (appends) {
            for (const entry of batch) {
              const name = `${entry.at} ${entry.id}`
              if (entries.has(name)) continue
              entries.set(name, entry)
              world.auditor.scan('the audit log', entry)
            }
          }
          if (fails) reject(new Error('the audit log does not answer'))
          else resolve()
        })
      }),
  }
}
