import type { RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import type { ProblemCode } from '../domain/problems.ts'
import { problem } from '../domain/problem.ts'
import { credentialWith } from '../domain/scopes.ts'
import { type App, type AppEnv, createRoute } from '../http/app-env.ts'
import { readBody, readJson } from '../http/body.ts'
import { readAnswer } from '../http/read-answer.ts'
import { jsonAnswer, safeHeaders } from '../http/security-headers.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { answerHeaders, problemResponses } from '../openapi/responses.ts'
import { EVERY_OPERATION } from '../operations/operation.ts'
import type { Context as CallContext } from '../operations/perform.ts'
import {
  createWebhook,
  getWebhook,
  listWebhooks,
  newWebhookInput,
  removeWebhook,
  renewWebhookSecret,
  resumeInput,
  resumeWebhook,
  testWebhook,
  webhookId,
  webhookListSchema,
  webhookSchema,
  webhookSecretSchema,
  webhookTestSchema,
} from '../operations/webhooks.ts'

const PATH = '/v1/webhooks'
const ONE = `${PATH}/{webhook_id}`
const params = z.object({ webhook_id: webhookId })
const body = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } })
const BODY = ['payload_too_large', 'unsupported_media_type'] as const
const ALL_BUT_VALIDATION = EVERY_OPERATION.filter((code) => code !== 'validation_failed')

const route = <const R extends Pick<RouteConfig, 'method' | 'path' | 'summary' | 'description' | 'request'>>(
  operationId: string,
  texts: R,
  responses: RouteConfig['responses'],
  problems: readonly ProblemCode[],
) =>
  createRoute({
    ...texts,
    operationId,
    tags: ['Operations'],
    security: credentialWith(),
    'x-openai-isConsequential': texts.method !== 'get',
    responses: { ...responses, ...problemResponses(problems) },
  })

const create = () =>
  route(
    'create_webhook',
    {
      method: 'post',
      path: PATH,
      summary: 'Subscribe to events',
      description:
        'Every event of these topics from now on is posted to the url, as GET /v1/events has it: in order, at least once (the id says whether it came before), signed as Standard Webhooks has it. The same caller, url and events again: 200 with what is there, without the secret. It ends with the key that made it.',
      request: { body: { required: true, ...body(newWebhookInput) } },
    },
    {
      201: {
        description: 'The new webhook.',
        headers: answerHeaders('Location'),
        ...body(webhookSchema),
      },
      200: { description: 'It is there already.', headers: answerHeaders(), ...body(webhookSchema) },
    },
    [...EVERY_OPERATION, ...BODY, 'webhook_url_refused', 'too_many_webhooks'],
  )

const list = () =>
  route(
    'list_webhooks',
    {
      method: 'get',
      path: PATH,
      summary: 'List the webhooks',
      description: 'Those of the caller, the newest first; with the scope admin those of everybody.',
      request: { headers: ifNoneMatch },
    },
    readResponses({ description: 'The webhooks.', schema: webhookListSchema }),
    ALL_BUT_VALIDATION,
  )

const get = () =>
  route(
    'get_webhook',
    { method: 'get', path: ONE, summary: 'Read a webhook', request: { params, headers: ifNoneMatch } },
    readResponses({ description: 'The webhook.', schema: webhookSchema }),
    [...ALL_BUT_VALIDATION, 'webhook_not_found'],
  )

const remove = () =>
  route(
    'delete_webhook',
    { method: 'delete', path: ONE, summary: 'Unsubscribe', request: { params } },
    { 204: { description: 'It is gone, or was before.', headers: answerHeaders() } },
    ALL_BUT_VALIDATION.filter((code) => code !== 'paused'),
  )

/** What is done to one webhook: a POST to an address below its own. */
const act = (
  operationId: string,
  path: string,
  texts: { summary: string; description?: string },
  answer: { description: string; schema: z.ZodType },
  takes?: z.ZodType,
) =>
  route(
    operationId,
    {
      method: 'post',
      path: `${ONE}/${path}`,
      ...texts,
      request: { params, ...(takes && { body: { required: false, ...body(takes) } }) },
    },
    { 200: { description: answer.description, headers: answerHeaders(), ...body(answer.schema) } },
    [...(takes ? [...EVERY_OPERATION, ...BODY] : ALL_BUT_VALIDATION), 'webhook_not_found'],
  )

const test = () =>
  act(
    'test_webhook',
    'test',
    { summary: 'Send webhook.test now' },
    { description: 'What became of it.', schema: webhookTestSchema },
  )

const secret = () =>
  act(
    'renew_webhook_secret',
    'secret',
    {
      summary: 'Give a webhook another secret',
      description: 'For 24 hours deliveries are signed with the old one, too.',
    },
    { description: 'The new secret.', schema: webhookSecretSchema },
  )

const resume = () =>
  act(
    'resume_webhook',
    'resume',
    {
      summary: 'Resume or replay a webhook',
      description: 'Active again, from where it stopped or from a cursor.',
    },
    { description: 'The webhook.', schema: webhookSchema },
    resumeInput,
  )

/** Adds the routes with which a caller subscribes to events. They are configuration: nothing is previewed. */
export function addWebhookRoutes(app: App): void {
  for (const described of [create, list, get, remove, test, secret, resume]) app.document(described)

  app.post(PATH, async (c) => {
    const context = await called(c, 'create_webhook')
    const { isNew, body } = await createWebhook(await readJson(c.req.raw), context)
    if (!isNew) return jsonAnswer(body)
    const Location = `${context.origin}${PATH}/${body.webhook_id}`
    const headers = safeHeaders({ 'Content-Type': 'application/json', Location })
    return new Response(JSON.stringify(body), { status: 201, headers })
  })
  app.get(PATH, async (c) => readAnswer(c, await listWebhooks(await called(c, 'list_webhooks'))))
  app.get(`${PATH}/:webhook_id`, async (c) =>
    readAnswer(c, await getWebhook(c.req.param('webhook_id'), await called(c, 'get_webhook'))),
  )
  app.delete(`${PATH}/:webhook_id`, async (c) => {
    await removeWebhook(c.req.param('webhook_id'), await called(c, 'delete_webhook'))
    return new Response(null, { status: 204, headers: safeHeaders({}) })
  })
  app.post(`${PATH}/:webhook_id/test`, async (c) =>
    jsonAnswer(await testWebhook(c.req.param('webhook_id'), await called(c, 'test_webhook'))),
  )
  app.post(`${PATH}/:webhook_id/secret`, async (c) =>
    jsonAnswer(await renewWebhookSecret(c.req.param('webhook_id'), await called(c, 'renew_webhook_secret'))),
  )
  app.post(`${PATH}/:webhook_id/resume`, async (c) => {
    const context = await called(c, 'resume_webhook')
    return jsonAnswer(await resumeWebhook(c.req.param('webhook_id'), await optionalJson(c), context))
  })
}

async function called(c: Context<AppEnv>, operation: string): Promise<CallContext> {
  c.var.log.operation = operation
  return c.var.context()
}

/** The JSON of a body; an object without fields where there is none. */
async function optionalJson(c: Context<AppEnv>): Promise<unknown> {
  if (c.req.header('Content-Type') !== undefined) return readJson(c.req.raw)
  if ((await readBody(c.req.raw)).length > 0) throw problem('unsupported_media_type')
  return {}
}
