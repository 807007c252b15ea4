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

/** How a cancellation carries it: at the end of its reason. */
export const referenceTo = (marker: string): string => `(ref ${marker})`

/** The reason for a cancellation, with the marker; cut where it would be too long. */
export function reasonWith(reason: string | undefined, marker: string): string {
  const reference = referenceTo(marker)
  if (!reason) return reference
  return `${reason.slice(0, LONGEST_REASON - reference.length - 1).toWellFormed()} ${reference}`
}
