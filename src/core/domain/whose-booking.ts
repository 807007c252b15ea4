import { refused } from './outcome.ts'
import { MINUTE } from './time/duration.ts'

/** What a booking says of where it comes from. */
export interface Origin {
  /**
   * The marker that it carries; null where it carries none, undefined where it does not show what
   * it carries.
   */
  carried: string | null | undefined
  /** Epoch milliseconds; null where it does not say. */
  createdAt: number | null
}

/** So far the clock of a provider may be from ours. */
const CLOCKS_APART_MS = MINUTE

/** A marker that was not cut ends with the number of its step. */
const WHOLE = /\.\d+u?$/

/** Whether a text may be the beginning of another one, the rest of which a provider cut off. */
const isCut = (text: string, whole: string) =>
  whole.startsWith(text.trim().replace(/\s?(?:…|\.{3})$/, ''))

/** Whether a text is not our marker, and may be what is left of it. */
export const isCutMarker = (carried: string, marker: string) =>
  !WHOLE.test(carried) && isCut(carried, marker)

/** What finds a change of ours again in the reason that a provider keeps of it. */
const referenceTo = (marker: string) => `(ref ${marker})`

/** The reason as it is sent. The reference comes first: a text that is cut loses its end. */
export const reasonWith = (marker: string, reason: string | null) =>
  reason === null ? referenceTo(marker) : `${referenceTo(marker)} ${reason}`

/** Whose reason it is. A missing one proves nothing, nor does one that was cut inside our reference. */
export function whoseReason(
  reason: string | null | undefined,
  marker: string,
): 'ours' | 'cut' | 'unsaid' | 'other' {
  const said = (reason ?? '').replaceAll(/\s+/g, ' ').trim()
  if (said === '') return 'unsaid'
  if (said.includes(referenceTo(marker))) return 'ours'
  return isCut(said, referenceTo(marker)) ? 'cut' : 'other'
}

/**
 * Whose booking a provider returned to a request to book, sent at `sentAt`: a provider may return
 * one that the person has already as if it were new. Ours carries our marker, or hides what it
 * carries and was made just now.
 */
export function whoseBooking(
  { carried, createdAt }: Origin,
  marker: string,
  sentAt: number,
): 'us' | 'another' | 'unsaid' {
  if (carried === marker) return 'us'
  if (typeof carried === 'string' && !isCutMarker(carried, marker)) return 'another'
  if (createdAt !== null && createdAt < sentAt - CLOCKS_APART_MS) return 'another'
  return carried !== null && createdAt !== null ? 'us' : 'unsaid'
}

/** What a change of ours knows of a booking that it may have made. */
interface MaybeMaker {
  /** Its markers begin with it. */
  id: string
  /** When it was sent first, in epoch milliseconds; undefined where nothing is in doubt. */
  sentAt: number | undefined
}

/**
 * Whether a change of ours may have made this booking. Neither a time nor an address proves
 * anything: a change can land at another time, and a provider can say another address.
 */
export function mayBeMadeBy({ id, sentAt }: MaybeMaker, { carried, createdAt }: Origin): boolean {
  if (carried === null) return false
  const root = `${id}.`
  if (carried !== undefined) return carried.startsWith(root) || isCutMarker(carried, root)
  if (sentAt === undefined) return false
  return createdAt === null || createdAt >= sentAt - CLOCKS_APART_MS
}

/** The person has a booking at that time, which is not of this request. */
export const ALREADY_BOOKED = refused('slot_unavailable', {
  detail:
    'The invitee already has a booking of this kind at this time, which this request did ' +
    'not make; nothing was done.',
  next_step:
    'Tell the person that they have a consult then. ' +
    'Send the start_time of another time under a new idempotency key. ' +
    'list_availability has the free ones.',
})
