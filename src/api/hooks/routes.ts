import type { WebhookSender } from '../../core/domain/providers.ts'
import { webhookKeys } from '../../practice/provider-sync/keys.ts'
import {
  PROVIDERS,
  notificationOperation,
  notificationPath,
} from '../../practice/provider-sync/registering.ts'
import type { App, AppContext } from '../http/app-env.ts'
import { readBody } from '../http/body.ts'

/** Full payloads of Cal.com hold the answers of a whole form. */
const MOST_BYTES = 256 * 1024

/** Adds the routes on which the providers say that something has changed: signed, without a credential. */
export function addNotificationRoutes(app: App) {
  for (const provider of [...PROVIDERS, 'mock'] as const)
    app.post(notificationPath(provider), (c) => received(c, provider))
}

/** Answers 200 only once the ids of a genuine delivery are kept; otherwise the provider sends it again. */
async function received(c: AppContext, provider: WebhookSender): Promise<Response> {
  const { log, services } = c.var
  log.operation = notificationOperation(provider)
  const webhooks = provider === 'mock' ? services.mockWebhooks : services.webhooksOf(provider)
  if (!webhooks) {
    log.code = 'notification_not_in_use'
    return c.body(null, 410)
  }
  const body = await readBody(c.req.raw, MOST_BYTES)
  const keysOf = (how?: 'again') => webhookKeys(provider, webhooks, services, c.env, how)
  const read = (keys: readonly string[]) =>
    webhooks.read({ headers: c.req.raw.headers, body }, keys, services.now())
  const keys = await keysOf()
  let notification = await read(keys)
  if (notification === 'refused' && webhooks.makesSecret) {
    const latest = await keysOf('again')
    if (latest !== keys) notification = await read(latest)
  }
  if (notification === 'refused') {
    log.code = 'notification_refused'
    c.var.note({ event: 'refusal', code: log.code })
    return c.body(null, 401)
  }
  await services.providerSync.notify(provider, notification)
  return c.body(null, 200)
}
