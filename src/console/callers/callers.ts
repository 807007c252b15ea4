import { html } from 'hono/html'
import {
  itemList,
  sinceAndUse,
  itemButtons,
  scopesOf,
  type CallerItems,
  type OwnerItem,
  type CallerNames,
  nameOf,
} from '../shell/items.ts'
import {
  type ShellView,
  consolePage,
  type Part,
  UNREAD,
  pauseButton,
  resumeButton,
  setOf,
  hidden,
  whenRead,
} from '../shell/shell.ts'
import { ifDefined } from '../../http/html.ts'
import type { Html } from '../../access/pages/layout.ts'
import type { AuditPage } from '../../ports/audit.ts'
import type { Subscription } from '../../ports/subscriptions.ts'
import { entryList } from '../audit/audit.ts'
import { auditAddress } from '../audit/query.ts'
import { type RefusedForm, refusedNotice, rulesSection } from '../rules/section.ts'
import { clockOn } from '../shell/dates.ts'

export interface CallersView {
  shell: ShellView
  items: CallerItems
  address: string
}

export const ENDS = {
  app: { action: '/owner/apps/revoke', verb: 'Disconnect' },
  key: { action: '/owner/keys/revoke', verb: 'Revoke' },
} as const

/** Who may use the connector: apps and keys, each with the way to its own page. */
export const callersPage = ({ shell, items, address }: CallersView): string =>
  consolePage(
    shell,
    'Callers',
    html`<h1>Who may use the connector</h1>
      <section aria-labelledby="apps">
        <h2 id="apps">Connected apps</h2>
        ${itemList(shell, items.apps, {
          ...ENDS.app,
          none: html`None yet. In the app, add a connector with the address <code>${address}</code>`,
        })}
      </section>
      <section aria-labelledby="keys">
        <h2 id="keys">API keys</h2>
        ${itemList(shell, items.keys, {
          ...ENDS.key,
          none: html`None yet. <code>npm run keys</code> makes them.`,
        })}
      </section>`,
  )

export interface CallerView {
  shell: ShellView
  caller: string
  names: CallerNames
  /** What the caller comes with: a key, or the grants of an app; none where it is gone. */
  items: Part<(OwnerItem & { kind: 'app' | 'key' })[]>
  /** How many changes the rules still allow it today; null where none limits them. */
  changesLeft: Part<number | null>
  webhooks: Part<Subscription[]>
  log: Part<AuditPage>
  refused: RefusedForm | undefined
}

/** One app or key: whether it may act, by which rules, and what it did. */
export function callerPage(view: CallerView): string {
  const { shell, caller, names, log } = view
  return consolePage(
    shell,
    nameOf(names, caller),
    html`<p><a href="/owner/callers">Callers</a></p>
      <h1><bdi>${nameOf(names, caller)}</bdi></h1>
      ${refusedNotice(view.refused)}
      <section aria-labelledby="access">
        <h2 id="access">Access</h2>
        <ul class="list">
          ${access(view)}
        </ul>
        <p class="soft">In the audit log it is <code>${caller}</code></p>
      </section>
      ${rulesSection(
        shell,
        caller,
        {
          title: 'Rules of its own',
          intro: 'They come on top of the rules for everybody: both have to allow.',
          none: 'None: the rules for everybody hold.',
          change: 'Change its rules',
        },
        view.refused,
      )}
      ${webhookSection(view)}
      <section aria-labelledby="log">
        <h2 id="log">What it did last</h2>
        ${left(view)}
        ${whenRead(
          log,
          ({ entries }) =>
            html`${entries.length === 0 ? html`<p>Nothing that is in the audit log.</p>` : entryList(entries, names, shell.clock)}
              <p class="row"><a class="button" href="${auditAddress({ caller })}">All of it</a></p>`,
        )}
      </section>`,
  )
}

const left = ({ changesLeft }: CallerView): Html | '' =>
  changesLeft === null || changesLeft === 'unread'
    ? ''
    : html`<p>The rules allow ${changesLeft} more ${changesLeft === 1 ? 'change' : 'changes'} today.</p>`

function access({ shell, caller, items }: CallerView): Html {
  if (items === 'unread') return html`<li>${UNREAD}</li>`
  if (items.length === 0)
    return html`<li>
      <div class="item">
        <p>It is not connected now. Its rules wait for it, should it come back.</p>
        <div class="buttons">
          ${(setOf(shell.rules, caller).rules.paused ? resumeButton : pauseButton)(shell, caller, 'this app')}
        </div>
      </div>
    </li>`
  return html`${items.map(
    (item) =>
      html`<li>
        <div class="item">
          <div>
            ${ifDefined(item.host, (host) => html`<p><strong>${host}</strong></p>`)} ${scopesOf(item)}
            <p class="soft">${sinceAndUse(item, shell.clock)}</p>
            ${ifDefined(item.stays, (why) => html`<p class="soft">${why}</p>`)}
            ${setOf(shell.rules, caller).rules.paused ? html`<span class="tag">Paused</span>` : ''}
          </div>
          ${itemButtons(shell, item, ENDS[item.kind])}
        </div>
      </li>`,
  )}`
}

const STATES = { active: undefined, paused: 'Paused', ended: 'Ended' } as const

const webhookSection = ({ shell, caller, webhooks }: CallerView): Html | '' =>
  webhooks !== 'unread' && webhooks.length === 0
    ? ''
    : html`<section aria-labelledby="webhooks">
        <h2 id="webhooks">Webhooks</h2>
        <p>Where its events are sent: ids, states and times.</p>
        ${whenRead(
          webhooks,
          (all) =>
            html`<ul class="list">
              ${all.map((one) => listItem(shell, caller, one))}
            </ul>`,
        )}
      </section>`

function listItem(shell: ShellView, caller: string, webhook: Subscription): Html {
  const { id, host, topics, state } = webhook
  const button = (act: string, verb: string, look: string) =>
    html`<form method="post" action="/owner/webhooks/${act}">
      ${hidden(shell, { id, caller })}
      <button class="small ${look}" aria-label="${verb}: ${host}">${verb}</button>
    </form>`
  return html`<li class="${state === 'ended' ? 'ended' : ''}">
    <div class="item">
      <div>
        <p>
          <strong><bdi>${host}</bdi></strong>
          ${STATES[state] === undefined ? '' : html`<span class="tag">${STATES[state]}</span>`}
        </p>
        <p class="soft">${topics.join(' · ')}</p>
        <p class="soft">${progress(shell, webhook)}</p>
      </div>
      <div class="buttons">
        ${state === 'paused' ? button('resume', 'Resume', '') : ''} ${button('remove', 'Remove', 'danger')}
      </div>
    </div>
  </li>`
}

function progress({ clock }: ShellView, { last_ok_at, failing_since, waiting, refused }: Subscription): Html {
  return html`${
    last_ok_at === null ? 'Nothing has arrived yet' : html`Last arrived ${clockOn(last_ok_at, clock)}`
  }${failing_since === null ? '' : html` · failing since ${clockOn(failing_since, clock)}`}${
    waiting === 0 ? '' : html` · ${waiting} waiting`
  }${refused.length === 0 ? '' : html` · ${refused.length} refused, tried again for a day`}`
}
