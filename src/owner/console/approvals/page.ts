import { html } from 'hono/html'

import {
  type Html,
  PASSKEY_PAGE,
  PASSKEY_STATUS,
  passkeyButton,
  row,
} from '../../../api/pages/layout.ts'
import {
  DECLINES_KEPT,
  MOST_COMPARISONS,
  approvalPath,
  isOpenApproval,
} from '../../../core/domain/approval.ts'
import type { Answered } from '../../../core/domain/booking-asks.ts'
import { capitalised, spokenChoice, spokenKind } from '../../../core/domain/name.ts'
import { pluralOf } from '../../../core/domain/plural.ts'
import type { Effect } from '../../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../../core/domain/problem/problems.ts'
import { DAY, MINUTE } from '../../../core/domain/time/duration.ts'
import { instantOf, localTime, spokenTime } from '../../../core/domain/time/time.ts'
import type { ApprovalView, WaitingChange } from '../../../core/ports/confirmation.ts'
import { forbiddenNow } from '../../../practice/operations/house-rules.ts'
import { type ApprovalQuestion, PROOF, type NoProof } from '../../access/passkey.ts'
import { entryList } from '../audit/page.ts'
import { auditAddress } from '../audit/query.ts'
import { type ShownEntries, operationTitle } from '../audit/sentences.ts'
import { clockOn, dayIn, timeAgo, timeLeft } from '../shell/dates.ts'
import {
  type CallerItem,
  type CallerNames,
  callerPath,
  kindInWords,
  nameOf,
} from '../shell/items.ts'
import { openIn } from '../shell/provider-pages.ts'
import {
  type Part,
  type ShellView,
  UNREAD,
  buttonForm,
  consolePage,
  entered,
  copied,
  isAllMock,
  hidden,
  listed,
  renewed,
  table,
  whenRead,
} from '../shell/shell.ts'

/** A change that waits for a person, or what became of it, and what the page shows beside it. */
export interface ApprovalPageView {
  shell: ShellView
  asked: ApprovalView
  /** What the caller is called, and what is known of it; nothing of one whose access has ended. */
  caller: string
  asker: Part<CallerItem | undefined>
  title: string
  question: ApprovalQuestion | undefined
  refused: keyof typeof REFUSED | undefined
  compared: Comparison | undefined
  /** The newest client with the address of the change; undefined where it has none, or has ended. */
  client: Part<KnownClient | 'none'> | undefined
  /** How many changes of this caller were declined, as far back as that is remembered. */
  declined: Part<number>
  by: string
}

/** A client that was made here with an address: initials, since when, and how many others share it. */
export interface KnownClient {
  name: string
  since: number
  others: number
}

export type Comparison = 'same' | 'other' | 'unknown' | 'too often'

const REFUSED: Record<NoProof | 'late', string> = {
  late: 'You decided too late, so your decision had no effect. This page shows how the change ended.',
  ended:
    'More than five minutes passed, or the agent asked for something else. ' +
    'Read the change again, then use your passkey.',
  wrong: 'That passkey cannot approve here. Nothing was approved.',
}

const COMPARED: Record<Comparison, [text: string, look: 'good' | 'bad' | '']> = {
  same: ['The change is for that address.', 'good'],
  other: ['The change is for another address.', 'bad'],
  unknown: [
    'The connector can no longer compare it: the secret for that was replaced. Ask your agent.',
    '',
  ],
  'too often': [
    `You can compare ${MOST_COMPARISONS} addresses for one change, and you have. Ask your agent.`,
    'bad',
  ],
}

/** The page on which a person approves or declines one change, and later reads what became of it. */
export function approvalPage(view: ApprovalPageView): string {
  const { shell, asked, title, question, refused, compared } = view
  const { mode, summary, warnings, preview, endedAt } = asked
  const isOpen = isOpenApproval(asked)
  const forbidden = isOpen ? forbiddenNow(listed(shell.rules), asked, shell.clock) : undefined
  const isLate = isOpen && isTooLate(asked, shell.clock.now)
  const canMakeIt = forbidden === undefined && !isLate && !hasLostAccess(view)
  const outcome = approvalOutcome(asked, shell, canMakeIt)
  const made = addressMade(view)
  const { [ANSWERS]: answers, ...shown } = { ...preview, ...asked.whole } as Record<string, unknown>
  const headline = headlineOf(asked, shell.clock.zone)
  const said = inWords(
    facts(isAnswers(answers) ? shown : { ...shown, answers }),
    shell.clock.zone,
  ).filter(([name]) => name !== asked.sends && name !== headline?.says && !PERSON.has(name))
  // Once it has ended, only the masked result is left of the person.
  const person = personRow(view, { ...asked.made, ...shown })
  // Where facts say the same as the summary, they stand alone.
  const lead = headline === undefined && person === '' ? withoutAddress(summary, made) : ''
  return consolePage(
    shell,
    outcome === undefined ? 'Approve a change' : `${outcome[0]}: ${title}`,
    html`<p class="soft"><a href="/owner/approvals">Approvals</a></p>
      <div class="head">
        <h1>${outcome === undefined ? questionOf(asked) : title}</h1>
        ${asked.code !== '' && html`<p><span class="spoken">Code</span> <code class="code">${asked.code}</code></p>`}
      </div>
      ${
        outcome &&
        html`<div class="notice ${outcome[2]}" role="status" tabindex="-1" autofocus>
            <p><strong>${outcome[0]}${!isMade(asked) && '.'}</strong> ${outcome[1]}</p>
            ${asked.status === 'approved' && canMakeIt && copied('go-on', `Approved, ${asked.code}. Go on.`)}
            ${takeBack(view)}
          </div>`
      }
      ${refused !== undefined && html`<p class="notice bad" role="alert">${REFUSED[refused]}</p>`}
      ${compared !== undefined && html`<p class="notice ${COMPARED[compared][1]}" role="status">${COMPARED[compared][0]}</p>`}
      ${mode === 'mock' && !isAllMock(shell) && html`<p class="notice">Mock: nothing real happens, whatever you decide.</p>`}
      ${forbidden !== undefined && html`<p class="notice">${forbidden}</p>`}
      ${isLate && html`<p class="notice">${TOO_LATE}</p>`}
      ${whatNow(view)}
      <section>
        ${
          headline &&
          html`<p class="big">${headline.text}</p>
              ${headline.beside !== '' && html`<p class="soft">${headline.beside}</p>`}`
        }
        ${lead !== '' && html`<p class="lead"><bdi>${lead}</bdi></p>`}
        <dl>
          ${person} ${rows(said.filter(([name]) => endedAt !== undefined || !DETAIL.test(name)))}
          ${row('Asked by', askedBy(view))}
        </dl>
        ${isOpen && warnings.map((warning) => html`<p class="notice"><bdi>${warning}</bdi></p>`)}
        ${quote(asked)}
        ${isAnswers(answers) ? answerRows(answers) : ''}
        <dl>${whenRows(view)}</dl>
        ${isOpen && html`<p class="soft">Check that your agent shows the same code. It sees names and addresses masked.</p>`}
        ${comparison(view)}
        ${
          endedAt === undefined &&
          html`<details>
                <summary>Everything the agent was shown</summary>
                <p><bdi>${summary}</bdi></p>
                <dl>${rows(facts(preview))}</dl>
              </details>`
        }
      </section>
      ${decisions(view)}`,
    { head: question && PASSKEY_PAGE.head },
  )
}

const TOO_LATE = 'The time of this consult has passed. The change is not made, whatever you decide.'

/** Whether the access of the caller that asked has ended. */
const hasLostAccess = ({ asker }: ApprovalPageView) =>
  asker !== 'unread' && (asker === undefined || asker.ended === true)

/** A summary that ends in the address which stands above it in a field. */
const withoutAddress = (summary: string, address: string | undefined) =>
  address === undefined ? summary : summary.replace(`: ${address}`, '.')

/** The other changes that wait. */
export const othersOf = (
  waiting: Part<WaitingChange[]>,
  { operation_id }: Pick<WaitingChange, 'operation_id'>,
) => listed(waiting).filter((one) => one.operation_id !== operation_id)

/** What a form says that leads to the next change that waits. */
export const NEXT = 'next'

const QUESTIONS: Record<string, string> = {
  book_consult: 'Book this consult?',
  reschedule_booking: 'Move this consult?',
  cancel_booking: 'Cancel this consult?',
  create_client_profile: 'Create this client?',
  submit_intake_answers: 'Add these answers?',
  create_payment_link: 'Make this payment link?',
  end_payment_link: 'End this payment link?',
  invite_client: 'Make this client link?',
}

/** A decline is turned down here, since the person may decline the change itself as well. */
function questionOf({ operation, preview }: ApprovalView) {
  if (operation === 'respond_to_booking')
    return valueOf(preview, 'decision') === 'accept'
      ? 'Accept this request?'
      : 'Turn this request down?'
  return QUESTIONS[operation] ?? 'Approve this change?'
}

/** The one thing to get right: the amount, or the time by the clock of the practice. */
interface Headline {
  text: string
  /** How long it takes, and when it is for the client, where the client's clock differs. */
  beside: string
  /** The fact that it says. */
  says: 'amount' | 'time'
}

function headlineOf({ preview, made }: ApprovalView, zone: string): Headline | undefined {
  const known = new Map(facts({ ...made, ...preview }))
  const amount = known.get('amount_display')
  if (amount !== undefined) return { text: amount, beside: '', says: 'amount' }
  const [start, end] = [known.get('start_time'), known.get('end_time')]
  if (start === undefined) return undefined
  const at = instantOf(start)
  const minutes = end === undefined ? '' : pluralOf((instantOf(end) - at) / MINUTE, 'minute')
  const forClient = /\((for the client: .*)\)$/.exec(
    spokenTime(at, zone, known.get('timezone') ?? zone),
  )?.[1]
  const beside = [minutes, forClient].filter(Boolean).join(', ')
  return { text: localTime(at, zone), beside, says: 'time' }
}

/** The facts that say who a change is for; they stand in one row. */
const PERSON: ReadonlySet<string> = new Set([
  'invitee_name',
  'display_name',
  'invitee_email',
  'contact_email',
])

/** Who a change is for, and whose the address is, as far as it is known; nothing where it is for no one. */
function personRow(view: ApprovalPageView, shown: Record<string, unknown>) {
  const said = [...PERSON].flatMap((name) => {
    const value = shown[name]
    return typeof value === 'string' ? [html`<bdi>${value}</bdi><br />`] : []
  })
  return said.length === 0 ? '' : row('Client', html`${said}${whose(view)}`)
}

function whose({ client, shell: { clock } }: ApprovalPageView) {
  if (client === undefined) return ''
  if (client === 'unread') return UNREAD
  if (client === 'none') return html`<span class="soft">Not the address of a client</span>`
  const { name, since, others } = client
  const more = others === 0 ? '' : ` and ${pluralOf(others, 'other client')}`
  return html`<span class="soft"
    >The address of client <bdi>${name}</bdi>, since ${dayIn(since, clock.zone)}${more}</span
  >`
}

/** What a program needs and a person does not decide by: it stands under all that was shown. */
const DETAIL = /_id$|state$|status$|reconciliation$/

const whenRows = (view: ApprovalPageView) => {
  const { asked, shell, declined } = view
  const { since, until, status } = asked
  const isOpen = isOpenApproval(asked)
  const isDeclined = typeof declined === 'number' && declined > 0 && isOpen
  return html`${
    isDeclined &&
    row(
      'Declined',
      html`${pluralOf(declined, 'change')} of this caller in ${DECLINES_KEPT / DAY} days`,
    )
  }
  ${row('Asked', timeAgo(since, shell.clock))} ${isOpen && row('Expires in', timeLeft(until, shell.clock))}
  ${status === 'expired' && row('Expired', clockOn(until, shell.clock))} ${outcomeRows(view)}`
}

const askedBy = ({ caller, asker, shell }: ApprovalPageView) =>
  html`<bdi>${caller}</bdi>
    ${asker !== 'unread' && html`<span class="soft">${kindInWords(asker, shell.clock)}</span>`}`

function quote(asked: ApprovalView) {
  const text = new Map(facts(asked.preview)).get(asked.sends ?? '')
  return text === undefined
    ? ''
    : html`<p>This text is sent to the client:</p>
        <blockquote dir="auto">${text}</blockquote>`
}

const ANSWERS = 'answers'

/** The answers of an invitee to questions of the practice. Other answers are an object of fields. */
const isAnswers = (answers: unknown): answers is Answered[] => Array.isArray(answers)

const answerRows = (answers: readonly Answered[]) =>
  html`<p>These answers are sent to the calendar:</p>
    <dl>
      ${answers.map(({ question, answer }) => row(html`<bdi>${question}</bdi>`, html`<bdi>${answer}</bdi>`))}
    </dl>`

function comparison({ asked, shell, compared }: ApprovalPageView) {
  const { operation_id, addressIndex, status, id, digest } = asked
  if (status !== 'waiting' || addressIndex.length === 0) return ''
  const form = entered(shell, approvalPath(operation_id), { id, digest })
  return html`<details ${(compared !== undefined || form.isRefused) && 'open'}>
    <summary>Compare the email address</summary>
    <form method="post" action="${approvalPath(operation_id)}">
      ${hidden(shell, { id, digest, decision: 'compare' })} ${form.errors}
      <div class="fields">
        ${form.field('The address that you expect', 'address', html`type="email" required`, 'long')}
      </div>
      <div class="row"><button class="small">Compare</button></div>
    </form>
  </details>`
}

function decisions({ asked, shell, question }: ApprovalPageView) {
  const { operation_id, id, digest } = asked
  if (asked.status !== 'waiting') return ''
  const left = othersOf(shell.waiting, asked).length
  const next = left === 0 ? '' : NEXT
  const approve =
    question &&
    html`<form method="post" action="${approvalPath(operation_id)}" data-options="${question.options}">
        ${hidden(shell, { id, digest, decision: 'approve', nonce: question.nonce, next, [PROOF]: '' })}
        ${passkeyButton('confirm', left === 0 ? 'Approve with your passkey' : `Approve, then the next (${left} left)`)}
      </form>`
  return html`<div class="row foot">
      <form method="post" action="${approvalPath(operation_id)}">
        ${hidden(shell, { id, digest, decision: 'decline', next })}
        <button class="danger">Decline</button>
      </form>
      ${approve}
    </div>
    ${PASSKEY_STATUS}`
}

/** The way back after an approval, until the agent makes the change; above, where no thumb rests. */
function takeBack({ asked, shell }: ApprovalPageView) {
  const { operation_id, id, digest, status } = asked
  if (status === 'waiting' || !isOpenApproval(asked)) return ''
  const text = status === 'approved' ? 'Take back' : 'Decline'
  const fields = { id, digest, decision: 'decline' }
  return buttonForm(shell, approvalPath(operation_id), text, { fields, look: 'small' })
}

/** Whether a change is about a consult whose time has come: the connector makes no such change any more. */
const isTooLate = ({ preview }: Pick<ApprovalView, 'preview'>, now: number) =>
  facts(preview).some(
    ([name, value]) => /^(?:old_)?start_time$/.test(name) && instantOf(value) <= now,
  )

/**
 * The changes that wait, a table for each caller that asks, and what was decided lately, as the log
 * has it: only the owner reads that.
 */
export const approvalsPage = (shell: ShellView, names: CallerNames, decided?: Part<ShownEntries>) =>
  consolePage(
    shell,
    'Approvals',
    html`${renewed(
      '/owner/approvals',
      shell,
      'Changes that wait for your approval',
      html`${reviewAll(shell)} ${waitingTables(shell, names)}`,
    )}
    ${decided && decidedLately(shell, names, decided)}`,
  )

/** Leads to the first change that waits, whose page goes on to the next after each decision. */
export const reviewAll = ({ waiting }: ShellView) => {
  const all = listed(waiting)
  const [first] = all
  if (first === undefined) return ''
  const text = all.length === 1 ? 'Review the change' : `Review all ${all.length}`
  return html`<p class="row">
    <a class="button main" href="${approvalPath(first.operation_id)}">${text}</a>
  </p>`
}

const decidedLately = ({ clock }: ShellView, names: CallerNames, found: Part<ShownEntries>) =>
  html`<section aria-labelledby="decided">
    <div class="head">
      <h2 id="decided">Decided lately</h2>
      <a href="${auditAddress({ event: 'approval' })}">All decisions</a>
    </div>
    ${whenRead(found, (shown) =>
      shown.entries.length === 0
        ? html`<p>No decisions lately.</p>`
        : entryList(shown, names, clock),
    )}
  </section>`

const waitingTables = (shell: ShellView, names: CallerNames) =>
  html`<section>
    ${whenRead(shell.waiting, (all) =>
      all.length === 0
        ? html`<p>No change waits for your approval.</p>`
        : html`${[...Map.groupBy(all, ({ caller }) => caller)].map(
            ([caller, asked]) =>
              html`<h2><bdi>${nameOf(names, caller)}</bdi></h2>
                ${waitingTable(asked, shell)}`,
          )}`,
    )}
  </section>`

/** Changes that wait: what each would do, by which code it is known, and for how long it can be approved. */
export const waitingTable = (asked: readonly WaitingChange[], shell: ShellView) =>
  table(
    ['Change', 'Code', 'Asked', 'Expires in'],
    asked.map((one) => [
      html`<a href="${approvalPath(one.operation_id)}"
          ><bdi>${one.summary || operationTitle(one.operation)}</bdi></a
        >
        ${one.mode === 'mock' && !isAllMock(shell) && html`<span class="tag">Mock</span>`}
        ${isTooLate(one, shell.clock.now) && html`<span class="tag">Time passed</span>`}`,
      html`<code>${one.code}</code>`,
      timeAgo(one.since, shell.clock),
      timeLeft(one.until, shell.clock),
    ]),
    'whole',
  )

/** The facts of a preview, nested ones with their path; what is null is left out. */
function facts(preview: object, path = ''): [name: string, value: string][] {
  return Object.entries(preview).flatMap(([name, value]: [string, unknown]) => {
    if (value === null || value === undefined) return []
    if (name === ANSWERS && isAnswers(value))
      return value.map(({ question, answer }): [string, string] => [question, answer])
    if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
      return [[path + name, value.join(', ')]]
    if (typeof value === 'object') return facts(value, `${path}${name}: `)
    return [[path + name, String(value as string | number | boolean)]]
  })
}

/** A fact that has one value of a list; the notes beside the answers are a text. */
const CHOICE = /^(?:entity_type|answers: (?!notes$).*)$/

/**
 * Without the facts that another one says in words: times, an amount with its currency, a date. What
 * is left and was written for a program is in words, too.
 */
function inWords(
  all: [name: string, value: string][],
  zone: string,
): [name: string, value: string][] {
  const names = new Map(all)
  const hasDisplay = all.some(([name]) => name.endsWith('_display'))
  const inSentence = (name: string, value: string) => {
    const start = names.get(name.replace(/local_time$/, 'start_time'))
    if (name.endsWith('local_time') && start !== undefined)
      return spokenTime(instantOf(start), zone, names.get('timezone') ?? zone)
    if (name === 'event_type') return spokenKind(value)
    return CHOICE.test(name) ? spokenChoice(value) : value
  }
  const isSaid = (name: string) =>
    names.has(`${name}_display`) ||
    names.has(`${name}_text`) ||
    (name === 'currency' && hasDisplay) ||
    (/(?:start|end)_time$|timezone$/.test(name) &&
      names.has(name.replace(/(?:start_time|end_time|timezone)$/, 'local_time')))
  return all
    .filter(([name]) => !isSaid(name))
    .map(([name, value]) => [
      name.replace('local_time', 'time').replace(/_display$|_text$/, ''),
      inSentence(name, value),
    ])
}

/** What fields are called whose names are those of programs. */
const LABELS: Record<string, string> = {
  ask: 'Asks for',
  expires_in_hours: 'Hours that it is open',
  timezone: 'Time zone',
  event_type: 'Kind of consult',
  location: 'Where',
  old_time: 'Instead of',
  phone: 'Telephone number',
  entity_type: 'Kind of client',
}

const rows = (all: [name: string, value: string][]) =>
  all.map(([name, value]) => {
    const label = LABELS[name] ?? name.replace(/^answers: /, '').replaceAll('_', ' ')
    return row(capitalised(label), html`<bdi>${value}</bdi>`)
  })

type Outcome = readonly [word: string, text: Html | string, look?: 'good' | 'bad' | undefined]

const ENDS: Record<Effect, readonly [word: string, look?: 'good' | 'bad']> = {
  done: ['Made', 'good'],
  none: ['Not made'],
  partial: ['Partly made', 'bad'],
  unknown: ['Not known', 'bad'],
}

/** What became of a change that a person had to approve, or can; undefined while it waits for them. */
function approvalOutcome(
  { operation_id, status, refusal, endedAt }: ApprovalView,
  { isOwner, clock }: ShellView,
  canMakeIt: boolean,
): Outcome | undefined {
  const again = html`<a href="${approvalPath(operation_id)}">Look again</a>`
  const [word, look] = ENDS[refusal?.effect ?? 'done']
  const text = refusal
    ? (refusal.detail ?? PROBLEMS[refusal.code].detail)
    : html`at ${clockOn(endedAt ?? clock.now, clock)}.`
  const outcomes: Record<Exclude<ApprovalView['status'], 'waiting'>, Outcome> = {
    approved: [
      'Approved',
      canMakeIt
        ? 'Nothing has happened yet. If the agent is waiting, it makes the change now. If not, tell it:'
        : 'Nothing has happened, and the agent cannot make the change now.',
      'good',
    ],
    lifted: [
      'Your approval is no longer needed',
      canMakeIt
        ? 'The agent can make this change now. Until it does, you can decline it.'
        : 'The agent cannot make the change now. You can decline it.',
    ],
    declined: ['Declined', 'Nothing was done.'],
    expired: ['Expired', 'It was not made in time. Nothing was done; your agent can ask again.'],
    running: ['In progress', html`The connector is making this change now. ${again}.`],
    outcome_unknown: [
      'Not known yet',
      html`${refusal?.detail ?? IN_DOUBT} Do not ask for it a second time.
      ${refusal?.needs_attention && isOwner ? html`<a href="/owner">Say what happened</a>` : again}.`,
      'bad',
    ],
    committed: [word, text, look],
    failed: [word, text, look],
  }
  return status === 'waiting' ? undefined : outcomes[status]
}

const IN_DOUBT =
  'The connector sent the change, and does not know yet whether it was made. It keeps looking.'

function outcomeRows({ asked, by, shell: { isOwner, clock } }: ApprovalPageView) {
  const { operation_id, decision, endedAt, status } = asked
  if (status === 'waiting') return ''
  const log = html`<a href="${auditAddress({ id: operation_id })}">The entries of this change</a>`
  return html`${
    decision &&
    row(
      decision.is === 'approved' ? 'Approved' : 'Declined',
      html`by <bdi>${by}</bdi>, ${clockOn(decision.at, clock)}`,
    )
  }
  ${endedAt !== undefined && row(status === 'committed' ? 'Made' : 'Ended', clockOn(endedAt, clock))}
  ${isOwner && row('Audit log', log)}`
}

/** The address that a change has made, to send to the client; undefined where it made none. */
function addressMade({ asked }: ApprovalPageView): string | undefined {
  const isUsedUp = valueOf(asked.made, 'state') === 'used_up'
  const url = valueOf(asked.made, 'url')
  if (isUsedUp || url === undefined) return undefined
  const isWebAddress = /^https?:/.test(url) && URL.canParse(url)
  return isWebAddress ? url : undefined
}

/** Whether a change was made as it was asked for: its outcome goes on with when. */
const isMade = ({ status, refusal }: ApprovalView) => status === 'committed' && !refusal

/** Statuses in which nothing more happens to a change. */
const ENDED: ReadonlySet<string> = new Set(['committed', 'failed', 'declined', 'expired'])

/** What a person does once a change has ended: the link to send, the booking, and the way on. */
function whatNow(view: ApprovalPageView) {
  const { asked, shell } = view
  if (!ENDED.has(asked.status)) return ''
  const address = addressMade(view)
  const isHalfDone = asked.refusal?.code === 'partially_applied'
  const notMade = isHalfDone ? NO_APPOINTMENT : NOTHING_TO_DO
  const said = isMade(asked) ? saidTo(view, address) : notMade
  return html`<section aria-labelledby="now-what">
    <h2 id="now-what">${address === undefined ? 'What now?' : 'Send this link to the client'}</h2>
    ${address !== undefined && copied('made', address)}
    <p>${said}</p>
    <div class="row">
      ${openIn(isMade(asked) ? shell.providers(idOf(asked.made)) : undefined, view.title, 'button')}
      ${goOn(view)}
    </div>
  </section>`
}

const NOTHING_TO_DO =
  'You do not need to do anything. The agent learns this from its next call, and can ask for another change.'

const NO_APPOINTMENT =
  'Your client has no appointment now. Tell them, and agree on another time. ' +
  'The agent learns this from its next call, and can book it.'

/** What follows by itself once a change is made. */
function saidTo({ asked, shell }: ApprovalPageView, address: string | undefined) {
  if (address !== undefined) return 'The agent that asked has it too, and may be about to send it.'
  const label = shell.providers(valueOf(asked.made, 'booking_id') ?? '')?.label
  const mail = label === undefined ? '' : `${label} mails the client. `
  return `${mail}The agent that asked has the answer, and goes on by itself.`
}

/** The next change that waits, or the way back; for the owner also the way to be asked less. */
function goOn({ asked, shell }: ApprovalPageView) {
  const { waiting, isOwner } = shell
  const others = othersOf(waiting, asked)
  const [next] = others
  const [href, text] =
    next === undefined
      ? [isOwner ? '/owner' : '/owner/approvals', isOwner ? 'Back to Home' : 'Back to Approvals']
      : [approvalPath(next.operation_id), `Review the next (${others.length} left)`]
  return html`<a class="button main" href="${href}">${text}</a>
    ${isOwner && html`<a class="button" href="${callerPath(asked.caller)}#rules">Rules of this caller</a>`}`
}

const idOf = (result: object | undefined) =>
  valueOf(result, 'booking_id') ?? valueOf(result, 'payment_link_id') ?? ''

function valueOf(result: object | undefined, name: string): string | undefined {
  const value: unknown = result && Reflect.get(result, name)
  return typeof value === 'string' ? value : undefined
}
