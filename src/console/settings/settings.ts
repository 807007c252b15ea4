import { html } from 'hono/html'
import { type Html, PASSKEY_PAGE, PASSKEY_STATUS } from '../../access/pages/layout.ts'
import { EVERYBODY } from '../../domain/rules/house-rules.ts'
import type { Finding } from '../../health/check-runner.ts'
import { LONGEST_NAME, itemList, type OwnerItem } from '../shell/items.ts'
import { type RefusedForm, rulesSection } from '../rules/section.ts'
import {
  type Part,
  type ShellView,
  chips,
  consolePage,
  copied,
  hidden,
  row,
  whenRead,
  buttonForm,
  field,
} from '../shell/shell.ts'
import { ifDefined } from '../../http/html.ts'
import type { Invitation } from '../../ports/access.ts'
import { timeLeft } from '../shell/dates.ts'

/** The parts of the settings, by their addresses. */
export const SETTINGS = {
  '/owner/settings': 'Rules',
  '/owner/settings/passkeys': 'Your passkeys',
  '/owner/settings/people': 'People who approve',
  '/owner/settings/health': 'Health and alerts',
} as const
export type SettingsPart = keyof typeof SETTINGS

export interface SettingsView {
  shell: ShellView
  part: SettingsPart
  passkeys: Part<OwnerItem[]>
  approvers: Part<OwnerItem[]>
  invitations: Part<Invitation[]>
  refused: RefusedForm | undefined
  findings: Finding[] | undefined
  /** Where alerts go; undefined where nobody is alerted. */
  alertHost: string | undefined
}

/** One part of the settings: the rules for everybody, passkeys, who approves, or what looks after the installation. */
export const ownerSettingsPage = (view: SettingsView): string =>
  consolePage(
    view.shell,
    SETTINGS[view.part],
    html`<h1>${SETTINGS[view.part]}</h1>
      ${chips('Settings', Object.entries(SETTINGS), view.part)} ${BODIES[view.part](view)}`,
    view.part === '/owner/settings/passkeys' ? PASSKEY_PAGE.head : undefined,
  )

const BODIES: Record<SettingsPart, (view: SettingsView) => Html> = {
  '/owner/settings': ({ shell, refused }) => rulesSection(shell, EVERYBODY, refused),
  '/owner/settings/passkeys': ({ shell, passkeys }) =>
    html`<section aria-labelledby="passkeys">
        <h2 id="passkeys">With these you sign in</h2>
        ${itemList(shell, passkeys, {
          action: '/owner/passkeys/remove',
          verb: 'Remove',
          none: html`None. <code>npm run enrol</code> says how to make one.`,
          more: ({ id, name }) =>
            html`<details>
              <summary aria-label="Rename: ${name}">Rename</summary>
              <form method="post" action="/owner/passkeys/name" class="row">
                ${hidden(shell, { id })}
                ${field(`New name of ${name}`, html`name="name" required maxlength="${LONGEST_NAME}"`)}
                <button class="small">Save</button>
              </form>
            </details>`,
        })}
        <form method="post" action="/owner/passkeys/add" class="row">
          ${hidden(shell, { credential: '' })}
          <button type="button" disabled data-passkey="add">Add a passkey</button>
        </form>
        ${PASSKEY_STATUS}
      </section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">Sign-ins</h2>
        <p>Ends every sign-in, yours and those of the people who approve, on all devices.</p>
        ${buttonForm(shell, '/owner/sign-out-everywhere', 'Sign out everywhere', { look: 'danger' })}
      </section>`,
  '/owner/settings/people': (view) => approversSection(view),
  '/owner/settings/health': ({ shell, findings, alertHost }) =>
    html`<section aria-labelledby="doctor">
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
      <section aria-labelledby="alerts">
        <h2 id="alerts">Alerts</h2>
        <p>
          ${
            alertHost === undefined
              ? 'Nobody is alerted. Set an address, and you hear of what waits for you and of what is wrong.'
              : html`Alerts go to <strong>${alertHost}</strong>, without personal data.`
          }
        </p>
        ${alertHost === undefined ? '' : buttonForm(shell, '/owner/alerts/test', 'Send a test')}
        <details>
          <summary>How to get an address</summary>
          <ul>
            <li>Slack: Apps > Incoming Webhooks > Add to Slack, choose the channel, copy the address.</li>
            <li>Teams: in the channel, Workflows > Send webhook alerts to a channel, copy the address.</li>
            <li>
              On your phone: install ntfy, subscribe to a long name that nobody guesses, use https://ntfy.sh/
              and that name.
            </li>
            <li>By email: in Zapier or Make, a webhook that sends an email, copy its address.</li>
          </ul>
          <p class="soft">
            Put the address into the setting <code>ALERT_WEBHOOK_URL</code>, and deploy again.
          </p>
        </details>
      </section>`,
}

/** What is not well, with what to do, before the hints; all that is well is one line. */
function foundList(findings: Finding[]): Html {
  const [good = [], other = []] = [true, false].map((isOk) =>
    findings.filter(({ state }) => (state === 'ok') === isOk),
  )
  const failed = other.filter(({ state }) => state === 'failed')
  const rows = (all: Finding[]): Html =>
    html`<dl class="rules">
      ${all.map(({ what, found, fix }) =>
        row(what, html`${found} ${ifDefined(fix, (text) => html`<strong>${text}</strong>`)}`),
      )}
    </dl>`
  return html`<p class="notice ${failed.length > 0 ? 'bad' : 'good'}" role="status">
      ${failed.length > 0 ? `${failed.length} of ${findings.length} checks failed.` : `All is well: ${good.length} checks good, just now.`}
    </p>
    ${rows([...failed, ...other.filter((one) => !failed.includes(one))])}
    <details>
      <summary>${good.length} good</summary>
      ${rows(good)}
    </details>`
}

const approversSection = ({ shell, approvers, invitations }: SettingsView): Html =>
  html`<section aria-labelledby="approvers">
    <h2 id="approvers">Beside you</h2>
    <p>
      They approve and decline <a href="/owner/approvals">changes that wait</a>, each with a passkey of their
      own, and see no other page.
    </p>
    ${itemList(shell, approvers, { action: '/owner/passkeys/remove', verb: 'Remove', none: html`Nobody but you.` })}
    ${whenRead(
      invitations,
      (open) =>
        html`<ul class="list">
          ${open.map(
            ({ hash, name, until }) =>
              html`<li class="item">
                <p>
                  <bdi>${name}</bdi>
                  <span class="soft">is invited: the link works once, ${timeLeft(until, shell.clock)}</span>
                </p>
                ${buttonForm(shell, '/owner/approvers/withdraw', 'Withdraw', { fields: { id: hash }, look: 'small', of: name })}
              </li>`,
          )}
        </ul>`,
    )}
    <form method="post" action="/owner/approvers/invite">
      ${hidden(shell)}
      <div class="fields">
        ${field('What you call them, such as “front desk”', html`name="name" required maxlength="${LONGEST_NAME}"`)}
      </div>
      <div class="row"><button>Invite…</button></div>
    </form>
  </section>`

export const invitationMadePage = (shell: ShellView, name: string, link: string): string =>
  consolePage(
    shell,
    'Invitation',
    html`<h1>Send this link to <bdi>${name}</bdi></h1>
      ${copied('link', link)}
      <p>
        It works once, for a day, and is not shown again. Send it so that nobody else reads it: the first
        person who opens it becomes the one who approves.
      </p>
      <p><a href="/owner/settings/people">People who approve</a></p>`,
  )
