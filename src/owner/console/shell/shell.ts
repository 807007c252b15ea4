import { html } from 'hono/html'

import { type Html, hiddenFields, page } from '../../../api/pages/layout.ts'
import FILES from '../../../api/pages/static-files.json' with { type: 'json' }
import type { Mode } from '../../../core/domain/mode.ts'
import { pluralOf } from '../../../core/domain/plural.ts'
import { EVERYBODY, type KeptRules, NO_RULES } from '../../../core/domain/rules/house-rules.ts'
import type { WaitingChange } from '../../../core/ports/confirmation.ts'
import { type Clock, clockOn } from './dates.ts'
import type { ProviderPages } from './provider-pages.ts'

export { row } from '../../../api/pages/layout.ts'

/** A part of a page, or that it could not be read. */
export type Part<T> = T | 'unread'

export const PAGES = {
  '/owner': 'Home',
  '/owner/approvals': 'Approvals',
  '/owner/clients': 'Clients',
  '/owner/money': 'Money',
  '/owner/callers': 'Agents & keys',
  '/owner/audit': 'Log',
  '/owner/settings': 'Settings',
} as const

export type PagePath = keyof typeof PAGES

/** Where the webhooks of all callers stand. */
export const WEBHOOKS = '/owner/settings/webhooks'

/** The guide of each page, by its path in `docs` without its ending. */
export const GUIDES = {
  '/owner': 'operate/console',
  '/owner/approvals': 'approval',
  '/owner/clients': 'operate/console',
  '/owner/money': 'providers/stripe',
  '/owner/callers': 'operate/access',
  '/owner/audit': 'audit',
  '/owner/settings': 'operate/house-rules',
  '/owner/settings/passkeys': 'operate/access',
  '/owner/settings/people': 'approval',
  '/owner/settings/health': 'operate/day-to-day',
  [WEBHOOKS]: 'connect/rest',
  '/owner/connect': 'connect/README',
}

export interface ShellView {
  place: string
  path: PagePath
  rules: Part<KeptRules[]>
  modes: Record<'scheduling' | 'payments', Mode>
  csrf: string
  clock: Clock
  done: Html | string | undefined
  isTrial: boolean
  /** The owner sees every page; other people who approve see what waits, and nothing else. */
  isOwner: boolean
  /** The changes that wait for a person. */
  waiting: Part<WaitingChange[]>
  providers: ProviderPages
  /** The changes of today are used up: how many the rules for all callers allow. */
  usedUp: number | undefined
  /** The form of this page that was refused, if one was. */
  refused?: SentForm | undefined
}

/** A form that was refused: its address, what was entered, and what is wrong by the name of the field. */
export interface SentForm {
  action: string
  sent: URLSearchParams
  errors: Readonly<Record<string, string>>
}

/**
 * What a form shows: what was entered, and what was expected of each wrong field, where it was
 * refused; otherwise the fields that are given as `fresh`. `of` are its hidden fields, which tell it
 * from another form of the page with the same address.
 */
export function entered(
  view: ShellView,
  action: string,
  of: Readonly<Record<string, string>> = {},
  fresh = new URLSearchParams(),
) {
  const { refused } = view
  const isRefused =
    refused?.action === action &&
    Object.entries(of).every(([name, value]) => refused.sent.get(name) === value)
  const { sent, errors } = isRefused ? refused : { sent: fresh, errors: {} as SentForm['errors'] }
  const wrong = Object.keys(errors)
  /** What was expected of a field. */
  const error = (name: string) =>
    errors[name] === undefined
      ? ''
      : html`<p class="error" id="${name}-error" role="alert">${errors[name]}</p>`
  const text = (name: string) => sent.get(name) ?? ''
  const isTicked = (name: string, value: string) => sent.getAll(name).includes(value)
  /** The attributes of a wrong field; the first one has the focus. */
  const mark = (name: string) =>
    errors[name] === undefined
      ? ''
      : html`aria-invalid="true" aria-describedby="${name}-error" ${name === wrong[0] && 'autofocus'}`
  return {
    isRefused,
    sent,
    text,
    isTicked,
    mark,
    error,
    /** Its fields that no one sees. */
    hidden: hidden(view, of),
    /** A field with what was entered. */
    field: (label: string, name: string, attributes: Html | '' = '', look = '') =>
      field(label, html`name="${name}" value="${text(name)}" ${attributes}`, mark(name), look),
    /** A box, which is ticked if it was. */
    box: (name: string, value: string, words: Html | string, attributes: Html | '' = '') =>
      html`<label class="check"
        ><input type="checkbox" name="${name}" value="${value}" ${isTicked(name, value) ? 'checked' : ''} ${attributes} />
        ${words}</label
      >`,
    /** All that was expected, for above the fields. */
    errors: html`${wrong.map(error)}`,
  }
}
export type Entered = ReturnType<typeof entered>

/**
 * A page of the console: whether agents may act, the button that changes it, the way to the other
 * pages, and its body.
 */
export const consolePage = (
  view: ShellView,
  title: string,
  body: Html,
  { head, help = view.path }: { head?: Html | undefined; help?: keyof typeof GUIDES } = {},
) =>
  page(
    view.isTrial ? `${title} (trial)` : title,
    view.place,
    html`${view.done !== undefined && html`<p class="notice good" role="status">${view.done}</p>`} ${body}
      <p class="soft"><a href="/docs/guides/${GUIDES[help]}">Help with this page</a></p>`,
    {
      head: html`<script src="${FILES['console.js']}" defer></script>
        ${head ?? ''}`,
      status: status(view),
      top: html`${
        view.isTrial &&
        html`<p class="notice">
                <strong>Trial.</strong> You can look, pause and make rules stricter. The rest needs a passkey.
              </p>`
      }
        ${state(view)}
        <a class="spoken" href="#main">Skip to the content</a>
        <nav aria-label="Pages">
          <ul>
            ${Object.entries(PAGES)
              .filter(([path]) => view.isOwner || path === '/owner/approvals')
              .map(
                ([path, name]) =>
                  html`<li>
                    <a href="${path}" ${path === view.path && html`aria-current="page"`}
                      >${shortened(name)}${path === '/owner/approvals' && waitingCount(view.waiting)}</a
                    >
                  </li>`,
              )}
            ${!view.isOwner && html`<li>${signOut(view)}</li>`}
          </ul>
        </nav>`,
      wide: true,
    },
  )

/** The name of a page; on a phone without what comes after its first word, so that all fit in one row. */
function shortened(name: string) {
  const [first = '', ...rest] = name.split(' ')
  return html`${first}${rest.length > 0 && html`<span class="hide">&nbsp;${rest.join(' ')}</span>`}`
}

/** How many wait, beside the name of their page; the script keeps it true. */
const waitingCount = (waiting: Part<unknown[]>) =>
  html`<span class="count" id="count"
    >${waiting !== 'unread' && (waiting.length || '')}</span
  >`

/** A part that renews itself from an address, under a heading with the number of changes that wait. */
export const renewed = (address: string, { waiting }: ShellView, heading: string, body: Html) =>
  html`<p class="spoken" role="status" id="news"></p>
    <div id="now" data-from="${address}">
      <h1 data-waiting="${waiting !== 'unread' && (waiting.length || '')}">${heading}</h1>
      ${body}
    </div>`

export const UNREAD = html`<p class="notice bad">
  This could not be read just now. Load the page again in a while.
</p>`

/** What was read of a list; nothing where it could not be read. */
export const listed = <T>(part: Part<T[]>): T[] => (part === 'unread' ? [] : part)

/** What is shown of a part of a page once it was read. */
export const whenRead = <T>(part: Part<T>, show: (found: T) => Html | '') =>
  part === 'unread' ? UNREAD : show(part)

/** Links beside each other, one of which leads here. */
export const chips = (
  label: string,
  links: (readonly [href: string, text: string])[],
  here: string,
) =>
  html`<ul class="chips" aria-label="${label}">
    ${links.map(([href, text]) => html`<li><a href="${href}" ${href === here && html`aria-current="page"`}>${text}</a></li>`)}
  </ul>`

/**
 * A table with a heading for each column; on a phone each row is a block whose values say their
 * column. A `whole` row is one link: that in its first cell.
 */
export const table = (
  heads: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
  look: 'whole' | '' = '',
) =>
  html`<table class="${look}">
    <thead>
      <tr>
        ${heads.map((head) => html`<th scope="col">${head === '' ? html`<span class="spoken">Actions</span>` : head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, i) => html`<td ${i > 0 && heads[i] ? html`data-label="${heads[i]}"` : ''}>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`

interface Line {
  /** Where the row leads; undefined where it leads nowhere. */
  href: string | undefined
  when: Html | string
  what: Html | string
  tone?: 'good' | 'bad' | 'open' | 'plain'
  /** A way of its own, such as to the provider. */
  beside?: Html | ''
}

/** A row of a list. The whole row is the link, but for what is beside it. */
export const line = ({ href, when, what, tone = 'plain', beside = '' }: Line) =>
  html`<li class="${tone}">
    ${href === undefined ? html`<div class="line">${when} <span>${what}</span></div>` : html`<a class="line" href="${href}">${when} <span>${what}</span></a>`}
    ${beside}
  </li>`

/** A form of one button. `of` says whose button it is, where there are several. */
export const buttonForm = (
  view: ShellView,
  action: string,
  text: string,
  {
    fields = {},
    look = '',
    of,
    label = of && `${text}: ${of}`,
  }: {
    fields?: Record<string, string>
    look?: string
    of?: string | undefined
    label?: string | undefined
  } = {},
) =>
  html`<form method="post" action="${action}" class="${!look.includes('small') && 'row'}">
    ${hidden(view, fields)}<button
      class="${look}"
      ${label !== undefined && html`aria-label="${label}"`}
    >
      ${text}
    </button>
  </form>`

/** A field with its label; no browser fills it in from memory. */
export const field = (label: string, attributes: Html, mark: Html | '' = '', look = '') =>
  html`<label class="${look}">${label}<input autocomplete="off" ${attributes} ${mark} /></label>`

/** The fields of a form that no one sees; every form has the secret of the page. */
export const hidden = ({ csrf }: ShellView, fields: Record<string, string> = {}) =>
  hiddenFields(Object.entries({ csrf, ...fields }))

export const setOf = (rules: Part<KeptRules[]>, caller: string): KeptRules =>
  (rules === 'unread' ? undefined : rules.find((set) => set.caller === caller)) ?? {
    caller,
    rules: NO_RULES,
    pausedSince: null,
  }

/**
 * How to leave: the owner finds it in the settings, a person who approves beside the one page that
 * they see.
 */
export const signOut = (view: ShellView) =>
  html`<form method="post" action="/owner/sign-out">${hidden(view)}<button>Sign out</button></form>`

/**
 * In the row of the name: whether agents act, on what, and the button that pauses them; nothing
 * while they are paused.
 */
function status(view: ShellView): Html | undefined {
  if (setOf(view.rules, EVERYBODY).rules.paused) return undefined
  return html`${view.rules !== 'unread' && html`<span class="on">${modesInWords(view.modes)}</span>`}
  ${view.isOwner && pauseOrResume(view, EVERYBODY)}`
}

/** Whether all is a trial, which the row of the name says on every page. */
export const isAllMock = ({ modes }: Pick<ShellView, 'modes'>) =>
  modes.scheduling === 'mock' && modes.payments === 'mock'

function modesInWords({ scheduling, payments }: ShellView['modes']): string {
  if (scheduling === payments) return scheduling === 'live' ? 'On' : 'Mock'
  return scheduling === 'mock' ? 'Mock calendar' : 'Mock payments'
}

/** A bar under the name, where something keeps agents from acting. */
function state(view: ShellView) {
  if (view.rules === 'unread')
    return html`<p class="notice bad">Whether agents are paused could not be read just now.</p>`
  const { rules, pausedSince } = setOf(view.rules, EVERYBODY)
  if (rules.paused)
    return html`<div class="state">
      <p>
        <strong>Paused${pausedSince !== null && html` since ${clockOn(pausedSince, view.clock)}`}.</strong>
        No agent and no key can do anything until
        ${view.isOwner ? 'you resume' : 'the owner resumes, not even what you approve'}.
      </p>
      ${view.isOwner && pauseOrResume(view, EVERYBODY)}
    </div>`
  return view.usedUp === undefined
    ? ''
    : html`<p class="notice">Today's limit of ${pluralOf(view.usedUp, 'change')} is reached.</p>`
}

/**
 * Pauses all callers or one, or lets them act again; `of` says whose button it is, where there are
 * several.
 */
export function pauseOrResume(view: ShellView, caller: string, of?: string) {
  const { paused } = setOf(view.rules, caller).rules
  const fields = { caller }
  if (paused) return buttonForm(view, '/owner/resume', 'Resume', { fields, look: 'small', of })
  return buttonForm(view, '/owner/pause', 'Pause', {
    fields,
    ...(caller === EVERYBODY
      ? { look: 'small danger', label: 'Pause all agents' }
      : { look: 'small', of }),
  })
}

/** Where what needs the owner is asked for again. */
export const NOW_PATH = '/owner/now'

/** A text to take elsewhere; without scripts it is selected by hand. */
export const copied = (id: string, text: string) =>
  html`<p class="copy">
    <code id="${id}">${text}</code>
    <button type="button" class="small" hidden data-copy="${id}">Copy</button>
  </p>`
