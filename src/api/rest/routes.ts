import type { RouteConfig } from '@hono/zod-openapi'
import * as z from 'zod'

import { TOPIC_NAMES, type Topic, topicRow } from '../../core/domain/events/topics.ts'
import { OPERATION_PATH } from '../../core/domain/problem/problem.ts'
import { endpoint, isGet } from '../../practice/operations/endpoint.ts'
import {
  eventListInput,
  eventListSchema,
  eventSamples,
  eventSamplesInput,
  eventSamplesSchema,
  eventSchemaOf,
  exampleEvent,
  listEvents,
} from '../../practice/operations/events.ts'
import { idempotencyKeySchema, keyInHeader } from '../../practice/operations/idempotency-key.ts'
import { OPERATIONS } from '../../practice/operations/index.ts'
import {
  operationStatusSchema,
  operationStatus,
  changeReceipt,
  receiptSchema,
} from '../../practice/operations/operation-status.ts'
import { type Operation, practiceMode } from '../../practice/operations/operation.ts'
import { ON_PAGE } from '../../practice/operations/pagination.ts'
import { perform, problemOf } from '../../practice/operations/perform.ts'
import {
  WEBHOOK_ENDPOINTS,
  exampleTestEvent,
  testEventSchema,
} from '../../practice/operations/webhooks.ts'
import { readAnswer, jsonAnswer } from '../http/answers.ts'
import type { App, AppContext } from '../http/app-env.ts'
import { readFields, queryOf } from '../http/body.ts'
import { operationRoute } from '../openapi/document.ts'
import { addEndpoints, addRoute, httpEndpoint } from '../openapi/endpoint.ts'

/** Adds the routes of callers to the app and to the OpenAPI document, with the events that webhooks send. */
export function addOperationRoutes(app: App) {
  for (const operation of OPERATIONS) {
    app.document(() => operationRoute(operation))
    const isQuery = isGet(operation)
    addRoute(app, operation, (c) =>
      handle(operation, isQuery, c).catch((thrown: unknown) => {
        throw problemOf(thrown, operation)
      }),
    )
  }
  addEndpoints(app, [readOperation, readReceipt, ...EVENT_ENDPOINTS, ...WEBHOOK_ENDPOINTS])
  app.documentWebhooks(() => [...TOPIC_NAMES.map(topicWebhook), testWebhookEvent()])
}

async function handle(operation: Operation, isQuery: boolean, c: AppContext) {
  const log = c.get('log')
  log.operation = operation.name
  const context = await c.get('context')(operation.kind === 'read' ? 'reads' : 'changes')
  log.mode = operation.mode(context.services.modes)
  const path: Record<string, string> = c.req.param()
  if (isQuery) {
    const asked = { fields: queryOf(c.req.url), path, isQuery } as const
    const { body } = await perform(operation, asked, context)
    return readAnswer(c.req.raw, body, { origin: context.origin, cursor: body['next_cursor'] })
  }
  // A read in a body, such as a search, has no use for a key.
  const key = keyInHeader(c.req.header('Idempotency-Key') ?? '')
  const asked = { fields: await readFields(c.req.raw), path, key }
  const { body, replayed } = await perform(operation, asked, context)
  return jsonAnswer(body, replayed ? { 'Idempotent-Replayed': 'true' } : {})
}

const params = z.lazy(() => z.object({ idempotency_key: idempotencyKeySchema }))

const readOperation = httpEndpoint({
  route: `GET ${OPERATION_PATH}`,
  operationId: 'read_operation',
  summary: 'Read the status of a change',
  description:
    'Returns whether the change under an idempotency key of this caller has happened. ' +
    'If the outcome is uncertain, the provider is asked first, as by a repeat of the ' +
    'commit. A caller with the scope for it also sees the result. ' +
    'A key is `never_seen` if this caller never used it, or if its record was deleted 30 ' +
    'days after its end.',
  scopes: [],
  params,
  answer: { description: 'The status.', schema: operationStatusSchema },
  problems: ['insufficient_scope', 'idempotency_key_invalid'],
  async run({ idempotency_key }, caller, c) {
    const status = await operationStatus(idempotency_key, caller)
    if (status.mode) c.get('log').mode = status.mode
    return status
  },
})

const readReceipt = httpEndpoint({
  route: `GET ${OPERATION_PATH}/receipt`,
  operationId: 'read_receipt',
  summary: 'Get the receipt of a change',
  description:
    'Returns the audit log entry that records how the change under an idempotency key of ' +
    'this caller ended, with a proof that the log contains it. ' +
    'Anyone who has the public key of the log can check it offline.',
  scopes: [],
  params,
  answer: { description: 'The receipt.', schema: receiptSchema },
  problems: ['insufficient_scope', 'idempotency_key_invalid', 'not_found', 'receipt_pending'],
  run: ({ idempotency_key }, caller, c) =>
    changeReceipt(idempotency_key, caller, c.get('services').audit),
})

const EVENT_ENDPOINTS = [
  httpEndpoint({
    route: 'GET /v1/events',
    operationId: 'list_events',
    summary: 'List events',
    description:
      'Lists the events of the last 30 days for automations: ids, states and times, newest ' +
      'last. order=newest puts the newest first, for triggers that poll. Without a cursor it ' +
      'returns the newest events. ' +
      'With the next_cursor of an earlier answer it returns the events that followed, so ' +
      'no event is missed or listed twice. A caller sees the topics whose scope it ' +
      'holds. An event appears a moment after its change.',
    scopes: [],
    query: eventListInput,
    answer: {
      description: 'The events, newest last, or first with order=newest.',
      schema: eventListSchema,
      isListing: true,
      get example() {
        return {
          operation: 'list_events',
          mode: 'mock',
          events: [exampleEvent('booking.created')],
          next_cursor: 'eyJhZnRlciI6MX0.3f9c1a20AAAAAAAAAAAAAAAAAAAAAA',
          truncated: false,
        }
      },
    },
    problems: ['insufficient_scope', 'paused'],
    mode: practiceMode,
    async run(asked, caller, c) {
      const body = await listEvents(asked, caller)
      const isWhole =
        asked.order === 'newest' ||
        (asked.cursor !== undefined && body.events.length === (asked.limit ?? ON_PAGE))
      return readAnswer(c.req.raw, body, {
        origin: caller.origin,
        cursor: isWhole && body.next_cursor,
      })
    },
  }),
  endpoint({
    route: 'GET /v1/events/samples',
    operationId: 'sample_events',
    summary: 'List sample events',
    description:
      'Returns the three newest events as a bare list, for setting up an automation. ' +
      'If there are no events yet, it returns one example of each topic.',
    scopes: [],
    query: eventSamplesInput,
    answer: {
      description: 'Events or examples, in the shape of the real ones.',
      schema: eventSamplesSchema,
      get example() {
        return [exampleEvent('booking.created')]
      },
    },
    problems: ['insufficient_scope', 'paused'],
    mode: practiceMode,
    run: eventSamples,
  }),
]

const topicWebhook = (topic: Topic): RouteConfig => {
  const { description, scope } = topicRow(topic)
  const body = { schema: eventSchemaOf(topic), example: exampleEvent(topic) }
  return { ...sentEvent(topic, body), description: `${description} It needs the scope ${scope}.` }
}

const testWebhookEvent = (): RouteConfig =>
  sentEvent('webhook.test', { schema: testEventSchema, example: exampleTestEvent })

const sentEvent = (name: string, body: { schema: z.ZodType; example: object }): RouteConfig => ({
  method: 'post',
  path: name,
  operationId: name,
  summary: name,
  security: [],
  request: { body: { required: true, content: { 'application/json': body } } },
  responses: {
    200: { description: 'The event is accepted; any 2xx status counts. 410 ends the webhook.' },
  },
})
