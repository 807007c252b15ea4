import { html } from 'hono/html'

import type { Html } from '../../../api/pages/layout.ts'
import { shortLinkId } from '../../../core/domain/client-link.ts'
import { pluralOf } from '../../../core/domain/plural.ts'
import { EVERYBODY } from '../../../core/domain/rules/house-rules.ts'
import { SCOPES } from '../../../core/domain/scopes.ts'
import { HOUR } from '../../../core/domain/time/duration.ts'
import type { HeldAccess } from '../../../core/ports/access.ts'
import type { EndedRestore } from '../../../core/ports/backup.ts'
import { auditAddress } from '../audit/query.ts'
import { clockOn, dayText } from '../shell/dates.ts'
import { type ShellView, hidden, pauseOrResume, setOf } from '../shell/shell.ts'

/** What the owner has still to see to after a restore. */
export interface RestoredView {
  restore: EndedRestore
  /** Who is held until the owner lets them in again or removes them. */
  held: readonly HeldAccess[]
  /** Whether what happened at the providers since the backup is still looked for, and how much was found. */
  isSearching: boolean
  found: number
  /** More was found than is counted. */
  isMoreFound: boolean
  /**
   * The client links that clients completed since the backup, each with the consult that was booked
   * under it.
   */
  completed: readonly { link: string; booking: string }[]
  /** How many apps were in use before, and how many are connected now. */
  apps: { before: number; now: number }
  /** When the last backup was made, in epoch milliseconds; 0 for never. */
  lastBackup: number
}

interface Step {
  title: string
  isDone: boolean
  /** What to do, while it is not done. */
  text: Html
}

const foundInWords = ({ found, isMoreFound }: RestoredView): string =>
  isMoreFound ? `at least ${found} changes` : pluralOf(found, 'change')

/** The steps after a restore, in the order in which they are safe. */
function stepsOf(shell: ShellView, view: RestoredView): Step[] {
  const { restore, held, isSearching, found, apps, lastBackup } = view
  const missing = (['scheduling', 'payments'] as const).filter(
    (one) => restore.modes[one] === 'live' && shell.modes[one] !== 'live',
  )
  const number = foundInWords(view)
  return [
    {
      title: 'You have made a new passkey',
      isDone: true,
      text: html``,
    },
    {
      title: 'Your providers are connected',
      isDone: missing.length === 0,
      text: html`<p>
        No backup holds the tokens of your providers. Enter that for ${missing.join(' and ')} again:
        <code>npm run setup</code>, then <code>npm run deploy</code>.
      </p>`,
    },
    {
      title: 'No key, app or passkey is held any more',
      isDone: held.length === 0,
      text: html`<p>
          They could act when the backup was made, and cannot now. Allow those that you know again, and remove the
          rest.
        </p>
        <ul class="entries">
          ${held.map((one) => heldItem(shell, one))}
        </ul>`,
    },
    {
      title: `Your providers were searched: ${found === 0 ? 'no change' : number} found since the backup`,
      isDone: !isSearching,
      text: html`<p>The connector looks at your providers for what happened since the backup. It takes some minutes.</p>`,
    },
    {
      title: 'Your apps are connected again',
      isDone: apps.now > 0 || apps.before === 0,
      text: html`<p>
        ${pluralOf(apps.before, 'app')} had access, and none has now.
        <a href="/owner/connect">Connect an agent</a>
      </p>`,
    },
    {
      title: 'A new backup is made',
      isDone: lastBackup > restore.ended_at,
      text: html`<p>Run <code>npm run backup</code>, or wait for the next night.</p>`,
    },
    {
      title: 'All agents may act again',
      isDone: !setOf(shell.rules, EVERYBODY).rules.paused,
      text: html`<p>
          Before you resume: delete the clients again that you deleted after the backup, and set the
          <a href="/owner/settings">rules</a> again that you made stricter. Only you know these.
        </p>
        ${pauseOrResume(shell, EVERYBODY)}`,
    },
  ]
}

/** How many steps are left. */
export const stepsLeft = (shell: ShellView, view: RestoredView) =>
  stepsOf(shell, view).filter(({ isDone }) => !isDone).length

/** What the first page says after a restore, until every step is done. */
export function restoredPart(shell: ShellView, view: RestoredView) {
  if (stepsLeft(shell, view) === 0) return ''
  const { restore, found, completed } = view
  const made = Date.parse(restore.made_at)
  const hours = Math.max(1, Math.ceil((restore.ended_at - made) / HOUR))
  const entries = auditAddress({ event: 'found_after_restore' })
  const changes = html`<a href="${entries}">${foundInWords(view)}</a>`
  const were = found === 1 ? 'was' : 'were'
  return html`<section aria-labelledby="restored" class="needs">
    <h2 id="restored">Restored from a backup</h2>
    <p>
      Restored ${clockOn(restore.ended_at, shell.clock)} from the backup of
      ${clockOn(made, shell.clock)}. What was done in the ${pluralOf(hours, 'hour')} between may be missing
      here.${found !== 0 && html` ${changes} of that time ${were} found at your providers.`}
    </p>
    ${completed.length > 0 && completedList(completed)}
    <ol>
      ${stepsOf(shell, view).map(
        ({ title, isDone, text }) =>
          html`<li>${isDone && html`<span aria-hidden="true">✓</span><span class="spoken">Done:</span>`} ${title}${!isDone && text}</li>`,
      )}
    </ol>
  </section>`
}

/** What a backup does not know, and a second consult could come of. */
const completedList = (completed: RestoredView['completed']) => html`<p>
    ${
      completed.length === 1
        ? 'A client has filled in a client link in that time, and the consult is booked.'
        : `${completed.length} clients have filled in client links in that time, and their ` +
          'consults are booked.'
    }
    Do not send them another link for it. The rest of what they typed is lost here.
  </p>
  <ul>
    ${completed.map(({ link, booking }) => {
      const asked = html`<a href="${auditAddress({ id: link })}"><code>${shortLinkId(link)}</code></a>`
      const made = html`<a href="${auditAddress({ id: booking })}"><bdi>${booking}</bdi></a>`
      return html`<li>Link ${asked}: consult ${made}</li>`
    })}
  </ul>`

/** One who is held, with the two ways to decide. */
function heldItem(shell: ShellView, held: HeldAccess) {
  const { kind, id, name, since } = held
  const day = dayText(since, shell.clock.zone)
  const called = name ?? 'without a name'
  const remove = kind === 'key' ? '/owner/keys/revoke' : '/owner/passkeys/remove'
  return html`<li class="plain">
    <span><bdi>${called}</bdi> <span class="soft">${whatIsHeld(held)}, since ${day}</span></span>
    <form method="post" action="/owner/restored/let-in" class="row">
      ${hidden(shell, { kind, id })}
      <button class="small" aria-label="Let in again: ${called}">Let in again…</button>
      <button class="small" formaction="${remove}" aria-label="Remove: ${called}">Remove…</button>
    </form>
  </li>`
}

/** What it is, and what it could do when the backup was made. */
export const whatIsHeld = ({ kind, does }: HeldAccess) =>
  kind === 'key' ? `API key, ${mayDo(does)}` : WHOSE[does as keyof typeof WHOSE]

const WHOSE = { owner: 'your passkey', approver: 'passkey of a person who approves' } as const

const mayDo = (scopes: string) => {
  const all = scopes.split(' ')
  return all.includes('admin') || all.length === Object.keys(SCOPES).length
    ? 'may do everything'
    : `may use ${all.join(', ')}`
}
