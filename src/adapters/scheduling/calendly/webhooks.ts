import * as z from 'zod'
import { bookingIdOf } from '../../../domain/booking.ts'
import { MINUTE } from '../../../domain/duration.ts'
import type { ProviderWebhooks } from '../../../ports/provider-webhooks.ts'
import { isSignedAt, jsonOf } from '../../webhook-signature.ts'
import { eventIdIn } from './schemas.ts'

/** The events that may change what is known of a booking. */
export const CALENDLY_EVENTS = [
  'invitee.created',
  'invitee.canceled',
  'invitee_no_show.created',
  'invitee_no_show.deleted',
] as const

const TOLERANCE = 3 * MINUTE

/** The id of the scheduled event in the full name of an event or of an invitee; none for anything else. */
const eventId = z.string().transform(eventIdIn).optional().catch(undefined)

/** All that is read of a payload: it also holds addresses that cancel and move the booking, and answers. */
const deliverySchema = z.object({
  event: z.enum(CALENDLY_EVENTS),
  payload: z.object({ event: eventId, invitee: eventId, old_invitee: eventId, new_invitee: eventId }),
})

/** Webhooks of Calendly: signed with the time, under a key of ours. */
export function calendlyWebhooks(): ProviderWebhooks {
  return {
    async read({ headers, body }, keys, now) {
      const header = headers.get('Calendly-Webhook-Signature')
      if (!(await isSignedAt(header, body, { keys, now, toleranceMs: TOLERANCE }))) return 'refused'
      const { payload = {} } = deliverySchema.safeParse(jsonOf(body)).data ?? {}
      const ids = new Set(Object.values(payload).filter((id) => id !== undefined))
      return { bookings: [...ids].map(bookingIdOf), invoices: [], links: [] }
    },
  }
}
