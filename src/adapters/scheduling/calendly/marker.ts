import type { CalendlyCancellation } from './schemas.ts'

const LONGEST_REASON = 10_000

/** How a booking carries the marker of its step. All six keys are sent, or the provider refuses it. */
export const trackedBy = (marker: string) => ({
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_content: marker,
  utm_term: null,
  salesforce_uuid: null,
})

/** Whether a text in the place of the marker may be the marker, cut. */
export const mayCarry = (content: string, marker: string): boolean => marker.startsWith(content)

/** How a cancellation carries it: at the start of its reason, since a text that is cut loses its end. */
export const referenceTo = (marker: string): string => `(ref ${marker})`

/** The reason for a cancellation, after the marker; cut where it would be too long. */
export function reasonWith(reason: string | undefined, marker: string): string {
  const reference = referenceTo(marker)
  if (!reason) return reference
  return `${reference} ${reason}`.slice(0, LONGEST_REASON).toWellFormed()
}

/**
 * Who cancelled, by what a cancelled event says of it. Without a reason, or with one that may be the start of ours, only
 * an invitee is certainly not us: we cancel as the host.
 */
export function cancelledBy(
  cancellation: CalendlyCancellation | null | undefined,
  marker: string,
): 'us' | 'somebody' | 'unsaid' {
  const reference = referenceTo(marker)
  const said = (cancellation?.reason ?? '').replaceAll(/\s+/g, ' ').trim()
  if (said.includes(reference)) return 'us'
  const start = said.replace(/\s?(?:…|\.\.\.)$/, '')
  if (start !== '') return reference.startsWith(start) ? 'unsaid' : 'somebody'
  return said === '' && cancellation?.canceler_type === 'invitee' ? 'somebody' : 'unsaid'
}
