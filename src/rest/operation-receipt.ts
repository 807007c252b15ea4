import * as z from 'zod'
import { type App, createRoute } from '../http/app-env.ts'
import { readAnswer } from '../http/read-answer.ts'
import { OPERATION_PATH } from '../domain/problem.ts'
import { credentialWith } from '../domain/scopes.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { problemResponses } from '../openapi/responses.ts'
import { idempotencyKeySchema } from '../operations/idempotency-key.ts'
import { changeReceipt, receiptSchema } from '../operations/receipt.ts'

const receiptRoute = createRoute({
  method: 'get',
  path: `${OPERATION_PATH}/receipt`,
  operationId: 'read_receipt',
  tags: ['Operations'],
  security: credentialWith(),
  summary: 'Get the receipt of a change',
  description:
    'The entry of the audit log in which the change under an idempotency key of this caller ended, with the proof that the log has it. Whoever has the public key of the log can check it without asking this service.',
  'x-openai-isConsequential': false,
  request: { params: z.object({ idempotency_key: idempotencyKeySchema }), headers: ifNoneMatch },
  responses: {
    ...readResponses({ description: 'The receipt.', schema: receiptSchema }),
    ...problemResponses([
      'idempotency_key_invalid',
      'unauthenticated',
      'address_not_allowed',
      'insufficient_scope',
      'not_found',
      'rate_limited',
      'internal_error',
      'receipt_pending',
      'not_configured',
    ]),
  },
})

/** Adds the route for the receipt of a change, by its idempotency key. */
export function addOperationReceiptRoute(app: App): void {
  app.document(() => receiptRoute)
  app.get(receiptRoute.getRoutingPath(), async (c) => {
    c.var.log.operation = receiptRoute.operationId
    const context = await c.var.context()
    return readAnswer(c, await changeReceipt(c.req.param('idempotency_key'), context, c.var.services.audit))
  })
}
