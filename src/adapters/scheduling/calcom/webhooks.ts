import * as z from 'zod'
import { bookingIdOf } from '../../../domain/booking.ts'
import type { ProviderWebhooks } from '../../../ports/provider-webhooks.ts'
import { isSigned, jsonOf } from '../../webhook-signature.ts'
import { uidSchema } from './schemas.ts'

/** The triggers that may change what is known of a booking. */
export const CALCOM_TRIGGERS = [
  'BOOKING_CREATED',
  'BOOKING_REQUESTED',
  'BOOKING_RESCHEDULED',
  'BOOKING_CANCELLED',
  'BOOKING_REJECTED',
  'BOOKING_NO_SHOW_UPDATED',
] as const

const uid = uidSchema.optional().catch(undefined)

/** All that is read of a payload, whether Cal.com took our template or sent its own full one. */
const deliverySchema = z.object({
  triggerEvent: z.enum(CALCOM_TRIGGERS),
  payload: z.object({ uid, bookingUid: uid, rescheduleUid: uid }),
})

/**
 * Webhooks of Cal.com. A signature has no time, so a delivery can be sent again: that only has the same booking read
 * again. What is not signed comes with the text `no-secret-provided` in its place.
 */
export function calcomWebhooks(): ProviderWebhooks {
  return {
    async read({ headers, body }, keys) {
      const signature = headers.get('X-Cal-Signature-256') ?? ''
      if (!(await isSigned(body, [signature], keys))) return 'refused'
      const { payload = {} } = deliverySchema.safeParse(jsonOf(body)).data ?? {}
      const ids = new Set(Object.values(payload).filter((id) => id !== undefined))
      return { bookings: [...ids].map(bookingIdOf), invoices: [], links: [] }
    },
  }
}
