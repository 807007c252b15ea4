import type { Mode } from '../domain/mode.ts'
import { recordId, recordKey } from '../domain/records.ts'
import type { Ports } from '../ports/index.ts'
import type { Completed } from './operation.ts'

const MOST_IDS = 20

/** The ids of records kept here that begin so. */
export async function idsLike(
  kind: 'client' | 'payment_link',
  mode: Mode,
  beginning: string,
  { records }: Pick<Ports, 'records'>,
): Promise<Completed> {
  const keys = await records.keysWithPrefix(kind, mode, recordKey(kind, beginning), MOST_IDS + 1)
  return { values: keys.slice(0, MOST_IDS).map(recordId), more: keys.length > MOST_IDS }
}
