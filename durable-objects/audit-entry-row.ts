import type { Facts } from '../src/domain/facts.ts'
import type { NumberedEntry } from '../src/ports/audit.ts'

/** An entry as its row has it. */
export type EntryRow = Record<string, SqlStorageValue> &
  Omit<NumberedEntry, 'about'> & { about: string | null }

/** The entry of a row. */
export const entryOf = ({ about, ...row }: EntryRow): NumberedEntry => ({
  ...row,
  about: about === null ? null : (JSON.parse(about) as Facts),
})
