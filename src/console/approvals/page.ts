// Long, since it is one page in every state of one change: asked, decided, and what became of it.
import { html } from 'hono/html'
import { type Html, PASSKEY_PAGE, PASSKEY_STATUS, page } from '../../access/pages/layout.ts'
import { type ApprovalQuestion, PROOF, type Proof } from '../../access/passkey.ts'
import { DECLINES_KEPT, MOST_COMPARISONS, approvalPath, isOpenApproval } from '../../domain/rules/approval.ts'
import { DAY } from '../../domain/time/duration.ts'
import { instantOf, spokenTime } from '../../domain/time/time.ts'
import { mutationNamed } from '../../operations/index.ts'
import type { ApprovalView, WaitingApproval } from '../../ports/approvals.ts'
import { operationTitle } from '../audit/audit.ts'
import { type CallerNames, nameOf } from '../shell/items.ts'
import { clockOn, type Clock } from '../shell/dates.ts'
import { type Part, hidden, whenRead } from '../shell/shell.ts'
import { ifDefined } from '../../http/html.ts'
import type { Effect } from '../../domain/problem/problem.ts'
import { PROBLEMS } from '../../domain/problem/problems.ts'
import { auditAddress } from '../audit/query.ts'

/** A change that waits for a person, or what became of it, and what the page shows beside it. */
export interface ApprovalPageView {
  asked: ApprovalView
  caller: string
  title: string
  clock: Clock
  csrf: string
  question: ApprovalQuestion | undefined
  refused: keyof typeof REFUSED | undefined
  compared: Comparison | undefined
  /** How many changes of this caller were declined, as far back as that is remembered. */
  declined: Part<number>
  by: string
  /** The entry of the end, or else of the decision; undefined where it could not be found. */
  entry: number | undefined
  /** The owner reads the audit log; other people who approve do not. */
  isOwner: boolean
}

export type Comparison = 'same' | 'other' | 'unknown' | 'malformed' | 'too often'

const REFUSED: Record<Exclude<Proof, 'good'> | 'late', string> = {
  late: 'It was too late for that, and it changed nothing. This is what became of the change.',
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
    `Addresses were compared ${MOST_COMPARISONS} times for this change, and that is the most. Ask the caller.`,
    'bad',
  ],
}

/** The page on which a person approves or declines one change, and later reads what became of it. */
export function approvalPage(place: string, view: ApprovalPageView): string {
  const { asked, caller, title, clock, question, refused, compared, declined } = view
  const { mode, code, summary, warnings, preview, since, until, status, endedAt } = asked
  const outcome = approvalOutcome(asked, view.isOwner)
  return page(
    outcome === undefined ? 'Approve a change' : `${outcome.word}: ${title}`,
    place,
    html`<p class="soft"><a href="/owner/approvals">All changes that wait for you</a></p>
      <h1>${outcome === undefined ? 'Approve this change?' : title}</h1>
      ${ifDefined(
        outcome,
        ({ look, word, text }) =>
          html`<p class="notice ${look}" role="status" tabindex="-1" autofocus>
            <strong>${word}.</strong> ${text}
          </p>`,
      )}
      ${ifDefined(refused, (why) => html`<p class="notice bad" role="alert">${REFUSED[why]}</p>`)}
      ${ifDefined(compared, (is) => html`<p class="notice ${COMPARED[is][1]}" role="status">${COMPARED[is][0]}</p>`)}
      ${mode === 'mock' ? html`<p class="notice">Mock: nothing real happens, whatever you decide.</p>` : ''}
      <section>
        ${ifDefined(
          summary || undefined,
          (text) =>
            html`<p>
              <strong><bdi>${text}</bdi></strong>
            </p>`,
        )}
        ${isOpenApproval(asked) ? warnings.map((warning) => html`<p class="notice"><bdi>${warning}</bdi></p>`) : ''}
        ${quote(asked)}
        <dl>
          ${code === '' ? '' : fact('Code', html`<code class="code">${code}</code>`)}
          ${rows(inWords(facts(preview), clock.zone).filter(([name]) => name !== clientTextField(asked)))}
          ${fact('Asked by', html`<bdi>${caller}</bdi>`)}
          ${
            typeof declined === 'number' && declined > 0 && isOpenApproval(asked)
              ? fact(
                  'Declined',
                  html`${declined === 1 ? 'one change' : `${declined} changes`} of this caller in the last
                  ${DECLINES_KEPT / DAY} days`,
                )
              : ''
          }
          ${fact('Asked', clockOn(since, clock))}
          ${isOpenApproval(asked) ? fact('Until', clockOn(until, clock)) : ''}
          ${status === 'expired' ? fact('Expired', clockOn(until, clock)) : ''} ${outcomeRows(view)}
        </dl>
        ${
          isOpenApproval(asked)
            ? html`<p class="soft">
                The chat of the caller shows the same code. Names and addresses are masked. If you do not
                recognise the change, decline it and ask.
              </p>`
            : ''
        }
        ${comparison(view)}
        ${
          endedAt === undefined
            ? html`<details>
                <summary>All that the caller was shown</summary>
                <dl>${rows(facts(preview))}</dl>
              </details>`
            : ''
        }
      </section>
      ${decisions(view)}`,
    question && PASSKEY_PAGE,
  )
}

const clientTextField = ({ operation }: ApprovalView) => mutationNamed(operation)?.clientText

function quote(asked: ApprovalView): Html | '' {
  const text = new Map(facts(asked.preview)).get(clientTextField(asked) ?? '')
  return ifDefined(
    text,
    (words) =>
      html`<p>This text goes to the client:</p>
        <blockquote dir="auto">${words}</blockquote>`,
  )
}

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
          ${hidden({ csrf }, { id, digest, decision: 'compare' })}
          <div class="fields">
            <label class="long"
              >The address it should be for<input name="address" type="email" required autocomplete="off"
            /></label>
          </div>
          <div class="row"><button class="small">Compare</button></div>
        </form>
      </details>`

function decisions({ asked, csrf, question }: ApprovalPageView): Html | '' {
  const { operation_id, id, digest } = asked
  if (!isOpenApproval(asked)) return ''
  const approve = ifDefined(
    question,
    ({ options, nonce }) =>
      html`<form method="post" action="${approvalPath(operation_id)}" data-options="${options}">
        ${hidden({ csrf }, { id, digest, decision: 'approve', nonce, [PROOF]: '' })}
        <button type="button" class="main" disabled data-passkey="confirm">Approve with your passkey</button>
      </form>`,
  )
  return html`<div class="row">
      ${approve}
      <form method="post" action="${approvalPath(operation_id)}">
        ${hidden({ csrf }, { id, digest, decision: 'decline' })}
        <button class="danger">Decline</button>
      </form>
    </div>
    ${PASSKEY_STATUS}`
}

export function approvalsPage(
  place: string,
  waiting: Part<WaitingApproval[]>,
  names: CallerNames,
  clock: Clock,
  { csrf, isOwner }: { csrf: string; isOwner: boolean },
): string {
  const list = whenRead(waiting, (all) => {
    if (all.length === 0) return html`<p>Nothing waits for you.</p>`
    return html`<ul class="list">
      ${all.map(
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
  })
  return page(
    'Changes that wait for you',
    place,
    html`<h1>Changes that wait for you</h1>
      <section>${list}</section>
      ${isOwner ? html`<p><a href="/owner">To the owner's page</a></p>` : signOutForm(csrf)}`,
  )
}

/** The facts of a preview, nested ones with their path; what is null is left out. */
function facts(preview: object, path = ''): [name: string, value: string][] {
  return Object.entries(preview).flatMap(([name, value]: [string, unknown]) => {
    if (value === null || value === undefined) return []
    if (typeof value === 'object') return facts(value, `${path}${name}: `)
    return [[path + name, String(value as string | number | boolean)]]
  })
}

/** Without the facts that another one says in words: times, an amount with its currency, a date. */
function inWords(all: [name: string, value: string][], zone: string): [name: string, value: string][] {
  const names = new Map(all)
  const inSentence = (name: string, value: string): string => {
    const start = names.get(name.replace(/local_time$/, 'start_time'))
    return !name.endsWith('local_time') || start === undefined
      ? value
      : spokenTime(instantOf(start), zone, names.get('timezone') ?? zone)
  }
  const isSaid = (name: string): boolean =>
    names.has(`${name}_display`) ||
    names.has(`${name}_text`) ||
    (name === 'currency' && names.has('amount_display')) ||
    (/(?:start|end)_time$|timezone$/.test(name) &&
      names.has(name.replace(/(?:start_time|end_time|timezone)$/, 'local_time')))
  return all
    .filter(([name]) => !isSaid(name))
    .map(([name, value]) => [
      name.replace('local_time', 'time').replace(/_display$|_text$/, ''),
      inSentence(name, value),
    ])
}

const fact = (title: string, value: Html): Html =>
  html`<dt>${title}</dt>
    <dd>${value}</dd>`

const rows = (all: [name: string, value: string][]): Html[] =>
  all.map(([name, value]) => {
    const label = name.replaceAll('_', ' ')
    return fact(label.charAt(0).toUpperCase() + label.slice(1), html`<bdi>${value}</bdi>`)
  })

const signOutForm = (csrf: string): Html =>
  html`<form method="post" action="/owner/sign-out" class="row">
    ${hidden({ csrf })}
    <button>Sign out</button>
  </form>`

interface Outcome {
  word: string
  text: Html | string
  look: 'good' | 'bad' | ''
}

const ENDS: Record<Effect, [word: string, look: Outcome['look']]> = {
  done: ['Made', 'good'],
  none: ['Not made', ''],
  partial: ['Partly made', 'bad'],
  unknown: ['Not known', 'bad'],
}

/** What became of a change that a person had to approve; undefined while it waits for them. */
function approvalOutcome(
  { operation_id, status, refusal }: ApprovalView,
  isOwner: boolean,
): Outcome | undefined {
  const again = html`<a href="${approvalPath(operation_id)}">Look again</a>`
  const end = refusal && ENDS[refusal.effect]
  switch (status) {
    case 'waiting':
      return undefined
    case 'approved':
      return {
        word: 'Approved',
        text: 'Nothing has happened yet: the caller has to send the change again. If it does not wait for you, tell it to go on. You can decline it until then.',
        look: 'good',
      }
    case 'lifted':
      return {
        word: 'No rule asks for you any more',
        text: 'The caller can make this change without you. You can decline it until then.',
        look: '',
      }
    case 'declined':
      return { word: 'Declined', text: 'This change will not be made.', look: '' }
    case 'expired':
      return {
        word: 'Too late',
        text: 'This preview has expired, and nothing was changed. The caller can ask again.',
        look: '',
      }
    case 'running':
      return { word: 'In progress', text: html`The connector is making this change now. ${again}.`, look: '' }
    case 'outcome_unknown':
      return {
        word: 'Not known yet',
        text: html`${
          refusal?.detail ??
          'The change was sent, and the connector could not find out yet whether it was made. It goes on looking.'
        }
        Do not have it made a second time.
        ${refusal?.needs_attention && isOwner ? html`<a href="/owner">Say what happened</a>` : again}.`,
        look: 'bad',
      }
    case 'committed':
    case 'failed':
      return {
        word: end?.[0] ?? 'Made',
        text: refusal ? (refusal.detail ?? PROBLEMS[refusal.code].detail) : 'This change was made.',
        look: end?.[1] ?? 'good',
      }
  }
}

function outcomeRows({ asked, by, entry, isOwner, clock }: ApprovalPageView): Html | '' {
  const { operation_id, decision, endedAt, status } = asked
  if (status === 'waiting') return ''
  const numbered = entry !== undefined && html`entry ${entry}`
  const log = isOwner
    ? numbered
      ? html`<a href="/owner/audit/${entry}">${numbered}</a>`
      : html`<a href="${auditAddress({ id: operation_id })}">the entries of this change</a>`
    : numbered
  return html`${ifDefined(decision, ({ is, at }) =>
    fact(is === 'approved' ? 'Approved' : 'Declined', html`by <bdi>${by}</bdi>, ${clockOn(at, clock)}`),
  )}
  ${ifDefined(endedAt, (at) => fact(status === 'committed' ? 'Made' : 'Ended', clockOn(at, clock)))}
  ${log ? fact('Audit log', log) : ''}`
}
