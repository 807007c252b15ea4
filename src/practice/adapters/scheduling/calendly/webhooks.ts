import * as z from 'zod'

import { MINUTE } from '../../../../core/domain/time/duration.ts'
import { dateTimeSchema, instantOf } from '../../../../core/domain/time/time.ts'
import type { ProviderWebhooks } from '../../../../core/ports/provider-sync.ts'
import type { SchedulingConnection } from '../../connection.ts'
import { misconfigured } from '../../error-table.ts'
import { lenient } from '../../provider-schemas.ts'
import {
  type ListedWebhook,
  bookingsNamed,
  reachesFrom,
  stateOf,
  webhookApi,
  webhookRegistration,
  isSignedAt,
} from '../../provider-webhooks.ts'
import { PAGE_SIZE, calendlyClient } from './client.ts'
import { DOWN, FIX, lacksScope, resultOf } from './errors.ts'
import { hasOtherHosts } from './event-type.ts'
import { errorIn, eventIdIn, idIn, isCalendlys, nextPage, pageSchemaOf } from './schemas.ts'

/** The events that may change what is known of a booking. */
const CALENDLY_EVENTS = [
  'invitee.created',
  'invitee.canceled',
  'invitee_no_show.created',
  'invitee_no_show.deleted',
] as const

const TOLERANCE = 3 * MINUTE

const eventId = z.lazy(() => z.string().transform(eventIdIn).optional().catch(undefined))

/** Nothing else is read: a payload also holds addresses that cancel and move the booking, and answers. */
const deliverySchema = z.lazy(() =>
  z.object({
    event: z.enum(CALENDLY_EVENTS),
    payload: z.object({
      event: eventId,
      invitee: eventId,
      old_invitee: eventId,
      new_invitee: eventId,
    }),
  }),
)

const listedSchema = z.lazy(() =>
  z
    .object({
      uri: idIn('webhook_subscriptions'),
      callback_url: z.string(),
      state: z.string(),
      events: z.array(z.string()),
      retry_started_at: lenient(dateTimeSchema.transform(instantOf)),
    })
    .transform(({ uri: id, callback_url: url, state, events, retry_started_at: since }) => {
      return {
        id,
        url,
        state: stateOf(state === 'active', events, CALENDLY_EVENTS, since ?? undefined),
      }
    }),
)
const listSchema = z.lazy(() => pageSchemaOf(listedSchema))
const madeSchema = z.lazy(() =>
  z.object({ resource: listedSchema }).transform(({ resource: { id } }) => ({ id })),
)

const MAX_PAGES = 5

/** Webhooks of Calendly: signed with the time, under a key of ours. */
export function calendlyWebhooks(connection: SchedulingConnection): ProviderWebhooks {
  const { eventTypeIds = [], now } = connection
  const client = calendlyClient(connection)
  const api = webhookApi({
    send: client.send,
    path: '/webhook_subscriptions',
    lack,
    refusal(response) {
      const result = resultOf(response, { action: 'read', scope: 'users:read' }, now())
      return 'refusal' in result ? result.refusal : DOWN
    },
    unknownForm: misconfigured(FIX.form),
  })

  /** A user's webhooks are about bookings with that user; the organization's about those with all hosts. */
  async function owner(): Promise<Owner> {
    const { uri: user, current_organization: organization } = await client.user()
    return (await hasOtherHosts(client, eventTypeIds))
      ? { scope: 'organization', organization }
      : { scope: 'user', organization, user }
  }

  async function listOf(owned: Owner): Promise<ListedWebhook[]> {
    const found: ListedWebhook[] = []
    let token: string | undefined
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const list = await api.list(listSchema, {
        ...owned,
        count: String(PAGE_SIZE),
        page_token: token,
      })
      found.push(...list.collection.read)
      token = nextPage(list) ?? undefined
      if (token === undefined) break
    }
    return found
  }

  return {
    makesSecret: false,
    reaches: reachesFrom(connection.baseUrl),

    async read({ headers, body }, keys, now) {
      const header = headers.get('Calendly-Webhook-Signature')
      return (await isSignedAt(header, body, { keys, now, toleranceMs: TOLERANCE }))
        ? bookingsNamed(body, deliverySchema)
        : 'refused'
    },

    ...webhookRegistration({
      async list() {
        const owned = await owner()
        if (owned.scope === 'user') return listOf(owned)
        // One may be left from when every event type was the user's own.
        const { uri: user } = await client.user()
        const narrower = await listOf({ ...owned, scope: 'user', user })
        return [
          ...(await listOf(owned)),
          ...narrower.map((one): ListedWebhook => ({ ...one, state: { is: 'incomplete' } })),
        ]
      },
      create: async ({ url, key }) =>
        api.create(madeSchema, {
          url,
          events: CALENDLY_EVENTS,
          ...(await owner()),
          signing_key: key,
        }),
      remove: api.remove,
    }),
  }
}

type Owner = { organization: string } & (
  | { scope: 'organization' }
  | { scope: 'user'; user: string }
)

function lack(body: unknown): string | undefined {
  const error = errorIn(body)
  if (!isCalendlys(error)) return undefined
  if (lacksScope(error))
    return (
      'The Calendly token lacks the scope webhooks:write. ' +
      'Make a new personal access token with it in Calendly (Integrations, then API & ' +
      'Webhooks), beside the scopes that it has, and set it as SCHEDULING_PROVIDER_TOKEN.'
    )
  if (/upgrade|paid/i.test(error.message))
    return 'The Calendly plan of the practice has no webhooks. Upgrade it in Calendly if you want them.'
  return (
    'The Calendly user whose token this is may not make webhooks for the organization, which ' +
    'event types with other hosts need. Use the token of an owner or administrator of the ' +
    'Calendly organization.'
  )
}
