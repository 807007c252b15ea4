import { html } from 'hono/html'
import { type Html, page } from '../../access/pages/layout.ts'
import { ifDefined } from '../../http/html.ts'
import { EVERYBODY, type KeptRules, NO_RULES } from '../../domain/rules/house-rules.ts'
import type { Mode } from '../../domain/mode.ts'
import { type Clock, clockOn } from './dates.ts'

/** A part of a page, or that it could not be read. */
export type Part<T> = T | 'unread'

export const PAGES = {
  '/owner': 'Home',
  '/owner/audit': 'Audit log',
  '/owner/callers': 'Callers',
  '/owner/people': 'People',
  '/owner/settings': 'Settings',
} as const

export type PagePath = keyof typeof PAGES

export interface ShellView {
  place: string
  path: PagePath
  rules: Part<KeptRules[]>
  modes: Record<'scheduling' | 'payments', Mode>
  csrf: string
  clock: Clock
  done: string | undefined
  isTrial: boolean
}

/** A page of the console: whether agents may act, the button that changes it, the way to the other pages, and its body. */
export const consolePage = (view: ShellView, title: string, body: Html, script?: string): string =>
  page(
    view.isTrial ? `${title} (trial)` : title,
    view.place,
    html`${ifDefined(view.done, (done) => html`<p class="notice good" role="status">${done}</p>`)} ${body}`,
    {
      ...(script !== undefined && { head: html`<script src="${script}" defer></script>` }),
      top: html`${
          view.isTrial
            ? html`<p class="notice trial">
                <strong>Trial.</strong> Mock providers, nothing real. What needs a passkey does not work here.
              </p>`
            : ''
        }
        ${state(view)}
        <nav aria-label="Pages">
          <ul>
            ${Object.entries(PAGES).map(
              ([path, name]) =>
                html`<li>
                  <a href="${path}" ${path === view.path ? html`aria-current="page"` : ''}>${name}</a>
                </li>`,
            )}
            <li>
              <form method="post" action="/owner/sign-out">${hidden(view)}<button>Sign out</button></form>
            </li>
          </ul>
        </nav>`,
      wide: true,
    },
  )

export const UNREAD = html`<p class="notice bad">
  This could not be read just now. Load the page again in a while.
</p>`

/** What is shown of a part of a page once it was read. */
export const whenRead = <T>(part: Part<T>, show: (found: T) => Html | ''): Html | '' =>
  part === 'unread' ? UNREAD : show(part)

/** A line of a list of facts; nothing where there is no value. */
export const row = (title: string, value: Html | string | null): Html | '' =>
  value === null
    ? ''
    : html`<div>
        <dt>${title}</dt>
        <dd>${value}</dd>
      </div>`

/** The fields of a form that nobody sees; every form has the secret of the page. */
export const hidden = ({ csrf }: Pick<ShellView, 'csrf'>, fields: Record<string, string> = {}): Html =>
  html`${Object.entries({ csrf, ...fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`

export const setOf = (rules: Part<KeptRules[]>, caller: string): KeptRules =>
  (rules === 'unread' ? undefined : rules.find((set) => set.caller === caller)) ?? {
    caller,
    rules: NO_RULES,
    pausedSince: null,
  }

function state(view: ShellView): Html {
  const { rules, pausedSince } = setOf(view.rules, EVERYBODY)
  const modes = html`<span class="modes"
    >Scheduling: ${view.modes.scheduling} · Payments: ${view.modes.payments}</span
  >`
  if (view.rules === 'unread')
    return html`<div class="state">
      <p>Whether agents are paused could not be read just now. ${modes}</p>
      ${pauseButton(view, EVERYBODY)}
    </div>`
  if (rules.paused)
    return html`<div class="state paused">
      <p>
        <strong
          >Paused${pausedSince === null ? '' : html` since ${clockOn(pausedSince, view.clock)}`}.</strong
        >
        No app and no key can do anything: commits stopped at once, reads and previews within ten seconds.
        ${modes}
      </p>
      ${resumeButton(view, EVERYBODY)}
    </div>`
  return html`<div class="state">
    <p><strong>Running.</strong> Agents act within their scopes and your rules. ${modes}</p>
    ${pauseButton(view, EVERYBODY)}
  </div>`
}

/** `name` says whose button it is, where there are several. */
function ruleButton(view: ShellView, verb: 'pause' | 'resume', caller: string, name?: string): Html {
  const text = verb === 'resume' ? 'Resume' : caller === EVERYBODY ? 'Pause all agents' : ('Pause' as const)
  const look = caller !== EVERYBODY ? 'small' : verb === 'pause' ? 'stop' : ''
  return html`<form method="post" action="/owner/${verb}">
    ${hidden(view, { caller })}<button
      class="${look}"
      ${name === undefined ? '' : html`aria-label="${text}: ${name}"`}
    >
      ${text}
    </button>
  </form>`
}

export const pauseButton = (view: ShellView, caller: string, name?: string): Html =>
  ruleButton(view, 'pause', caller, name)
export const resumeButton = (view: ShellView, caller: string, name?: string): Html =>
  ruleButton(view, 'resume', caller, name)

/** Where what needs the owner is asked for again, and the script that does so. */
export const NOW_PATH = '/owner/now'
export const RENEW_SCRIPT_PATH = '/owner/console.js'

/** Renews what needs the owner every half a minute while the page is looked at, and says what changed. */
export const RENEW_SCRIPT = `'use strict'
const now = document.getElementById('now')
const news = document.getElementById('news')

// What has the focus, was typed, or says what was wrong is not taken away.
const isUsed = () =>
  now.contains(document.activeElement) ||
  now.querySelector('[role=alert]') !== null ||
  [...now.querySelectorAll('input:not([type=hidden])')].some((field) => field.value !== '')

async function renew() {
  if (document.hidden || isUsed()) return
  const answer = await fetch('${NOW_PATH}').catch(() => undefined)
  // Whoever is signed out meanwhile learns it from the next page.
  if (!answer || !answer.ok) return
  const fresh = document.createElement('template')
  fresh.innerHTML = await answer.text()
  if (isUsed() || fresh.innerHTML.trim() === now.innerHTML.trim()) return
  now.replaceChildren(fresh.content)
  news.textContent = now.querySelector('h1').textContent
}

setInterval(renew, 30_000)
document.addEventListener('visibilitychange', renew)
`
