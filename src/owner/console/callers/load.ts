import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { notePage } from '../../../api/pages/layout.ts'
import { EVERYBODY, changesLeft as leftOf } from '../../../core/domain/rules/house-rules.ts'
import { SCOPES } from '../../../core/domain/scopes.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import { askedTwice } from '../../access/fresh-proof.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { resourceOf } from '../../access/oauth-server.ts'
import { keyRequestSchema, makeKey } from '../../admin/keys.ts'
import { isCaller } from '../../admin/rules.ts'
import { entriesWithFacts } from '../audit/load.ts'
import type { RefusedForm } from '../rules/section.ts'
import { nothingChanged, proofFor, type Act, type Show } from '../shell/acts.ts'
import { callerNamesOf, callerPath, itemsOf } from '../shell/items.ts'
import { callerItems, type Visit, part, shellOf } from '../shell/load.ts'
import { callerPage, callersPage, connectPage, newKeyMadePage, newKeyPage } from './callers.ts'

const LAST = 15

const callersShell = (c: Context<AppEnv>, visit: Visit) => shellOf(c, '/owner/callers', visit)

export async function showCallers(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const [shell, items] = await Promise.all([callersShell(c, visit), callerItems(c)])
  return callersPage({ shell, items })
}

export const showNewKey: Show = async (c, visit) => newKeyPage(await callersShell(c, visit))

export const showConnect: Show = async (c, visit) =>
  connectPage(await callersShell(c, visit), resourceOf(c.var.site().origin))

/** Makes a key, on a proof: it is shown once. */
export const makeOwnersKey: Act = async (c, own) => {
  const days = own.form.get('days') ?? ''
  const asked = keyRequestSchema.safeParse({
    name: (own.form.get('name') ?? '').trim(),
    scopes: own.form.getAll('scope'),
    ...(days !== '' && { expires_in_days: Number(days) }),
  })
  if (!asked.success)
    return nothingChanged(
      c,
      'A key needs a name, at least one tick, and 1 to 3,650 days or an empty field. Go back and complete it.',
    )
  const { name, scopes, expires_in_days } = asked.data
  const end =
    expires_in_days === undefined ? 'It does not end.' : `It ends after ${expires_in_days} days.`
  const asksForProof = await proofFor(c, own, {
    question: `Make a key for \u2068${name}\u2069?`,
    changes: [...scopes.map((scope) => `It may: ${SCOPES[scope]}.`), end],
    facts: scopes,
    verb: 'Make it with your passkey',
    back: '/owner/callers/new',
  })
  if (asksForProof) return asksForProof
  const now = Date.now()
  const expires_at = expires_in_days === undefined ? null : now + expires_in_days * DAY
  const { key } = await makeKey(c, {
    name,
    scopes,
    created_by: OWNER_ID,
    created_at: now,
    expires_at,
  })
  return c.html(newKeyMadePage(await callersShell(c, own), name, key))
}

export async function showCaller(c: Context<AppEnv>, visit: Visit): Promise<string | Response> {
  const caller = c.req.param('caller') ?? ''
  const known = await part(() => isCaller(caller, c.var.services.access))
  if (known === false || caller === EVERYBODY) {
    const { practice } = c.var.site()
    return c.html(
      notePage(
        'Not here',
        practice.name,
        'There is no such app or key. All of them are under Callers.',
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

export const removeOwnersWebhook: Act = async (c, { form, session }) => {
  const record_id = form.get('id') ?? ''
  const again = await askedTwice(c, session, form, {
    question: 'Remove this webhook?',
    changes: [
      'Nothing more is sent to it, not even what waits now. The app or key that made it can make it again.',
    ],
    verb: 'Remove',
    back: callerPath(form.get('caller') ?? ''),
  })
  if (again) return again
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
