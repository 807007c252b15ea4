import type { AuditEntry } from '../ports/audit.ts'

/** What the erasure of a client needs of the object it lives in. Writes and the alarm become durable together. */
export interface ErasureHost {
  now(): number
  kv: {
    get<T>(key: string): T | undefined
    put(key: string, value: unknown): void
    delete(key: string): unknown
    list(options: { prefix: string; limit?: number; startAfter?: string }): Iterable<[string, unknown]>
  }
  /** Sets the alarm; without a time there is none any more. */
  setAlarm(at: number | undefined): void
  register: {
    /** Decides for good that the client is deleted; names its intakes, and the flows that keep something about it. */
    eraseClient(clientId: string): Promise<{ keys: string[]; flows: string[] }>
    release(clientId: string): Promise<void>
  }
  /** Workers KV with the masked records. */
  records: {
    put(key: string, value: string): Promise<void>
    delete(key: string): Promise<void>
    list(options: { prefix: string; limit: number; cursor?: string }): Promise<RecordPage>
  }
  /** Erases what a flow keeps about the client; false if it cannot be read, after a rollback. */
  eraseIn(flow: string, clientId: string): Promise<boolean>
  /** Resolves once a flow has nothing under way, or after a while. */
  restOf(flow: string): Promise<void>
  /** Appends to the audit log; a repeat is harmless. Rejects if it did not work. */
  append(entries: readonly AuditEntry[]): Promise<void>
}

type RecordPage = { keys: { name: string }[] } & (
  | { list_complete: true }
  | { list_complete: false; cursor: string }
)
