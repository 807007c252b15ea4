import * as z from 'zod'

import type { StepContext } from '../../../core/confirm/mutation.ts'
import type { Booking } from '../../../core/domain/booking.ts'
import { caselessEmail, maskEmail } from '../../../core/domain/email.ts'
import type { EventTypeDetails } from '../../../core/domain/event-type.ts'
import type { Facts } from '../../../core/domain/facts.ts'
import type { LookupOutcome } from '../../../core/domain/outcome.ts'

/** What a booking is compared by. */
interface Compared extends Pick<StepContext<Facts>, 'mac'> {
  /** The keyed hash of what it had; without one nothing is compared. */
  was: string | null | undefined
  /** What it has now; undefined where that is not known. */
  now(bookingId: string): Promise<string | undefined>
}

/**
 * The outcome of a booking that was made, with this fact if the booking has another value now. Where
 * that cannot be read the outcome stays as it is, so the change neither fails nor waits for good.
 */
async function unlessSame<O extends { is: string }>(
  outcome: O,
  fact: 'other_address' | 'other_host',
  { was, now, mac }: Compared,
): Promise<O> {
  if (outcome.is !== 'ok' || !('facts' in outcome) || !was) return outcome
  const facts = outcome.facts as Facts
  const isSame = async () => {
    const value = await now(String(facts['booking_id']))
    return value === undefined || (await mac(value)) === was
  }
  if (await isSame().catch(() => true)) return outcome
  return { ...outcome, facts: { ...facts, [fact]: true } }
}

/**
 * The outcome with the fact `other_address` if the booking is there under another email address than
 * the one that was sent, of which `addressMac` is the keyed hash without its case. The mock keeps a
 * mask only, which is compared with nothing.
 */
export const withAddress = (
  outcome: LookupOutcome,
  { ports, mac }: StepContext<Facts>,
  addressMac: string | undefined,
): Promise<LookupOutcome> => {
  const now = async (bookingId: string) => {
    const email = (await ports.scheduling.invitee(bookingId))?.email
    return email === undefined || email === maskEmail(email) ? undefined : caselessEmail(email)
  }
  return unlessSame(outcome, 'other_address', { was: addressMac, now, mac })
}

/** Present only where the provider says that the host did change. */
export const hostChangedField = {
  host_changed: z
    .literal(true)
    .optional()
    .describe('Present only if the provider says that another host has the booking now.'),
}

/** A warning where each booking of a kind may be with another host. */
export const mayChangeHost = ({ hostsTakeTurns }: EventTypeDetails) =>
  hostsTakeTurns &&
  'Hosts may take turns for this kind of consult: the new time may be with another host.'

/** Who holds a booking, for a keyed hash; undefined where that cannot change, or is not known. */
export const hostToCompare = ({ hostsTakeTurns }: EventTypeDetails, { host }: Booking) =>
  hostsTakeTurns ? host : undefined

/** The facts of a preview that tell who held the booking. */
type PinnedHost = Facts & { host_mac: string | null }

/** The outcome with the fact `other_host` if another host has the booking now. */
export const withHost = <O extends { is: string }>(
  outcome: O,
  { ports, pinned, mac }: StepContext<PinnedHost>,
): Promise<O> => {
  const now = async (bookingId: string) => (await ports.scheduling.booking(bookingId))?.host
  return unlessSame(outcome, 'other_host', { was: pinned.host_mac, now, mac })
}

/** What the answer of a move says of its host. */
export const hostChanged = (facts: Facts | undefined): { host_changed?: true } =>
  facts?.['other_host'] === true ? { host_changed: true } : {}

/** A sentence where another host has the booking now. */
export const changedHost = ({ host_changed }: { host_changed?: true | undefined }): string =>
  host_changed ? ' Another host has it now. Tell the person.' : ''
