import type { Mode } from '../domain/mode.ts'

export type EntryKind = 'client' | 'intake' | 'booking' | 'booking_end' | 'payment_link'

/** Something that was made here; `value` is its masked record as JSON, `seq` its place in the order of making. */
export interface Entry {
  seq: number
  key: string
  value: string
}

/**
 * What was made here, for listings: unlike the records it tells of what was written a moment ago. It is written together
 * with them.
 */
export interface Register {
  /** The record under this key as JSON, or undefined if there is none or it was erased. */
  get(key: string): Promise<string | undefined>
  known(keys: string[]): Promise<string[]>
  /** The newest first, from before a place on. */
  newest(kind: EntryKind, mode: Mode, before: number, most: number): Promise<Entry[]>
  /** The newest of a mode that belong to a client by the mail address, and how many there are in all. */
  tiedTo(key: string, kind: EntryKind, mode: Mode, most: number): Promise<{ entries: Entry[]; count: number }>
  /** The newest that are about a client, and how many there are in all. */
  tied(key: string, kind: EntryKind, most: number): Promise<{ entries: Entry[]; count: number }>
  /** The newest keys that begin so. */
  keysLike(kind: EntryKind, mode: Mode, prefix: string, most: number): Promise<string[]>
}
