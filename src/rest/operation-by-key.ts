import * as z from 'zod'
import { type App, createRoute } from '../http/app-env.ts'
import { readAnswer } from '../http/read-answer.ts'
import { OPERATION_PATH } from '../domain/problem.ts'
import { credentialWith } from '../domain/scopes.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { SCOPED_ROUTE_PROBLEMS, problemResponses } from '../openapi/responses.ts'
import { idempotencyKeySchema } from '../operations/idempotency-key.ts'
import { operationStatusSchema, operationStatus } from '../operations/operation-status.ts'
import { changeReceipt, receiptSchema } from '../operations/receipt.ts'

/** What both routes have in common. */
const byKey = {
  method: 'get' as const,
  tags: ['Operations'],
  security: credentialWith(),
  'x-openai-isConsequential': false,
  request: { params: z.object({ idempotency_key: idempotencyKeySchema }), headers: ifNoneMatch },
}
const PROBLEMS = ['idempotency_key_invalid', ...SCOPED_ROUTE_PROBLEMS] as const

const statusRoute = createRoute({
  ...byKey,
  path: OPERATION_PATH,
  operationId: 'read_operation',
  summary: 'Read the status of a change',
  description:
    'The status of the change under an idempotency key of this caller: did it happen? If that is in doubt, the provider is asked first, as by a repeat of the commit. The result is shown to a caller with the scope for it. A key that this caller never used, whoever else did, or whose record was deleted 30 days after its end, is `never_seen`.',
  responses: {
    ...readResponses({ description: 'The status.', schema: operationStatusSchema }),
    ...problemResponses(PROBLEMS),
  },
})

const receiptRoute = createRoute({
  ...byKey,
  path: `${OPERATION_PATH}/receipt`,
  operationId: 'read_receipt',
  summary: 'Get the receipt of a change',
  description:
    'The entry of the audit log in which the change under an idempotency key of this caller ended, with the proof that the log has it. Whoever has the public key of the log can check it without asking this service.',
  responses: {
    ...readResponses({ description: 'The receipt.', schema: receiptSchema }),
    ...problemResponses([...PROBLEMS, 'not_found', 'receipt_pending']),
  },
})

/** Adds the routes for the status and the receipt of a change, by its idempotency key. */
export function addOperationByKeyRoutes(app: App): void {
  for (const route of [statusRoute, receiptRoute]) app.document(() => route)

  app.get(statusRoute.getRoutingPath(), async (c) => {
    c.var.log.operation = statusRoute.operationId
    const context = await c.var.context()
    const status = await operationStatus(c.req.param('idempotency_key'), context)
    if (status.mode) c.var.log.mode = status.mode
    return readAnswer(c, status)
  })

  app.get(receiptRoute.getRoutingPath(), async (c) => {
    c.var.log.operation = receiptRoute.operationId
    const context = await c.var.context()
    return readAnswer(c, await changeReceipt(c.req.param('idempotency_key'), context, c.var.services.audit))
  })
}
