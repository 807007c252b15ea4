import * as z from 'zod'
import { bookingIdOf } from '../../../domain/booking.ts'
import { Problem } from '../../../domain/problem.ts'
import type { ProviderWebhooks } from '../../../ports/provider-webhooks.ts'
import type { SchedulingConnection } from '../../connection.ts'
import type { ProviderRequest } from '../../provider-http.ts'
import { misconfigured } from '../../refusals.ts'
import {
  type ListedWebhook,
  reachesFrom,
  stateOf,
  webhookAnswer,
  webhookRegistration,
} from '../../webhook-registration.ts'
import { isSigned, jsonOf } from '../../webhook-signature.ts'
import { calcomClient } from './client.ts'
import { readRefusal } from './errors.ts'
import { ADVICE } from './messages.ts'
import { success, uidSchema } from './schemas.ts'

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

/** The body that is asked for: names and email addresses then never leave Cal.com. It may send its own all the same. */
const TEMPLATE = JSON.stringify({
  triggerEvent: '{{triggerEvent}}',
  payload: { uid: '{{uid}}', bookingUid: '{{bookingUid}}', rescheduleUid: '{{rescheduleUid}}' },
})

/** All that is read of a webhook: its secret stands in every answer, too. */
const listedSchema = z.object({
  id: z.union([z.int(), z.string().regex(/^[\w-]{1,64}$/)]).transform(String),
  subscriberUrl: z.string(),
  active: z.boolean(),
  triggers: z.array(z.string()),
})
const listResponse = success(z.array(z.unknown()))
const madeResponse = success(z.object({ id: listedSchema.shape.id }))

const PATH = '/v2/webhooks'
const NOT_PERMITTED =
  'Cal.com does not let the key in SCHEDULING_PROVIDER_TOKEN see to webhooks. Use an API key of the user who hosts the consults; an OAuth access token needs the scopes WEBHOOK_READ and WEBHOOK_WRITE.'

/**
 * Webhooks of Cal.com. A signature has no time, so a delivery can be sent again: that only has the same booking read
 * again. What is not signed comes with the text `no-secret-provided` in its place.
 */
export function calcomWebhooks(connection: SchedulingConnection): ProviderWebhooks {
  const client = calcomClient(connection)
  const ask = async (request: ProviderRequest) =>
    webhookAnswer(await client.ask(request), {
      lack: () => NOT_PERMITTED,
      refusal: (response) => readRefusal(response, {}, connection.now()),
    })

  return {
    makesSecret: false,
    reaches: reachesFrom(connection.baseUrl),

    async read({ headers, body }, keys) {
      const signature = headers.get('X-Cal-Signature-256') ?? ''
      if (!(await isSigned(body, [signature], keys))) return 'refused'
      const { payload = {} } = deliverySchema.safeParse(jsonOf(body)).data ?? {}
      const ids = new Set(Object.values(payload).filter((id) => id !== undefined))
      return { bookings: [...ids].map(bookingIdOf), invoices: [], links: [] }
    },

    ...webhookRegistration({
      async list() {
        const answer = await ask({ method: 'GET', path: PATH })
        const list = listResponse.safeParse(answer.is === 'ok' ? answer.body : undefined).data
        if (!list) throw new Problem(misconfigured(ADVICE.form))
        // Those of other apps may have a form that is not known here.
        return list.data.flatMap((one) => listed(listedSchema.safeParse(one).data))
      },
      async create({ url, key }) {
        const body = {
          active: true,
          subscriberUrl: url,
          triggers: CALCOM_TRIGGERS,
          secret: key,
          payloadTemplate: TEMPLATE,
        }
        const answer = await ask({ method: 'POST', path: PATH, body })
        if (answer.is === 'exists') return 'exists'
        const made = madeResponse.safeParse(answer.is === 'ok' ? answer.body : undefined).data
        if (!made) throw new Problem(misconfigured(ADVICE.form))
        return { id: made.data.id }
      },
      async remove(id) {
        await ask({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}` })
      },
    }),
  }
}

const listed = (one: z.infer<typeof listedSchema> | undefined): ListedWebhook[] =>
  one === undefined
    ? []
    : [{ id: one.id, url: one.subscriberUrl, state: stateOf(one.active, one.triggers, CALCOM_TRIGGERS) }]
