import type { Refusal } from '../domain/problem.ts'
import type { FlowRecord, Previewed } from './record.ts'
import { type Transition, update } from './events.ts'

/** Somebody's data is erased: a record about them forgets what it showed, answered and had still to deliver. */
export function onClientErased(record: FlowRecord, subject: string, refusal: Refusal): Transition {
  if (record.subject !== subject) return { record }
  // Nothing was done yet under this key.
  if (record.state === 'previewed')
    return record.outbox ? emptied(record) : { record: undefined, command: 'forget' }
  // While it runs its preview is needed; what has a subject ends with the commit itself.
  if (record.state === 'running') return { record }
  const { outbox, need: _need, ...kept } = record
  const items = outbox?.items.filter(({ kind }) => kind === 'audit') ?? []
  // Without the nonce nobody can test a guess against the digest.
  const gone = { id: '', digest: '', subject: null, recordId: null }
  const empty = { ...kept, ...gone, answer: { is: 'refused', refusal } as const }
  return update(outbox && items.length > 0 ? { ...empty, outbox: { ...outbox, items } } : empty, {})
}

/** A preview with entries that the audit log does not have yet shows nothing any more, and is forgotten once it has them. */
function emptied({ voidedBy: _spent, need: _need, lifted: _lifted, ...kept }: Previewed): Transition {
  const shown = { preview: {}, summary: '', warnings: [] }
  const gone = { id: '', digest: '', subject: null, recordId: null, pinned: {}, index: [], expiresAt: 0 }
  return update<Previewed>({ ...kept, ...gone, shown }, {})
}
