import { html } from 'hono/html'

import type { Html } from '../../../api/pages/layout.ts'
import { HOSTS } from '../../../core/domain/hosts.ts'
import { KEY_PRESETS, LONGEST_KEY_NAME } from '../../../core/domain/key-presets.ts'
import { isLoopback } from '../../../core/domain/origin.ts'
import { pluralOf } from '../../../core/domain/plural.ts'
import { SCOPES } from '../../../core/domain/scopes.ts'
import type { Subscription } from '../../../core/ports/events.ts'
import { entryList } from '../audit/page.ts'
import { auditAddress } from '../audit/query.ts'
import type { ShownEntries } from '../audit/sentences.ts'
import { rulesSection } from '../rules/section.ts'
import { dayIn, dayOfUse } from '../shell/dates.ts'
import {
  ENDS,
  shortScopes,
  itemLine,
  scopesOf,
  type CallerItems,
  type CallerItem,
  type CallerNames,
  nameOf,
  callerPath,
} from '../shell/items.ts'
import {
  type ShellView,
  consolePage,
  entered,
  type Part,
  UNREAD,
  WEBHOOKS,
  pauseOrResume,
  setOf,
  copied,
  table,
  whenRead,
  row,
} from '../shell/shell.ts'

export interface CallersView {
  shell: ShellView
  items: CallerItems
}

/** Who may use the connector: apps and keys in a table, each with a page of its own. */
export const callersPage = ({ shell, items: { apps, keys } }: CallersView) =>
  consolePage(
    shell,
    'Agents & keys',
    html`<h1>Agents &amp; keys</h1>
      <p class="soft">People book in your calendar's own pages. Agents and automations book here.</p>
      <p class="row">
        <a class="button" href="/owner/connect">Connect an agent</a>
        <a class="button" href="/owner/callers/new">Make a key</a>
      </p>
      <section aria-labelledby="apps">
        <h2 id="apps">Connected apps</h2>
        ${whenRead(apps, (all) => callerTable(shell, all))}
      </section>
      <section aria-labelledby="keys">
        <h2 id="keys">API keys</h2>
        ${whenRead(keys, (all) => {
          const ended = all.filter((one) => one.ended)
          return html`${callerTable(
            shell,
            all.filter((one) => !one.ended),
          )}
          ${
            ended.length > 0 &&
            html`<details>
                  <summary>Ended keys (${ended.length})</summary>
                  ${callerTable(shell, ended)}
                </details>`
          }`
        })}
      </section>`,
  )

/** The name of a caller, which leads to its page if it has one. */
const callerName = (name: string, caller: string | undefined) =>
  caller === undefined
    ? html`<bdi>${name}</bdi>`
    : html`<a href="${callerPath(caller)}"><bdi>${name}</bdi></a>`

const pausedTag = ({ rules }: ShellView, caller: string) =>
  setOf(rules, caller).rules.paused ? html`<span class="tag">Paused</span>` : ''

function lastUse(day: CallerItem['lastUsedOn'], clock: ShellView['clock']): Html | string {
  if (day) return dayOfUse(day, clock)
  return day === null ? 'never' : 'not recorded'
}

const callerTable = (shell: ShellView, items: readonly CallerItem[]) =>
  items.length === 0
    ? html`<p class="soft">None yet.</p>`
    : table(
        ['Name', 'Access', 'Last use'],
        items.map(({ caller, name, host, scopes, lastUsedOn, end }) => [
          html`${callerName(name, caller)}
          ${host !== undefined && html`<span class="soft">${host}</span>`}
          ${pausedTag(shell, caller ?? '')}`,
          html`${shortScopes(scopes)}
          ${end && html`<span class="soft">${end.word} ${dayIn(end.at, shell.clock.zone)}</span>`}`,
          lastUse(lastUsedOn, shell.clock),
        ]),
        'whole',
      )

/** A form for a new key: what it is for, or what it may do, and for how long. */
export function newKeyPage(shell: ShellView): string {
  const [usual = ''] = Object.keys(KEY_PRESETS)
  const fresh = new URLSearchParams({ preset: usual, days: '365' })
  const form = entered(shell, '/owner/keys/make', {}, fresh)
  const card = (name: string, title: string, text: string) =>
    html`<label
      ><input type="radio" name="preset" value="${name}" ${form.isTicked('preset', name) && 'checked'} />
      <span><strong>${title}</strong> <span class="soft">${text}</span></span></label
    >`
  return consolePage(
    shell,
    'Make a key',
    html`<p><a href="/owner/callers">Agents &amp; keys</a></p>
      <h1>Make a key</h1>
      <p class="soft">
        A key is for a program that cannot sign in by itself. An agent such as Claude needs no key:
        <a href="/owner/connect">connect it</a>.
      </p>
      ${shell.isTrial && NOT_IN_TRIAL}
      <form method="post" action="/owner/keys/make">
        ${form.hidden} ${form.errors}
        <fieldset class="cards">
          <legend class="spoken">What is it for?</legend>
          ${Object.entries(KEY_PRESETS).map(([name, { title, text }]) => card(name, title, text))}
          ${card(OWN_CHOICE, 'My own choice', 'Tick below what it may do, and give it a name.')}
        </fieldset>
        <fieldset class="own">
          <legend>It may</legend>
          ${Object.entries(SCOPES).map(([scope, words], i) =>
            form.box('scope', scope, words, i === 0 ? form.mark('scope') : ''),
          )}
          <details>
            <summary>For developers: the names of these scopes</summary>
            <dl class="rules">${Object.entries(SCOPES).map(([scope, words]) => row(words, html`<code>${scope}</code>`))}</dl>
          </details>
        </fieldset>
        <div class="fields">
          ${form.field('Name (your own choice needs one)', 'name', html`maxlength="${LONGEST_KEY_NAME}"`)}
          ${form.field(
            'Expires after (days)',
            'days',
            html`size="6" inputmode="numeric" pattern="[0-9]{1,4}" title="a number of days, or empty"`,
          )}
        </div>
        <p class="soft">
          You see what it may do, and confirm with your passkey. If you leave the days empty, the key does not
          expire.
        </p>
        <div class="row foot">
          <button class="main" ${shell.isTrial && 'disabled'}>Make the key…</button>
        </div>
      </form>`,
  )
}

const NOT_IN_TRIAL = html`<p class="notice">
  A trial makes no keys: that needs your passkey. To make one, run <code>npm run enrol</code>.
</p>`

/** What the form sends for marks of the owner's own. */
const OWN_CHOICE = 'own'

interface NewKey {
  name: string
  /** The key itself. */
  key: string
  caller: string
}

export const newKeyMadePage = (shell: ShellView, { name, key, caller }: NewKey) =>
  consolePage(
    shell,
    'The new key',
    html`<h1>Copy the key for <bdi>${name}</bdi> now</h1>
      <p>You cannot see it again: the connector does not keep it.</p>
      ${copied('key', key)}
      <h2>What now?</h2>
      <ol>
        <li>Put it into the program as the header <code>X-API-Key</code>.</li>
        <li>Let the program call. Its first use then stands under Agents &amp; keys.</li>
      </ol>
      <p class="row">
        <a class="button" href="/owner/connect">Steps for each program</a>
        <a class="button" href="${callerPath(caller)}#rules">Rules of this key</a>
      </p>`,
  )

const LOCAL_ONLY = html`<p class="notice">
  Only programs on this computer reach this address: Claude Code, Cursor or your own n8n, say. Under
  <code>npm start</code> they need no sign-in. For Claude on the web, ChatGPT, Copilot Studio and Zapier, run
  <code>npm run deploy</code>, and come back here.
</p>`

/** How an agent is connected: the address, and three steps for each host. */
export const connectPage = (shell: ShellView, address: string) =>
  consolePage(
    shell,
    'Connect an agent',
    html`<h1>Connect an agent</h1>
      <p>This is the address that you give to your agent:</p>
      ${copied('address', address)}
      ${isLoopback(address) ? LOCAL_ONLY : ''}
      ${Object.values(HOSTS).map(
        ([name, ...steps]) =>
          html`<details>
            <summary>${name}</summary>
            <ol>
              ${steps.map((step) => html`<li>${step.replace('<PUBLIC_URL>', new URL(address).origin)}</li>`)}
            </ol>
          </details>`,
      )}
      <p class="soft">
        For any other agent, give it the address, or <a href="/owner/callers/new">make a key</a>. An app asks
        for your permission when it connects. You can disconnect it under <a href="/owner/callers">Agents &amp; keys</a>.
      </p>`,
    { help: '/owner/connect' },
  )

export interface CallerView {
  shell: ShellView
  caller: string
  names: CallerNames
  /** What the caller comes with: a key, or the grants of an app; none where it is gone. */
  items: Part<CallerItem[]>
  /** How many changes the rules still allow it today; null where none limits them. */
  changesLeft: Part<number | null>
  webhooks: Part<Subscription[]>
  log: Part<ShownEntries>
}

/** One app or key: whether it may act, by which rules, and what it did. */
export function callerPage(view: CallerView): string {
  const { shell, caller, names, log, changesLeft } = view
  return consolePage(
    shell,
    nameOf(names, caller),
    html`<p><a href="/owner/callers">Agents &amp; keys</a></p>
      <h1><bdi>${nameOf(names, caller)}</bdi> ${pausedTag(shell, caller)}</h1>
      <section aria-labelledby="access">
        <h2 id="access">Access</h2>
        <ul class="list">
          ${access(view)}
        </ul>
        ${webhookLine(view)}
        <p class="soft">Its id in the audit log: <code>${caller}</code></p>
      </section>
      ${rulesSection(shell, caller)}
      <section aria-labelledby="log">
        <h2 id="log">What it did last</h2>
        ${typeof changesLeft === 'number' && html`<p>The rules allow ${pluralOf(changesLeft, 'more change')} today.</p>`}
        ${whenRead(
          log,
          (found) =>
            html`${found.entries.length === 0 ? html`<p>Nothing yet.</p>` : entryList(found, names, shell.clock)}
              <p class="row"><a class="button" href="${auditAddress({ caller })}">All that it did</a></p>`,
        )}
      </section>`,
  )
}

function access({ shell, caller, items }: CallerView) {
  if (items === 'unread') return html`<li>${UNREAD}</li>`
  if (items.length === 0)
    return html`<li>
      <div class="item">
        <p>It is not connected now. Its rules apply again if you connect it again.</p>
        <div class="buttons">${pauseOrResume(shell, caller, 'this app')}</div>
      </div>
    </li>`
  return html`${items.map((item) =>
    itemLine(shell, item, {
      end: ENDS[item.kind],
      above: html`${item.host !== undefined && html`<p><strong>${item.host}</strong></p>`} ${scopesOf(item)}`,
    }),
  )}`
}

/** Webhooks that it made; all of them are in the settings. */
const webhookLine = ({ webhooks }: CallerView) =>
  whenRead(webhooks, (all) =>
    all.length === 0
      ? ''
      : html`<p>It made ${pluralOf(all.length, 'webhook')}. <a href="${WEBHOOKS}">Look at them</a>.</p>`,
  )
