import { html } from 'hono/html'
import { type Part, type ShellView, hidden, pauseButton, resumeButton, setOf, whenRead } from './shell.ts'
import { ifDefined } from '../../http/html.ts'
import type { Html } from '../../access/pages/layout.ts'
import { APPROVER, callerOfCredential } from '../../domain/audit/entry.ts'
import { EVERYBODY } from '../../domain/rules/house-rules.ts'
import type { NumberedEntry } from '../../ports/audit.ts'
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../domain/scopes.ts'
import { dayIn, type Clock } from './dates.ts'
import { rulesInWords } from '../rules/form.ts'
import { callerOfLink } from '../../operations/invite-client.ts'

/** What may use the connector, or sign in to it. */
export interface OwnerItem {
  id: string
  name: string
  host?: string
  /** Epoch milliseconds; null for what was made with the connector itself. */
  since: number | null
  /** The day of its last use, in UTC; null if it was not used yet, undefined where that is not known. */
  lastUsedOn: string | null | undefined
  end?: { word: 'revoked' | 'removed' | 'ended' | 'ends'; at: number }
  scopes: readonly string[]
  madeBy?: string
  ended: boolean
  stays?: string
  /** By which name rules hold for it. */
  caller?: string
}

export interface CallerItems {
  apps: Part<OwnerItem[]>
  keys: Part<OwnerItem[]>
  approvers: Part<Pick<OwnerItem, 'caller' | 'name'>[]>
}

/** What callers are called, by the names that the audit log has for them. */
export type CallerNames = ReadonlyMap<string, string>

export const callerPath = (caller: string): string => `/owner/callers/${encodeURIComponent(caller)}`

/** Who is in the audit log without being an app or a key that is listed. */
export const OTHERS: CallerNames = new Map([
  [EVERYBODY, 'All callers'],
  ['owner', 'You, or your first key'],
  ['anonymous', 'Anybody on this machine'],
  ['none', 'The connector itself, or nobody who is known'],
])

export const callerNamesOf = ({ apps, keys, approvers }: CallerItems): CallerNames =>
  namesIn([apps, keys, approvers])

export const namesIn = (lists: Part<Pick<OwnerItem, 'caller' | 'name'>[]>[]): CallerNames =>
  new Map([
    ...lists.flatMap((items) =>
      items === 'unread'
        ? []
        : items.flatMap(({ caller, name }): [string, string][] =>
            caller === undefined ? [] : [[caller, name]],
          ),
    ),
    ...OTHERS,
  ])

const isLinkHolder = (caller: string): boolean => caller.startsWith(callerOfLink(''))

export const nameOf = (names: CallerNames, caller: string): string =>
  names.get(caller) ??
  (caller.startsWith(APPROVER)
    ? 'A person who approved'
    : caller.startsWith('key:')
      ? 'A key that is gone'
      : isLinkHolder(caller)
        ? 'Somebody with a client link'
        : 'An app that is gone')

/** Whose passkey an entry of the log is about; undefined for the owner's, and where it is about none. */
export const holderOf = (names: CallerNames, { about }: Pick<NumberedEntry, 'about'>): string | undefined =>
  names.get(callerOfCredential(String(about?.['credential'] ?? '')))

/** A caller by its name, with the way to its page. */
export const callerLink = (names: CallerNames, caller: string): Html =>
  caller === 'none' || caller === EVERYBODY || caller.startsWith(APPROVER) || isLinkHolder(caller)
    ? html`${nameOf(names, caller)}`
    : html`<a href="${callerPath(caller)}"><bdi>${nameOf(names, caller)}</bdi></a>`

interface ListTexts {
  /** Where the button that ends an item goes, and what it says. */
  action: string
  verb: string
  none: Html
}

export const itemList = (view: ShellView, items: Part<readonly OwnerItem[]>, texts: ListTexts): Html | '' =>
  whenRead(items, (all) =>
    all.length === 0
      ? html`<p class="soft">${texts.none}</p>`
      : html`<ul class="list">
          ${all.map((item) => listItem(view, item, texts))}
        </ul>`,
  )

function listItem(view: ShellView, item: OwnerItem, texts: ListTexts): Html {
  const { caller, name, host, ended } = item
  const set = setOf(view.rules, caller ?? '')
  const rules = ended ? [] : rulesInWords(set.rules, view.clock)
  const shownName = html`<strong><bdi>${name}</bdi></strong>`
  return html`<li class="${ended ? 'ended' : ''}">
    <div class="item">
      <div>
        <p>
          ${caller === undefined ? shownName : html`<a href="${callerPath(caller)}">${shownName}</a>`}
          ${ifDefined(host, (name) => html`<span class="soft">${name}</span>`)}
          ${set.rules.paused && !ended ? html`<span class="tag">Paused</span>` : ''}
        </p>
        ${scopesOf(item)}
        <p class="soft">${sinceAndUse(item, view.clock)}</p>
        ${rules.map(({ title, words }) => html`<p class="soft">${title}: ${words}</p>`)}
        ${ifDefined(item.stays, (why) => html`<p class="soft">${why}</p>`)}
      </div>
      ${itemButtons(view, item, texts)}
    </div>
  </li>`
}

export function itemButtons(
  view: ShellView,
  { id, name, caller, ended, stays }: OwnerItem,
  { action, verb }: Pick<ListTexts, 'action' | 'verb'>,
): Html | '' {
  if (ended) return ''
  const { paused } = setOf(view.rules, caller ?? '').rules
  return html`<div class="buttons">
    ${
      caller === undefined || view.rules === 'unread'
        ? ''
        : (paused ? resumeButton : pauseButton)(view, caller, name)
    }
    ${
      stays === undefined
        ? html`<form method="post" action="${action}">
            ${hidden(view, { id })}
            <button class="small danger" aria-label="${verb}: ${name}">${verb}</button>
          </form>`
        : ''
    }
  </div>`
}

export const scopesOf = ({ scopes }: OwnerItem): Html | '' =>
  scopes.length === 0 ? '' : html`<p class="soft">${spokenScopes(scopes)}</p>`

const spokenScopes = (scopes: readonly string[]): string =>
  scopes.length === DEFAULT_SCOPES.length && DEFAULT_SCOPES.every((scope) => scopes.includes(scope))
    ? 'Everything a key can do'
    : scopes.map((scope) => (scope in SCOPES ? SCOPES[scope as Scope] : scope)).join(' · ')

export function sinceAndUse({ since, lastUsedOn, end, madeBy }: OwnerItem, { zone }: Clock): Html {
  if (since === null) return html`Made with the connector itself`
  const use =
    lastUsedOn === null
      ? html` · not used yet`
      : lastUsedOn === undefined
        ? ''
        : html` · last used ${dayIn(Date.parse(lastUsedOn), 'UTC')}`
  const maker = madeBy === undefined ? '' : html` · made by: <bdi>${madeBy}</bdi>`
  return html`Since
  ${dayIn(since, zone)}${maker}${use}${end === undefined ? '' : html` · ${end.word} ${dayIn(end.at, zone)}`}`
}
