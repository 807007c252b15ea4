import type { Context as HonoContext } from 'hono'
import { type App, type AppEnv, createRoute } from '../http/app-env.ts'
import { jsonAnswer } from '../http/security-headers.ts'
import { OPERATIONS, VIEWS } from '../operations/index.ts'
import { type Operation, modeOf } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import { readJson } from '../http/body.ts'
import { operationRoute } from '../openapi/document.ts'
import { addOperationStatusRoute } from './operation-status.ts'
import type { View } from '../operations/view.ts'
import { queryOf } from '../http/query.ts'
import { showView, viewRoute } from './views.ts'

/** Adds a route for every operation and every view, and describes it in the OpenAPI document. */
export function addOperationRoutes(app: App): void {
  for (const operation of OPERATIONS) {
    app.document(() => operationRoute(operation))
    app.on(operation.http.method.toUpperCase(), routingPath(operation), (c) => handle(operation, c))
  }
  for (const view of VIEWS) {
    app.document(() => viewRoute(view))
    app.get(routingPath(view), (c) => showView(view, c))
  }
  addOperationStatusRoute(app)
}

/** The path as the router spells it. */
const routingPath = ({ http }: Pick<Operation | View, 'http'>): string =>
  createRoute({ ...http, responses: {} }).getRoutingPath()

async function handle(operation: Operation, c: HonoContext<AppEnv>): Promise<Response> {
  const log = c.get('log')
  log.operation = operation.name
  const context = await c.get('context')()
  log.mode = modeOf(operation, context.ports)
  const path: Record<string, string> = c.req.param()
  const request =
    operation.kind === 'read'
      ? { fields: queryOf(c.req.url) }
      : { fields: await readJson(c.req.raw), path, key: c.req.header('Idempotency-Key') }
  const { body, replayed } = await perform(operation, request, context)
  return jsonAnswer(body, replayed ? { 'Idempotent-Replayed': 'true' } : {})
}
