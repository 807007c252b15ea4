import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import type { Act, ActDone } from './acts.ts'

/** Removes a webhook of any caller: nothing more is sent to it. */
export const removeOwnersWebhook: Act = (c, { form }) =>
  noted(c, form, 'removed', 'webhook', (id) => c.var.services.subscriptions.unsubscribe(id, null))

/** Lets a webhook that is paused go on, from where it stopped. */
export const resumeOwnersWebhook: Act = (c, { form }) =>
  noted(c, form, 'resumed', 'webhook_resumed', async (id) => {
    const resumed = await c.var.services.subscriptions.resumeSubscription(id, null)
    return resumed !== undefined
  })

async function noted(
  c: Context<AppEnv>,
  form: URLSearchParams,
  code: string,
  done: ActDone,
  act: (id: string) => Promise<boolean>,
): Promise<ActDone> {
  const record_id = form.get('id') ?? ''
  if (await act(record_id)) c.var.note({ event: 'webhook', code, record_id })
  return done
}
