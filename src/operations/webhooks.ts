import * as z from 'zod'
import { TOPIC_NAMES, topicRow } from '../domain/event-topics.ts'
import { invalidField, problem } from '../domain/problem.ts'
import { requireScope } from '../domain/scopes.ts'
import { isoSeconds } from '../domain/time.ts'
import { LONGEST_WEBHOOK_URL, MOST_COUNTED } from '../domain/webhook-limits.ts'
import { DELIVERY_RESULTS, SUBSCRIPTION_STATES } from '../domain/webhook-schedule.ts'
import { refusedUrl } from '../domain/webhook-url.ts'
import type { Subscription, Whose } from '../ports/subscriptions.ts'
import { eventPlaceOf } from './events.ts'
import type { Context } from './perform.ts'
import { unlessPaused } from './unless-paused.ts'
import { parseInput } from './validation.ts'

export const webhookId = z.string().meta({ description: 'The webhook_id of a webhook.' })

/** What `POST /v1/webhooks` takes. */
export const newWebhookInput = z
  .strictObject({
    url: z
      .string()
      .max(LONGEST_WEBHOOK_URL)
      .meta({
        description:
          'Where events are sent: https, a host on the internet, port 443 or above 1023. Kept as a secret.',
        examples: ['https://hooks.example.com/catch/1'],
      }),
    events: z
      .array(z.enum(TOPIC_NAMES))
      .min(1)
      .max(TOPIC_NAMES.length)
      .meta({ description: 'Topics; each needs its read scope.', examples: [['booking.created']] }),
  })
  .meta({ id: 'NewWebhookRequest' })

/** What `POST /v1/webhooks/{webhook_id}/resume` takes. */
export const resumeInput = z
  .strictObject({
    after: z.string().max(4000).optional().meta({
      description: 'A next_cursor of GET /v1/events: what followed it is sent, again or for the first time.',
    }),
  })
  .meta({ id: 'ResumeWebhookRequest' })

const timeOrNull = (description: string) =>
  z.union([z.string().meta({ format: 'date-time' }), z.null()]).meta({ description })
const resultSchema = z.enum(DELIVERY_RESULTS)

/** A webhook, as it is answered. */
export const webhookSchema = z
  .strictObject({
    webhook_id: webhookId,
    caller: z.string().meta({ description: 'Who made it.' }),
    events: z.array(z.enum(TOPIC_NAMES)),
    host: z.string().meta({ description: 'The host of its address; the rest is never shown.' }),
    state: z.enum(SUBSCRIPTION_STATES).meta({
      description:
        'paused: deliveries failed for three days, and wait for a resume. ended: the receiver answered 410, or the key that made it has ended.',
    }),
    created_at: z.string().meta({ format: 'date-time' }),
    last_ok_at: timeOrNull('When an event last arrived.'),
    failing_since: timeOrNull('Since when deliveries fail.'),
    last_result: z.union([resultSchema, z.null()]),
    waiting: z
      .int()
      .min(0)
      .meta({
        description: `Events still to be sent, counted up to ${MOST_COUNTED.toLocaleString('en-US')}.`,
      }),
    skipped: z
      .int()
      .min(0)
      .meta({ description: 'Events given up: the receiver refused them, or they cannot be read.' }),
    secret: z
      .string()
      .optional()
      .meta({ description: 'whsec_…, to verify with; only in the answer that made it.' }),
  })
  .meta({ id: 'Webhook', description: 'A subscription to events.' })

export const webhookListSchema = z.strictObject({ webhooks: z.array(webhookSchema) })
export const webhookSecretSchema = z.strictObject({ webhook_id: webhookId, secret: z.string() })
export const webhookTestSchema = z.strictObject({
  webhook_id: webhookId,
  result: resultSchema,
  duration_ms: z.int().min(0),
})

/** The event of a test, as it is sent. */
export const testEventSchema = z
  .strictObject({
    id: z.string(),
    type: z.literal('webhook.test'),
    timestamp: z.string().meta({ format: 'date-time' }),
    mode: z.enum(['mock', 'live']),
    data: z.strictObject({ webhook_id: webhookId }),
  })
  .meta({ id: 'WebhookTestEvent', description: 'Sent on request; not in the log.' })

/** That event for the documents. */
export const exampleTestEvent: z.infer<typeof testEventSchema> = {
  id: 'evt_test_Zk3vQ0p9sT1uW2xY4aB6cD',
  type: 'webhook.test',
  timestamp: '2026-11-23T14:03:10Z',
  mode: 'mock',
  data: { webhook_id: 'wh_5kQ0aB1cD2eF3gH4iJ5kL6' },
}

const shown = ({ id, topics, created_at, last_ok_at, failing_since, ...rest }: Subscription) => ({
  webhook_id: id,
  events: topics,
  ...rest,
  created_at: isoSeconds(created_at),
  last_ok_at: timeOf(last_ok_at),
  failing_since: timeOf(failing_since),
})
const timeOf = (at: number | null): string | null => (at === null ? null : isoSeconds(at))

/** Who may do everything may look after everybody's. */
const whose = ({ caller, scopes }: Context): Whose => (scopes.includes('admin') ? null : caller)

/** A subscription is configuration, so nothing is previewed; but whoever is paused changes none. */
const requireNoPause = (context: Context): Promise<void> => unlessPaused(context, async () => undefined)

const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw problem('webhook_not_found')
  return value
}

const noted = (context: Context, code: string, id: string): void =>
  context.audit({ event: 'webhook', code, record_id: id })

/** Subscribes an address to events; a repeat finds the same subscription, and shows no secret. */
export async function createWebhook(
  fields: unknown,
  context: Context,
): Promise<{ isNew: boolean; body: z.infer<typeof webhookSchema> }> {
  const { url, events } = parseInput(newWebhookInput, fields)
  for (const topic of events) requireScope(context.scopes, topicRow(topic).scope)
  const { caller, origin } = context
  const detail = refusedUrl(url, origin)
  if (detail !== undefined) throw problem('webhook_url_refused', { errors: [{ pointer: '/url', detail }] })
  await requireNoPause(context)
  const { subscriptions } = context.services
  const made = await subscriptions.subscribe({ caller, url, topics: events, origin })
  if (made.is === 'too many') throw problem('too_many_webhooks')
  const body = shown(made.subscription)
  if (made.is === 'there') return { isNew: false, body }
  noted(context, 'created', body.webhook_id)
  return { isNew: true, body: { ...body, secret: made.secret } }
}

/** The caller's webhooks, the newest first; with the scope admin those of everybody. */
export async function listWebhooks(context: Context): Promise<z.infer<typeof webhookListSchema>> {
  const { subscriptions } = context.services
  const all = await unlessPaused(context, () => subscriptions.subscriptions(whose(context)))
  return { webhooks: all.map(shown) }
}

/** One of them. Raises `webhook_not_found`. */
export async function getWebhook(id: string, context: Context): Promise<z.infer<typeof webhookSchema>> {
  const { webhooks } = await listWebhooks(context)
  return found(webhooks.find(({ webhook_id }) => webhook_id === id))
}

/** Removes one; a repeat, or one that is not there, changes nothing. A caller that is paused may do it, too. */
export async function removeWebhook(id: string, context: Context): Promise<void> {
  if (await context.services.subscriptions.unsubscribe(id, whose(context))) noted(context, 'removed', id)
}

/** Sends `webhook.test` now. Raises `webhook_not_found`. */
export async function testWebhook(id: string, context: Context): Promise<z.infer<typeof webhookTestSchema>> {
  await requireNoPause(context)
  const { result, ms } = found(await context.services.subscriptions.testSubscription(id, whose(context)))
  return { webhook_id: id, result, duration_ms: ms }
}

/** Gives it another secret; deliveries are signed with both for a day. Raises `webhook_not_found`. */
export async function renewWebhookSecret(
  id: string,
  context: Context,
): Promise<z.infer<typeof webhookSecretSchema>> {
  await requireNoPause(context)
  const secret = found(await context.services.subscriptions.renewSecret(id, whose(context)))
  noted(context, 'rotated', id)
  return { webhook_id: id, secret }
}

/** Active again, from where it stopped or from a cursor. Raises `webhook_not_found` or `validation_failed`. */
export async function resumeWebhook(
  id: string,
  fields: unknown,
  context: Context,
): Promise<z.infer<typeof webhookSchema>> {
  const { after } = parseInput(resumeInput, fields)
  const place = after === undefined ? undefined : await eventPlaceOf(after, context, '/after')
  await requireNoPause(context)
  const { subscriptions } = context.services
  const resumed = found(await subscriptions.resumeSubscription(id, whose(context), place))
  if (resumed === 'unknown place') throw invalidField('/after', 'Expected a next_cursor of GET /v1/events.')
  noted(context, 'resumed', id)
  return shown(resumed)
}
