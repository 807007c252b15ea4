import type { CalcomBooking } from './calcom-answers.ts'
import { isOver } from './calcom-booking.ts'

/** The key of our marker in the metadata of a booking. */
const KEY = 'consult_ref'

const reference = (marker: string): string => `(ref ${marker})`

/** Metadata by which a booking is found again. */
export const metadataWith = (marker: string): Record<string, string> => ({ [KEY]: marker })

/** A reason that Cal.com keeps and shows to both sides, and that an end or a move is found again by. */
export const reasonWith = (marker: string, reason: string): string => `${reason} ${reference(marker)}`

/** Whether a booking was made under this marker. A move keeps the metadata, so the moved one was too. */
export const madeUnder = ({ metadata }: CalcomBooking, marker: string): boolean => metadata?.[KEY] === marker

/** Whether a booking replaces the one with this uid, moved under this marker. */
export const movedUnder = (booking: CalcomBooking, from: string, marker: string): boolean =>
  booking.rescheduledFromUid === from && (booking.reschedulingReason?.includes(reference(marker)) ?? false)

/** Who ended a booking, by the reason that was given; undefined while it is active. */
export function endedBy(booking: CalcomBooking, marker: string): 'us' | 'somebody' | 'unsaid' | undefined {
  if (!isOver(booking)) return undefined
  const { status, cancellationReason } = booking
  if (cancellationReason?.includes(reference(marker))) return 'us'
  // A decline is the practice's own; a cancellation without a reason could be anybody's.
  return cancellationReason || status === 'rejected' ? 'somebody' : 'unsaid'
}
