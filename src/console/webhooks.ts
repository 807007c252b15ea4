import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import type { Subscription } from '../ports/subscriptions.ts'
import { clockOn } from './dates.ts'
import { type Part, type ShellView, UNREAD, hidden } from './shell.ts'

const STATES = { active: undefined, paused: 'Paused', ended: 'Ended' } as const

/** Where a caller has its events sent; nothing where it has none. */
export const webhookSection = (
  shell: ShellView,
  caller: string,
  webhooks: Part<Subscription[]>,
): Html | '' =>
  webhooks !== 'unread' && webhooks.length === 0
    ? ''
    : html`<section aria-labelledby="webhooks">
        <h2 id="webhooks">Webhooks</h2>
        <p>Where its events are sent: ids, states and times.</p>
        ${
          webhooks === 'unread'
            ? UNREAD
            : html`<ul class="list">
                ${webhooks.map((one) => listItem(shell, caller, one))}
              </ul>`
        }
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

function progress({ clock }: ShellView, { last_ok_at, failing_since, waiting }: Subscription): Html {
  return html`${
    last_ok_at === null ? 'Nothing has arrived yet' : html`Last arrived ${clockOn(last_ok_at, clock)}`
  }${failing_since === null ? '' : html` · failing since ${clockOn(failing_since, clock)}`}${
    waiting === 0 ? '' : html` · ${waiting} waiting`
  }`
}
