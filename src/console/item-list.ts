import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import { SCOPES, type Scope } from '../domain/scopes.ts'
import { dayIn } from './dates.ts'
import type { OwnerItem } from './items.ts'
import { callerPath } from './caller-names.ts'
import { type Clock, rulesInWords } from './rules-words.ts'
import { type Part, type ShellView, UNREAD, hidden, pauseButton, resumeButton, setOf } from './shell.ts'

interface ListTexts {
  /** Where the button that ends an item goes, and what it says. */
  action: string
  verb: string
  none: Html
}

/** A list of what may use the connector, each with the buttons that stop it. */
export const itemList = (view: ShellView, items: Part<readonly OwnerItem[]>, texts: ListTexts): Html =>
  items === 'unread'
    ? UNREAD
    : items.length === 0
      ? html`<p class="soft">${texts.none}</p>`
      : html`<ul class="list">
          ${items.map((item) => listItem(view, item, texts))}
        </ul>`

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
          ${host === undefined ? '' : html`<span class="soft">${host}</span>`}
          ${set.rules.paused && !ended ? html`<span class="tag">Paused</span>` : ''}
        </p>
        ${scopesOf(item)}
        <p class="soft">${sinceAndUse(item, view.clock)}</p>
        ${rules.map(({ title, words }) => html`<p class="soft">${title}: ${words}</p>`)}
        ${item.stays === undefined ? '' : html`<p class="soft">${item.stays}</p>`}
      </div>
      ${itemButtons(view, item, texts)}
    </div>
  </li>`
}

/** The buttons that stop a caller for now, and for good. */
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
  scopes.length === Object.keys(SCOPES).length
    ? 'Everything a key can do'
    : scopes.map((scope) => (scope in SCOPES ? SCOPES[scope as Scope] : scope)).join(' · ')

/** Since when it is there, and when it was used last. */
export function sinceAndUse({ since, lastUsedOn, end }: OwnerItem, { zone }: Clock): Html {
  if (since === null) return html`Made with the connector itself`
  const use =
    lastUsedOn === null
      ? html` · not used yet`
      : lastUsedOn === undefined
        ? ''
        : html` · last used ${dayIn(Date.parse(lastUsedOn), 'UTC')}`
  return html`Since
  ${dayIn(since, zone)}${use}${end === undefined ? '' : html` · ${end.word} ${dayIn(end.at, zone)}`}`
}
