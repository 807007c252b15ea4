import type { Mode } from '../domain/mode.ts'
import type { Ports } from '../ports/index.ts'
import type { Completed } from './operation.ts'

const MOST_IDS = 20

/** The ids of records kept here that begin so; `prefix` stands before an id in the key of its record. */
export async function idsLike(
  kind: 'client' | 'payment_link',
  prefix: string,
  mode: Mode,
  beginning: string,
  { register }: Pick<Ports, 'register'>,
): Promise<Completed> {
  const keys = await register.keysLike(kind, mode, prefix + beginning, MOST_IDS + 1)
  const values = keys.slice(0, MOST_IDS).map((key) => key.slice(prefix.length))
  return { values, more: keys.length > MOST_IDS }
}
