import { html } from 'hono/html'
import { type Html, SCRIPT_PATH, page } from '../../access/pages/layout.ts'
import { EVERYBODY } from '../../domain/rules/house-rules.ts'
import type { Finding } from '../../health/check-runner.ts'
import { itemList, type OwnerItem } from '../shell/items.ts'
import { type RefusedForm, refusedNotice, rulesSection } from '../rules/section.ts'
import { type Part, type ShellView, consolePage, hidden, row } from '../shell/shell.ts'
import { ifDefined } from '../../http/html.ts'

export interface SettingsView {
  shell: ShellView
  passkeys: Part<OwnerItem[]>
  approvers: Part<OwnerItem[]>
  refused: RefusedForm | undefined
  findings: Finding[] | undefined
}

/** The rules for everybody, the passkeys of the owner, and what looks after the installation. */
export const ownerSettingsPage = ({ shell, passkeys, approvers, refused, findings }: SettingsView): string =>
  consolePage(
    shell,
    'Settings',
    html`<h1>Settings</h1>
      ${refusedNotice(refused)}
      ${rulesSection(
        shell,
        EVERYBODY,
        {
          title: 'Rules for everybody',
          intro:
            'They hold for all apps and keys together, yours too. A rule of one app or key, on its own page, makes it stricter for that one.',
          none: 'No rules: agents may do all that their scopes allow.',
          change: 'Change the rules for everybody',
        },
        refused,
      )}
      <section aria-labelledby="passkeys">
        <h2 id="passkeys">Your passkeys</h2>
        ${itemList(shell, passkeys, {
          action: '/owner/passkeys/remove',
          verb: 'Remove',
          none: html`None. <code>npm run enrol</code> says how to make one.`,
        })}
        <form method="post" action="/owner/passkeys/add" class="row">
          ${hidden(shell, { credential: '' })}
          <button type="button" disabled data-passkey="add">Add a passkey</button>
        </form>
        <p role="status" aria-live="polite" class="notice" id="status"></p>
        <noscript><p class="soft">To add a passkey, allow JavaScript for this page.</p></noscript>
      </section>
      ${approversSection(shell, approvers)}
      <section aria-labelledby="doctor">
        <h2 id="doctor">Check the installation</h2>
        ${
          findings === undefined
            ? html`<p>Looks at the settings, the providers and every store, and changes nothing.</p>`
            : foundList(findings)
        }
        <form method="post" action="/owner/doctor" class="row">
          ${hidden(shell)}<button>${findings === undefined ? 'Run the check' : 'Run it again'}</button>
        </form>
      </section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">Sign-ins</h2>
        <p>Ends every sign-in, yours and those of the people who approve, on all devices.</p>
        <form method="post" action="/owner/sign-out-everywhere" class="row">
          ${hidden(shell)}<button class="danger">Sign out everywhere</button>
        </form>
      </section>`,
    SCRIPT_PATH,
  )

const STATES = { ok: 'Good', failed: 'Failed', not_checked: 'Not checked' } as const

function foundList(findings: Finding[]): Html {
  const failed = findings.filter(({ state }) => state === 'failed').length
  const worstFirst = findings.toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'))
  return html`<p class="notice ${failed > 0 ? 'bad' : 'good'}" role="status">
      ${failed > 0 ? `${failed} of ${findings.length} failed.` : 'All is well.'}
    </p>
    <dl class="rules">
      ${worstFirst.map(({ what, state, found, fix }) =>
        row(
          what,
          html`${state === 'ok' ? '' : html`<span class="word">${STATES[state]}.</span>`} ${found}
          ${ifDefined(fix, (text) => html`<span class="soft">${text}</span>`)}`,
        ),
      )}
    </dl>`
}

export const LONGEST_NAME = 60

const approversSection = (shell: ShellView, approvers: Part<OwnerItem[]>): Html =>
  html`<section aria-labelledby="approvers">
    <h2 id="approvers">People who approve</h2>
    <p>
      They approve and decline <a href="/owner/approvals">changes that wait</a> with a passkey of their own,
      and see no other page.
    </p>
    ${itemList(shell, approvers, { action: '/owner/passkeys/remove', verb: 'Remove', none: html`Nobody but you.` })}
    <form method="post" action="/owner/approvers/invite">
      ${hidden(shell)}
      <div class="fields">
        <label
          >What you call them, such as “front desk”<input
            name="name"
            required
            maxlength="${LONGEST_NAME}"
            autocomplete="off"
        /></label>
      </div>
      <div class="row"><button>Invite…</button></div>
    </form>
  </section>`

export const invitationMadePage = (place: string, name: string, link: string): string =>
  page(
    'Invitation',
    place,
    html`<h1>Send this link to <bdi>${name}</bdi></h1>
      <p><code>${link}</code></p>
      <p>
        It works once, for a day, and is not shown again. Send it so that nobody else reads it: whoever opens
        it first becomes the one who approves.
      </p>
      <p><a href="/owner/settings">Settings</a></p>`,
  )
