import type { Mode } from '../domain/mode.ts'
import type { RecordKind } from '../domain/records.ts'

/** A masked record that a commit leaves to be written. */
export interface RecordWrite {
  key: string
  mode: Mode
  value: object
  /** Secondary keys under which it is found. */
  links?: readonly string[]
  /** The key of a record whose links this one gets too. */
  copyLinksFrom?: string
}

/** A masked record; `value` is JSON, `seq` its place in the order of writing. */
export interface RecordEntry {
  seq: number
  key: string
  value: string
  /** Of a booking: it was cancelled or moved through this service. */
  ended: boolean
}

/** The newest records that were found, and how many there are in all. */
export interface Found {
  entries: RecordEntry[]
  count: number
}

/** The records of a client, its newest intake answers, and the newest bookings and links made here for it. */
export interface ClientRecords {
  /** The record of the client, as `get` answers it. */
  client: string | null | undefined
  intake: Found
  /** Those that share a link with the client. */
  bookings: Found
  paymentLinks: Found
}

/**
 * The masked records, in the order in which they were first written. A record that was just written
 * is found.
 */
export interface Records {
  /**
   * Writes all records of a commit. Those of a client that was erased are not written; the flow is
   * erased, too.
   */
  upsert(writes: readonly RecordWrite[], flow: string, answer?: string): Promise<void>
  /** The record as JSON; null if it was erased, undefined if it is missing or not delivered yet. */
  get(key: string): Promise<string | null | undefined>
  /** Which of these keys have a record. */
  known(keys: readonly string[]): Promise<string[]>
  /** The records under these keys that are there. */
  under(keys: readonly string[]): Promise<RecordEntry[]>
  /** The newest first, from before a place on. */
  newest(kind: RecordKind, mode: Mode, before: number, limit: number): Promise<RecordEntry[]>
  /**
   * The newest of a mode that carry any of these links: index keys, or the key of the record that
   * owns them.
   */
  linkedTo(links: readonly string[], kind: RecordKind, mode: Mode, limit: number): Promise<Found>
  /** The same without their number: one person may have thousands. */
  newestWith(
    links: readonly string[],
    kind: RecordKind,
    mode: Mode,
    limit: number,
  ): Promise<RecordEntry[]>
  /**
   * Whether the address with this index is that of a known client: a person approved a change with
   * it, or a consult with it has taken place by `now` and was not cancelled here. What was done in
   * another mode than the calendar's does not count.
   */
  knowsClient(index: readonly string[], mode: Mode, now: number): Promise<boolean>
  /** A client, with bookings and payment links of these modes. */
  ofClient(
    clientId: string,
    modes: { bookings: Mode; paymentLinks: Mode },
    limit: number,
  ): Promise<ClientRecords>
  /** The newest keys that begin so. */
  keysWithPrefix(kind: RecordKind, mode: Mode, prefix: string, limit: number): Promise<string[]>
  /**
   * The record of the client, as `get` answers it. Unless it was erased, notes that this flow
   * holds, or will hold, the client's data.
   */
  registerFlow(clientId: string, flow: string): Promise<string | null | undefined>
}

/** What is kept of a client. */
export interface StoredClient {
  erased: boolean
  /** The record as JSON; null if it was erased, or is not there yet. */
  value: string | null
  /** How many records of each kind belong to the client. */
  counts: Partial<Record<RecordKind, number>>
}

/** The deletion of a client's data, for the owner. */
export interface ClientErasure {
  stored(clientId: string): Promise<StoredClient>
  /**
   * Decided for good when it returns; most is erased by then, and the rest follows. A repeat
   * changes nothing.
   */
  eraseClient(clientId: string, by: ErasedBy): Promise<void>
}

/** Who deletes a client, and by which operation the log knows it, if not by that of the API. */
export interface ErasedBy {
  caller: string
  requestId: string
  operation?: string
}
