import * as z from 'zod'
import { MINUTE } from '../../../domain/duration.ts'
import { Problem } from '../../../domain/problem.ts'
import type { ProviderWebhooks } from '../../../ports/provider-webhooks.ts'
import type { PaymentConnection } from '../../connection.ts'
import type { ProviderRequest } from '../../provider-http.ts'
import { unknownForm } from '../../refusals.ts'
import {
  type ListedWebhook,
  reachesFrom,
  stateOf,
  webhookAnswer,
  webhookRegistration,
} from '../../webhook-registration.ts'
import { isSignedAt, jsonOf } from '../../webhook-signature.ts'
import { errorIn, ownerMustFix, refusalOf } from './errors.ts'
import { INVOICE_ID } from './invoice.ts'
import { lackOf } from './key.ts'
import { LINK_ID } from './links.ts'
import { stripeRequest } from './request.ts'

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

const listedSchema = z.object({
  id: z.string().regex(/^\w{1,128}$/),
  status: z.string(),
  event_payload: z.string(),
  enabled_events: z.array(z.string()),
  webhook_endpoint: z.object({ url: z.string() }),
})
const listSchema = z.object({ data: z.array(z.unknown()) })
const madeSchema = z.object({
  id: listedSchema.shape.id,
  webhook_endpoint: z.object({ signing_secret: z.string().regex(/^whsec_[\w+/=-]{1,200}$/) }),
})

const PATH = '/v2/core/event_destinations'
const PERMISSION = 'rak_webhook_write'

/** Webhooks of Stripe: signed with the time, under a secret that Stripe made and shows once. */
export function stripeWebhooks({
  secretKey,
  baseUrl,
  timeoutMs,
  fetch,
}: PaymentConnection): ProviderWebhooks {
  const request = stripeRequest({ secretKey, baseUrl, timeoutMs, fetch })
  const ask = async (sent: ProviderRequest) =>
    webhookAnswer(await request(sent), {
      lack: (body) => lackOf(errorIn(body).message, PERMISSION),
      refusal: (response) => refusalOf(response, PERMISSION),
    })

  return {
    makesSecret: true,
    reaches: reachesFrom(baseUrl),

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

    ...webhookRegistration({
      async list() {
        const query = { include: 'webhook_endpoint.url', limit: '100' }
        const answer = await ask({ method: 'GET', path: PATH, query })
        const list = listSchema.safeParse(answer.is === 'ok' ? answer.body : undefined).data
        if (!list) throw new Problem(NOT_UNDERSTOOD)
        // A destination of another kind has no address.
        return list.data.flatMap((one) => listed(listedSchema.safeParse(one).data))
      },
      async create({ url }) {
        const body = {
          name: 'Consult connector',
          type: 'webhook_endpoint',
          event_payload: 'thin',
          enabled_events: STRIPE_EVENTS,
          webhook_endpoint: { url },
          include: ['webhook_endpoint.signing_secret'],
        }
        const answer = await ask({ method: 'POST', path: PATH, body })
        const made = madeSchema.safeParse(answer.is === 'ok' ? answer.body : undefined).data
        if (!made) throw new Problem(NOT_UNDERSTOOD)
        return { id: made.id, secret: made.webhook_endpoint.signing_secret }
      },
      async remove(id) {
        await ask({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}` })
      },
    }),
  }
}

const NOT_UNDERSTOOD = ownerMustFix(unknownForm('Stripe'))

const listed = (one: z.infer<typeof listedSchema> | undefined): ListedWebhook[] =>
  one === undefined
    ? []
    : [
        {
          id: one.id,
          url: one.webhook_endpoint.url,
          state: stateOf(
            one.status === 'enabled',
            one.event_payload === 'thin' ? one.enabled_events : [],
            STRIPE_EVENTS,
          ),
        },
      ]
