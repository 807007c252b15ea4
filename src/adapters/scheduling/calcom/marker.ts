import type { CalcomBooking } from './schemas.ts'
import { isOver } from './booking.ts'

/** The key of our marker in the metadata of a booking. */
const KEY = 'consult_ref'

const reference = (marker: string): string => `(ref ${marker})`

/** The metadata by which a booking is found again. */
export const metadataWith = (marker: string): Record<string, string> => ({ [KEY]: marker })

/**
 * The reason by which a cancellation or a move is found again; Cal.com keeps it and shows it to both sides. The reference
 * comes first, so that a long reason keeps it when it is cut.
 */
export const reasonWithMarker = (marker: string, reason: string): string => `${reference(marker)} ${reason}`

/** Whether a booking was made under this marker. A move keeps the metadata, so the moved one was too. */
export const madeUnder = ({ metadata }: CalcomBooking, marker: string): boolean => metadata?.[KEY] === marker

/** A marker that was not cut ends with the number of its step. */
const WHOLE = /\.\d+u?$/

/** Whether a booking does not say under which marker it was made, so that it may be ours. */
export function hidesMarker({ metadata }: CalcomBooking, marker: string): boolean {
  if (!metadata) return true
  const carried = metadata[KEY]
  if (typeof carried !== 'string') return KEY in metadata
  return !WHOLE.test(carried) && isCut(carried, marker)
}

/** Whose reason it is. A missing one proves nothing, nor does one that was cut inside our reference. */
function reasonOf(reason: string | null | undefined, marker: string): 'ours' | 'cut' | 'unsaid' | 'other' {
  if (reason?.includes(reference(marker))) return 'ours'
  if (!reason?.trim()) return 'unsaid'
  return isCut(reason, reference(marker)) ? 'cut' : 'other'
}

const isCut = (text: string, whole: string): boolean =>
  whole.startsWith(text.trim().replace(/(?:…|\.{3})$/, ''))

/** The move to reconcile: its booking and its new start. */
export interface Move {
  from: string
  start: number
}

/** Who moved a booking. Without a reason, a move to the very time that was requested still counts as ours. */
export function movedBy(booking: CalcomBooking, { from, start }: Move, marker: string) {
  const whose = reasonOf(booking.reschedulingReason, marker)
  const sameStart = booking.start === start
  // A later move may keep our reason, so the reason counts only with the booking that it came from, or with the time.
  const origin = booking.rescheduledFromUid
  if (origin ? origin !== from : whose !== 'ours' || !sameStart) return 'another'
  if (whose === 'ours' || (whose !== 'other' && sameStart)) return 'us'
  return whose === 'cut' ? 'unsaid' : 'another'
}

/** Who ended a booking, by its reason; undefined while it is active. */
export function endedBy(booking: CalcomBooking, marker: string): 'us' | 'another' | 'unsaid' | undefined {
  if (!isOver(booking)) return undefined
  const whose = reasonOf(booking.cancellationReason, marker)
  if (whose === 'ours') return 'us'
  // Only the practice declines, and a move names its successor; any other end without a reason could be ours.
  const explained = booking.status === 'rejected' || Boolean(booking.rescheduledToUid)
  return whose === 'other' || explained ? 'another' : 'unsaid'
}
