import type { AuditEntry, CodedEvent } from '../domain/audit/entry.ts'
import type { ChainedKey } from '../domain/audit/signed-note.ts'

/** An entry as the audit log keeps it: its number is never given again. */
export interface NumberedEntry extends AuditEntry {
  index: number
}

/** Calls of one hour that were refused for want of a credential. */
export interface AnonymousRefusals {
  /** When the hour began, in epoch milliseconds. */
  hour: number
  operation: string
  code: string
  times: number
}

/** Who called, by which request. */
export type AuditBy = Pick<AuditEntry, 'caller' | 'app' | 'request_id'>

/** An audit entry without an operation record; caller and operation default to the request's. */
export type AuditNote = CodedEvent &
  Partial<Pick<AuditEntry, 'caller' | 'app' | 'operation' | 'record_id' | 'operation_id' | 'about'>>

/** Where a page ends: the next one begins after this entry. */
export type AuditMark = Pick<AuditEntry, 'at' | 'id'>

type Filter = Pick<
  AuditEntry,
  'event' | 'caller' | 'app' | 'operation' | 'code' | 'record_id' | 'operation_id' | 'request_id'
>

/** Which entries are wanted, the newest first. */
export interface AuditQuery extends Partial<{
  [Field in keyof Filter]: NonNullable<Filter[Field]>
}> {
  /** Entries of any of these events. */
  events?: readonly AuditEntry['event'][]
  /** Epoch milliseconds; from is included, to is not. */
  from?: number
  to?: number
  after?: AuditMark | undefined
  /** The entries just newer than this one, the oldest of them first. */
  before?: AuditMark
  limit: number
}

export interface AuditPage {
  entries: NumberedEntry[]
  /**
   * Set where there may be more. A page with a filter can hold fewer entries than asked for, even
   * none, and have a next.
   */
  next?: AuditMark
}

/** How often a caller was refused an operation with a code, and when last, in epoch milliseconds. */
export interface RefusedCaller extends Pick<AuditEntry, 'caller' | 'operation' | 'code' | 'times'> {
  last: number
  /** The rule that forbade it. */
  rule: string | null
}

/** An entry as a leaf of the log's Merkle tree, and the proof that it is in it, below a signed checkpoint. */
export interface Receipt {
  /** The leaf as text, canonical JSON. */
  leaf: string
  /** A C2SP tlog-proof. */
  proof: string
}

/** A leaf of the log: whole, or its hash in base64 where the entry was dropped. */
export type KeptLeaf = { i: number; leaf: string } | { i: number; hash: string }

/** All that an export of the log with its proofs begins with, and the signed checkpoint that it ends with. */
export interface LogState {
  /** What checkpoints are signed as: fixed when the first one is. */
  origin: string
  /** Every key that ever signed, as a C2SP vkey, the first one first. */
  vkeys: string[]
  /** The same keys, each with the note by which those before it vouch for it. */
  keyChain: ChainedKey[]
  size: number
  /**
   * Entries below this number may be dropped, since one of these entries says so; the others are
   * all there.
   */
  droppedBelow: number
  checkpoint: string
}

/** The audit log: entries are appended, read, and dropped when they are too old; never changed. */
export interface AuditLog {
  /** Appends entries that are new, so a repeat is harmless. Rejects if that failed. */
  append(entries: readonly AuditEntry[]): Promise<void>
  page(query: AuditQuery): Promise<AuditPage>
  /** The entry with this number, or null if there is none, or none any more. */
  entry(index: number): Promise<NumberedEntry | null>
  /** Who was refused with one of these codes since a moment, the latest first; at most 50. */
  refusedCallers(codes: readonly string[], since: number): Promise<RefusedCaller[]>
  /** Counts calls without a credential that were refused; they make no entries. */
  countRefusals(operation: string, code: string, times: number): Promise<void>
  anonymousRefusals(): Promise<AnonymousRefusals[]>
  /**
   * Signs the log as it is. `host` names it if nothing was signed before; the same entries give the
   * same bytes under the same secrets.
   */
  state(host: string): Promise<LogState>
  /** The public keys that sign now, as C2SP vkeys, the newest first. Writes nothing. */
  vkeys(host: string): Promise<string[]>
  /** Every key that ever signed, the first one first, each vouched for by those before it. Writes nothing. */
  keyChain(): Promise<ChainedKey[]>
  /** The receipt of an entry; null if there is none with this number, or none any more. */
  receipt(index: number, host: string): Promise<Receipt | null>
  /** The receipt of the entry of a change that ended then; `pending` while it is still on its way here. */
  receiptOfChange(
    operationId: string,
    endedAt: number,
    host: string,
  ): Promise<Receipt | 'pending' | null>
  /** So many leaves from this one on. */
  leaves(from: number, count: number): Promise<KeptLeaf[]>
}
