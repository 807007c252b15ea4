import { clientOfKey } from '../domain/client.ts'
import type { FlowRecord } from './record.ts'
import { type Out, put } from './transition.ts'

/** It was done once, so its key is never free for another effect; what was done is gone. */
const GONE = {
  code: 'client_not_found',
  effect: 'done',
  detail: 'It was done, and the client has been deleted since.',
  next_step: 'Nothing is left to do under this key.',
} as const

/** A client was deleted: a record about it forgets what it showed, answered and had still to deliver. */
export function erased(record: FlowRecord, clientId: string): Out {
  if (clientOf(record) !== clientId) return { record }
  // Nothing was done yet under this key.
  if (record.at === 'previewed') return record.trail ? emptied(record) : { record: undefined, todo: 'forget' }
  // While it runs its preview is needed; no change of a client ever does.
  if (record.at === 'running' || isErased(record)) return { record }
  const { outbox = [], wake, ...kept } = record
  const others = outbox.filter(({ key }) => clientOfKey(key) === undefined)
  return put(
    { ...kept, learnt: [], answer: { is: 'refused', refusal: GONE } },
    others.length > 0 ? { outbox: others, wake } : {},
  )
}

/** A preview that the trail has still to hear of shows nothing any more, and is forgotten as soon as that is done. */
function emptied({ shown: _shown, pinned: _pinned, spent: _spent, ...kept }: FlowRecord): Out {
  return put({ ...kept, expiresAt: 0 }, {})
}

const isErased = ({ answer }: FlowRecord): boolean =>
  answer?.is === 'refused' && answer.refusal.code === GONE.code

function clientOf({ pinned, answer }: FlowRecord): unknown {
  if (answer?.is !== 'committed') return pinned?.['client_id']
  return (answer.body as { result?: { client_id?: unknown } }).result?.client_id
}
