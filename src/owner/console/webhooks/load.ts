import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { callerNamesOf } from '../shell/items.ts'
import { type Visit, callerItems, part, shellOf } from '../shell/load.ts'
import { webhooksPage } from './page.ts'

/** The webhooks of all callers, and a form for one of the owner. */
export async function showWebhooks(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const [shell, webhooks, items] = await Promise.all([
    shellOf(c, '/owner/settings', visit),
    part(() => c.var.services.subscriptions.subscriptions(null)),
    callerItems(c),
  ])
  return webhooksPage({ shell, webhooks, names: callerNamesOf(items) })
}
