import type { FlowRecord } from '../../../../src/core/confirm/record.ts'
import { recordKey } from '../../../../src/core/domain/records.ts'
import type { World } from '../world/world.ts'

/** All that a flow keeps and that may name a client; the audit log may know that there was one. */
const keptIn = ({ outbox, ...record }: FlowRecord): string =>
  JSON.stringify([record, outbox?.items.filter(({ kind }) => kind === 'record')])

/** Every place in the database of the records that may name a client; an erased record keeps its key. */
const PLACES = {
  records: 'SELECT key, value FROM records WHERE value IS NOT NULL',
  'the links': 'SELECT key, link FROM links JOIN records USING (seq)',
  'the references to flows': 'SELECT client FROM flow_refs',
  'the outbox of the records': "SELECT key, detail FROM outbox WHERE kind <> 'audit'",
}

/** All has come to rest: of a client that was deleted nothing is left anywhere, but that it was deleted. */
export function judgeErased({ auditor, audit, copies, objects, records }: World): void {
  for (const [clientId, state] of auditor.ledger.deletions) {
    const key = recordKey('client', clientId)
    const [kept] = records.query('SELECT value FROM records WHERE key = ?', key)
    if (kept?.['value'] !== null) {
      if (state === 'decided') auditor.report('I27', `the deletion of ${clientId} was forgotten`)
      continue
    }
    const names = (rows: unknown) => JSON.stringify(rows).includes(clientId)
    const left = (where: string) =>
      auditor.report('I27', `${clientId} was deleted, and something is left in ${where}`)
    for (const [place, sql] of Object.entries(PLACES)) if (names(records.query(sql))) left(place)
    if (names([...copies.stored])) left('the copies')
    for (const { name, disk } of objects.values())
      if (disk.record && keptIn(disk.record).includes(clientId)) left(name)
    const logged = audit
      .entries()
      .filter(({ event, record_id }) => event === 'deletion' && record_id === clientId)
    if (logged.length !== 1)
      auditor.report(
        'I25',
        `the deletion of ${clientId} is ${logged.length} times in the audit log`,
      )
  }
}
