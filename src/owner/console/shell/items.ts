import { html } from 'hono/html'

import { type Html, bullets } from '../../../api/pages/layout.ts'
import { APPROVER, callerOfCredential } from '../../../core/domain/audit/entry.ts'
import { EVERYBODY } from '../../../core/domain/rules/house-rules.ts'
import {
  ANONYMOUS_CALLER,
  SCOPES,
  SHORT_SCOPES,
  type Scope,
  TRIAL_CALLER,
} from '../../../core/domain/scopes.ts'
import type { NumberedEntry } from '../../../core/ports/audit.ts'
import { callerOfLink } from '../../../practice/operations/invite-client.ts'
import { dayIn, dayOfUse, type Clock } from './dates.ts'
import { type Part, type ShellView, listed, buttonForm, pauseOrResume } from './shell.ts'

/** What may use the connector, or sign in to it. */
export interface OwnerItem {
  id: string
  name: string
  host?: string
  /** Epoch milliseconds; for what a setting lets in, what it is in words. */
  since: number | { what: string }
  /** The day of its last use; null if it was not used yet, undefined where that is not known. */
  lastUsedOn?: string | null | undefined
  end?: { word: 'revoked' | 'removed' | 'ended' | 'ends'; at: number }
  madeBy?: string
  ended?: boolean
  stays?: string
  /** By which name rules hold for it. */
  caller?: string
}

/** An app or a key that may use the connector. */
export interface CallerItem extends OwnerItem {
  kind: 'app' | 'key'
  scopes: readonly string[]
}

/** What kind of caller it is, who vouches for its name, and since when it is let in. */
export function kindInWords(item: CallerItem | undefined, { zone }: Clock) {
  if (!item || item.ended) return html`Its access has ended, so it can no longer make this change.`
  const { kind, host, since, madeBy } = item
  if (typeof since === 'object') return html`${since.what}`
  const day = dayIn(since, zone)
  return kind === 'key'
    ? html`API key, made ${day} by <bdi>${madeBy}</bdi>`
    : html`App whose name is not verified. It sends you back to <bdi>${host}</bdi>. Connected ${day}.`
}

export interface CallerItems {
  apps: Part<CallerItem[]>
  keys: Part<CallerItem[]>
  approvers: Part<Pick<OwnerItem, 'caller' | 'name'>[]>
}

/** What a caller comes with: a key, or the grants of an app. */
export function itemsOf({ apps, keys }: CallerItems, caller: string): Part<CallerItem[]> {
  const items = caller.startsWith('oauth:') ? apps : keys
  return items === 'unread' ? items : items.filter((item) => item.caller === caller)
}

/** What callers are called, by the names that the audit log has for them. */
export type CallerNames = ReadonlyMap<string, string>

export const callerPath = (caller: string) => `/owner/callers/${encodeURIComponent(caller)}`

/** Who is in the audit log without being an app or a key that is listed. */
export const OTHERS: CallerNames = new Map([
  [EVERYBODY, 'All callers'],
  ['owner', 'You (passkey or first key)'],
  [TRIAL_CALLER, 'Trial key'],
  [ANONYMOUS_CALLER, 'Local programs (trial)'],
  ['none', 'The connector, or an unknown caller'],
])

export const callerNamesOf = (lists: CallerItems): CallerNames =>
  new Map([
    ...Object.values(lists).flatMap((items: CallerItems['approvers']) =>
      listed(items).flatMap(({ caller, name }): [string, string][] =>
        caller === undefined ? [] : [[caller, name]],
      ),
    ),
    ...OTHERS,
  ])

const GONE = {
  [APPROVER]: 'A person who approved',
  'key:': 'A deleted key',
  [callerOfLink('')]: 'A person with a client link',
  '': 'A disconnected app',
}

export const nameOf = (names: CallerNames, caller: string) =>
  names.get(caller) ?? Object.entries(GONE).find(([start]) => caller.startsWith(start))?.[1] ?? ''

/** Whose passkey an entry of the log is about; undefined for the owner's, and where it is about none. */
export const holderOf = (names: CallerNames, { about }: Pick<NumberedEntry, 'about'>) =>
  names.get(callerOfCredential(String(about?.['credential'] ?? '')))

/** A caller by its name, with the way to its page. */
export const callerLink = (names: CallerNames, caller: string) =>
  ['none', EVERYBODY].includes(caller) ||
  [APPROVER, callerOfLink('')].some((start) => caller.startsWith(start))
    ? html`${nameOf(names, caller)}`
    : html`<a href="${callerPath(caller)}"><bdi>${nameOf(names, caller)}</bdi></a>`

/** How the access of a caller is ended. */
export const ENDS = {
  app: { action: '/owner/apps/revoke', verb: 'Disconnect' },
  key: { action: '/owner/keys/revoke', verb: 'Revoke' },
} as const

/** A line of what may use the connector or sign in to it: what it is, since when, and how its access ends. */
export const itemLine = (
  view: ShellView,
  item: OwnerItem,
  {
    end,
    above,
    below = '',
  }: { end: { action: string; verb: string }; above: Html; below?: Html | '' },
) =>
  html`<li class="${item.ended ? 'ended' : ''}">
    <div class="item">
      <div>
        ${above}
        <p class="soft">${sinceAndUse(item, view.clock)}</p>
        ${item.stays !== undefined && html`<p class="soft">${item.stays}</p>`} ${below}
      </div>
      ${itemButtons(view, item, end)}
    </div>
  </li>`

function itemButtons(
  view: ShellView,
  { id, name, caller, ended, stays }: OwnerItem,
  { action, verb }: { action: string; verb: string },
) {
  if (ended) return ''
  return html`<div class="buttons">
    ${caller !== undefined && view.rules !== 'unread' && pauseOrResume(view, caller, name)}
    ${stays === undefined && buttonForm(view, action, verb, { fields: { id }, look: 'small danger', of: name })}
  </div>`
}

export const scopesOf = ({ scopes }: CallerItem) => bullets(inWords(scopes, SCOPES))

/** The same in a word or two each, for a table. */
export const shortScopes = (scopes: readonly string[]) => inWords(scopes, SHORT_SCOPES).join(', ')

const inWords = (scopes: readonly string[], words: Readonly<Record<Scope, string>>) =>
  scopes.map((scope) => (Object.hasOwn(words, scope) ? words[scope as Scope] : scope))

function sinceAndUse({ since, lastUsedOn, end, madeBy }: OwnerItem, clock: Clock) {
  const { zone } = clock
  const day = lastUsedOn && html` · last used ${dayOfUse(lastUsedOn, clock)}`
  const begin = typeof since === 'object' ? html`${since.what}` : html`Since ${dayIn(since, zone)}`
  return html`${begin}${madeBy !== undefined && html` · made by <bdi>${madeBy}</bdi>`}
  ${lastUsedOn === null ? '· not used yet' : day}
  ${end && html` · ${end.word} ${dayIn(end.at, zone)}`}`
}
