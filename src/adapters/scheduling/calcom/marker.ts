import type { CalcomBooking } from './schemas.ts'
import { isOver } from './booking.ts'

/** The key of our marker in the metadata of a booking. */
const KEY = 'consult_ref'

const reference = (marker: string): string => `(ref ${marker})`

/** Metadata by which a booking is found again. */
export const metadataWith = (marker: string): Record<string, string> => ({ [KEY]: marker })

/**
 * A reason that Cal.com keeps and shows to both sides, and that an end or a move is found again by. The reference comes
 * first, so that a long reason that is cut keeps it.
 */
export const reasonWith = (marker: string, reason: string): string => `${reference(marker)} ${reason}`

/** Whether a booking was made under this marker. A move keeps the metadata, so the moved one was too. */
export const madeUnder = ({ metadata }: CalcomBooking, marker: string): boolean => metadata?.[KEY] === marker

/** How a whole marker ends: with the number of its step. */
const WHOLE = /\.\d+u?$/

/** Whether a booking does not say under which marker it was made, so that it may be ours. */
export function hidesMarker({ metadata }: CalcomBooking, marker: string): boolean {
  if (!metadata) return true
  const told = metadata[KEY]
  if (typeof told !== 'string') return KEY in metadata
  return !WHOLE.test(told) && isCut(told, marker)
}

/** Whose reason it is. One that is missing proves nothing, nor does one that was cut inside our reference. */
function reasonOf(reason: string | null | undefined, marker: string): 'ours' | 'cut' | 'unsaid' | 'other' {
  if (reason?.includes(reference(marker))) return 'ours'
  if (!reason?.trim()) return 'unsaid'
  return isCut(reason, reference(marker)) ? 'cut' : 'other'
}

const isCut = (text: string, whole: string): boolean =>
  whole.startsWith(text.trim().replace(/(?:…|\.{3})$/, ''))

/** The move that is looked for: of which booking, and to which start. */
export interface Move {
  from: string
  start: number
}

/**
 * Whose move brought a booking about. Without its reason, one to the very time that was asked for still counts as the
 * one that was made.
 */
export function movedBy(booking: CalcomBooking, { from, start }: Move, marker: string) {
  const whose = reasonOf(booking.reschedulingReason, marker)
  const sameStart = booking.start === start
  // A later move may carry our reason on, so it counts only with the booking that it came from, or with the time.
  const origin = booking.rescheduledFromUid
  if (origin ? origin !== from : whose !== 'ours' || !sameStart) return 'somebody'
  if (whose === 'ours' || (whose !== 'other' && sameStart)) return 'us'
  return whose === 'cut' ? 'unsaid' : 'somebody'
}

/** Who ended a booking, by the reason that was given; undefined while it is active. */
export function endedBy(booking: CalcomBooking, marker: string): 'us' | 'somebody' | 'unsaid' | undefined {
  if (!isOver(booking)) return undefined
  const whose = reasonOf(booking.cancellationReason, marker)
  if (whose === 'ours') return 'us'
  // A decline is the practice's own, and a move says itself where it went; any other end without a reason could be ours.
  const explained = booking.status === 'rejected' || Boolean(booking.rescheduledToUid)
  return whose === 'other' || explained ? 'somebody' : 'unsaid'
}
