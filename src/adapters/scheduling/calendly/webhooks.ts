import * as z from 'zod'
import { bookingIdOf } from '../../../domain/booking.ts'
import { MINUTE } from '../../../domain/duration.ts'
import { Problem } from '../../../domain/problem.ts'
import { dateTimeSchema, instantOf } from '../../../domain/time.ts'
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
import { isSignedAt, jsonOf } from '../../webhook-signature.ts'
import { calendlyClient } from './client.ts'
import { DOWN, FIX, resultOf } from './errors.ts'
import { isOwn } from './event-type.ts'
import { errorSchema, eventIdIn, nextPage, pageSchemaOf } from './schemas.ts'

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

const ID = '[A-Za-z0-9_-]{1,128}'
const listedSchema = z.object({
  uri: z
    .string()
    .regex(new RegExp(`^https://api.calendly.com/webhook_subscriptions/${ID}$`))
    .transform((uri) => uri.slice(uri.lastIndexOf('/') + 1)),
  callback_url: z.string(),
  state: z.string(),
  events: z.array(z.string()),
  retry_started_at: dateTimeSchema.transform(instantOf).nullish().catch(null),
})
const listSchema = pageSchemaOf(z.unknown())
const madeSchema = z.object({ resource: listedSchema })

const MAX_PAGES = 5
const PATH = '/webhook_subscriptions'

/** Webhooks of Calendly: signed with the time, under a key of ours. */
export function calendlyWebhooks(connection: SchedulingConnection): ProviderWebhooks {
  const { eventTypeIds = [], now } = connection
  const client = calendlyClient(connection)
  const ask = async (request: ProviderRequest) =>
    webhookAnswer(await client.send(request), {
      lack,
      refusal(response) {
        const result = resultOf(response, { action: 'read', scope: 'users:read' }, now())
        return 'refusal' in result ? result.refusal : DOWN
      },
    })

  /** A user's webhooks hear of the bookings with that user; the organization's of those with every host. */
  async function owner(): Promise<Owner> {
    const { uri: user, current_organization: organization } = await client.user()
    for (const named of eventTypeIds)
      if (!(await isOwn(client, named))) return { scope: 'organization', organization }
    return { scope: 'user', organization, user }
  }

  async function listOf(owned: Owner): Promise<ListedWebhook[]> {
    const found: ListedWebhook[] = []
    let token: string | undefined
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const query = { ...owned, count: '100', page_token: token }
      const answer = await ask({ method: 'GET', path: PATH, query })
      const list = listSchema.safeParse(answer.is === 'ok' ? answer.body : undefined).data
      if (!list) throw new Problem(misconfigured(FIX.form))
      // Those of other apps may have a form that is not known here.
      found.push(...list.collection.flatMap((one) => listed(listedSchema.safeParse(one).data)))
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
      if (!(await isSignedAt(header, body, { keys, now, toleranceMs: TOLERANCE }))) return 'refused'
      const { payload = {} } = deliverySchema.safeParse(jsonOf(body)).data ?? {}
      const ids = new Set(Object.values(payload).filter((id) => id !== undefined))
      return { bookings: [...ids].map(bookingIdOf), invoices: [], links: [] }
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
      async create({ url, key }) {
        const body = { url, events: CALENDLY_EVENTS, ...(await owner()), signing_key: key }
        const answer = await ask({ method: 'POST', path: PATH, body })
        if (answer.is === 'exists') return 'exists'
        const made = madeSchema.safeParse(answer.is === 'ok' ? answer.body : undefined).data
        if (!made) throw new Problem(misconfigured(FIX.form))
        return { id: made.resource.uri }
      },
      async remove(id) {
        await ask({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}` })
      },
    }),
  }
}

type Owner = { organization: string } & ({ scope: 'organization' } | { scope: 'user'; user: string })

const listed = (one: z.infer<typeof listedSchema> | undefined): ListedWebhook[] =>
  one === undefined
    ? []
    : [
        {
          id: one.uri,
          url: one.callback_url,
          state: stateOf(
            one.state === 'active',
            one.events,
            CALENDLY_EVENTS,
            one.retry_started_at ?? undefined,
          ),
        },
      ]

/** What the owner can change after a 403. */
function lack(body: unknown): string {
  const error = errorSchema.safeParse(body).data ?? errorSchema.parse({})
  if (/insufficient scope/i.test(error.title) || error.required_scopes.length > 0)
    return 'The Calendly token lacks the scope webhooks:write. Make a new personal access token with it in Calendly (Integrations, then API & Webhooks), beside the scopes that it has, and set it as SCHEDULING_PROVIDER_TOKEN.'
  if (/upgrade|paid/i.test(error.message))
    return 'The Calendly plan of the practice has no webhooks. Upgrade it in Calendly if you want them.'
  return 'The Calendly user whose token this is may not make webhooks for the organization, which event types with other hosts need. Use the token of an owner or administrator of the Calendly organization.'
}
