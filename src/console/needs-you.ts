import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import { approvalPath } from '../domain/approval.ts'
import { DEGRADED_REASONS } from '../domain/provider-health.ts'
import type { PracticeHealth } from '../domain/provider-health.ts'
import type { WaitingApproval } from '../ports/approvals.ts'
import type { RefusedCaller } from '../ports/audit.ts'
import type { Unresolved } from '../ports/index.ts'
import { operationTitle } from './audit-words.ts'
import { type CallerNames, callerPath, nameOf } from './caller-names.ts'
import { clockOn } from './dates.ts'
import { type Part, type ShellView, UNREAD, hidden } from './shell.ts'

/** What waits for the owner. */
export interface NeedsView {
  approvals: Part<WaitingApproval[]>
  doubts: Part<Unresolved[]>
  /** Refused for want of a scope, or by a rule, in the last week. */
  refused: Part<RefusedCaller[]>
  health: Part<PracticeHealth>
  /** The form about a change in doubt that was refused, and why. */
  wrong: { operationId: string; why: string } | undefined
}

/** How many things wait; what could not be read counts as nothing. */
export const howMany = ({ approvals, doubts, refused, health }: NeedsView): number =>
  (approvals === 'unread' ? 0 : approvals.length) +
  (doubts === 'unread' ? 0 : doubts.length) +
  (refused === 'unread' ? 0 : byCaller(refused).length) +
  (health === 'unread' ? 0 : health.issues.length)

/** What waits for the owner, the most urgent first; each part stands by itself. */
export const needsYou = (shell: ShellView, names: CallerNames, view: NeedsView): Html =>
  html`<section aria-labelledby="needs" class="${howMany(view) > 0 ? 'needs' : ''}">
    <h2 id="needs">Needs you</h2>
    ${waiting(shell, names, view)} ${issues(shell, view)} ${doubts(shell, view)}
    ${refusals(shell, names, view)}
    ${
      howMany(view) === 0 && ![view.approvals, view.doubts, view.refused, view.health].includes('unread')
        ? html`<p>Nothing just now.</p>`
        : ''
    }
  </section>`

const waiting = (shell: ShellView, names: CallerNames, { approvals }: NeedsView): Html =>
  approvals === 'unread'
    ? UNREAD
    : html`${approvals.map(
        ({ operation_id, operation, caller, code, since, until }) =>
          html`<div class="need">
            <h3>
              <a href="${approvalPath(operation_id)}">${operationTitle(operation)}</a> waits for your approval
            </h3>
            <p>
              <bdi>${nameOf(names, caller)}</bdi> asked ${clockOn(since, shell.clock)}, with the code
              <code>${code}</code>. It ends ${clockOn(until, shell.clock)}.
            </p>
          </div>`,
      )}`

const issues = (shell: ShellView, { health }: NeedsView): Html =>
  health === 'unread'
    ? UNREAD
    : html`${health.issues.map(
        ({ reason, since }) =>
          html`<div class="need">
            <h3>${DEGRADED_REASONS[reason]}</h3>
            <p>
              Since ${clockOn(since, shell.clock)}.
              <a href="/owner/settings#doctor">Check the installation</a> says what to mend.
            </p>
          </div>`,
      )}`

const doubts = (shell: ShellView, { doubts: found, wrong }: NeedsView): Html =>
  found === 'unread'
    ? UNREAD
    : html`${found.map((one) => doubt(shell, one, wrong?.operationId === one.operation_id ? wrong.why : ''))}`

/** What the provider gave it, where an outcome can only be known with that. */
const MADE: Record<string, readonly [name: string, label: string][]> = {
  book_consult: [['booking_id', 'Id of the booking (bk_…)']],
  reschedule_booking: [['booking_id', 'Id of the new booking (bk_…)']],
  create_payment_link: [
    ['payment_link_id', 'Id of the payment link'],
    ['url', 'Address of the payment link'],
  ],
}

function doubt(shell: ShellView, { operation_id, operation, since }: Unresolved, why: string): Html {
  const fields = MADE[operation] ?? []
  const id = `doubt-${operation_id.slice(0, 12)}`
  const title = operationTitle(operation)
  return html`<div class="need">
    <h3>${title}: did it happen?</h3>
    <p>
      It was sent ${clockOn(Date.parse(since), shell.clock)}, no answer came, and it could not be found since.
      Look in your calendar or payment provider, then say what you found.
    </p>
    ${why === '' ? '' : html`<p class="error" id="${id}-error" role="alert">${why}</p>`}
    <form method="post" action="/owner/doubts">
      ${hidden(shell, { operation_id })}
      ${
        fields.length === 0
          ? ''
          : html`<div class="fields">
              ${fields.map(
                ([name, label]) =>
                  html`<label
                    >${label}, if it happened<input
                      name="${name}"
                      autocomplete="off"
                      ${why === '' ? '' : html`aria-invalid="true" aria-describedby="${id}-error"`}
                  /></label>`,
              )}
            </div>`
      }
      <div class="row">
        <button name="outcome" value="happened" aria-label="It happened: ${title}">It happened</button>
        <button name="outcome" value="did_not_happen" aria-label="It did not happen: ${title}">
          It did not happen
        </button>
        <a href="/owner/audit?id=${operation_id}">Its entries</a>
      </div>
    </form>
  </div>`
}

/** The refusals of each caller together, in the order of the latest. */
function byCaller(refused: readonly RefusedCaller[]): [string, RefusedCaller[]][] {
  const callers = new Map<string, RefusedCaller[]>()
  for (const one of refused) callers.set(one.caller, [...(callers.get(one.caller) ?? []), one])
  return [...callers]
}

/** Why it was refused. */
const WHY: Record<string, string> = {
  insufficient_scope: 'its scopes do not allow it',
  house_rule: 'a rule of yours forbids it',
}

const refusals = (shell: ShellView, names: CallerNames, { refused }: NeedsView): Html =>
  refused === 'unread'
    ? UNREAD
    : html`${byCaller(refused).map(
        ([caller, ofCaller]) =>
          html`<div class="need">
            <h3><bdi>${nameOf(names, caller)}</bdi> asked for more than it may</h3>
            <ul>
              ${ofCaller.map(
                ({ operation, code, times, last }) =>
                  html`<li>
                    ${operationTitle(operation)}: ${WHY[code] ?? ''};
                    ${times === 1 ? 'once' : `${times} times`}, last ${clockOn(last, shell.clock)}
                  </li>`,
              )}
            </ul>
            <p><a href="${callerPath(caller)}">See what it may do</a></p>
          </div>`,
      )}`
