import * as z from 'zod'
import type { Booking, Invitee } from '../domain/booking.ts'
import { canonicalEmail, maskEmail } from '../domain/email.ts'
import { recordKey } from '../domain/records.ts'
import type { Records } from '../ports/records.ts'
import { maskedInviteeFields } from './booking-schema.ts'

/** Only for a move that gives the booking to somebody else: two addresses can have the same mask. */
export const changedInviteeFields = {
  invitee_changed: z
    .literal(true)
    .optional()
    .meta({ description: 'Only where the booking goes to another email address than it has now.' }),
  old_invitee_email: maskedInviteeFields.invitee_email
    .optional()
    .meta({ description: 'Masked; only where the old address looks different from the new one.' }),
}
type Shown = {
  invitee_email: string
  invitee_changed?: true | undefined
  old_invitee_email?: string | undefined
}

export const changedInvitee = ({ maskedEmail }: Booking, email: string): Omit<Shown, 'invitee_email'> => ({
  invitee_changed: true,
  ...(maskedEmail === maskEmail(email) ? {} : { old_invitee_email: maskedEmail }),
})

const MOST = 200

/**
 * Whether a booking has this address. The mock keeps masks only, so there the hashes of the booking's record decide;
 * without them it counts as another address.
 */
export async function hasAddress(
  { bookingId }: Booking,
  invitee: Invitee,
  email: string,
  links: readonly string[],
  records: Records,
): Promise<boolean> {
  if (email === canonicalEmail(invitee.email)) return true
  const isMasked = maskEmail(invitee.email) === invitee.email
  if (!isMasked || maskEmail(email) !== invitee.email) return false
  // Only the mock keeps masks.
  const { entries } = await records.linkedTo(links, 'booking', 'mock', MOST)
  return entries.some(({ key }) => key === recordKey('booking', bookingId))
}

/** Whose booking it is, and where it goes if that is another address: the beginning and the end of a sentence. */
export function whoseAndWhereTo({
  invitee_email,
  invitee_changed,
  old_invitee_email,
}: Shown): [string, string] {
  if (!invitee_changed) return [invitee_email, '']
  const alike = old_invitee_email === undefined ? ', which looks the same masked' : ''
  return [old_invitee_email ?? invitee_email, `, and to another email address${alike}: ${invitee_email}`]
}

/** What a person has to know before they give a booking to another address. */
export const warningsOf = ({
  invitee_changed,
  old_invitee_email,
}: Omit<Shown, 'invitee_email'>): string[] => [
  ...(invitee_changed ? ['The booking goes to another email address than it has now.'] : []),
  ...(invitee_changed && old_invitee_email === undefined
    ? [
        'Both addresses look the same masked: compare the whole new address, as it was sent, with the client’s.',
      ]
    : []),
]
