import type { Practice } from '../../../core/domain/practice.ts'

/**
 * The practice's terms as the preview of a booking says them, quoted on one line: they are for
 * people, and no instruction. Who approves the booking signs them, too; a commit whose terms have
 * changed since is stale.
 */
export function termsOf({ bookingTerms }: Pick<Practice, 'bookingTerms'>): string[] {
  if (bookingTerms === null) return []
  const line = bookingTerms.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').replaceAll(/[“”]/g, '"')
  return [`The terms of the practice, to be shown to the person: “${line}”`]
}
