import { html } from 'hono/html'
import type { ApprovalQuestion } from '../access/approval-proof.ts'
import { type Html, SCRIPT_PATH, page } from '../access/pages/layout.ts'
import { PROOF, type Proof } from '../access/passkey.ts'
import { DECLINES_KEPT, MOST_COMPARISONS, approvalPath } from '../domain/approval.ts'
import { DAY } from '../domain/duration.ts'
import type { Mode } from '../domain/mode.ts'
import type { ApprovalView, WaitingApproval } from '../ports/approvals.ts'
import { operationTitle } from './audit-words.ts'
import { type CallerNames, nameOf } from './caller-names.ts'
import { clockOn } from './dates.ts'
import { type Part, UNREAD } from './shell.ts'
import type { Clock } from './rules-words.ts'

/** A change that waits for a person, or was decided, and what the page shows beside it. */
export interface ApprovalPageView {
  asked: ApprovalView
  /** Who asks, by name. */
  caller: string
  /** What the change is called. */
  title: string
  clock: Clock
  csrf: string
  /** What the passkey is asked; only where there is something to decide. */
  question: ApprovalQuestion | undefined
  /** Why the passkey that was used counted for nothing. */
  refused: Exclude<Proof, 'good'> | undefined
  /** What came of comparing an address just now. */
  compared: Comparison | undefined
  /** How many changes of this caller were declined, as far back as that is remembered. */
  declined: Part<number>
}

/** What came of comparing an address with that of the change. */
export type Comparison = 'same' | 'other' | 'unknown' | 'malformed' | 'too often'

const REFUSED = {
  ended:
    'That took longer than five minutes, or was for something else. Read the change again, and use your passkey once more.',
  wrong: 'That passkey cannot approve here. Nothing was approved.',
}

const COMPARED: Record<Comparison, [text: string, look: 'good' | 'bad' | '']> = {
  same: ['The change is for that address.', 'good'],
  other: ['The change is for another address.', 'bad'],
  unknown: ['It cannot be compared any more: the signing secret of that preview is gone.', ''],
  malformed: ['Give a whole email address. Nothing was compared.', 'bad'],
  'too often': [
    `Addresses were compared ${MOST_COMPARISONS} times for this change, and that is the most. Ask whoever asked for it.`,
    'bad',
  ],
}

const OUTCOME: Record<ApprovalView['status'], Html | ''> = {
  waiting: '',
  approved: html`<p class="notice good" role="status">
    <strong>Approved.</strong> Nothing has happened yet: whoever asked has to send the change again. You can
    still decline it until then.
  </p>`,
  declined: html`<p class="notice" role="status">
    <strong>Declined.</strong> This change will not be made.
  </p>`,
  lifted: html`<p class="notice" role="status">
    <strong>No rule asks for you any more.</strong> Whoever asked can make this change without you. You can
    decline it until then.
  </p>`,
  expired: html`<p class="notice" role="status">
    <strong>Too late.</strong> This preview has expired, and nothing was changed. Whoever asked can ask again.
  </p>`,
}

/** The page on which a person approves or declines one change. */
export function approvalPage(place: string, view: ApprovalPageView): string {
  const { asked, caller, title, clock, refused, compared, declined } = view
  const { mode, code, summary, warnings, preview, since, until, status } = asked
  return page(
    'Approve a change',
    place,
    html`<p class="soft"><a href="/owner/approvals">All changes that wait for you</a></p>
      <h1>${status === 'waiting' ? 'Approve this change?' : title}</h1>
      ${OUTCOME[status]}
      ${refused === undefined ? '' : html`<p class="notice bad" role="alert">${REFUSED[refused]}</p>`}
      ${
        compared === undefined
          ? ''
          : html`<p class="notice ${COMPARED[compared][1]}" role="status">${COMPARED[compared][0]}</p>`
      }
      ${modeNotice(mode)}
      <section>
        <p>
          <strong><bdi>${summary}</bdi></strong>
        </p>
        ${warnings.map((warning) => html`<p class="notice"><bdi>${warning}</bdi></p>`)}
        <dl>
          <dt>Code</dt>
          <dd><code class="code">${code}</code></dd>
          ${rows(inWords(facts(preview)))}
          <dt>Asked by</dt>
          <dd><bdi>${caller}</bdi></dd>
          ${
            typeof declined === 'number' && declined > 0
              ? html`<dt>Declined</dt>
                  <dd>
                    ${declined === 1 ? 'one change' : `${declined} changes`} of this caller in the last
                    ${DECLINES_KEPT / DAY} days
                  </dd>`
              : ''
          }
          <dt>Asked</dt>
          <dd>${clockOn(since, clock)}</dd>
          <dt>${status === 'expired' ? 'Expired' : 'Until'}</dt>
          <dd>${clockOn(until, clock)}</dd>
        </dl>
        <p class="soft">
          The code is the one in the chat of whoever asked. Names and addresses are masked; if you do not
          recognise the change, decline it and ask.
        </p>
        ${comparison(view)}
        <details>
          <summary>All that whoever asked was shown</summary>
          <dl>${rows(facts(preview))}</dl>
        </details>
      </section>
      ${decisions(view)}`,
    { head: html`<script src="${SCRIPT_PATH}" defer></script>` },
  )
}

/** The form that compares an address with the one behind the mask. */
const comparison = ({
  asked: { operation_id, addressIndex, status, id, digest },
  csrf,
  compared,
}: ApprovalPageView): Html | '' =>
  status !== 'waiting' || addressIndex.length === 0
    ? ''
    : html`<details ${compared === undefined ? '' : html`open`}>
        <summary>Compare the email address</summary>
        <form method="post" action="${approvalPath(operation_id)}">
          ${decisionFields({ csrf, id, digest })}
          <input type="hidden" name="decision" value="compare" />
          <div class="fields">
            <label class="long"
              >The address it should be for<input name="address" type="email" required autocomplete="off"
            /></label>
          </div>
          <div class="row"><button class="small">Compare</button></div>
        </form>
      </details>`

const decisionFields = ({ csrf, id, digest }: Record<'csrf' | 'id' | 'digest', string>): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}" />
    <input type="hidden" name="id" value="${id}" />
    <input type="hidden" name="digest" value="${digest}" />`

function decisions({ asked, csrf, question }: ApprovalPageView): Html | '' {
  const { operation_id, id, digest, status } = asked
  if (!['waiting', 'approved', 'lifted'].includes(status)) return ''
  const fields = decisionFields({ csrf, id, digest })
  const approve =
    question === undefined
      ? ''
      : html`<form method="post" action="${approvalPath(operation_id)}" data-options="${question.options}">
          ${fields}
          <input type="hidden" name="decision" value="approve" />
          <input type="hidden" name="nonce" value="${question.nonce}" />
          <input type="hidden" name="${PROOF}" value="" />
          <button type="button" class="main" disabled data-passkey="confirm">
            Approve with your passkey
          </button>
        </form>`
  return html`<div class="row">
      ${approve}
      <form method="post" action="${approvalPath(operation_id)}">
        ${fields}
        <input type="hidden" name="decision" value="decline" />
        <button class="danger">Decline</button>
      </form>
    </div>
    <p role="status" aria-live="polite" class="notice" id="status"></p>
    <noscript><p class="notice bad">Passkeys need JavaScript, which is off in this browser.</p></noscript>`
}

/** The list of all changes that wait for a person. */
export function approvalsPage(
  place: string,
  waiting: Part<WaitingApproval[]>,
  names: CallerNames,
  clock: Clock,
  { csrf, isOwner }: { csrf: string; isOwner: boolean },
): string {
  const list = () => {
    if (waiting === 'unread') return UNREAD
    if (waiting.length === 0) return html`<p>Nothing waits for you.</p>`
    return html`<ul class="list">
      ${waiting.map(
        ({ operation_id, operation, caller, code, since, until }) =>
          html`<li class="item">
            <div>
              <p>
                <strong><a href="${approvalPath(operation_id)}">${operationTitle(operation)}</a></strong>
                <code>${code}</code>
              </p>
              <p class="soft">
                <bdi>${nameOf(names, caller)}</bdi>, asked ${clockOn(since, clock)}, until
                ${clockOn(until, clock)}
              </p>
            </div>
          </li>`,
      )}
    </ul>`
  }
  return page(
    'Changes that wait for you',
    place,
    html`<h1>Changes that wait for you</h1>
      <section>${list()}</section>
      ${isOwner ? html`<p><a href="/owner">To the owner's page</a></p>` : signOutForm(csrf)}`,
  )
}

const modeNotice = (mode: Mode): Html | '' =>
  mode === 'mock' ? html`<p class="notice">Mock: nothing real happens, whatever you decide.</p>` : ''

/** The facts of a preview, nested ones with their path; what is null is left out. */
function facts(preview: object, path = ''): [name: string, value: string][] {
  return Object.entries(preview).flatMap(([name, value]: [string, unknown]) => {
    if (value === null || value === undefined) return []
    if (typeof value === 'object') return facts(value, `${path}${name}: `)
    return [[path + name, String(value as string | number | boolean)]]
  })
}

/** Without the facts that another one says in words: a time by the clock, an amount with its currency. */
function inWords(all: [name: string, value: string][]): [name: string, value: string][] {
  const names = new Set(all.map(([name]) => name))
  const isSaid = (name: string): boolean =>
    names.has(`${name}_display`) ||
    (name === 'currency' && names.has('amount_display')) ||
    (/(?:start|end)_time$|timezone$/.test(name) &&
      names.has(name.replace(/(?:start_time|end_time|timezone)$/, 'local_time')))
  return all
    .filter(([name]) => !isSaid(name))
    .map(([name, value]) => [name.replace('local_time', 'time').replace('_display', ''), value])
}

const rows = (all: [name: string, value: string][]): Html[] =>
  all.map(([name, value]) => {
    const label = name.replaceAll('_', ' ')
    return html`<dt>${label.charAt(0).toUpperCase() + label.slice(1)}</dt>
      <dd><bdi>${value}</bdi></dd>`
  })

const signOutForm = (csrf: string): Html =>
  html`<form method="post" action="/owner/sign-out" class="row">
    <input type="hidden" name="csrf" value="${csrf}" />
    <button>Sign out</button>
  </form>`
