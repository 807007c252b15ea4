import { html } from 'hono/html'

import type { Html } from '../../../api/pages/layout.ts'
import { underName } from '../../../core/domain/origin.ts'
import type { KeptRules } from '../../../core/domain/rules/house-rules.ts'
import { TO_BEGIN_WITH } from '../../../practice/operations/house-rules.ts'
import { presetForm, presetWords } from '../rules/section.ts'
import { type ShellView, buttonForm, copied } from '../shell/shell.ts'

/** What the first steps are read from: facts that are kept for another reason. */
export interface FirstFacts {
  /** What the owner calls their passkeys. */
  passkeys: readonly string[]
  /** An app or a key has called. */
  isCalled: boolean
  /** The host of the alerts, and whether one has arrived there when it was tested. */
  alerts: { host: string | undefined; isTested: boolean }
  hasBackup: boolean
  /** The public address, for the commands. */
  origin: string
}

interface Step {
  title: string
  isDone: boolean
  /** What is said beside it once it is done. */
  fact?: string | undefined
  /** What is said beside it before: how long it takes, or what is still a mock. */
  left: string
  /** Where it is done, for one that is not the next. */
  href?: string
  /** What to do, and the one button, for the next one. */
  next: Html
}

/** What protects the owner comes first, then what uses the connector, and real money last. */
function stepsOf(shell: ShellView, { passkeys, isCalled, alerts, ...facts }: FirstFacts): Step[] {
  const [first, second] = passkeys
  const { rules, modes } = shell
  const hasRule = rules !== 'unread' && rules.some(boundsMore)
  const mocks = Object.values(modes).filter((mode) => mode === 'mock').length
  return [
    {
      title: 'Your passkey',
      isDone: first !== undefined,
      fact: first,
      left: '2 min',
      next: html`<p>Stop the connector, run this in its folder, and do what it says.</p>
        ${copied('enrol', `npm run enrol -- --url ${underName(facts.origin)}`)}`,
    },
    {
      title: 'A second passkey',
      isDone: second !== undefined,
      fact: second,
      left: '1 min',
      href: '/owner/settings/passkeys',
      next: html`<p>Make it on another device, in case you lose the first.</p>
        <a class="button main" href="/owner/settings/passkeys">Add a passkey</a>`,
    },
    {
      title: 'A first call by an agent or key',
      isDone: isCalled,
      left: '3 min',
      href: '/owner/connect',
      next: html`<p>Give Claude, ChatGPT or another program the address, and choose what it may do.</p>
        <a class="button main" href="/owner/connect">Connect an agent</a>`,
    },
    {
      title: 'A rule for your agents',
      isDone: hasRule,
      left: '1 min',
      href: '/owner/settings#presets',
      next: html`<p>Begin with the set “${TO_BEGIN_WITH.title}”:</p>
        ${presetWords(shell, TO_BEGIN_WITH)}
        ${presetForm(shell, TO_BEGIN_WITH, html`<button class="main">Turn it on</button>`)}
        <p><a href="/owner/settings#presets">Other sets of rules</a></p>`,
    },
    {
      title: 'Alerts on your phone',
      isDone: alerts.host !== undefined && alerts.isTested,
      fact: alerts.host,
      left: '2 min',
      href: '/owner/settings/health#alerts',
      next:
        alerts.host === undefined
          ? html`<p>Alerts tell you when a change waits for you, and when something is wrong.</p>
              <a class="button main" href="/owner/settings/health#alerts">Set up alerts</a>`
          : html`<p>Alerts go to <strong>${alerts.host}</strong>. See one arrive.</p>
              ${buttonForm(shell, '/owner/alerts/test', 'Send a test', { look: 'main' })}`,
    },
    {
      title: 'Backup key and first backup',
      isDone: facts.hasBackup,
      left: '2 min',
      next: html`<p>
          Without one, a lost account takes your clients, the log and all access with it. In the
          folder of the connector, run this. It says what to do next.
        </p>
        ${copied('backup', `npm run backup -- --new-key --url ${underName(facts.origin)}`)}`,
    },
    {
      title: 'Real calendar and payments',
      isDone: mocks === 0,
      left: mockInWords(modes),
      next: html`<p>Setup asks for your tokens and checks them.</p>
        ${copied('live', 'npm run setup && npm run deploy')}`,
    },
  ]
}

/** What is mock, where something is. */
function mockInWords({ scheduling, payments }: ShellView['modes']): string {
  if (scheduling === payments) return 'both are mock'
  return scheduling === 'mock' ? 'the calendar is mock' : 'payments are mock'
}

/** Whether a set has a rule besides how many changes a day there may be: the first deploy sets that one. */
const boundsMore = ({ rules: { max_link, operations, hours, approval } }: KeptRules) =>
  [max_link, operations, hours, approval].some((rule) => rule !== null)

/** So many steps are done by an owner who has begun: the others are folded then. */
const FOLDED_FROM = 2

/** What an owner does first, ticked by facts, and whether it is folded; nothing once all is done. */
export function firstSteps(
  shell: ShellView,
  facts: FirstFacts,
): { isFolded: boolean; section: Html } | undefined {
  const steps = stepsOf(shell, facts)
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return undefined
  const next = steps.find(({ isDone }) => !isDone)
  // Only the next has a button.
  const list = html`<ol class="steps">
    ${steps.map((step) => stepItem(step, step === next))}
  </ol>`
  const howMany = `${done} of ${steps.length} done`
  const isFolded = done >= FOLDED_FROM
  const section = isFolded
    ? html`<details class="first">
        <summary>First steps: ${howMany}</summary>
        ${list}
      </details>`
    : html`<section aria-labelledby="first">
        <div class="head">
          <h2 id="first">First steps</h2>
          <span class="soft">${howMany}</span>
        </div>
        ${list}
      </section>`
  return { isFolded, section }
}

function stepItem({ title, isDone, fact, left, href, next }: Step, isNext: boolean) {
  const open = isNext ? 'now' : ''
  const text = isDone ? fact : left
  const name =
    isDone || isNext || href === undefined ? html`${title}` : html`<a href="${href}">${title}</a>`
  return html`<li class="${isDone ? 'ok' : open}">
    <span>${isDone && html`<span class="spoken">Done: </span>`}${name}</span>
    ${text !== undefined && html`<small><bdi>${text}</bdi></small>`}
    ${isNext && html`<div class="do">${next}</div>`}
  </li>`
}
