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

/** Where a page of a copy ends: after this row of this table; and the newest row of each table when the copy began. */
export interface CopyPlace {
  table: number
  after: Cell[]
  newest: (number | null)[]
}

/** The last line of a backup: the digest of all lines before it, and the signature of the log over that. */
export interface BackupEnd {
  end: { made_at: string; sha256: string; size: number; root: string }
  note: string
}

/** A line of a backup: its head, the settings, what an object keeps, a flow that is at work, or its end. */
export type BackupLine =
  | { backup: 1; app: string; origin: string; made_at: string; waiting: number }
  | { secrets: Record<string, string>; settings: Record<string, string> }
  | ({ object: (typeof COPIED)[number] } & CopiedPage)
  | { flow: string; record: object }
  | BackupEnd

/** The text that the log signs at the end of a backup. No checkpoint looks like it. */
export const backupText = (origin: string, end: BackupEnd['end']): string =>
  `${origin}/backup\n${JSON.stringify(end)}\n`

/** What became of a line of a restore: why it was refused, or how many rows each table has. */
export type Restored = { refused?: string; rows?: Record<string, number> }
