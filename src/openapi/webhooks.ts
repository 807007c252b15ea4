import type { RouteConfig } from '@hono/zod-openapi'
import { type Topic, topicRow } from '../domain/event-topics.ts'
import { eventSchemaOf, exampleEvent } from '../operations/events.ts'
import { exampleTestEvent, testEventSchema } from '../operations/webhooks.ts'

/** The documentation of the events of a topic: an event is the same body wherever it is read. */
export const topicWebhook = (topic: Topic): RouteConfig => {
  const { description, scope } = topicRow(topic)
  return {
    method: 'post',
    path: topic,
    operationId: topic,
    tags: ['Operations'],
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

/** The documentation of the event that a test sends. */
export const testWebhookEvent = (): RouteConfig => ({
  method: 'post',
  path: 'webhook.test',
  operationId: 'webhook.test',
  tags: ['Operations'],
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
