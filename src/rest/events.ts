import type { RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type * as z from 'zod'
import { type App, type AppEnv, createRoute } from '../http/app-env.ts'
import { queryOf } from '../http/query.ts'
import { readAnswer } from '../http/read-answer.ts'
import { TOPIC_NAMES } from '../domain/event-topics.ts'
import { credentialWith } from '../domain/scopes.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { problemResponses } from '../openapi/responses.ts'
import { testWebhookEvent, topicWebhook } from '../openapi/webhooks.ts'
import {
  eventSamples,
  eventSamplesInput,
  eventSamplesSchema,
  eventListInput,
  eventListSchema,
  exampleEvent,
  listEvents,
} from '../operations/events.ts'
import { EVERY_OPERATION, practiceMode } from '../operations/operation.ts'
import type { Context as CallContext } from '../operations/perform.ts'

const EVENTS = { path: '/v1/events', operationId: 'list_events' }
const SAMPLES = { path: '/v1/events/samples', operationId: 'sample_events' }

const readRoute = (
  named: typeof EVENTS,
  texts: Pick<RouteConfig, 'summary' | 'description'>,
  query: z.ZodObject,
  answer: Parameters<typeof readResponses>[0],
) =>
  createRoute({
    ...named,
    ...texts,
    method: 'get',
    tags: ['Operations'],
    security: credentialWith(),
    'x-openai-isConsequential': false,
    request: { query, headers: ifNoneMatch },
    responses: {
      ...readResponses(answer),
      ...problemResponses(EVERY_OPERATION),
    },
  })

const eventsRoute = () =>
  readRoute(
    EVENTS,
    {
      summary: 'List events',
      description:
        'What happened here in the last 30 days, for automations: ids, states and times, the newest last. Without a cursor, the newest events; with the next_cursor of an earlier answer, those that followed, so that no event is missed and none is listed twice. A caller sees the topics whose read scope it holds: bookings:read, clients:read, payments:read. An event follows its change by a moment.',
    },
    eventListInput,
    {
      description: 'Events, the newest last.',
      schema: eventListSchema,
      example: {
        operation: 'list_events',
        mode: 'mock',
        events: [exampleEvent('booking.created')],
        next_cursor: 'eyJhZnRlciI6MX0.3f9c1a20AAAAAAAAAAAAAAAAAAAAAA',
        truncated: false,
      },
    },
  )

const samplesRoute = () =>
  readRoute(
    SAMPLES,
    {
      summary: 'List sample events',
      description:
        'The three newest events as a bare list, for setting up an automation. Where there are none, one example of each topic.',
    },
    eventSamplesInput,
    {
      description: 'Events or examples, in the shape of the real ones.',
      schema: eventSamplesSchema,
      example: [exampleEvent('booking.created')],
    },
  )

/** Adds the routes for events, and describes the events of each topic as webhooks of the OpenAPI document. */
export function addEventRoutes(app: App): void {
  app.document(eventsRoute)
  app.document(samplesRoute)
  app.documentWebhooks(() => [...TOPIC_NAMES.map(topicWebhook), testWebhookEvent()])
  app.get(EVENTS.path, (c) => answer(c, EVENTS.operationId, listEvents))
  app.get(SAMPLES.path, (c) => answer(c, SAMPLES.operationId, eventSamples))
}

async function answer(
  c: Context<AppEnv>,
  operation: string,
  read: (fields: object, context: CallContext) => Promise<object>,
): Promise<Response> {
  c.var.log.operation = operation
  const context = await c.var.context()
  c.var.log.mode = practiceMode(context.services.modes)
  return readAnswer(c, await read(queryOf(c.req.url), context))
}
