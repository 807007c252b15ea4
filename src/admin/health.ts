import * as z from 'zod'
import { selfCheck } from '../health/self-check.ts'
import { type App, createRoute } from '../http/app-env.ts'
import { readAnswer } from '../http/read-answer.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { adminRoute, asOwner, refusals } from './admin.ts'

const findingSchema = z
  .strictObject({
    id: z.string(),
    what: z.string().meta({ description: 'What was looked at.' }),
    state: z.enum(['ok', 'failed', 'not_checked']),
    found: z.string().meta({ description: 'What was found, or why it was not looked at.' }),
    fix: z.string().optional().meta({ description: 'What to do about it.' }),
    code: z.string().optional().meta({ description: 'The code of the problem, where one was the reason.' }),
  })
  .meta({ id: 'Finding', description: 'What the doctor found, and what to do about it.' })

const doctorRoute = createRoute({
  ...adminRoute,
  method: 'get',
  path: '/v1/doctor',
  operationId: 'examine_installation',
  summary: 'Check the installation',
  description:
    'Checks the settings, the providers, every binding and the unresolved operations: by reads, and by a value written to each KV namespace, which is gone within a minute. `/health` shows what it finds about the providers from then on.',
  'x-openai-isConsequential': false,
  request: { headers: ifNoneMatch },
  responses: {
    ...readResponses({
      description: 'What was found.',
      schema: z.strictObject({ ok: z.boolean(), findings: z.array(findingSchema) }),
    }),
    ...refusals(),
  },
})

/** Adds the route with which the connector examines itself. */
export function addDoctorRoute(app: App): void {
  app.document(() => doctorRoute)
  app.get(doctorRoute.getRoutingPath(), async (c) => {
    await asOwner(c, doctorRoute.operationId)
    const { origin } = c.var.site()
    const findings = await selfCheck(c.env, origin, 'examine_installation', c.var.log.caller)
    return readAnswer(c, { ok: findings.every(({ state }) => state !== 'failed'), findings })
  })
}
