import type { StepContext } from '../../../core/confirm/mutation.ts'
import { caselessEmail, maskEmail } from '../../../core/domain/email.ts'
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
