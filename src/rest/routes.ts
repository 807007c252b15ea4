import type { Context as HonoContext } from 'hono'
import { type App, type AppEnv, createRoute } from '../http/app-env.ts'
import { readJson } from '../http/body.ts'
import { queryOf } from '../http/query.ts'
import { readAnswer } from '../http/read-answer.ts'
import { jsonAnswer } from '../http/security-headers.ts'
import { operationRoute } from '../openapi/document.ts'
import { OPERATIONS, READS } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'
import { perform, problemOf } from '../operations/perform.ts'
import { addEventRoutes } from './events.ts'
import { addOperationByKeyRoutes } from './operation-by-key.ts'
import { addWebhookRoutes } from './webhooks.ts'

/** Adds a route for every operation and every read, and describes it in the OpenAPI document. */
export function addOperationRoutes(app: App): void {
  for (const operation of [...OPERATIONS, ...READS]) {
    app.document(() => operationRoute(operation))
    app.on(operation.http.method.toUpperCase(), routingPath(operation), (c) =>
      handle(operation, c).catch((thrown: unknown) => {
        throw problemOf(thrown, operation)
      }),
    )
  }
  addOperationByKeyRoutes(app)
  addEventRoutes(app)
  addWebhookRoutes(app)
}

/** The path as the router spells it. */
const routingPath = ({ http }: Operation): string => createRoute({ ...http, responses: {} }).getRoutingPath()

async function handle(operation: Operation, c: HonoContext<AppEnv>): Promise<Response> {
  const log = c.get('log')
  log.operation = operation.name
  const context = await c.get('context')(operation.kind === 'read' ? 'reads' : 'changes')
  log.mode = operation.mode(context.services.modes)
  const path: Record<string, string> = c.req.param()
  if (operation.kind === 'read' && operation.http.method === 'post') {
    const { body } = await perform(operation, { fields: await readJson(c.req.raw), path }, context)
    return jsonAnswer(body)
  }
  if (operation.kind === 'read') {
    const { body } = await perform(operation, { fields: queryOf(c.req.url), path }, context)
    const next = body['next_cursor']
    return readAnswer(
      c,
      body,
      typeof next === 'string' ? nextAddress(c.req.url, context.origin, next) : undefined,
    )
  }
  const key = c.req.header('Idempotency-Key')
  const { body, replayed } = await perform(
    operation,
    { fields: await readJson(c.req.raw), path, key },
    context,
  )
  return jsonAnswer(body, replayed ? { 'Idempotent-Replayed': 'true' } : {})
}

/** The same question with the cursor, under the public address. The cursor is all that is needed; a zone goes along. */
function nextAddress(url: string, origin: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url)
  const timezone = searchParams.get('timezone')
  const query = new URLSearchParams({ ...(timezone === null ? {} : { timezone }), cursor })
  return `${origin}${pathname}?${query.toString()}`
}
