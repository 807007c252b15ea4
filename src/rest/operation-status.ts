import * as z from 'zod'
import { type App, createRoute } from '../http/app-env.ts'
import { readAnswer } from '../http/read-answer.ts'
import { OPERATION_PATH } from '../domain/problem.ts'
import { credentialWith } from '../domain/scopes.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { problemResponses } from '../openapi/responses.ts'
import { idempotencyKeySchema } from '../operations/idempotency-key.ts'
import { operationStatusSchema, operationStatus } from '../operations/operation-status.ts'

const statusRoute = createRoute({
  method: 'get',
  path: OPERATION_PATH,
  operationId: 'read_operation',
  tags: ['Operations'],
  security: credentialWith(),
  summary: 'Read the status of a change',
  description:
    'The status of the change under an idempotency key of this caller: did it happen? If that is in doubt, the provider is asked first, as by a repeat of the commit. The result is shown to a caller with the scope for it. A key that this caller never used, whoever else did, or whose record was deleted 30 days after its end, is `never_seen`.',
  'x-openai-isConsequential': false,
  request: { params: z.object({ idempotency_key: idempotencyKeySchema }), headers: ifNoneMatch },
  responses: {
    ...readResponses({ description: 'The status.', schema: operationStatusSchema }),
    ...problemResponses([
      'idempotency_key_invalid',
      'unauthenticated',
      'address_not_allowed',
      'insufficient_scope',
      'rate_limited',
      'internal_error',
      'not_configured',
    ]),
  },
})

/** Adds the route for the status of a change, by its idempotency key. */
export function addOperationStatusRoute(app: App): void {
  app.document(() => statusRoute)
  app.get(statusRoute.getRoutingPath(), async (c) => {
    c.var.log.operation = statusRoute.operationId
    const context = await c.var.context()
    const status = await operationStatus(c.req.param('idempotency_key'), context)
    if (status.mode) c.var.log.mode = status.mode
    return readAnswer(c, status)
  })
}
