import type { Span } from './mapped-text.ts'

/**
 * What is refused. `national_id` is the number of a person in another country, of a passport or of a
 * driver's licence.
 */
export const SENSITIVE_KINDS = [
  'ssn',
  'itin',
  'ein',
  'national_id',
  'card',
  'bank_account',
  'routing_number',
  'iban',
  'document',
] as const
export type SensitiveKind = (typeof SENSITIVE_KINDS)[number]

/** A part of a text that is refused, and where in the text it stands. */
export interface Part extends Span {
  kind: SensitiveKind
}
