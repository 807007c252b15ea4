import * as z from 'zod'
import { type App, createRoute } from '../http/app-env.ts'
import { readAnswer } from '../http/read-answer.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { modeSchema } from '../domain/mode.ts'
import { credentialWith } from '../domain/scopes.ts'
import { problemResponses } from '../openapi/responses.ts'

const meSchema = z
  .strictObject({
    caller: z.string().meta({ description: 'Who is calling; idempotency keys belong to this caller.' }),
    label: z
      .string()
      .meta({ description: 'The name of the credential, for a person.', examples: ['Front desk'] }),
    scopes: z.array(z.string()).meta({ description: 'What it may do.' }),
    adapters: z.strictObject({ scheduling: modeSchema, payments: modeSchema }),
  })
  .meta({ id: 'Me' })

const meRoute = createRoute({
  method: 'get',
  path: '/v1/me',
  operationId: 'who_am_i',
  tags: ['Administration'],
  security: credentialWith(),
  summary: 'Who is calling',
  description: 'The caller, its scopes and the modes: the connection test of an automation.',
  'x-openai-isConsequential': false,
  request: { headers: ifNoneMatch },
  responses: {
    ...readResponses({ description: 'The caller.', schema: meSchema }),
    ...problemResponses([
      'unauthenticated',
      'address_not_allowed',
      'rate_limited',
      'internal_error',
      'not_configured',
    ]),
  },
})

/** Adds the call with which an automation tests its credential; it needs no scope. */
export function addMeRoute(app: App): void {
  app.document(() => meRoute)
  app.get(meRoute.getRoutingPath(), async (c) => {
    c.get('log').operation = meRoute.operationId
    const { caller, label, scopes } = await c.get('context')()
    return readAnswer(c, { caller, label, scopes: [...scopes], adapters: c.get('site')().modes })
  })
}
