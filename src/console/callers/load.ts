import type { Context } from 'hono'
import { resourceOf } from '../../access/oauth-server.ts'
import { notePage } from '../../access/pages/layout.ts'
import { isCaller } from '../../admin/rules.ts'
import { EVERYBODY, changesLeft as leftOf } from '../../domain/rules/house-rules.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { callerPage, callersPage } from './callers.ts'
import { callerNamesOf, type CallerItems } from '../shell/items.ts'
import { callerItems, type Visit, part, shellOf } from '../shell/load.ts'
import type { RefusedForm } from '../rules/section.ts'
import type { Act } from '../shell/acts.ts'

const LAST = 15

export async function showCallers(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const [shell, items] = await Promise.all([shellOf(c, '/owner/callers', visit), callerItems(c)])
  return callersPage({ shell, items, address: resourceOf(c.var.site().origin) })
}

export async function showCaller(c: Context<AppEnv>, visit: Visit): Promise<string | Response> {
  const caller = c.req.param('caller') ?? ''
  const known = await part(() => isCaller(caller, c.var.services.access))
  if (known === false || caller === EVERYBODY) {
    const { practice } = c.var.site()
    return c.html(notePage('Not here', practice.name, 'There is no caller with this name.'), 404)
  }
  return callerView(c, visit, caller)
}

export async function callerView(
  c: Context<AppEnv>,
  visit: Visit,
  caller: string,
  refused?: RefusedForm,
): Promise<string> {
  const { audit, houseRules, subscriptions } = c.var.services
  const [shell, items, changesLeft, webhooks, log] = await Promise.all([
    shellOf(c, '/owner/callers', visit),
    callerItems(c),
    part(async () => leftOf(await houseRules.appliedTo(caller))),
    part(() => subscriptions.subscriptions(caller)),
    part(() => audit.page({ caller, limit: LAST })),
  ])
  const names = callerNamesOf(items)
  return callerPage({
    shell,
    caller,
    names,
    items: itemsOf(items, caller),
    changesLeft,
    webhooks,
    log,
    refused,
  })
}

function itemsOf({ apps, keys }: CallerItems, caller: string) {
  const isApp = caller.startsWith('oauth:')
  const items = isApp ? apps : keys
  if (items === 'unread') return items
  const kind = isApp ? ('app' as const) : ('key' as const)
  return items.filter((item) => item.caller === caller).map((item) => ({ ...item, kind }))
}

export const removeOwnersWebhook: Act = async (c, { form }) => {
  const record_id = form.get('id') ?? ''
  if (await c.var.services.subscriptions.unsubscribe(record_id, null))
    c.var.note({ event: 'webhook', code: 'removed', record_id })
  return 'webhook'
}

export const resumeOwnersWebhook: Act = async (c, { form }) => {
  const record_id = form.get('id') ?? ''
  if (await c.var.services.subscriptions.resumeSubscription(record_id, null))
    c.var.note({ event: 'webhook', code: 'resumed', record_id })
  return 'webhook_resumed'
}
