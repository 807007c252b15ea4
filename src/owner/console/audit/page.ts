import { html } from 'hono/html'

import { ifDefined } from '../../../api/http/html.ts'
import type { Html } from '../../../api/pages/layout.ts'
import { AUDIT_EVENTS, type AuditEvent } from '../../../core/domain/audit/entry.ts'
import { PROBLEMS } from '../../../core/domain/problem/problems.ts'
import { EVERYBODY } from '../../../core/domain/rules/house-rules.ts'
import { localTime } from '../../../core/domain/time/time.ts'
import type { AuditPage, LogState, NumberedEntry } from '../../../core/ports/audit.ts'
import { RULE_TITLES } from '../../../practice/operations/house-rules.ts'
import { MUTATIONS, PAGE_MUTATIONS, OPERATIONS } from '../../../practice/operations/index.ts'
import { byDay, clockIn, dayHeading, clockOn, type Clock } from '../shell/dates.ts'
import { type CallerNames, nameOf, callerLink, callerPath, holderOf } from '../shell/items.ts'
import {
  type Part,
  type ShellView,
  chips,
  consolePage,
  hidden,
  row,
  whenRead,
  field,
} from '../shell/shell.ts'
import {
  type AuditFilters,
  CODE_PATTERN,
  type FilterErrors,
  ID_PATTERN,
  type Place,
  auditAddress,
} from './query.ts'

export interface AuditView {
  shell: ShellView
  filters: AuditFilters
  errors: FilterErrors
  names: CallerNames
  /** Nothing where the filters are wrong. */
  found: Part<AuditPage> | undefined
  facts: EntryFacts | undefined
  log: Part<Pick<LogState, 'origin' | 'size' | 'checkpoint'>>
  place: Place
}

/** The audit log: a form for its filters, which live in the address, and a page of entries, the newest first. */
export const auditPage = (view: AuditView): string =>
  consolePage(
    view.shell,
    'Audit log',
    html`<h1>Audit log</h1>
      ${filterForm(view)}
      <section aria-labelledby="entries">
        <h2 id="entries">Entries, newest first</h2>
        ${view.found === undefined ? html`<p>Correct what is marked above, then filter again.</p>` : entries(view, view.found)}
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
    <h2 id="proof">Proof that nothing was changed</h2>
    ${whenRead(
      log,
      ({ size, ...note }) =>
        html`<p>
            The log has ${size} ${size === 1 ? 'entry' : 'entries'}. A checkpoint is a signed line about all
            of them. A person who has one can prove later if an entry was changed or removed.
            <a href="${mailOf(note)}">Mail a checkpoint</a> to your auditor, or to yourself.
          </p>
          <form method="post" action="/owner/audit/review" class="row">
            ${hidden(shell, { up_to: String(size - 1) })}
            <button>I have looked through the log</button>
          </form>
          <p class="soft">The log then says so, up to entry ${size - 1}. An auditor may ask for it.</p>`,
    )}
  </section>`

/** A mail with a checkpoint, to whoever the owner chooses (RFC 6068). */
function mailOf({ origin, checkpoint }: Pick<LogState, 'origin' | 'checkpoint'>): string {
  const subject = encodeURIComponent(`Checkpoint of ${origin}`)
  return `mailto:?subject=${subject}&body=${encodeURIComponent(checkpoint.replaceAll('\n', '\r\n'))}`
}

const CHIPS = [
  ['Everything', ''],
  ['Changes', 'commit'],
  ['Approvals', 'approval'],
  ['Refusals', 'refusal'],
  ['Rules', 'rules'],
] as const

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
          ([one, text]) =>
            html`<option value="${one}" ${one === value ? 'selected' : ''}>${text}</option>`,
        )}
      </select></label
    >`
  }
  const mark = (name: keyof AuditFilters): Html | '' =>
    errors[name] === undefined ? '' : html`aria-invalid="true" aria-describedby="${name}-error"`
  const callers = [...names].filter(([caller]) => caller !== EVERYBODY)
  const operations = MUTATIONS.map(({ name, title }): [string, string] => [name, title])
  const kinds = CHIPS.map(([words, event]) => [auditAddress({ event }), words] as const)
  const isOpen =
    Object.keys(errors).length > 0 ||
    (isSet && !kinds.some(([address]) => address === auditAddress(filters)))
  return html`${chips('Kinds of entries', kinds, auditAddress(filters))}
    <details ${isOpen ? 'open' : ''}>
      <summary>More filters</summary>
      <form action="/owner/audit" class="filters">
        ${Object.entries(errors).map(
          ([name, error]) => html`<p class="error" id="${name}-error" role="alert">${error}</p>`,
        )}
        <div class="fields">
          ${select('event', 'Kind', Object.entries(EVENT_TITLES))} ${select('caller', 'Caller', callers)}
          ${select('operation', 'Operation', operations)}
          <label>From<input type="date" name="from" value="${filters.from}" ${mark('from')} /></label>
          <label>To<input type="date" name="to" value="${filters.to}" ${mark('to')} /></label>
          ${field('Code', html`name="code" value="${filters.code}" pattern="${CODE_PATTERN}" title="small letters and underscores" autocapitalize="none"`, mark('code'))}
          ${field('Id', html`name="id" value="${filters.id}" pattern="${ID_PATTERN}" title="the id of a booking, client, payment link or change, not an email address" autocapitalize="none"`, mark('id'))}
        </div>
        <div class="row">
          <button class="main">Filter</button
          >${isSet ? html`<a class="button" href="/owner/audit">Clear</a>` : ''}
        </div>
      </form>
    </details>`
}

const entries = (
  { filters, names, shell, facts, place, log }: AuditView,
  found: Part<AuditPage>,
): Html | '' =>
  whenRead(found, ({ entries: read, next }) => {
    const isBack = place !== undefined && 'before' in place
    const shown = isBack ? read.toReversed() : read
    const [first, last] = [shown[0], shown.at(-1)]
    const none = next ? 'No entry here. There are older ones.' : 'No entries.'
    const older = isBack ? last : next
    const newer = (isBack ? next : place) && first
    const isAll = first && log !== 'unread' && Object.values(filters).every((value) => value === '')
    // Entries that were written late have a higher number than newer ones, so only where a page begins goes by it.
    const start = isAll && newer ? log.size - first.index : 1
    const digits = (number: number) => number.toLocaleString('en-US')
    return html`${isAll ? html`<p class="soft">${digits(start)} to ${digits(start + shown.length - 1)} of ${digits(log.size)}</p>` : ''}
      ${shown.length > 0 ? entryList(shown, names, shell.clock, facts, auditAddress(filters, place)) : html`<p>${none}</p>`}
      <p class="row">
        ${ifDefined(newer, ({ at, id }) => html`<a class="button" href="${auditAddress(filters, { before: { at, id } })}">Newer</a>`)}
        ${ifDefined(older, ({ at, id }) => html`<a class="button" href="${auditAddress(filters, { after: { at, id } })}">Older</a>`)}
      </p>`
  })

/** What entries are about, masked, by the id of the record while it is kept; and who approved which change. */
export interface EntryFacts {
  records: ReadonlyMap<string, string>
  approvers: ReadonlyMap<string, string>
}

export const NO_FACTS: EntryFacts = { records: new Map(), approvers: new Map() }

/** Entries in words under their days, equal ones together, each with the way to its own page. */
export const entryList = (
  found: readonly NumberedEntry[],
  names: CallerNames,
  clock: Clock,
  facts: EntryFacts = NO_FACTS,
  list = '',
): Html =>
  html`${byDay(found, ({ at }) => at, clock.zone).map(
    ([day, ofDay]) =>
      html`<h3 class="day">${dayHeading(day, clock)}</h3>
        <ul class="entries">
          ${folded(ofDay).map(
            (entry) =>
              html`<li class="${toneOf(entry)}">
                <a href="/owner/audit/${entry.index}${/\?.*/.exec(list)?.[0] ?? ''}"
                  >${clockIn(entry.at, clock.zone)}</a
                >
                <span>${inWords(entry, names, facts)}</span>
              </li>`,
          )}
        </ul>`,
  )}`

/** What happened several times in a row, and is equal but for the moment, counts once, at its last time. */
function folded(entries: readonly NumberedEntry[]): NumberedEntry[] {
  const rows: NumberedEntry[] = []
  for (const entry of entries) {
    const last = rows.at(-1)
    const isRepeat =
      FOLDED.has(entry.event) &&
      last?.event === entry.event &&
      (['caller', 'operation', 'code', 'app'] as const).every((name) => last[name] === entry[name])
    if (isRepeat) rows[rows.length - 1] = { ...last, times: last.times + entry.times }
    else rows.push(entry)
  }
  return rows
}

const FOLDED: ReadonlySet<AuditEvent> = new Set(['refusal', 'replay', 'sign_in', 'check'])

interface AuditEntryView extends Pick<AuditView, 'shell' | 'names'> {
  entry: NumberedEntry
  /** The entries of the same change, with this one; nothing where it belongs to none. */
  sameChange: Part<AuditPage> | undefined
  facts: EntryFacts
  /** The page of the log from which it was opened. */
  list: string
}

/** One entry of the audit log in words, and what else happened in the same change. */
export const auditEntryPage = ({
  shell,
  entry,
  names,
  sameChange,
  facts,
  list,
}: AuditEntryView): string =>
  consolePage(
    shell,
    `Entry ${entry.index}`,
    html`<p><a href="${list}">Audit log</a></p>
      <h1>Entry ${entry.index}</h1>
      <section aria-labelledby="entry">
        <h2 id="entry">${inWords(entry, names, facts)}</h2>
        <dl class="rules">
          ${row(
            'When',
            html`<time datetime="${new Date(entry.at).toISOString()}"
              >${localTime(entry.at, shell.clock.zone)}</time
            >`,
          )}
          ${row('Who', callerLink(names, entry.caller))}
          ${row('Times', entry.times > 1 ? String(entry.times) : null)}
          ${entry.event === 'approval' && entry.about?.['signature'] ? row('Proof', 'Signed with a passkey, and checked when it was made.') : ''}
          ${row('Passkey of', holderOf(names, entry) ?? null)}
        </dl>
        <details>
          <summary>For an auditor</summary>
          <dl class="rules">
            ${row('Kind', AUDIT_EVENTS[entry.event])} ${row('Caller', html`<code>${entry.caller}</code>`)}
            ${row('App', entry.app)} ${row('Operation', html`<code>${entry.operation}</code>`)}
            ${row('Code', html`<code>${entry.code}</code>`)}
            ${row('About', entry.record_id && filterLink(entry.record_id))}
            ${row('Change', entry.operation_id && filterLink(entry.operation_id))}
            ${row('Request', entry.request_id && html`<code>${entry.request_id}</code>`)}
            ${row('Digest of what was shown', entry.shown && html`<code>${entry.shown}</code>`)}
            ${Object.entries(entry.about ?? {}).map(([name, value]) => row(spoken(name), value === null ? 'none' : String(value)))}
          </dl>
        </details>
      </section>
      ${ifDefined(
        sameChange,
        (found) =>
          html`<section aria-labelledby="change">
            <h2 id="change">The same change</h2>
            ${whenRead(found, ({ entries: shown }) => entryList(shown, names, shell.clock, facts))}
            ${
              found !== 'unread' && found.next
                ? html`<p>
                    <a href="${auditAddress({ id: entry.operation_id ?? '' })}">All entries of this change</a>
                  </p>`
                : ''
            }
          </section>`,
      )}
      <p class="soft">Read at ${clockOn(shell.clock.now, shell.clock)}. Entries are never changed.</p>`,
  )

const filterLink = (id: string): Html =>
  html`<a href="${auditAddress({ id })}"><code>${id}</code></a>`

const titles = new Map([...OPERATIONS, ...PAGE_MUTATIONS].map(({ name, title }) => [name, title]))

/** A name of a program as it is said: `Weekly check` for `weekly_check`. */
const spoken = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

export const operationTitle = (name: string): string => titles.get(name) ?? spoken(name)

export const codeTitle = (code: string): string =>
  code in PROBLEMS ? PROBLEMS[code as keyof typeof PROBLEMS].title : spoken(code)

export const EVENT_TITLES = {
  preview: 'Previews',
  commit: 'Changes that ended',
  approval: 'Approvals',
  replay: 'Repeats',
  refusal: 'Refusals',
  unresolved: 'Outcomes not known',
  resolution: 'Outcomes that you resolved',
  sign_in: 'Sign-ins',
  enrolment: 'Passkeys',
  consent: 'Apps connected or refused',
  key: 'API keys',
  rules: 'Rules and pauses',
  webhook: 'Webhooks',
  deletion: 'Clients deleted',
  log_key: 'Keys of the log',
  retention: 'Old entries dropped',
  review: 'Reviews of the log',
  backup: 'Backups',
  restored: 'Restored from a backup',
  found_after_restore: 'Found at a provider after a restore',
  check: 'Self-checks',
} as const satisfies Record<AuditEvent, string>

function toneOf({ event, code }: NumberedEntry): 'good' | 'bad' | 'open' | 'plain' {
  if (event === 'commit') return code === 'committed' ? 'good' : 'bad'
  if (event === 'refusal') return 'bad'
  if (event === 'unresolved') return 'open'
  return 'plain'
}

const ACTS: Partial<Record<AuditEvent, Record<string, string>>> = {
  enrolment: {
    added: 'A passkey was added',
    invited: 'You invited a person to approve changes',
    removed: 'A passkey was removed',
  },
  key: {
    created: 'An API key was created',
    rotated: 'An API key was given another secret',
    revoked: 'An API key was revoked',
    reviewed: 'You confirmed the apps and keys from before a provider was live',
  },
  webhook: {
    created: 'A webhook was created',
    rotated: 'A webhook was given another secret',
    resumed: 'A webhook was resumed',
    removed: 'A webhook was removed',
    paused: 'A webhook was paused, because it could not be reached for three days',
    ended: 'A webhook ended, because its receiver or its maker is gone',
  },
  consent: {
    allowed: 'You connected an app',
    denied: 'You refused an app',
    disconnected: 'You disconnected an app',
    repeated:
      'An app asked twice within 30 seconds with one refresh token and got the same one again: two of its windows, or an answer that was lost',
    reused:
      'An app was disconnected, because a sign-in code or a refresh token of it was used again, by a copy of the app or by somebody else. Connect it again if you know why',
  },
}

/** What a commit did, as people say it; a later kind of change is said by its title. */
const DONE: Record<string, string> = {
  book_consult: 'booked a consult',
  reschedule_booking: 'moved a consult',
  cancel_booking: 'cancelled a consult',
  create_client_profile: 'created a client profile',
  submit_intake_answers: 'submitted intake answers',
  create_payment_link: 'made a payment link',
  invite_client: 'made a client link',
}

/** `book a consult`, for the middle of a sentence. */
const asked = (operation: string): string => {
  const title = operationTitle(operation)
  return title.charAt(0).toLowerCase() + title.slice(1)
}

/** The owner in the console is you; over the API it is the first key. */
const whoOf = ({ caller, operation, event }: NumberedEntry, names: CallerNames): Html =>
  caller !== 'owner'
    ? callerLink(names, caller)
    : operation.startsWith('owner_') || ['approval', 'consent', 'sign_in'].includes(event)
      ? html`You`
      : html`<a href="${callerPath(caller)}">Your first key</a>`

export function inWords(
  entry: NumberedEntry,
  names: CallerNames,
  facts: EntryFacts = NO_FACTS,
): Html {
  const { event, code, operation, app, times } = entry
  const who = whoOf(entry, names)
  const often = times > 1 ? html` <strong>${times} ×</strong>` : ''
  const act = ACTS[event]?.[code]
  const holder = holderOf(names, entry)
  const fact = ifDefined(
    facts.records.get(entry.record_id ?? '') || undefined,
    (text) => html`: <bdi>${text}</bdi>`,
  )
  const approver = facts.approvers.get(entry.operation_id ?? '')
  const approved = ifDefined(
    approver,
    (by) => html` · approved by <bdi>${by === 'owner' ? 'you' : nameOf(names, by)}</bdi>`,
  )
  switch (event) {
    case 'preview':
      return code === 'approval_lifted'
        ? html`${who} asked again to ${asked(operation)}${fact}. Your approval was no longer needed.`
        : html`${who} asked to ${asked(operation)}${fact}`
    case 'commit':
      return code === 'committed'
        ? html`${who} ${DONE[operation] ?? `made a change, ${asked(operation)}`}${fact}${approved}`
        : html`${who} tried to ${asked(operation)}${fact}. ${codeTitle(code)}.${approved}`
    case 'approval':
      return html`${who} ${DECISIONS[code] ?? 'decided on'}: ${asked(operation)}${fact}`
    case 'replay':
      return html`${who} repeated a call to ${asked(operation)}, and got the same answer${often}`
    case 'refusal':
      if (operation.startsWith('owner_')) return html`A passkey was refused in the console${often}`
      return html`${who} could not ${asked(operation)}. ${refusedFor(entry)}.${often}`
    case 'unresolved':
      return html`${who} tried to ${asked(operation)}${fact}. The provider did not answer${often}`
    case 'resolution':
      return html`You resolved a change in doubt: it ${code === 'happened' ? 'was made' : 'was not made'}`
    case 'sign_in':
      return html`${who} signed in${often}`
    case 'rules':
      return html`${who} ${RULES_ACTS[code] ?? 'changed the rules of'} ${rulesOf(entry, names)}`
    case 'deletion':
      return html`${who} deleted a client`
    case 'review':
      return html`You looked through the log, up to entry ${entry.about?.['up_to']}`
    case 'retention':
      return html`Entries below ${entry.about?.['dropped_below']} were old enough to be dropped`
    case 'log_key':
      return html`The log got a new signing key`
    case 'check':
      return code === 'ok'
        ? html`The connector checked itself, and all was well${often}`
        : html`The connector checked itself and found a fault: ${codeTitle(code)}${often}`
    default:
      if (act === undefined) return html`${AUDIT_EVENTS[event]} ${codeTitle(code)}${often}`
      if (app !== null) return html`${act}: ${app}`
      return html`${act}${ifDefined(holder, (name) => html`: <bdi>${name}</bdi>`)}`
  }
}

/** Why a call was refused: the rule by its name, where one forbade it. */
const refusedFor = ({ code, about }: NumberedEntry): string => {
  const rule = String(about?.['rule'] ?? '')
  return code === 'house_rule' && rule in RULE_TITLES
    ? `Your rule “${RULE_TITLES[rule as keyof typeof RULE_TITLES]}” forbids it`
    : codeTitle(code)
}

const DECISIONS: Record<string, string> = { approved: 'approved', declined: 'declined' }

const RULES_ACTS: Record<string, string> = {
  paused: 'paused',
  resumed: 'resumed',
  changed: 'changed the rules of',
}

const rulesOf = ({ record_id }: NumberedEntry, names: CallerNames): string =>
  record_id === null || record_id === EVERYBODY ? 'all callers' : nameOf(names, record_id)
