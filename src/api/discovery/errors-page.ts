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

/** What to do about a refusal where its status says otherwise. */
const NOT_BY_STATUS: Partial<Record<ProblemCode, Remedy>> = {
  idempotency_key_reused: 'request',
  too_many_webhooks: 'request',
  approval_pending: 'owner',
  approval_declined: 'owner',
  provider_misconfigured: 'owner',
  not_configured: 'owner',
}

function remedyOf(code: ProblemCode): Remedy {
  const { status, retryable = false } = PROBLEMS[code]
  const exception = NOT_BY_STATUS[code]
  if (exception) return exception
  if (status === 401 || status === 403) return 'owner'
  if (status === 429 || status >= 500 || (status === 409 && retryable)) return 'wait'
  return status === 409 ? 'facts' : 'request'
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
  codes: PROBLEM_CODES.filter((code) => remedyOf(code) === remedy),
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
      <p>
        ${GROUPS.map(({ id, title, codes }) => html`<a href="#${id}">${title}</a> (${codes.length})<br />`)}
      </p>
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
