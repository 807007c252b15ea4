import * as z from 'zod'

import type { StepContext } from '../../../core/confirm/mutation.ts'
import type { Booking } from '../../../core/domain/booking.ts'
import { caselessEmail, maskEmail } from '../../../core/domain/email.ts'
import type { EventTypeDetails } from '../../../core/domain/event-type.ts'
import type { Facts } from '../../../core/domain/facts.ts'
import type { LookupOutcome } from '../../../core/domain/outcome.ts'

/**
 * The outcome of looking for a booking, with the fact `other_address` if it is there under another
 * email address than the one that was sent, of which `addressMac` is the keyed hash without its case.
 * Where that cannot be read it says nothing, so it neither fails nor delays the change. The mock keeps
 * a mask only, which is compared with nothing.
 */
export async function withAddress(
  outcome: LookupOutcome,
  { ports, mac }: Pick<StepContext<Facts>, 'ports' | 'mac'>,
  addressMac: string | undefined,
): Promise<LookupOutcome> {
  if (outcome.is !== 'ok' || addressMac === undefined) return outcome
  const bookingId = String(outcome.facts['booking_id'])
  const made = await ports.scheduling.invitee(bookingId).catch(() => undefined)
  if (!made || made.email === maskEmail(made.email)) return outcome
  if ((await mac(caselessEmail(made.email))) === addressMac) return outcome
  return { ...outcome, facts: { ...outcome.facts, other_address: true } }
}

/** Present only where the provider says that the host did change. */
export const hostChangedField = {
  host_changed: z.literal(true).optional().meta({
    description: 'Present only if the provider says that another host has the booking now.',
  }),
}

/** A warning where each booking of a kind may be with another host. */
export const mayChangeHost = ({ hostsTakeTurns }: EventTypeDetails): string[] =>
  hostsTakeTurns
    ? ['Hosts take turns for this kind of consult: the new time may be with another host.']
    : []

/** Who holds a booking, for a keyed hash; undefined where that cannot change, or is not known. */
export const hostToCompare = (
  { hostsTakeTurns }: EventTypeDetails,
  { host }: Booking,
): string | undefined => (hostsTakeTurns ? host : undefined)

/** The facts of a preview that tell who held the booking. */
type PinnedHost = Facts & { host_mac: string | null }

/**
 * The outcome of a booking that was made, with the fact `other_host` if another host has it now.
 * Where that cannot be read it says nothing, so it neither fails nor delays the change for good.
 */
export async function withHost<O extends { is: string }>(
  outcome: O,
  { ports, pinned, mac }: Pick<StepContext<PinnedHost>, 'ports' | 'pinned' | 'mac'>,
): Promise<O> {
  if (outcome.is !== 'ok' || !('facts' in outcome) || !pinned.host_mac) return outcome
  const facts = outcome.facts as Facts
  const made = await ports.scheduling.booking(String(facts['booking_id'])).catch(() => undefined)
  if (made?.host === undefined || (await mac(made.host)) === pinned.host_mac) return outcome
  return { ...outcome, facts: { ...facts, other_host: true } }
}

/** What the answer of a move says of its host. */
export const hostChanged = (facts: Facts | undefined): { host_changed?: true } =>
  facts?.['other_host'] === true ? { host_changed: true } : {}

/** A sentence where another host has the booking now. */
export const changedHost = ({ host_changed }: { host_changed?: true | undefined }): string =>
  host_changed ? ' Another host has it now. Tell the person.' : ''
