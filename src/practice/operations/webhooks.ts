import * as z from 'zod'

import type { AUDIT_CODES } from '../../core/domain/audit/entry.ts'
import { TOPIC_NAMES, topicRow } from '../../core/domain/events/topics.ts'
import {
  LONGEST_WEBHOOK_URL,
  MOST_COUNTED,
  DELIVERY_RESULTS,
  SUBSCRIPTION_STATES,
} from '../../core/domain/events/webhook-schedule.ts'
import { refusedUrl } from '../../core/domain/events/webhook-url.ts'
import { withCommas } from '../../core/domain/plural.ts'
import { invalidField, problem } from '../../core/domain/problem/problem.ts'
import { requireScope } from '../../core/domain/scopes.ts'
import { isoOrNull, isoSeconds } from '../../core/domain/time/time.ts'
import type { Subscription, Whose } from '../../core/ports/events.ts'
import { type Context, unlessPaused } from './context.ts'
import { endpoint } from './endpoint.ts'
import { eventPlaceOf, topicSchema } from './events.ts'
import { firstOf, listQuery, listSchema } from './pagination.ts'
import { namedObject, textField, momentField, orNull } from './schemas.ts'

export const newWebhookInput = z.lazy(() =>
  namedObject('NewWebhookRequest', {
    url: z
      .string()
      .max(LONGEST_WEBHOOK_URL)
      .meta({
        description:
          'The URL to which events are sent: https, a host on the internet, port 443 or ' +
          'above 1023. It is kept as a secret.',
        examples: ['https://hooks.example.com/catch/1'],
      }),
    events: z
      .array(topicSchema)
      .min(1)
      .max(TOPIC_NAMES.length)
      .meta({
        description: 'The topics to send; each needs its scope.',
        examples: [['booking.created']],
      }),
  }),
)

const resumeInput = z.lazy(() =>
  namedObject('ResumeWebhookRequest', {
    after: z
      .string()
      .max(4000)
      .optional()
      .describe(
        'A next_cursor of GET /v1/events: every event after it is sent, even if it was sent before.',
      ),
  }),
)

const momentOrNull = orNull(momentField)
const resultSchema = z.enum(DELIVERY_RESULTS)
const countSchema = z.int().min(0)

export const webhookSchema = z.lazy(() =>
  namedObject('Webhook', 'A subscription to events.', {
    webhook_id: z.string(),
    caller: textField('The caller that made it.'),
    events: z.array(topicSchema),
    host: textField('The host of the url; the rest is never shown.'),
    state: z
      .enum(SUBSCRIPTION_STATES)
      .describe(
        'paused: nothing is sent until it is resumed. The deliveries failed for three days, the ' +
          'owner paused it, or a restore or a lost signing secret did. ' +
          'ended: the receiver answered 410, or the key that made it has ended.',
      ),
    created_at: momentField,
    last_ok_at: momentOrNull.describe('When an event last arrived.'),
    first_failed_at: momentOrNull.describe('When the deliveries began to fail.'),
    last_result: z.union([resultSchema, z.null()]),
    waiting: countSchema.describe(
      `Events still to be sent, counted up to ${withCommas(MOST_COUNTED)}.`,
    ),
    skipped: countSchema.describe(
      'Events that were skipped: the receiver refused them three times (400, 413, 415 or 422), ' +
        'or they cannot be read. A resume from a cursor before one sends it again.',
    ),
    secret: z
      .string()
      .optional()
      .describe('The signing secret (whsec_…). Only the answer that creates the webhook has it.'),
  }),
)

const webhookListSchema = z.lazy(() => listSchema('webhooks', webhookSchema))
const webhookSecretSchema = z.lazy(() =>
  z.strictObject({ webhook_id: z.string(), secret: z.string() }),
)
export const webhookTestSchema = z.lazy(() =>
  z.strictObject({
    webhook_id: z.string(),
    result: resultSchema,
    duration_ms: countSchema,
  }),
)

const PATH = '/v1/webhooks'

/** With a url to read, as other events have, so that a tool can map it from a test. */
export const testEventData = (origin: string, webhook_id: string) => ({
  webhook_id,
  url: `${origin}${PATH}/${webhook_id}`,
})

export const testEventSchema = z.lazy(() =>
  namedObject('WebhookTestEvent', 'An event that is sent on request and is not in the log.', {
    id: z.string(),
    type: z.literal('webhook.test'),
    timestamp: momentField,
    mode: z.enum(['mock', 'live']),
    data: z.strictObject({ webhook_id: z.string(), url: z.string() }),
  }),
)

export const exampleTestEvent: z.infer<typeof testEventSchema> = {
  id: 'evt_test_Zk3vQ0p9sT1uW2xY4aB6cD',
  type: 'webhook.test',
  timestamp: '2026-11-23T14:03:10Z',
  mode: 'mock',
  data: testEventData('https://connector.example.com', 'wh_5kQ0aB1cD2eF3gH4iJ5kL6'),
}

const shown = ({ id, topics, created_at, last_ok_at, failing_since, ...rest }: Subscription) => ({
  webhook_id: id,
  events: topics,
  ...rest,
  created_at: isoSeconds(created_at),
  last_ok_at: isoOrNull(last_ok_at),
  first_failed_at: isoOrNull(failing_since),
})

/** A caller who may do everything may look after all subscriptions. */
const whose = ({ caller, scopes }: Context): Whose => (scopes.includes('admin') ? null : caller)

/** A subscription is configuration, so nothing is previewed; but a paused caller changes none. */
const requireNoPause = (context: Context): Promise<void> =>
  unlessPaused(context, async () => undefined)

const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw problem('webhook_not_found')
  return value
}

const noted = (context: Context, code: (typeof AUDIT_CODES)['webhook'][number], id: string) =>
  context.audit({ event: 'webhook', code, record_id: id })

const ONE = `${PATH}/{webhook_id}` as const
const params = z.lazy(() =>
  z.object({
    webhook_id: z
      .string()
      .meta({ description: 'The id of a webhook.', examples: ['wh_Zk3vQ0p9sT1uW2xY4aB6cD'] }),
  }),
)
const OF_ONE = {
  scopes: [],
  params,
  problems: ['insufficient_scope', 'paused', 'webhook_not_found'],
} as const

const listed = async (context: Context) => {
  const { subscriptions } = context.services
  return (await unlessPaused(context, () => subscriptions.subscriptions(whose(context)))).map(shown)
}

/** The routes for subscribing to events. They are configuration: nothing is previewed. */
export const WEBHOOK_ENDPOINTS = [
  endpoint({
    route: `POST ${PATH}`,
    operationId: 'create_webhook',
    summary: 'Subscribe to events',
    description:
      'Sends every new event of these topics to the url, in the form of GET /v1/events, ' +
      'signed by the rules of Standard Webhooks. Events arrive in order and at least once; ' +
      'compare id to skip repeats. An event that the receiver refuses three times is skipped. ' +
      'Posting the same url and events again returns the ' +
      'existing webhook (200) without its secret. The webhook ends with the key that ' +
      'created it.',
    scopes: [],
    body: newWebhookInput,
    answer: {
      description: 'This webhook exists already.',
      created: 'The new webhook.',
      schema: webhookSchema,
    },
    problems: ['insufficient_scope', 'paused', 'webhook_url_refused', 'too_many_webhooks'],
    async run({ url, events }, context) {
      for (const topic of events) requireScope(context.scopes, topicRow(topic).scope)
      const { caller, origin } = context
      const detail = refusedUrl(url, origin)
      if (detail !== undefined)
        throw problem('webhook_url_refused', { errors: [{ pointer: '/url', detail }] })
      await requireNoPause(context)
      const made = await context.services.subscriptions.subscribe({
        caller,
        url,
        topics: events,
        origin,
      })
      if (made.is === 'too many') throw problem('too_many_webhooks')
      const body = shown(made.subscription)
      const headers = { Location: `${origin}${PATH}/${body.webhook_id}` }
      if (made.is === 'there') return Response.json(body, { headers })
      noted(context, 'created', body.webhook_id)
      return Response.json({ ...body, secret: made.secret }, { status: 201, headers })
    },
  }),
  endpoint({
    route: `GET ${PATH}`,
    operationId: 'list_webhooks',
    summary: 'List the webhooks',
    description:
      'Lists the webhooks of the caller, newest first. ' +
      'With the scope admin it lists the webhooks of all callers.',
    scopes: [],
    query: listQuery,
    answer: { description: 'The webhooks.', schema: webhookListSchema },
    problems: ['insufficient_scope', 'paused'],
    run: async ({ limit }, context) => firstOf('webhooks', await listed(context), limit),
  }),
  endpoint({
    route: `GET ${ONE}`,
    operationId: 'get_webhook',
    summary: 'Read a webhook',
    ...OF_ONE,
    answer: { description: 'The webhook.', schema: webhookSchema },
    run: async ({ webhook_id: id }, context) =>
      found((await listed(context)).find(({ webhook_id }) => webhook_id === id)),
  }),
  endpoint({
    route: `DELETE ${ONE}`,
    operationId: 'delete_webhook',
    summary: 'Unsubscribe',
    ...OF_ONE,
    answer: { description: 'The webhook does not exist any more.' },
    // A paused caller may do it, too.
    problems: ['insufficient_scope'],
    async run({ webhook_id: id }, context) {
      if (await context.services.subscriptions.unsubscribe(id, whose(context)))
        noted(context, 'removed', id)
      return new Response(null, { status: 204 })
    },
  }),
  endpoint({
    route: `POST ${ONE}/test`,
    operationId: 'test_webhook',
    summary: 'Send webhook.test now',
    ...OF_ONE,
    answer: { description: 'The result of the test.', schema: webhookTestSchema },
    async run({ webhook_id }, context) {
      await requireNoPause(context)
      const { subscriptions } = context.services
      const { result, ms } = found(await subscriptions.testSubscription(webhook_id, whose(context)))
      return { webhook_id, result, duration_ms: ms }
    },
  }),
  endpoint({
    route: `POST ${ONE}/secret`,
    operationId: 'renew_webhook_secret',
    summary: 'Rotate the secret of a webhook',
    description: 'For 24 hours deliveries are also signed with the old secret.',
    ...OF_ONE,
    answer: { description: 'The new secret.', schema: webhookSecretSchema },
    async run({ webhook_id }, context) {
      await requireNoPause(context)
      const secret = found(
        await context.services.subscriptions.renewSecret(webhook_id, whose(context)),
      )
      noted(context, 'rotated', webhook_id)
      return { webhook_id, secret }
    },
  }),
  endpoint({
    route: `POST ${ONE}/resume`,
    operationId: 'resume_webhook',
    summary: 'Resume or replay a webhook',
    description:
      'Sends the waiting events now, from where the webhook stopped or from a ' +
      'cursor. An active webhook skips the wait before its next try.',
    ...OF_ONE,
    body: resumeInput,
    isBodyOptional: true,
    answer: { description: 'The webhook.', schema: webhookSchema },
    async run({ webhook_id: id, after }, context) {
      const place = after === undefined ? undefined : await eventPlaceOf(after, context, '/after')
      await requireNoPause(context)
      const { subscriptions } = context.services
      const resumed = found(await subscriptions.resumeSubscription(id, whose(context), place))
      if (resumed === 'unknown place')
        throw invalidField('/after', 'Expected a next_cursor of GET /v1/events.')
      noted(context, 'resumed', id)
      return shown(resumed)
    },
  }),
]
