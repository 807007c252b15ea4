import type { Part } from './shell.ts'

/** What may use the connector, or sign in to it. */
export interface OwnerItem {
  id: string
  name: string
  /** Where it is, if it is an app. */
  host?: string
  /** Epoch milliseconds; null for what was made with the connector itself. */
  since: number | null
  /** The day of its last use, in UTC; null if it was not used yet, undefined where that is not known. */
  lastUsedOn: string | null | undefined
  /** When it ended or will end, in words. */
  end?: { word: 'revoked' | 'ended' | 'ends'; at: number }
  scopes: readonly string[]
  /** It is over: shown for memory. */
  ended: boolean
  /** Why it cannot be ended here. */
  stays?: string
  /** By which name rules hold for it. */
  caller?: string
}

/** What may use the connector, and who approves what it does. */
export interface CallerItems {
  apps: Part<OwnerItem[]>
  keys: Part<OwnerItem[]>
  approvers: Part<OwnerItem[]>
}
