import type { Refusal } from '../domain/problem.ts'
import type { FlowRecord, Previewed } from './record.ts'
import { type Out, put } from './transition.ts'

/** Somebody's data is erased: a record about them forgets what it showed, answered and had still to deliver. */
export function erased(record: FlowRecord, subject: string, refusal: Refusal): Out {
  if (record.subject !== subject) return { record }
  // Nothing was done yet under this key.
  if (record.at === 'previewed')
    return record.outbox ? emptied(record) : { record: undefined, todo: 'forget' }
  // While it runs its preview is needed; what has a subject ends with the commit itself.
  if (record.at === 'running') return { record }
  const { outbox, ...kept } = record
  const items = outbox?.items.filter(({ kind }) => kind === 'audit') ?? []
  // Without the nonce nobody can test a guess against the digest.
  const gone = { id: '', digest: '', subject: null, recordId: null }
  const empty = { ...kept, ...gone, answer: { is: 'refused', refusal } as const }
  return put(outbox && items.length > 0 ? { ...empty, outbox: { ...outbox, items } } : empty, {})
}

/** A preview with entries that the audit log does not have yet shows nothing any more, and is forgotten once it has them. */
function emptied({ spent: _spent, ...kept }: Previewed): Out {
  const shown = { preview: {}, summary: '', warnings: [] }
  const gone = { digest: '', subject: null, recordId: null, pinned: {}, index: [], expiresAt: 0 }
  return put<Previewed>({ ...kept, ...gone, shown }, {})
}
