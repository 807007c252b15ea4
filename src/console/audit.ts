import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import { MUTATIONS } from '../operations/index.ts'
import type { AuditPage, LogState, NumberedEntry } from '../ports/audit.ts'
import {
  type AuditFilters,
  CODE_PATTERN,
  type FilterErrors,
  ID_PATTERN,
  auditAddress,
} from './audit-query.ts'
import { EVENT_TITLES, inWords, toneOf } from './audit-words.ts'
import { type CallerNames, nameOf } from './caller-names.ts'
import { byDay, clockIn, dayHeading } from './dates.ts'
import type { Clock } from './rules-words.ts'
import { type Part, type ShellView, UNREAD, consolePage, hidden } from './shell.ts'

export interface AuditView {
  shell: ShellView
  filters: AuditFilters
  errors: FilterErrors
  names: CallerNames
  /** Nothing where the filters are wrong. */
  found: Part<AuditPage> | undefined
  /** The signed checkpoint of all entries. */
  log: Part<Pick<LogState, 'origin' | 'size' | 'checkpoint'>>
  /** Whether this is a later page of what was found. */
  isLater: boolean
}

/** The audit log: a form for its filters, which live in the address, and a page of entries, the newest first. */
export const auditPage = (view: AuditView): string =>
  consolePage(
    view.shell,
    { title: 'Audit log' },
    html`<h1>Audit log</h1>
      ${filterForm(view)}
      <section aria-labelledby="entries">
        <h2 id="entries">${view.isLater ? 'Older entries' : 'Entries, newest first'}</h2>
        ${view.found === undefined ? html`<p>Nothing was looked for.</p>` : entries(view, view.found)}
      </section>
      <form method="post" action="/owner/audit/export" class="row">
        ${hidden(view.shell, view.filters)}
        <button>Download as CSV…</button>
      </form>
      <p class="soft">The file has all entries that these filters find. You confirm with your passkey.</p>
      ${proof(view)}`,
  )

const proof = ({ shell, log }: AuditView): Html =>
  html`<section aria-labelledby="proof">
    <h2 id="proof">Showing that nothing was changed</h2>
    ${
      log === 'unread'
        ? UNREAD
        : html`<p>
              The log has ${log.size} ${log.size === 1 ? 'entry' : 'entries'}. A checkpoint is signed over all
              of them: whoever holds one sees later if any of them was changed or removed.
              <a href="${mailOf(log)}">Mail a checkpoint</a> to your auditor, or to yourself.
            </p>
            <form method="post" action="/owner/audit/review" class="row">
              ${hidden(shell, { up_to: String(log.size - 1) })}
              <button>I have looked through the log</button>
            </form>
            <p class="soft">That is noted in the log, up to entry ${log.size - 1}, for whoever audits it.</p>`
    }
  </section>`

/** A mail with a checkpoint, to whoever the owner chooses (RFC 6068). */
function mailOf({ origin, checkpoint }: Pick<LogState, 'origin' | 'checkpoint'>): string {
  const subject = encodeURIComponent(`Checkpoint of ${origin}`)
  return `mailto:?subject=${subject}&body=${encodeURIComponent(checkpoint.replaceAll('\n', '\r\n'))}`
}

function filterForm({ filters, errors, names }: AuditView): Html {
  const isSet = Object.values(filters).some((value) => value !== '')
  const select = (name: keyof AuditFilters, label: string, options: [string, string][]) => {
    const value = filters[name]
    const known = value === '' || options.some(([one]) => one === value)
    const all: [string, string][] = known ? options : [...options, [value, value]]
    return html`<label
      >${label}<select name="${name}" ${mark(name)}>
        <option value="">All</option>
        ${all.map(
          ([one, text]) => html`<option value="${one}" ${one === value ? 'selected' : ''}>${text}</option>`,
        )}
      </select></label
    >`
  }
  const mark = (name: keyof AuditFilters): Html | '' =>
    errors[name] === undefined ? '' : html`aria-invalid="true" aria-describedby="${name}-error"`
  const callers = [...names.keys()].filter((caller) => caller !== '*')
  return html`<form action="/owner/audit" class="filters">
    ${Object.entries(errors).map(
      ([name, error]) => html`<p class="error" id="${name}-error" role="alert">${error}</p>`,
    )}
    <div class="fields">
      ${select('event', 'Kind', Object.entries(EVENT_TITLES))}
      ${select(
        'caller',
        'Caller',
        callers.map((caller) => [caller, nameOf(names, caller)]),
      )}
      ${select(
        'operation',
        'Operation',
        MUTATIONS.map(({ name, title }) => [name, title]),
      )}
      <label>From<input type="date" name="from" value="${filters.from}" ${mark('from')} /></label>
      <label>To<input type="date" name="to" value="${filters.to}" ${mark('to')} /></label>
      <label
        >Code<input
          name="code"
          value="${filters.code}"
          pattern="${CODE_PATTERN}"
          title="small letters and underscores"
          autocomplete="off"
          autocapitalize="none"
          ${mark('code')}
      /></label>
      <label
        >Id of what it is about<input
          name="id"
          value="${filters.id}"
          pattern="${ID_PATTERN}"
          title="the id of a booking, client, payment link or change; never an email address"
          autocomplete="off"
          autocapitalize="none"
          ${mark('id')}
      /></label>
    </div>
    <div class="row">
      <button class="main">Show</button>${
        isSet ? html`<a class="button" href="/owner/audit">Show everything</a>` : ''
      }
    </div>
  </form>`
}

const entries = ({ filters, names, shell }: AuditView, found: Part<AuditPage>): Html =>
  found === 'unread'
    ? UNREAD
    : html`${
        found.entries.length > 0
          ? entryList(found.entries, names, shell.clock)
          : html`<p>
              ${found.next ? 'None among those that were looked through; there are older ones.' : 'None.'}
            </p>`
      }
      ${
        found.next
          ? html`<p class="row"><a class="button" href="${auditAddress(filters, found.next)}">Older</a></p>`
          : ''
      }`

/** Entries in words under their days, each with the way to its own page. */
export const entryList = (found: readonly NumberedEntry[], names: CallerNames, clock: Clock): Html =>
  html`${byDay(found, ({ at }) => at, clock.zone).map(
    ([day, ofDay]) =>
      html`<h3 class="day">${dayHeading(day, clock)}</h3>
        <ul class="entries">
          ${ofDay.map((entry) => entryLine(entry, names, clock))}
        </ul>`,
  )}`

const entryLine = (entry: NumberedEntry, names: CallerNames, { zone }: Clock): Html =>
  html`<li class="${toneOf(entry)}">
    <a href="/owner/audit/${entry.index}">${clockIn(entry.at, zone)}</a>
    <span>${inWords(entry, names)}</span>
  </li>`
