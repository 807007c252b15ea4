import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { notePage } from '../../../api/pages/layout.ts'
import { EVERYBODY, changesLeft as leftOf } from '../../../core/domain/rules/house-rules.ts'
import { resourceOf } from '../../access/oauth-server.ts'
import { isCaller } from '../../admin/rules.ts'
import { entriesWithFacts } from '../audit/load.ts'
import type { RefusedForm } from '../rules/section.ts'
import type { Show } from '../shell/handlers.ts'
import { callerNamesOf, itemsOf } from '../shell/items.ts'
import { callerItems, type Visit, part, shellOf } from '../shell/load.ts'
import { callerPage, callersPage, connectPage, newKeyPage } from './page.ts'

const LAST = 15

export const callersShell = (c: Context<AppEnv>, visit: Visit) =>
  shellOf(c, '/owner/callers', visit)

export async function showCallers(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const [shell, items] = await Promise.all([callersShell(c, visit), callerItems(c)])
  return callersPage({ shell, items })
}

export const showNewKey: Show = async (c, visit) => newKeyPage(await callersShell(c, visit))

export const showConnect: Show = async (c, visit) =>
  connectPage(await callersShell(c, visit), resourceOf(c.var.site().origin))

export async function showCaller(c: Context<AppEnv>, visit: Visit): Promise<string | Response> {
  const caller = c.req.param('caller') ?? ''
  const known = await part(() => isCaller(caller, c.var.services.access))
  if (known === false || caller === EVERYBODY) {
    const { practice } = c.var.site()
    return c.html(
      notePage(
        'Not here',
        practice.name,
        'There is no such app or key. All of them are under Agents & keys.',
      ),
      404,
    )
  }
  return callerView(c, visit, caller)
}

export async function callerView(
  c: Context<AppEnv>,
  visit: Visit,
  caller: string,
  refused?: RefusedForm,
): Promise<string> {
  const { houseRules, subscriptions } = c.var.services
  const [shell, items, changesLeft, webhooks, [log, facts]] = await Promise.all([
    shellOf(c, '/owner/callers', visit),
    callerItems(c),
    part(async () => leftOf(await houseRules.appliedTo(caller))),
    part(() => subscriptions.subscriptions(caller)),
    entriesWithFacts(c, { caller, limit: LAST }),
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
    facts,
    refused,
  })
}
