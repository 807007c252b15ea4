import type { RouteConfig } from '@hono/zod-openapi'
import { type Topic, topicRow } from '../domain/events/topics.ts'
import { readAnswer } from '../http/read-answer.ts'
import { httpEndpoint } from '../openapi/endpoint.ts'
import { endpoint } from '../operations/endpoint.ts'
import { ON_PAGE } from '../operations/pagination.ts'
import {
  eventListInput,
  eventListSchema,
  eventSamples,
  eventSamplesInput,
  eventSamplesSchema,
  eventSchemaOf,
  exampleEvent,
  listEvents,
} from '../operations/events.ts'
import { practiceMode } from '../operations/operation.ts'
import { exampleTestEvent, testEventSchema } from '../operations/webhooks.ts'

export const EVENT_ENDPOINTS = [
  httpEndpoint({
    http: { method: 'get', path: '/v1/events' },
    operationId: 'list_events',
    summary: 'List events',
    description:
      'What happened here in the last 30 days, for automations: ids, states and times, the newest last. Without a cursor, the newest events; with the next_cursor of an earlier answer, those that followed, so that no event is missed and none is listed twice. A caller sees the topics whose read scope it holds: bookings:read, clients:read, payments:read. An event follows its change by a moment.',
    scopes: [],
    query: eventListInput,
    answer: {
      description: 'Events, the newest last.',
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
      const isWhole = asked.cursor !== undefined && body.events.length === (asked.limit ?? ON_PAGE)
      return readAnswer(c, body, { origin: caller.origin, cursor: isWhole && body.next_cursor })
    },
  }),
  endpoint({
    http: { method: 'get', path: '/v1/events/samples' },
    operationId: 'sample_events',
    summary: 'List sample events',
    description:
      'The three newest events as a bare list, for setting up an automation. Where there are none, one example of each topic.',
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

/** The OpenAPI entry for the events of a topic: the same body wherever an event is read. */
export const topicWebhook = (topic: Topic): RouteConfig => {
  const { description, scope } = topicRow(topic)
  return {
    method: 'post',
    path: topic,
    operationId: topic,
    summary: topic,
    description: `${description} It needs the scope ${scope}.`,
    security: [],
    request: {
      body: {
        required: true,
        content: { 'application/json': { schema: eventSchemaOf(topic), example: exampleEvent(topic) } },
      },
    },
    responses: TAKEN,
  }
}

const TAKEN = { 200: { description: 'Taken. Any 2xx is; 410 ends the webhook.' } }

/** The OpenAPI entry for the event that a test sends. */
export const testWebhookEvent = (): RouteConfig => ({
  method: 'post',
  path: 'webhook.test',
  operationId: 'webhook.test',
  summary: 'webhook.test',
  security: [],
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: testEventSchema, example: exampleTestEvent } },
    },
  },
  responses: TAKEN,
})
