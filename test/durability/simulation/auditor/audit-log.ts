import type { AuditLeaf } from '../../../../src/core/domain/audit/leaf.ts'
import { operationIdOf } from '../world/cloudflare.ts'
import type { Ledger } from './ledger.ts'

const KINDS = new Set<string>(['preview', 'approval', 'commit'])

/** Once all has come to rest: the audit log has one entry for each change that became durable. */
export function judgeAuditLog(
  { generations, report }: Ledger,
  entries: readonly Pick<AuditLeaf, 'event' | 'operation_id' | 'times'>[],
): void {
  const expected = new Map<string, number>()
  const count = (counts: Map<string, number>, name: string, by = 1) =>
    counts.set(name, (counts.get(name) ?? 0) + by)
  for (const { object: name, end, decisions, lifted } of generations.values()) {
    const object = operationIdOf(name)
    count(expected, `preview ${object}`, lifted ? 2 : 1)
    if (decisions > 0) count(expected, `approval ${object}`, decisions)
    if (end !== undefined) count(expected, `commit ${object}`)
  }
  const found = new Map<string, number>()
  for (const { event, operation_id, times } of entries)
    if (KINDS.has(event)) count(found, `${event} ${operation_id}`, times)
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    const [wanted, there] = [expected.get(name) ?? 0, found.get(name) ?? 0]
    if (wanted !== there)
      report('I25', `${name}: ${wanted} became durable, and the audit log has ${there}`)
  }
}
