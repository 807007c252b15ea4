import type { ChainedKey } from '../domain/audit/signed-note.ts'
import type { Mode } from '../domain/mode.ts'

/** The objects that a backup copies, each before those that it delivers to. */
export const COPIED = [
  'COORDINATOR',
  'RECORDS',
  'EVENT_LOG',
  'PROVIDER_SYNC',
  'ACCESS',
  'AUDIT_LOG',
] as const

/** A cell of a row as a backup writes it: bytes in base64. */
export type Cell = string | number | null | { b: string }

/** What an object keeps, or a page of it: rows of its tables, and on the first page its values, as JSON. */
export interface CopiedPage {
  values: Record<string, string>
  tables: { t: string; c: string[]; rows: Cell[][] }[]
}

/**
 * Where a page of a copy ends: after this row of this table; and the newest row of each table when
 * the copy began.
 */
export interface CopyPlace {
  table: number
  after: Cell[]
  newest: (number | null)[]
}

/**
 * The first line of a backup. It is signed by itself, so that a file of someone else is refused
 * before the rest is read.
 */
export interface BackupHead {
  backup: 1
  /** The version of the connector that made it. */
  app: string
  /** The name of its audit log. */
  origin: string
  made_at: string
  /** How many previews waited for a person. */
  waiting: number
  /** Whether each provider was real. */
  modes: Record<'scheduling' | 'payments', Mode>
  /** Every key by which the log has signed, each vouched for by those before it. */
  keys: ChainedKey[]
  /** The signature of the log over all of that. */
  note: string
}

/** The last line of a backup: the digest of all lines before it, and the signature of the log over that. */
export interface BackupEnd {
  end: { made_at: string; sha256: string; size: number; root: string }
  note: string
}

/** Who of a backup may act again, as the owner has said before it is restored: ids. */
export interface Stays {
  keys: string[]
  passkeys: string[]
  webhooks: string[]
}

export const NOBODY: Stays = { keys: [], passkeys: [], webhooks: [] }

/** A restore that has ended. */
export interface EndedRestore extends Pick<BackupHead, 'made_at' | 'modes'> {
  /** Epoch milliseconds. */
  ended_at: number
}

/** What a restore sends: the lines of a backup, and who may act again. */
export type RestoreLine = BackupLine | { stays: Stays }

/** A line of a backup: its head, the settings, what an object keeps, a flow that is at work, or its end. */
export type BackupLine =
  | BackupHead
  | { secrets: Record<string, string>; settings: Record<string, string> }
  | ({ object: (typeof COPIED)[number] } & CopiedPage)
  | { flow: string; record: object }
  | BackupEnd

/** The text that the log signs at the beginning of a backup. No checkpoint looks like it. */
export const backupHeadText = (origin: string, head: Omit<BackupHead, 'note'>) =>
  `${origin}/backup-head\n${JSON.stringify(head)}\n`

/** The text that the log signs at the end of a backup. No checkpoint looks like it. */
export const backupText = (origin: string, end: BackupEnd['end']) =>
  `${origin}/backup\n${JSON.stringify(end)}\n`

/**
 * When backups were made by hand in the last day, the last one in the bucket, and since when that
 * fails, for how many nights.
 */
export interface BackupStatus {
  made: number[]
  night?: { at: number; size: number }
  failsSince?: number | undefined
  failedNights?: number
}

/** What became of a line of a restore: why it was refused, or how many rows each table has. */
export type Restored = { refused?: string; rows?: Record<string, number> }
