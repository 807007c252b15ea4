import type { Context } from 'hono'
import { PAYMENT_PROVIDERS, type Provider, SCHEDULING_PROVIDERS, namesOf } from '../domain/providers.ts'
import type { App, AppEnv } from '../http/app-env.ts'
import { readBody } from '../http/body.ts'
import { webhookKeys } from './keys.ts'

/** Full payloads of Cal.com hold the answers of a whole form. */
const MOST_BYTES = 256 * 1024

/** Where a provider sends its webhooks. */
export const hookPath = (provider: Provider): string => `/hooks/${provider}`

/** Adds the routes on which the providers say that something has changed: signed, without a credential. */
export function addHookRoutes(app: App): void {
  for (const provider of [...namesOf(SCHEDULING_PROVIDERS), ...namesOf(PAYMENT_PROVIDERS)])
    app.post(hookPath(provider), (c) => received(c, provider))
}

/** Keeps the ids in a genuine delivery, and only then answers 200: whoever gets no 200 sends it again. */
async function received(c: Context<AppEnv>, provider: Provider): Promise<Response> {
  const { log, services } = c.var
  log.operation = `hook_${provider}`
  const webhooks = services.webhooksOf(provider)
  if (!webhooks) {
    log.code = 'hook_not_in_use'
    return c.body(null, 410)
  }
  const body = await readBody(c.req.raw, MOST_BYTES)
  const keys = await webhookKeys(await services.keyring(), provider)
  const hint = await webhooks.read({ headers: c.req.raw.headers, body }, keys, services.now())
  if (hint === 'refused') {
    log.code = 'hook_refused'
    c.var.note({ event: 'refusal', code: log.code })
    return c.body(null, 401)
  }
  await services.events.hint(provider, hint)
  return c.body(null, 200)
}
