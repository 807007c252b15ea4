import { html } from 'hono/html'

import { type Html, PASSKEY_PAGE, PASSKEY_STATUS } from '../../../api/pages/layout.ts'
import { LONGEST_NAME } from '../../../core/domain/name.ts'
import { EVERYBODY } from '../../../core/domain/rules/house-rules.ts'
import type { Invitation } from '../../../core/ports/access.ts'
import { type Alert, alertInWords } from '../../../core/ports/unresolved.ts'
import type { Finding } from '../../health/check-runner.ts'
import { rulesSection } from '../rules/section.ts'
import { timeLeft } from '../shell/dates.ts'
import { itemLine, type OwnerItem } from '../shell/items.ts'
import {
  type Part,
  type ShellView,
  WEBHOOKS,
  chips,
  type Entered,
  consolePage,
  copied,
  entered,
  signOut,
  hidden,
  row,
  whenRead,
  buttonForm,
} from '../shell/shell.ts'

/** The parts of the settings, by their addresses. */
export const SETTINGS = {
  '/owner/settings': 'Rules',
  '/owner/settings/passkeys': 'Your passkeys',
  '/owner/settings/people': 'People who approve',
  '/owner/settings/health': 'Health and alerts',
  [WEBHOOKS]: 'Webhooks',
} as const

/** A part of the settings, with the way to the others. */
export const settingsPage = (shell: ShellView, part: keyof typeof SETTINGS, body: Html) =>
  consolePage(
    shell,
    SETTINGS[part],
    html`<h1>${SETTINGS[part]}</h1>
      ${chips('Settings', Object.entries(SETTINGS), part)} ${body}
      <div class="row">${signOut(shell)}</div>`,
    { help: part, head: part === '/owner/settings/passkeys' ? PASSKEY_PAGE.head : undefined },
  )

/** The rules for all callers. */
export const rulesPage = (shell: ShellView) =>
  settingsPage(shell, '/owner/settings', rulesSection(shell, EVERYBODY))

export const passkeysPage = (shell: ShellView, passkeys: Part<OwnerItem[]>) =>
  settingsPage(
    shell,
    '/owner/settings/passkeys',
    html`<section aria-labelledby="passkeys">
        <h2 id="passkeys">You sign in with these</h2>
        ${passkeyList(shell, passkeys, {
          none: html`None. To make one, run <code>npm run enrol</code>.`,
          remove: '/owner/passkeys/remove',
          more: (one) => renameForm(shell, one),
        })}
        <form method="post" action="/owner/passkeys/add" class="row">
          ${hidden(shell, { credential: '' })}
          <button type="button" disabled data-passkey="add">Add a passkey</button>
        </form>
        ${PASSKEY_STATUS}
      </section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">Sign-ins</h2>
        <p>This signs you and all approvers out everywhere.</p>
        ${buttonForm(shell, '/owner/sign-out-everywhere', 'Sign out everywhere', { look: 'danger' })}
      </section>`,
  )

/**
 * What looks after the installation: where alerts go, undefined where no one is alerted, and after a
 * check what came of it.
 */
export const healthPage = (shell: ShellView, alertHost: string | undefined, findings?: Finding[]) =>
  settingsPage(
    shell,
    '/owner/settings/health',
    html`<section aria-labelledby="doctor">
        <h2 id="doctor">Check the installation</h2>
        ${
          findings === undefined
            ? html`<p>The check looks at the settings, the providers and all storage. It changes nothing.</p>`
            : foundList(findings)
        }
        ${buttonForm(shell, '/owner/doctor', findings === undefined ? 'Run the check' : 'Run it again')}
      </section>
      <section aria-labelledby="alerts">
        <h2 id="alerts">Alerts</h2>
        <p>
          ${
            alertHost === undefined
              ? 'No alerts are sent. With an address, you get a message when a change waits ' +
                'for you or something is wrong.'
              : html`Alerts go to <strong>${alertHost}</strong>, without personal data.`
          }
        </p>
        <p class="soft">This is what your phone shows, also while it is locked:</p>
        <blockquote>${alertInWords(EXAMPLE_ALERT)}</blockquote>
        ${alertHost !== undefined && buttonForm(shell, '/owner/alerts/test', 'Send a test')}
        <details>
          <summary>How to get an address</summary>
          <ul>
            <li>Slack: Apps > Incoming Webhooks > Add to Slack. Choose the channel and copy the address.</li>
            <li>
              Teams: in Workflows, choose “Send webhook alerts to a channel”, and copy its address. You get a
              card with a button.
            </li>
            <li>
              On your phone: install ntfy, and subscribe to a long name that is hard to guess. The address is
              https://ntfy.sh/ with that name. <code>npm run setup</code> makes one for you.
            </li>
            <li>
              By email: in Zapier or Make, let a webhook send an email with its <code>text</code> and
              <code>url</code>. Copy the webhook’s address.
            </li>
          </ul>
          <p>Then, in the folder of this connector:</p>
          ${copied('set-alerts', 'npm run setup -- --alerts <address> && npm run deploy')}
        </details>
      </section>`,
  )

/**
 * Passkeys: each has a button, which posts to `remove`, and what `more` adds. `none` is said where
 * there is none.
 */
const passkeyList = (
  shell: ShellView,
  passkeys: Part<OwnerItem[]>,
  { none, remove, more }: { none: Html; remove: string; more?: (one: OwnerItem) => Html },
) =>
  whenRead(passkeys, (all) =>
    all.length === 0
      ? html`<p class="soft">${none}</p>`
      : html`<ul class="list">
          ${all.map((one) =>
            itemLine(shell, one, {
              end: { action: remove, verb: 'Remove' },
              above: html`<p>
                <strong><bdi>${one.name}</bdi></strong>
              </p>`,
              below: one.ended ? '' : (more?.(one) ?? ''),
            }),
          )}
        </ul>`,
  )

function renameForm(shell: ShellView, { id, name }: OwnerItem) {
  const form = entered(shell, '/owner/passkeys/name', { id })
  return html`<details ${form.isRefused && 'open'}>
    <summary aria-label="Rename: ${name}">Rename</summary>
    <form method="post" action="/owner/passkeys/name" class="fields">
      ${form.hidden} ${form.errors} ${nameField(`New name of ${name}`, form)}
      <button class="small">Save</button>
    </form>
  </details>`
}

const nameField = (label: string, form: Entered) =>
  form.field(label, 'name', html`required maxlength="${LONGEST_NAME}"`)

const EXAMPLE_ALERT: Alert = {
  event: 'approval_needed',
  operation_id: '',
  operation: 'create_payment_link',
  code: 'F20K',
  url: '',
  fact: '$250.00, INV-2031',
}

/** What is not well, with what to do, before the hints; all that is well is one line. */
function foundList(findings: Finding[]) {
  const those = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted)
  const [failed, missing, good] = [those('failed'), those('missing'), those('ok')]
  let verdict = `No problems found: ${good.length} checks passed just now.`
  const need = missing.length === 1 ? 'needs' : 'need'
  if (missing.length > 0)
    verdict = `Nothing failed, and ${missing.length} of ${findings.length} ${need} you.`
  if (failed.length > 0) verdict = `${failed.length} of ${findings.length} checks failed.`
  const rows = (all: Finding[]) =>
    html`<dl class="rules">
      ${all.map(({ what, found, fix }) =>
        row(what, html`${found} ${fix !== undefined && html`<strong>${fix}</strong>`}`),
      )}
    </dl>`
  return html`<p class="notice ${failed.length > 0 ? 'bad' : 'good'}" role="status">
      ${verdict}
    </p>
    ${rows([...failed, ...missing, ...those('not_checked')])}
    <details>
      <summary>${good.length} good</summary>
      ${rows(good)}
    </details>`
}

/** Who approves changes besides the owner, and who is invited to. */
export function peoplePage(
  shell: ShellView,
  approvers: Part<OwnerItem[]>,
  invitations: Part<Invitation[]>,
) {
  const form = entered(shell, '/owner/approvers/invite')
  const body = html`<section aria-labelledby="approvers">
    <h2 id="approvers">Besides you</h2>
    <p>
      They approve or decline <a href="/owner/approvals">changes that wait</a>, each with their own passkey.
      They see no other page.
    </p>
    ${passkeyList(shell, approvers, { none: html`Only you approve.`, remove: '/owner/approvers/remove' })}
    ${whenRead(
      invitations,
      (open) =>
        html`<ul class="list">
          ${open.map(
            ({ hash, name, until }) =>
              html`<li class="item">
                <p>
                  <bdi>${name}</bdi>
                  <span class="soft">is invited: the link works once, and expires in ${timeLeft(until, shell.clock)}</span>
                </p>
                ${buttonForm(shell, '/owner/approvers/withdraw', 'Withdraw', { fields: { id: hash }, look: 'small', of: name })}
              </li>`,
          )}
        </ul>`,
    )}
    <form method="post" action="/owner/approvers/invite">
      ${form.hidden} ${form.errors}
      <div class="fields">${nameField('Name of the person', form)}</div>
      <div class="row"><button>Invite…</button></div>
    </form>
  </section>`
  return settingsPage(shell, '/owner/settings/people', body)
}

export const invitationMadePage = (shell: ShellView, name: string, link: string) =>
  consolePage(
    shell,
    'Invitation',
    html`<h1>Send this link to <bdi>${name}</bdi></h1>
      ${copied('link', link)}
      <p>
        It works once, within a day, and you cannot see it again. Send it privately: the first person who
        opens it can approve changes.
      </p>
      <p><a href="/owner/settings/people">People who approve</a></p>`,
    { help: '/owner/settings/people' },
  )
