import type { Rules } from './rules/house-rules.ts'
import type { Scope } from './scopes.ts'

/** Of the name of an API key, in characters. */
export const LONGEST_KEY_NAME = 100

/** A key for a use that many practices have: what it may do, and the rules that it gets with it. */
export interface KeyPreset {
  title: string
  /** What it does, in a sentence. */
  text: string
  scopes: readonly Scope[]
  /** Rules of its own, where its scopes allow more than its use needs. */
  rules?: Partial<Rules>
  /** After how many days it ends, unless the owner chooses fewer. */
  days?: number
}

/** By the name that the form sends, in the order in which they are shown; the first is chosen. */
export const KEY_PRESETS = {
  website: {
    title: 'Website form',
    text: 'Sees free times, books, creates clients.',
    scopes: ['availability:read', 'bookings:write', 'clients:write'],
    // The scope that books also moves and cancels.
    rules: { operations: ['book_consult', 'create_client_profile'] },
  },
  zapier: {
    title: 'Zapier',
    text: 'Sees free times and bookings, masked, and creates clients.',
    scopes: ['availability:read', 'bookings:read', 'clients:write'],
  },
  front_desk: {
    title: 'Front desk',
    text: 'Sees bookings, masked. Books, moves, cancels, and makes payment links.',
    scopes: ['availability:read', 'bookings:read', 'bookings:write', 'payments:write'],
  },
  auditor: {
    title: 'Auditor',
    text: 'Reads the audit log. Changes nothing. Ends after 30 days, or sooner.',
    scopes: ['audit:read'],
    days: 30,
  },
} as const satisfies Record<string, KeyPreset>

type KeyPresetName = keyof typeof KEY_PRESETS

/** The set of this name; undefined for a name of none. */
export const keyPresetNamed = (name: string): KeyPreset | undefined =>
  Object.hasOwn(KEY_PRESETS, name) ? KEY_PRESETS[name as KeyPresetName] : undefined
