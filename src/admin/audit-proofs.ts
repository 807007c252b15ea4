import * as z from 'zod'
import { type App, createRoute } from '../http/app-env.ts'
import { hostOf } from '../domain/origin.ts'
import { problem } from '../domain/problem.ts'
import { readAnswer } from '../http/read-answer.ts'
import { safeHeaders } from '../http/security-headers.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { receiptBody, receiptSchema } from '../operations/receipt.ts'
import { asAuditor, auditRoute, refusals } from './admin.ts'

const checkpointRoute = createRoute({
  ...auditRoute,
  method: 'get',
  path: '/v1/audit/checkpoint',
  operationId: 'read_audit_checkpoint',
  summary: 'Get a signed checkpoint of the audit log',
  description:
    'How many entries the log has, and the root of its Merkle tree (RFC 6962) over all of them, as a signed C2SP tlog-checkpoint. Keep it: no entry before it can be changed or removed later without that being seen. Under the same secrets, as many entries give the same bytes.',
  'x-openai-isConsequential': false,
  responses: {
    200: { description: 'The checkpoint.', content: { 'text/plain': { schema: z.string() } } },
    ...refusals(),
  },
})

const receiptRoute = createRoute({
  ...auditRoute,
  method: 'get',
  path: '/v1/audit/{index}/receipt',
  operationId: 'read_audit_receipt',
  summary: 'Get the receipt of an entry of the audit log',
  description: 'The entry with this number, and the proof that the log has it.',
  'x-openai-isConsequential': false,
  request: {
    params: z.object({ index: z.string().meta({ description: 'The number of the entry.', example: '812' }) }),
    headers: ifNoneMatch,
  },
  responses: {
    ...readResponses({ description: 'The receipt.', schema: receiptSchema }),
    ...refusals('not_found'),
  },
})

/** Adds the routes that prove what the audit log has. */
export function addAuditProofRoutes(app: App): void {
  for (const route of [checkpointRoute, receiptRoute]) app.document(() => route)

  app.get(checkpointRoute.getRoutingPath(), async (c) => {
    const { origin } = await asAuditor(c, checkpointRoute.operationId)
    const { checkpoint } = await c.var.services.audit.state(hostOf(origin))
    return new Response(checkpoint, {
      headers: safeHeaders({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }),
    })
  })

  app.get(receiptRoute.getRoutingPath(), async (c) => {
    const { origin } = await asAuditor(c, receiptRoute.operationId)
    const index = c.req.param('index')
    const receipt = /^\d{1,15}$/.test(index)
      ? await c.var.services.audit.receipt(Number(index), hostOf(origin))
      : null
    if (!receipt)
      throw problem('not_found', {
        detail: 'There is no entry with this number, or it was dropped.',
        next_step: 'GET /v1/audit lists the entries with their numbers.',
      })
    return readAnswer(c, receiptBody(receipt))
  })
}
