import type { Context } from 'hono'
import { resourceOf } from '../access/oauth-server.ts'
import { notePage } from '../access/pages/layout.ts'
import { isCaller } from '../admin/rules.ts'
import { EVERYBODY, changesLeft as leftOf } from '../domain/house-rules.ts'
import type { AppEnv } from '../http/app-env.ts'
import { callerPage } from './caller.ts'
import { callerNamesOf } from './caller-names.ts'
import { callersPage } from './callers.ts'
import type { CallerItems } from './items.ts'
import { callerItems } from './items-load.ts'
import { type Visit, part, shellOf } from './load.ts'
import type { RefusedForm } from './rules-section.ts'

const LAST = 15

/** The page of all callers. */
export async function showCallers(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const [shell, items] = await Promise.all([shellOf(c, '/owner/callers', visit), callerItems(c)])
  return callersPage({ shell, items, address: resourceOf(c.var.site().origin) })
}

/** The page of the caller in the address. */
export async function showCaller(c: Context<AppEnv>, visit: Visit): Promise<string | Response> {
  const caller = c.req.param('caller') ?? ''
  const known = await part(() => isCaller(caller, c.var.services.access))
  if (known === false || caller === EVERYBODY) {
    const { practice } = c.var.site()
    return c.html(notePage('Not here', practice.name, 'There is no caller with this name.'), 404)
  }
  return callerView(c, visit, caller)
}

/** The page of a caller, with its form as it was refused, if it was. */
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

/** What a caller comes with, of all that there is. */
function itemsOf({ apps, keys }: CallerItems, caller: string) {
  const isApp = caller.startsWith('oauth:')
  const items = isApp ? apps : keys
  if (items === 'unread') return items
  const kind = isApp ? ('app' as const) : ('key' as const)
  return items.filter((item) => item.caller === caller).map((item) => ({ ...item, kind }))
}
