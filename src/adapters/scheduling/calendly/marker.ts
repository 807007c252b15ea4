import type { CalendlyCancellation } from './schemas.ts'

const MAX_REASON = 10_000

/** How a booking carries the marker of its step. Calendly refuses it unless all six keys are sent. */
export const trackedBy = (marker: string) => ({
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_content: marker,
  utm_term: null,
  salesforce_uuid: null,
})

/** Whether the text may be the marker, cut. */
export const mayCarry = (content: string, marker: string): boolean => marker.startsWith(content)

/** How a cancellation carries it: at the start of its reason, since a text that is cut loses its end. */
const referenceTo = (marker: string): string => `(ref ${marker})`

/** The reason for a cancellation, after the marker; cut if it is too long. */
export function reasonWithMarker(reason: string | undefined, marker: string): string {
  const reference = referenceTo(marker)
  if (!reason) return reference
  return `${reference} ${reason}`.slice(0, MAX_REASON).toWellFormed()
}

/**
 * Who cancelled an event. Without a reason, or with one that may be the start of ours, only an invitee is certainly not us:
 * we cancel as the host.
 */
export function cancelledBy(
  cancellation: CalendlyCancellation | null | undefined,
  marker: string,
): 'us' | 'another' | 'unsaid' {
  const reference = referenceTo(marker)
  const said = (cancellation?.reason ?? '').replaceAll(/\s+/g, ' ').trim()
  if (said.includes(reference)) return 'us'
  const start = said.replace(/\s?(?:…|\.\.\.)$/, '')
  if (start !== '') return reference.startsWith(start) ? 'unsaid' : 'another'
  return said === '' && cancellation?.canceler_type === 'invitee' ? 'another' : 'unsaid'
}
