import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import type { AuditPage } from '../ports/audit.ts'
import type { Subscription } from '../ports/subscriptions.ts'
import { entryList } from './audit.ts'
import { auditAddress } from './audit-query.ts'
import { type CallerNames, nameOf } from './caller-names.ts'
import { ENDS } from './callers.ts'
import { sinceAndUse, itemButtons, scopesOf } from './item-list.ts'
import type { OwnerItem } from './items.ts'
import { type RefusedForm, refusedNotice, rulesSection } from './rules-section.ts'
import { type Part, type ShellView, UNREAD, consolePage, pauseButton, resumeButton, setOf } from './shell.ts'
import { webhookSection } from './webhooks.ts'

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
    { title: nameOf(names, caller) },
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
      ${webhookSection(shell, caller, view.webhooks)}
      <section aria-labelledby="log">
        <h2 id="log">What it did last</h2>
        ${left(view)}
        ${
          log === 'unread'
            ? UNREAD
            : html`${log.entries.length === 0 ? html`<p>Nothing that is in the audit log.</p>` : entryList(log.entries, names, shell.clock)}
                <p class="row"><a class="button" href="${auditAddress({ caller })}">All of it</a></p>`
        }
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
            ${item.host === undefined ? '' : html`<p><strong>${item.host}</strong></p>`} ${scopesOf(item)}
            <p class="soft">${sinceAndUse(item, shell.clock)}</p>
            ${item.stays === undefined ? '' : html`<p class="soft">${item.stays}</p>`}
            ${setOf(shell.rules, caller).rules.paused ? html`<span class="tag">Paused</span>` : ''}
          </div>
          ${itemButtons(shell, item, ENDS[item.kind])}
        </div>
      </li>`,
  )}`
}
