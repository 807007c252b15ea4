import { html } from 'hono/html'

import type { Html } from '../../../api/pages/layout.ts'
import { TOPIC_NAMES, topicRow } from '../../../core/domain/events/topics.ts'
import { LONGEST_WEBHOOK_URL, MOST_COUNTED } from '../../../core/domain/events/webhook-schedule.ts'
import type { Subscription } from '../../../core/ports/events.ts'
import { settingsPage } from '../settings/page.ts'
import { clockOn } from '../shell/dates.ts'
import { type CallerNames, callerLink } from '../shell/items.ts'
import {
  type Part,
  type ShellView,
  WEBHOOKS,
  buttonForm,
  consolePage,
  copied,
  entered,
  table,
  whenRead,
} from '../shell/shell.ts'

export interface WebhooksView {
  shell: ShellView
  /** Those of all callers, the newest first. */
  webhooks: Part<Subscription[]>
  names: CallerNames
}

/** Where events are sent, and a form to send them to one address more. */
export const webhooksPage = ({ shell, webhooks, names }: WebhooksView) =>
  settingsPage(
    shell,
    WEBHOOKS,
    html`<section aria-labelledby="webhooks">
        <h2 id="webhooks">Where events are sent</h2>
        ${whenRead(webhooks, (all) =>
          all.length === 0
            ? html`<p class="soft">Nowhere yet.</p>`
            : table(
                ['Sent to', 'Made by', 'Events', 'State', ''],
                all.map((one) => cellsOf(shell, names, one)),
              ),
        )}
      </section>
      ${addForm(shell)}`,
  )

function addForm(shell: ShellView) {
  const form = entered(shell, '/owner/webhooks/add')
  return html`<section aria-labelledby="add">
    <h2 id="add">Add a webhook</h2>
    <p class="soft">
      The connector sends ids, states and times to it, and no name or email address. You see its secret once.
    </p>
    ${shell.isTrial && html`<p class="notice">A trial adds none: that needs your passkey.</p>`}
    <form method="post" action="/owner/webhooks/add">
      ${form.hidden} ${form.errors}
      <div class="fields">
        ${form.field('Address', 'url', html`type="url" maxlength="${LONGEST_WEBHOOK_URL}" required placeholder="https://"`, 'long')}
      </div>
      <fieldset>
        <legend>Send an event when</legend>
        ${TOPIC_NAMES.map((topic, i) =>
          form.box('topic', topic, topicRow(topic).description, i === 0 ? form.mark('topic') : ''),
        )}
      </fieldset>
      <div class="row">
        <button class="main" ${shell.isTrial && 'disabled'}>Add the webhook…</button>
      </div>
    </form>
  </section>`
}

const STATES = { active: undefined, paused: 'Paused', ended: 'Ended' } as const

function cellsOf(shell: ShellView, names: CallerNames, webhook: Subscription): (Html | string)[] {
  const { id, caller, host, topics, state } = webhook
  const button = (act: string, text: string, look = '') =>
    buttonForm(shell, `/owner/webhooks/${act}`, text, {
      fields: { id },
      look: `small ${look}`,
      of: host,
    })
  return [
    html`<bdi>${host}</bdi> ${STATES[state] && html`<span class="tag">${STATES[state]}</span>`}`,
    callerLink(names, caller),
    topics.join(', '),
    progress(shell, webhook),
    html`<div class="row">
      ${state !== 'ended' && button('test', 'Test')} ${state === 'active' && button('pause', 'Pause')}
      ${state === 'paused' && button('resume', 'Resume…')} ${button('remove', 'Remove…', 'danger')}
    </div>`,
  ]
}

function progress(
  { clock }: ShellView,
  { last_ok_at, last_result, failing_since, waiting, skipped }: Subscription,
) {
  const known = waiting < MOST_COUNTED ? waiting : `at least ${MOST_COUNTED}`
  const lost = 'its secret is lost: npm run webhooks -- list says how it gets another'
  const arrived =
    last_ok_at === null
      ? 'Nothing has arrived yet'
      : html`Last delivered ${clockOn(last_ok_at, clock)}`
  const more = [
    last_result === 'secret_lost' && lost,
    failing_since !== null && html`failing since ${clockOn(failing_since, clock)}`,
    waiting > 0 && `${known} waiting`,
    skipped > 0 && `${skipped} skipped`,
  ]
  return html`${arrived}${more.map((one) => (one ? html` · ${one}` : ''))}`
}

/** The secret of a new webhook, once. */
export const webhookMadePage = (shell: ShellView, host: string, secret: string) =>
  consolePage(
    shell,
    'The new webhook',
    html`<h1>Copy the secret for <bdi>${host}</bdi> now</h1>
      <p>You cannot see it again. With it the receiver checks that an event comes from this connector.</p>
      ${copied('secret', secret)}
      <p class="row"><a class="button main" href="${WEBHOOKS}">Webhooks</a></p>`,
    { help: WEBHOOKS },
  )
