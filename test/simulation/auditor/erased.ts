import type { FlowRecord } from '../../../src/confirm/record.ts'
import { clientKey, intakePrefix } from '../../../src/domain/client.ts'
import type { World } from '../world/world.ts'

/** Whatever a record tells of a client; the audit log may know that there was one. */
const toldBy = ({ outbox, ...record }: FlowRecord): string =>
  JSON.stringify([record, outbox?.items.filter(({ kind }) => kind === 'record')])

/** All has come to rest: of a client that was deleted nothing is left anywhere. */
export function judgeErased({ auditor, clients, objects, records, register }: World): void {
  for (const [clientId, state] of auditor.ledger.deletions) {
    const kept = clients.get(clientId)?.disk
    const deletion = kept?.kv.get('deletion') as { pass: number; by?: object } | undefined
    const left = (where: string) =>
      auditor.report('I27', `${clientId} was deleted, and something is left in ${where}`)
    if (!deletion) {
      if (state === 'decided') auditor.report('I27', `the deletion of ${clientId} was forgotten`)
      continue
    }
    if (deletion.pass < 3 || deletion.by || kept?.alarm)
      auditor.report('I18', `the erasure of ${clientId} does not come to its end`)
    const mark = records.stored.get(clientKey(clientId))
    if (mark !== undefined && mark !== '{"deleted":true}') left('the records')
    if ([...records.stored.keys()].some((key) => key.startsWith(intakePrefix(clientId)))) left('the records')
    for (const [key, { value, ties }] of register.disk.entries) {
      if (key === clientKey(clientId) && ties.length > 0) left('the ties of the register')
      if (key.includes(`:${clientId}`) && value !== null) left('the register')
    }
    for (const { name, disk } of objects.values())
      if (disk.record && toldBy(disk.record).includes(clientId)) left(name)
  }
}
