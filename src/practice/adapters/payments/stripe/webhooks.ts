import * as z from 'zod'

import { MINUTE } from '../../../../core/domain/time/duration.ts'
import { jsonIn } from '../../../../core/json.ts'
import type { ProviderWebhooks } from '../../../../core/ports/provider-sync.ts'
import type { PaymentConnection } from '../../connection.ts'
import { unknownForm } from '../../error-table.ts'
import {
  reachesFrom,
  stateOf,
  webhookApi,
  webhookList,
  webhookRegistration,
  isSignedAt,
} from '../../provider-webhooks.ts'
import { errorIn, ownerMustFix, refusalOf, lackOf } from './errors.ts'
import { stripeRequest } from './index.ts'
import { INVOICE_ID, LINK_ID, PAGE_SIZE } from './invoices-and-links.ts'

/** The events that may change what is known of an invoice or a payment link. */
const STRIPE_EVENTS = [
  'v1.invoice.paid',
  'v1.invoice.payment_failed',
  'v1.invoice.voided',
  'v1.invoice.marked_uncollectible',
  'v1.invoice.updated',
  'v1.payment_link.updated',
] as const

const TOLERANCE = 5 * MINUTE

const deliverySchema = z.lazy(() =>
  z.object({
    object: z.literal('v2.core.event'),
    type: z.enum(STRIPE_EVENTS),
    related_object: z.object({ id: z.string() }),
  }),
)

const idSchema = z.lazy(() => z.string().regex(/^\w{1,128}$/))
const listedSchema = z.lazy(() =>
  z
    .object({
      id: idSchema,
      status: z.string(),
      event_payload: z.string(),
      enabled_events: z.array(z.string()),
      webhook_endpoint: z.object({ url: z.string() }),
    })
    .transform(({ id, status, event_payload, enabled_events, webhook_endpoint: { url } }) => {
      const events = event_payload === 'thin' ? enabled_events : []
      return { id, url, state: stateOf(status === 'enabled', events, STRIPE_EVENTS) }
    }),
)
const listSchema = z.lazy(() =>
  z.object({ data: webhookList(listedSchema) }).transform(({ data }) => data),
)
const madeSchema = z.lazy(() =>
  z
    .object({
      id: idSchema,
      webhook_endpoint: z.object({ signing_secret: z.string().regex(/^whsec_[\w+/=-]{1,200}$/) }),
    })
    .transform(({ id, webhook_endpoint: { signing_secret: secret } }) => ({ id, secret })),
)

const PERMISSION = 'rak_webhook_write'

/** Webhooks of Stripe: signed with the time, under a secret that Stripe made and shows once. */
export function stripeWebhooks(connection: PaymentConnection): ProviderWebhooks {
  const api = webhookApi({
    send: stripeRequest(connection),
    path: '/v2/core/event_destinations',
    lack: (body) => lackOf(errorIn(body).message, PERMISSION),
    refusal: (response) => refusalOf(response, PERMISSION),
    unknownForm: ownerMustFix(unknownForm('Stripe')),
  })

  return {
    makesSecret: true,
    reaches: reachesFrom(connection.baseUrl),

    async read({ headers, body }, keys, now) {
      const header = headers.get('Stripe-Signature')
      if (!(await isSignedAt(header, body, { keys, now, toleranceMs: TOLERANCE }))) return 'refused'
      const { id = '' } = deliverySchema.safeParse(jsonIn(body)).data?.related_object ?? {}
      return {
        bookings: [],
        invoices: INVOICE_ID.test(id) ? [id] : [],
        links: LINK_ID.test(id) ? [id] : [],
      }
    },

    ...webhookRegistration({
      list: () =>
        api.list(listSchema, { 'include[0]': 'webhook_endpoint.url', limit: String(PAGE_SIZE) }),
      create: ({ url }) =>
        api.create(madeSchema, {
          name: 'Consult connector',
          type: 'webhook_endpoint',
          event_payload: 'thin',
          enabled_events: STRIPE_EVENTS,
          webhook_endpoint: { url },
          include: ['webhook_endpoint.signing_secret'],
        }),
      remove: api.remove,
    }),
  }
}
