import type { StepContext } from '../../../core/confirm/mutation.ts'
import { caselessEmail, maskEmail } from '../../../core/domain/email.ts'
import type { Facts } from '../../../core/domain/facts.ts'
import type { LookupOutcome } from '../../../core/domain/outcome.ts'

/** The facts of a preview that tell for whom the booking is made; without one nothing is compared. */
type PinnedAddress = Facts & { address_mac?: string }

/**
 * The outcome of looking for a booking, with the fact `other_address` if it is there under another
 * email address than the one that was sent. Where that cannot be read it says nothing, so it neither
 * fails nor delays the change. The mock keeps a mask only, which is compared with nothing.
 */
export async function withAddress(
  outcome: LookupOutcome,
  { ports, pinned, mac }: Pick<StepContext<PinnedAddress>, 'ports' | 'pinned' | 'mac'>,
): Promise<LookupOutcome> {
  if (outcome.is !== 'ok' || pinned.address_mac === undefined) return outcome
  const bookingId = String(outcome.facts['booking_id'])
  const made = await ports.scheduling.invitee(bookingId).catch(() => undefined)
  if (!made || made.email === maskEmail(made.email)) return outcome
  if ((await mac(caselessEmail(made.email))) === pinned.address_mac) return outcome
  return { ...outcome, facts: { ...outcome.facts, other_address: true } }
}
