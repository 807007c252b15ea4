import { html } from 'hono/html'

import { effectsOf } from '../../core/domain/problem/problem.ts'
import { PROBLEMS, PROBLEM_CODES, type ProblemCode } from '../../core/domain/problem/problems.ts'
import { publicPage } from './page.ts'

/** What a caller can do about a refusal. */
export const REMEDIES = {
  request: 'Your request: correct it',
  facts: 'The facts changed: look again',
  owner: 'The owner decides: ask',
  wait: 'Wait: send the same call again',
} as const

type Remedy = keyof typeof REMEDIES

/** What to do about each refusal. One that is missing here does not compile. */
const REMEDY_OF: Record<ProblemCode, Remedy> = {
  idempotency_key_missing: 'request',
  idempotency_key_invalid: 'request',
  idempotency_key_reused: 'request',
  validation_failed: 'request',
  sensitive_data_refused: 'request',
  confirmation_token_missing: 'request',
  confirmation_token_invalid: 'request',
  preview_required: 'request',
  booking_not_found: 'request',
  client_not_found: 'request',
  invoice_not_found: 'request',
  payment_link_not_found: 'request',
  client_link_not_found: 'request',
  webhook_not_found: 'request',
  webhook_url_refused: 'request',
  too_many_webhooks: 'request',
  not_found: 'request',
  method_not_allowed: 'request',
  payload_too_large: 'request',
  unsupported_media_type: 'request',
  confirmation_expired: 'facts',
  preview_stale: 'facts',
  slot_unavailable: 'facts',
  booking_not_active: 'facts',
  booking_not_pending: 'facts',
  invoice_not_payable: 'facts',
  payment_link_not_active: 'facts',
  reschedule_restored: 'facts',
  partially_applied: 'facts',
  resolved_by_owner: 'facts',
  unauthenticated: 'owner',
  insufficient_scope: 'owner',
  address_not_allowed: 'owner',
  paused: 'owner',
  house_rule: 'owner',
  approval_pending: 'owner',
  approval_declined: 'owner',
  not_configured: 'owner',
  provider_misconfigured: 'owner',
  commit_in_progress: 'wait',
  duplicate_in_doubt: 'wait',
  rate_limited: 'wait',
  internal_error: 'wait',
  provider_busy: 'wait',
  outcome_unknown: 'wait',
  receipt_pending: 'wait',
}
/** A refusal as the page explains it. */
interface ShownRefusal {
  code: ProblemCode
  title: string
  detail: string
  nextStep: string
  /** What is unlike most refusals: `same call again`, `not known`, `half done`. */
  marks: string[]
  /** Its status, and what else a program reads of it, as Markdown. */
  facts: string
}

function shownRefusal(code: ProblemCode): ShownRefusal {
  const { title, status, retryable = false, detail, next_step } = PROBLEMS[code]
  const effects = effectsOf(code)
  const marks = [
    ...(retryable ? ['same call again'] : []),
    ...(effects[0] === 'unknown' ? ['not known'] : []),
    ...(effects[0] === 'partial' ? ['half done'] : []),
  ]
  const effect = effects.map((one) => `\`${one}\``).join(' or ')
  const facts = `Status ${status}, \`retryable: ${retryable}\`, \`effect\` ${effect}`
  return { code, title, detail, nextStep: next_step, marks, facts }
}

const GROUPS = (Object.keys(REMEDIES) as Remedy[]).map((remedy) => ({
  id: remedy,
  title: REMEDIES[remedy],
  codes: PROBLEM_CODES.filter((code) => REMEDY_OF[code] === remedy),
}))

const LEAD =
  'Every refusal has a `code`. Where nothing is marked, nothing was done (`effect: none`), and the ' +
  `same call is refused again (\`retryable: false\`). ${PROBLEM_CODES.length} codes, four things to do:`

/** The page that the `type` of every problem links to: what a caller can do about it, in four groups. */
export const errorsPage = (name: string) =>
  publicPage(
    'Errors',
    html`<h1>Errors</h1>
      <p>${withCode(LEAD)}</p>
      <ul class="rows">
        ${GROUPS.map(({ id, title, codes }) => html`<li><a href="#${id}">${title} (${codes.length})</a></li>`)}
      </ul>
      ${GROUPS.map(
        ({ id, title, codes }) =>
          html`<h2 id="${id}">${title}</h2>
            ${codes.map((code) => refusalHtml(shownRefusal(code)))}`,
      )}
      <p class="soft"><a href="/docs/errors.md">This page as Markdown</a></p>`,
    {
      name,
      head: html`<link rel="alternate" type="text/markdown" href="/docs/errors.md" />`,
    },
  )

const refusalHtml = ({ code, title, detail, nextStep, marks, facts }: ShownRefusal) =>
  html`<details class="err">
    <summary>
      ${title} <code>${code}</code>
      ${marks.map((mark) => html` <span class="tag ${mark === 'same call again' ? 'live' : 'mock'}">${mark}</span>`)}
    </summary>
    <div id="${code}">
      <p>${detail}</p>
      <p><b>Do this:</b> ${withCode(nextStep)}</p>
      <p class="soft">${withCode(facts)}</p>
    </div>
  </details>`

/** Text with code in backticks, as Markdown writes it. */
const withCode = (text: string) =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** The same page as Markdown, for agents and for people who read it in a terminal. */
export function errorsMarkdown(): string {
  const line = ({ code, title, detail, nextStep, facts, marks }: ShownRefusal) => {
    const marked = marks.length > 0 ? ` (${marks.join(', ')})` : ''
    return `- \`${code}\`: ${title}${marked}. ${detail} ${nextStep} ${facts}.`
  }
  const groups = GROUPS.map(
    ({ title, codes }) => `## ${title}\n\n${codes.map(shownRefusal).map(line).join('\n')}\n`,
  )
  return [`# Errors\n\n${LEAD}\n`, ...groups].join('\n')
}
