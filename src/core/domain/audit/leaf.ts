import canonicalize from 'canonicalize'

import type { AuditEntry } from './entry.ts'
import { FormatError } from './signed-note.ts'

/**
 * An entry as a leaf of the tree. What was shown is in `about`, beside who agreed to a commit,
 * `approved` (`APPROVED_BY`).
 */
export type AuditLeaf = Omit<AuditEntry, 'event' | 'shown'> & { v: 1; event: string }

/**
 * Entries that are never dropped: with a public key that later signatures are checked with, or of
 * what was dropped.
 */
export const KEPT_EVENTS: readonly string[] = ['enrolment', 'log_key', 'retention', 'restored']

/**
 * How many days an entry is kept where no other number is set; a verifier expects it unless it is
 * given another.
 */
export const RETENTION_DAYS = 2192

const STRINGS = ['id', 'event', 'caller', 'operation', 'code'] as const
const STRINGS_OR_NULL = ['app', 'record_id', 'operation_id', 'request_id'] as const
const NUMBERS = ['at', 'times'] as const
const FIELDS = ['v', 'about', ...STRINGS, ...STRINGS_OR_NULL, ...NUMBERS]

/** The leaf of an entry: canonical JSON (RFC 8785), always the same for the same entry. */
export function leafText({
  index: _index,
  shown,
  about,
  ...entry
}: Omit<AuditEntry, 'event'> & Pick<AuditLeaf, 'event'> & { index?: number }): string {
  return canonical({ v: 1, ...entry, about: shown === null ? about : { ...about, shown } })
}

/** Reads a leaf. Throws `FormatError` if it is not one of ours, byte for byte. */
export function parseLeaf(text: string): AuditLeaf {
  const leaf = objectFrom(text)
  const isLeaf =
    leaf['v'] === 1 &&
    Object.keys(leaf).length === FIELDS.length &&
    STRINGS.every((field) => typeof leaf[field] === 'string') &&
    STRINGS_OR_NULL.every((field) => leaf[field] === null || typeof leaf[field] === 'string') &&
    NUMBERS.every((field) => Number.isSafeInteger(leaf[field])) &&
    isAbout(leaf['about'])
  if (!isLeaf) throw new FormatError('an entry does not have the fields of one')
  if (canonical(leaf) !== text) throw new FormatError('an entry is not in canonical form')
  return leaf as unknown as AuditLeaf
}

/** Flat, or null: nothing in it is a list or an object. */
const isAbout = (about: unknown) =>
  about === null ||
  (typeof about === 'object' &&
    !Array.isArray(about) &&
    Object.values(about).every((value) => value === null || typeof value !== 'object'))

/**
 * Parses JSON of a log. Throws where programs could differ: at fractions, 2^53 and more, and text
 * that is not Unicode.
 */
export const parseExactJson = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) => {
    const isExact = typeof value === 'number' ? Number.isSafeInteger(value) : isUnicode(value)
    if (!isExact || !isUnicode(name)) throw new SyntaxError('not exact')
    return value
  })

const isUnicode = (value: unknown) => typeof value !== 'string' || value.isWellFormed()

function objectFrom(text: string): Record<string, unknown> {
  try {
    return Object(parseExactJson(text)) as Record<string, unknown>
  } catch {
    throw new FormatError('an entry is not JSON')
  }
}

/** RFC 8785; throws on text that is not well formed, which no entry of ours has. */
function canonical(value: object) {
  try {
    return canonicalize(value) ?? ''
  } catch {
    throw new FormatError('an entry has text that is not Unicode')
  }
}
