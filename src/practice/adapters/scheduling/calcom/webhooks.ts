import * as z from 'zod'

import type { ProviderWebhooks, WebhookState } from '../../../../core/ports/provider-sync.ts'
import type { SchedulingConnection } from '../../connection.ts'
import { misconfigured } from '../../error-table.ts'
import {
  bookingsNamed,
  reachesFrom,
  stateOf,
  webhookApi,
  webhookList,
  webhookRegistration,
  isSigned,
} from '../../provider-webhooks.ts'
import { isOfTeam } from './bookings.ts'
import { calcomClient } from './client.ts'
import { readRefusal, ADVICE } from './errors.ts'
import { eventTypeNumber } from './event-type.ts'
import { errorIn, success, uidSchema } from './schemas.ts'

/** The triggers that may change what is known of a booking. */
const CALCOM_TRIGGERS = [
  'BOOKING_CREATED',
  'BOOKING_REQUESTED',
  'BOOKING_RESCHEDULED',
  'BOOKING_CANCELLED',
  'BOOKING_REJECTED',
  'BOOKING_NO_SHOW_UPDATED',
] as const

const uid = z.lazy(() => uidSchema.optional().catch(undefined))

const deliverySchema = z.lazy(() =>
  z.object({
    triggerEvent: z.enum(CALCOM_TRIGGERS),
    payload: z.object({ uid, bookingUid: uid, rescheduleUid: uid }),
  }),
)

/** The body that we ask for keeps names and addresses at Cal.com, which may send its own all the same. */
const TEMPLATE = JSON.stringify({
  triggerEvent: '{{triggerEvent}}',
  payload: { uid: '{{uid}}', bookingUid: '{{bookingUid}}', rescheduleUid: '{{rescheduleUid}}' },
})

/** Nothing else of a webhook is read: answers hold its secret, too. */
const idSchema = z.lazy(() =>
  z.union([z.int(), z.string().regex(/^[\w-]{1,64}$/)]).transform(String),
)
const listedSchema = z.lazy(() =>
  z
    .object({
      id: idSchema,
      subscriberUrl: z.string(),
      active: z.boolean(),
      triggers: z.array(z.string()),
    })
    .transform(({ id, subscriberUrl: url, active, triggers }) => {
      return { id, url, state: stateOf(active, triggers, CALCOM_TRIGGERS) }
    }),
)
const listResponse = z.lazy(() => success(webhookList(listedSchema)).transform(({ data }) => data))
const madeResponse = z.lazy(() => success(z.object({ id: idSchema })).transform(({ data }) => data))

const NOT_PERMITTED =
  'Cal.com does not let the key in SCHEDULING_PROVIDER_TOKEN read and make webhooks. ' +
  'Use an API key of the user who hosts the consults; ' +
  'an OAuth access token needs the scopes WEBHOOK_READ and WEBHOOK_WRITE.'

/** Webhooks of Cal.com. A replay only reads the booking again; unsigned ones say `no-secret-provided`. */
export function calcomWebhooks(connection: SchedulingConnection): ProviderWebhooks {
  const client = calcomClient(connection)
  const api = webhookApi({
    send: client.ask,
    path: '/v2/webhooks',
    lack: (body) => (errorIn(body).isEnveloped ? NOT_PERMITTED : undefined),
    refusal: (response) => readRefusal(response, {}, connection.now()),
    unknownForm: misconfigured(ADVICE.form),
  })
  const registered = webhookRegistration({
    list: () => api.list(listResponse),
    create: ({ url, key }) =>
      api.create(madeResponse, {
        active: true,
        subscriberUrl: url,
        triggers: CALCOM_TRIGGERS,
        secret: key,
        payloadTemplate: TEMPLATE,
      }),
    remove: api.remove,
  })

  /** Cal.com tells a user's webhook nothing of a team's bookings (`triggerForUser`, 2446b58b). */
  async function asTold(state: WebhookState): Promise<WebhookState> {
    if (state.is !== 'active') return state
    const ids = (connection.eventTypeIds ?? []).flatMap((id) => eventTypeNumber(id) ?? [])
    const teams = await Promise.all(ids.map((id) => isOfTeam(client, id)))
    return teams.includes(true) ? { ...state, isPartial: true } : state
  }

  return {
    makesSecret: false,
    reaches: reachesFrom(connection.baseUrl),

    async read({ headers, body }, keys) {
      const signature = headers.get('X-Cal-Signature-256') ?? ''
      return (await isSigned(body, [signature], keys))
        ? bookingsNamed(body, deliverySchema)
        : 'refused'
    },

    state: async (wanted) => asTold(await registered.state(wanted)),
    ensure: async (wanted, keep) => asTold(await registered.ensure(wanted, keep)),
  }
}
