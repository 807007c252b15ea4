import type { RouteConfig } from '@hono/zod-openapi'
import * as z from 'zod'

import { built } from '../../core/domain/lazy.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import { credentialWith, requireScope } from '../../core/domain/scopes.ts'
import {
  type DefineEndpoint,
  type Endpoint,
  endpoint,
  endpointProblems,
  isGet,
  methodAndPath,
} from '../../practice/operations/endpoint.ts'
import { OPERATIONS } from '../../practice/operations/index.ts'
import { parseInput } from '../../practice/operations/validation.ts'
import { readAnswer, jsonAnswer } from '../http/answers.ts'
import { type App, createRoute, type AppContext } from '../http/app-env.ts'
import { queryOf, readFields } from '../http/body.ts'
import { answerHeaders, ifNoneMatch, problemResponses, readResponses } from './responses.ts'

type HttpEndpoint = Endpoint<AppContext>

/** Defines an endpoint whose `run` also gets the Hono context. */
export const httpEndpoint: DefineEndpoint<AppContext> = endpoint

/** The path in the router's spelling; an id never matches a route's name, as in `/v1/clients/search`. */
function routingPath(path: string): string {
  const routing = createRoute({ path, method: 'get', responses: {} }).getRoutingPath()
  const parent = path.slice(0, path.lastIndexOf('/') + 1)
  const names = OPERATIONS.map((one) => methodAndPath(one).path)
    .filter((other) => other.startsWith(parent))
    .map((other) => other.slice(parent.length))
    .filter((name) => /^[a-z-]+$/.test(name))
  return path.endsWith('}') && names.length > 0
    ? `${routing}{(?!(?:${names.join('|')})$)[^/]+}`
    : routing
}

/** Adds a route to the router alone. */
export function addRoute(
  app: App,
  described: Pick<HttpEndpoint, 'route'>,
  answer: (c: AppContext) => Promise<Response>,
) {
  const { method, path } = methodAndPath(described)
  app.on(method.toUpperCase(), routingPath(path), answer)
}

/** Adds the routes of endpoints, and their part of the OpenAPI document. */
export function addEndpoints(app: App, endpoints: readonly HttpEndpoint[]) {
  for (const one of endpoints) {
    app.document(() => documented(one))
    addRoute(app, one, (c) => handle(one, c))
  }
}

async function handle(one: HttpEndpoint, c: AppContext) {
  const log = c.get('log')
  log.operation = one.operationId
  const caller = await c.get('context')()
  const [scope, ...others] = one.scopes
  const isRefused = scope !== undefined && !one.scopes.some((held) => caller.scopes.includes(held))
  if (isRefused && one.scopes.includes('admin')) await requireConfirmed(c)
  if (scope !== undefined) requireScope(caller.scopes, scope, ...others)
  if (one.mode) log.mode = one.mode(caller.services.modes)
  const answer = await one.run({ ...(await fieldsOf(one, c)), ...c.req.param() }, caller, c)
  if (answer instanceof Response) return answer
  return isGet(one) ? readAnswer(c.req.raw, answer) : jsonAnswer(answer)
}

/**
 * Raises `insufficient_scope`, saying what ends it, while the owner has still to confirm a restore:
 * no credential is `admin` until then.
 */
async function requireConfirmed(c: AppContext) {
  if (!c.var.site().isRestoredLately || !(await c.var.services.access.restored.isUnconfirmed()))
    return
  throw problem('insufficient_scope', {
    required_scope: 'admin',
    detail:
      'This connector was restored from a backup. No credential carries the scope admin ' +
      'until the owner has made a new passkey.',
    next_step:
      'Ask the owner to open the enrolment link that npm run restore printed, and to make ' +
      'a passkey there. Where it has ended, npm run deploy -- --new-link makes another.',
  })
}

/** The fields of the query or the body. Raises `validation_failed`, and the refusals of `readFields`. */
async function fieldsOf({ query, body, isBodyOptional }: HttpEndpoint, c: AppContext) {
  if (query) return parseInput(query, queryOf(c.req.url), { isQuery: true })
  if (!body) return {}
  return parseInput(body, await readFields(c.req.raw, { isOptional: isBodyOptional }))
}

function documented(one: Endpoint<never>): RouteConfig {
  const { operationId, summary, description, scopes, params, query, body, isBodyOptional } = one
  const hasETag = isGet(one) && one.answer.schema !== undefined
  return {
    security:
      scopes.length === 0 ? credentialWith() : scopes.flatMap((scope) => credentialWith(scope)),
    ...methodAndPath(one),
    operationId,
    summary,
    ...(description !== undefined && { description }),
    'x-openai-isConsequential': !isGet(one),
    request: {
      ...(params && { params: built(params) }),
      ...(query && { query: built(query) }),
      ...(hasETag && { headers: ifNoneMatch }),
      ...(body && {
        body: { required: !isBodyOptional, content: { 'application/json': { schema: body } } },
      }),
    },
    responses: { ...answersOf(one), ...problemResponses(endpointProblems(one)) },
  }
}

function answersOf(one: Endpoint<never>): RouteConfig['responses'] {
  const { description, schema, example, media, isListing, created } = one.answer
  if (media)
    return {
      200: {
        description,
        content: Object.fromEntries(media.map((type) => [type, { schema: z.string() }])),
      },
    }
  if (!schema) return { 204: { description, headers: answerHeaders() } }
  if (isGet(one))
    return readResponses({
      description,
      schema,
      ...(example && { example }),
      ...(isListing && { isListing }),
    })
  const content = { 'application/json': { schema } }
  const headers = answerHeaders(...(created === undefined ? [] : (['Location'] as const)))
  return {
    200: { description, headers, content },
    ...(created !== undefined && { 201: { description: created, headers, content } }),
  }
}
