import * as z from 'zod'
import { type App, createRoute } from '../http/app-env.ts'
import type { Facts } from '../domain/facts.ts'
import { problem } from '../domain/problem.ts'
import { parseInput } from '../operations/validation.ts'
import { readJson } from '../http/body.ts'
import { readAnswer } from '../http/read-answer.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { BODY_REFUSALS, adminRoute, asOwner, refusals } from './admin.ts'
import { addClientRoutes } from './clients.ts'
import { addDoctorRoute } from './health.ts'
import { addAuditRoutes } from './audit.ts'
import { addKeyRoutes } from './keys.ts'
import { addMeRoute } from './me.ts'
import { addProviderHooksRoute } from './provider-hooks.ts'
import { addMockActsRoute } from './mock-acts.ts'
import { addRulesRoutes } from './rules.ts'

const operationId = z.string().meta({
  description: 'The id of an operation whose outcome is not known, as GET /v1/unresolved lists it.',
})

const unresolvedSchema = z
  .strictObject({
    operation_id: operationId,
    operation: z.string(),
    since: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'UnresolvedOperation', description: 'An operation whose outcome a person has to find out.' })

const verdictSchema = z
  .strictObject({
    outcome: z.enum(['happened', 'did_not_happen']),
    booking_id: z
      .string()
      .optional()
      .meta({ description: 'The booking that was made; needed where one was.' }),
    payment_link_id: z
      .string()
      .optional()
      .meta({ description: 'The link that was made; needed where one was.' }),
    url: z.url().optional().meta({ description: 'The address of that link.' }),
  })
  .meta({ id: 'OutcomeVerdict', description: "The owner's word on an outcome." })

const settledSchema = z
  .strictObject({ operation_id: operationId, settled: z.literal(true) })
  .meta({ id: 'Settled' })

const unresolvedRoute = createRoute({
  ...adminRoute,
  method: 'get',
  path: '/v1/unresolved',
  operationId: 'list_unresolved',
  summary: 'List operations whose outcome a person has to find out',
  description: 'Operations that were sent to a provider, got no answer, and could not be found by looking.',
  'x-openai-isConsequential': false,
  request: { headers: ifNoneMatch },
  responses: {
    ...readResponses({
      description: 'The operations, oldest first.',
      schema: z.strictObject({ unresolved: z.array(unresolvedSchema) }),
    }),
    ...refusals(),
  },
})

const settleRoute = createRoute({
  ...adminRoute,
  method: 'post',
  path: '/v1/unresolved/{operation_id}',
  operationId: 'resolve_operation',
  summary: "Record the owner's word on an outcome",
  description: 'Counts as the result of a lookup at the provider; the operation then continues or ends.',
  'x-openai-isConsequential': true,
  request: {
    params: z.object({ operation_id: operationId }),
    body: { required: true, content: { 'application/json': { schema: verdictSchema } } },
  },
  responses: {
    200: { description: 'It is settled.', content: { 'application/json': { schema: settledSchema } } },
    ...refusals(...BODY_REFUSALS, 'not_found'),
  },
})

/** Adds what only the owner may do, and who-am-I for everybody. */
export function addAdminRoutes(app: App): void {
  for (const route of [unresolvedRoute, settleRoute]) app.document(() => route)
  addMeRoute(app)
  addKeyRoutes(app)
  addRulesRoutes(app)
  addClientRoutes(app)
  addDoctorRoute(app)
  addMockActsRoute(app)
  addProviderHooksRoute(app)
  addAuditRoutes(app)

  app.get(unresolvedRoute.getRoutingPath(), async (c) => {
    await asOwner(c, unresolvedRoute.operationId)
    return readAnswer(c, { unresolved: await c.var.services.doubts.list() })
  })

  app.post(settleRoute.getRoutingPath(), async (c) => {
    await asOwner(c, settleRoute.operationId)
    const { outcome, ...facts } = parseInput(verdictSchema, await readJson(c.req.raw))
    const operation_id = c.req.param('operation_id')
    const given: Facts = Object.fromEntries(
      Object.entries({ state: 'confirmed', ...facts }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    )
    const verdict = await c.var.services.doubts.resolve(operation_id, outcome === 'happened', given)
    if (verdict === 'not in doubt') {
      const next_step = 'GET /v1/unresolved lists those that do.'
      throw problem('not_found', { detail: 'No operation with this id needs a person.', next_step })
    }
    if (verdict === 'facts missing') {
      const detail = 'This operation needs booking_id, or payment_link_id and url, of what was made.'
      throw problem('validation_failed', { errors: [{ pointer: '', detail }] })
    }
    c.var.note({ event: 'settlement', code: outcome, operation_id })
    return c.json({ operation_id, settled: true })
  })
}
