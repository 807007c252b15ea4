import * as z from 'zod'
import { MINUTE } from '../../../domain/duration.ts'
import type { ProviderWebhooks } from '../../../ports/provider-webhooks.ts'
import { isSignedAt, jsonOf } from '../../webhook-signature.ts'
import { INVOICE_ID } from './invoice.ts'
import { LINK_ID } from './links.ts'

/** The events that may change what is known of an invoice or a payment link. */
export const STRIPE_EVENTS = [
  'v1.invoice.paid',
  'v1.invoice.payment_failed',
  'v1.invoice.voided',
  'v1.invoice.marked_uncollectible',
  'v1.invoice.updated',
  'v1.payment_link.updated',
] as const

const TOLERANCE = 5 * MINUTE

/** A thin event: it names the object, and holds nothing of it. */
const deliverySchema = z.object({
  object: z.literal('v2.core.event'),
  type: z.enum(STRIPE_EVENTS),
  related_object: z.object({ id: z.string() }),
})

/** Webhooks of Stripe: signed with the time, under a secret that Stripe made. */
export function stripeWebhooks(): ProviderWebhooks {
  return {
    async read({ headers, body }, keys, now) {
      const header = headers.get('Stripe-Signature')
      if (!(await isSignedAt(header, body, { keys, now, toleranceMs: TOLERANCE }))) return 'refused'
      const { id = '' } = deliverySchema.safeParse(jsonOf(body)).data?.related_object ?? {}
      return {
        bookings: [],
        invoices: INVOICE_ID.test(id) ? [id] : [],
        links: LINK_ID.test(id) ? [id] : [],
      }
    },
  }
}
