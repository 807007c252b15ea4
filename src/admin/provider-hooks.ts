import * as z from 'zod'
import { ensureProviderHooks } from '../health/provider-hooks.ts'
import { type App, createRoute } from '../http/app-env.ts'
import { adminRoute, asOwner, refusals } from './admin.ts'

const hookSchema = z.strictObject({
  provider: z.string(),
  state: z.string().meta({ description: 'active, or why not.' }),
  detail: z.string().optional().meta({ description: 'What to change.' }),
})

const hooksRoute = createRoute({
  ...adminRoute,
  method: 'post',
  path: '/v1/admin/provider-hooks',
  operationId: 'register_provider_hooks',
  summary: 'Register the webhooks at the providers',
  description:
    'Makes those that are missing, by which the providers say at once what has changed. Harmless to repeat, and done by itself now and then.',
  'x-openai-isConsequential': true,
  responses: {
    200: {
      description: 'How each stands; none for a mock.',
      content: { 'application/json': { schema: z.strictObject({ hooks: z.array(hookSchema) }) } },
    },
    ...refusals(),
  },
})

/** Adds the route with which the deploy command has the webhooks registered. */
export function addProviderHooksRoute(app: App): void {
  app.document(() => hooksRoute)
  app.post(hooksRoute.getRoutingPath(), async (c) => {
    await asOwner(c, hooksRoute.operationId)
    const outcomes = Object.entries(await ensureProviderHooks(c.env, c.var.site().origin))
    const hooks = outcomes.map(([provider, found]) => ({
      provider,
      state: found.is,
      ...('detail' in found && { detail: found.detail }),
    }))
    c.var.note({
      event: 'check',
      code: hooks.find(({ state }) => state !== 'active')?.state.replaceAll(' ', '_') ?? 'ok',
    })
    return c.json({ hooks })
  })
}
