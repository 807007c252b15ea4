import type { AppContext } from '../../../api/http/app-env.ts'
import { LONGEST_KEY_NAME, keyPresetNamed } from '../../../core/domain/key-presets.ts'
import { pluralOf } from '../../../core/domain/plural.ts'
import {
  EVERYBODY,
  changesLeft as leftOf,
  NO_RULES,
} from '../../../core/domain/rules/house-rules.ts'
import { SCOPES } from '../../../core/domain/scopes.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import type { AuditPage } from '../../../core/ports/audit.ts'
import { rulesInWords } from '../../../practice/operations/house-rules.ts'
import { MOST_LINKS, openLinksOf } from '../../access/client-links.ts'
import { disconnect } from '../../access/connected-apps.ts'
import { askTwice, wantProof } from '../../access/fresh-proof.ts'
import { resourceOf, OWNER_ID } from '../../access/oauth-server.ts'
import { callerOfKey } from '../../access/principal.ts'
import type { OwnForm } from '../../access/session.ts'
import { keyRequestSchema, makeKey, revokeKey } from '../../admin/keys.ts'
import { changeRules, isCaller } from '../../admin/rules.ts'
import { entriesWithFacts } from '../audit/handlers.ts'
import { type Show, type Act, formAgain, notHere, nothingChanged } from '../shell/handlers.ts'
import { callerNamesOf, itemsOf, callerPath, ENDS } from '../shell/items.ts'
import { callerItems, type Visit, part, shellOf, clockOf } from '../shell/load.ts'
import { type Part, listed } from '../shell/shell.ts'
import { callerPage, callersPage, connectPage, newKeyPage, newKeyMadePage } from './page.ts'

const LAST = 15

const callersShell = (c: AppContext, visit: Visit) => shellOf(c, '/owner/callers', visit)

export const showCallers: Show = async (c, visit) => {
  const [shell, items] = await Promise.all([callersShell(c, visit), callerItems(c)])
  return callersPage({ shell, items })
}

export const showNewKey: Show = async (c, visit) => newKeyPage(await callersShell(c, visit))

export const showConnect: Show = async (c, visit) =>
  connectPage(await callersShell(c, visit), resourceOf(c.var.site().origin))

export const showCaller: Show = async (c, visit) => {
  const caller = c.req.param('caller') ?? ''
  const known = await part(() => isCaller(caller, c.var.services.access))
  if (known === false || caller === EVERYBODY)
    return notHere(c, known, 'There is no such app or key. All of them are under Agents & keys.')
  return callerView(c, visit, caller)
}

export async function callerView(c: AppContext, visit: Visit, caller: string): Promise<string> {
  const { houseRules, subscriptions } = c.var.services
  const [shell, items, changesLeft, webhooks, log] = await Promise.all([
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
  })
}

/** What is expected of each field of the form for a key, by its name in the request for one. */
const WANTED_OF_KEY: Record<string, readonly [field: string, wanted: string]> = {
  name: [
    'name',
    `Give the key a name of at most ${LONGEST_KEY_NAME} characters, and no number of a person or account.`,
  ],
  scopes: ['scope', 'Tick at least one thing that the key may do.'],
  expires_in_days: ['days', 'Enter 1 to 3650 days, or leave it empty.'],
}

/** What the form for a key asks for: a preset, or marks of the owner's own; or where it is wrong. */
function askedKey(form: URLSearchParams) {
  const preset = keyPresetNamed(form.get('preset') ?? '')
  const days = [preset?.days, form.get('days') || undefined].filter((one) => one !== undefined)
  const name = (form.get('name') ?? '').trim()
  const asked = keyRequestSchema.safeParse({
    name: name === '' && preset ? preset.title : name,
    scopes: preset?.scopes ?? form.getAll('scope'),
    ...(days.length > 0 && { expires_in_days: Math.min(...days.map(Number)) }),
  })
  if (asked.success) return { ...asked.data, rules: preset?.rules }
  const fields = new Set(asked.error.issues.map(({ path: [field] }) => String(field)))
  return {
    errors: Object.fromEntries([...fields].flatMap((field) => [WANTED_OF_KEY[field] ?? []])),
  }
}

/** Makes a key, with the rules that its preset gives it, on a proof: it is shown once. */
export const makeOwnersKey: Act = async (c, own) => {
  const asked = askedKey(own.form)
  if ('errors' in asked) return formAgain(c, own, showNewKey, asked.errors)
  const { name, scopes, expires_in_days, rules } = asked
  const end =
    expires_in_days === undefined
      ? 'It does not end.'
      : `It ends after ${pluralOf(expires_in_days, 'day')}.`
  const bounds = rulesInWords({ ...NO_RULES, ...rules }, clockOf(c)).map(
    ({ title, words }) => `Rule of its own. ${title}: ${words}.`,
  )
  await wantProof(c, own, {
    question: `Make a key for \u2068${name}\u2069?`,
    changes: [...scopes.map((scope) => `It may: ${SCOPES[scope]}.`), ...bounds, end],
    facts: [...scopes, JSON.stringify(rules ?? {})],
    verb: 'Make it with your passkey',
    back: '/owner/callers/new',
  })
  const now = Date.now()
  const expires_at = expires_in_days === undefined ? null : now + expires_in_days * DAY
  const { key, created } = await makeKey(c, {
    name,
    scopes,
    created_by: OWNER_ID,
    created_at: now,
    expires_at,
  })
  const caller = callerOfKey(created.id)
  // It has its rules before it is shown.
  const saved = rules && (await changeRules(c, caller, rules, 'tighten').catch(() => 'unknown'))
  if (rules && saved !== 'kept') {
    await revokeKey(c, created.id)
    return nothingChanged(c, NOT_BOUND)
  }
  return c.html(newKeyMadePage(await callersShell(c, own), { name, key, caller }))
}

const NOT_BOUND =
  'The rules of the key could not be saved, so the key was revoked and is not shown. Try again. ' +
  'If it happens again, remove the rules of keys that have ended.'

export const disconnectApp: Act = async (c, own) => {
  await askToEnd(c, own, 'app', 'You can connect the app again later.')
  const isEnded = await disconnect(c, own.form.get('id') ?? '')
  return isEnded ? 'app' : nothingChanged(c, 'This app is not connected any more.')
}

export const revokeOwnersKey: Act = async (c, own) => {
  await askToEnd(c, own, 'key', 'You cannot get this key back. You can make a new one.')
  const isEnded = await revokeKey(c, own.form.get('id') ?? '')
  return isEnded ? 'key' : nothingChanged(c, 'This key was revoked already.')
}

/** Asks once more before the access of an app or a key ends that is listed, and says what stops with it. */
async function askToEnd(c: AppContext, own: OwnForm, kind: keyof typeof ENDS, after: string) {
  const { apps, keys } = await callerItems(c)
  const all = [apps, keys].flatMap(listed)
  const item = all.find(({ id }) => id === own.form.get('id'))
  if (!item) return
  const { name, caller = '' } = item
  const week = {
    caller,
    event: 'commit',
    code: 'committed',
    from: Date.now() - 7 * DAY,
    limit: 100,
  } as const
  const [made, links] = await Promise.all([
    part(() => c.var.services.audit.page(week)),
    part(() => openLinksOf(c, caller)),
  ])
  askTwice(c, own, {
    question: `${ENDS[kind].verb} \u2068${name}\u2069?`,
    changes: [
      ...(made === 'unread' ? [] : [madeInWords(made)]),
      'It stops within a minute. The connector still finishes a change that has begun.',
      ...openLinksInWords(links),
      after,
    ],
    verb: ENDS[kind].verb,
    back: callerPath(caller),
  })
}

function madeInWords({ entries: { length }, next }: AuditPage): string {
  const number = next ? `more than ${length} changes` : pluralOf(length, 'change')
  return `It made ${length === 0 ? 'no change' : number} in the last 7 days.`
}

function openLinksInWords(links: Part<readonly unknown[]>): string[] {
  if (links === 'unread') return ['Its open client links are withdrawn with it.']
  const { length } = links
  if (length === 0) return []
  if (length === 1) return ['One open client link is withdrawn with it.']
  const number = length === MOST_LINKS ? `At least ${length}` : length
  return [`${number} open client links are withdrawn with it.`]
}
