import type { RouteConfig } from '@hono/zod-openapi'
import { type Topic, topicRow } from '../domain/event-topics.ts'
import { eventSchemaOf, exampleEvent } from '../operations/events.ts'

/** The documentation of the events of a topic: an event is the same body wherever it is read. */
export const topicWebhook = (topic: Topic): RouteConfig => {
  const { description, scope } = topicRow(topic)
  return {
    method: 'post',
    path: topic,
    operationId: topic,
    tags: ['Operations'],
    summary: topic,
    description: `${description} Read it with GET /v1/events; it needs the scope ${scope}.`,
    security: [],
    request: {
      body: {
        required: true,
        content: { 'application/json': { schema: eventSchemaOf(topic), example: exampleEvent(topic) } },
      },
    },
    responses: { 200: { description: 'The event was taken.' } },
  }
}
