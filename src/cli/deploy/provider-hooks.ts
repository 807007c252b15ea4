import * as z from 'zod'
import { SECOND } from '../../domain/time/duration.ts'

const answerSchema = z.object({
  hooks: z.array(z.object({ provider: z.string(), state: z.string(), detail: z.string().optional() })),
})

/** How the webhook of each provider stands that is no mock. */
export type RegisteredHooks = z.infer<typeof answerSchema>['hooks']

/**
 * Has the connector register its webhooks at the providers. Never raises: without them it asks the providers now and then,
 * and it tries again by itself every day.
 */
export async function registerHooks(base: string, key: string): Promise<RegisteredHooks | 'failed'> {
  try {
    const response = await fetch(new URL('/v1/admin/provider-hooks', base), {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(60 * SECOND),
    })
    return response.ok ? answerSchema.parse(await response.json()).hooks : 'failed'
  } catch {
    return 'failed'
  }
}
