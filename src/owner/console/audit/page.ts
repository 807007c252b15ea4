import { html } from 'hono/html'

import type { Html } from '../../../api/pages/layout.ts'
import { AUDIT_EVENTS, type AuditEvent } from '../../../core/domain/audit/entry.ts'
import { spokenName } from '../../../core/domain/name.ts'
import { withCommas } from '../../../core/domain/plural.ts'
import { EVERYBODY } from '../../../core/domain/rules/house-rules.ts'
import { localTime } from '../../../core/domain/time/time.ts'
import type { LogState, NumberedEntry } from '../../../core/ports/audit.ts'
import { MUTATIONS } from '../../../practice/operations/index.ts'
import { underDays, clockIn, type Clock } from '../shell/dates.ts'
import { type CallerNames, holderOf } from '../shell/items.ts'
import { openIn } from '../shell/provider-pages.ts'
import {
  type Part,
  type ShellView,
  chips,
  consolePage,
  entered,
  buttonForm,
  line,
  row,
  whenRead,
  field,
} from '../shell/shell.ts'
import {
  type AuditFilters,
  CHANGES,
  CODE_PATTERN,
  ID_PATTERN,
  type Place,
  auditAddress,
} from './query.ts'
import { type EntryFacts, type ShownEntries, inWords, whoLink } from './sentences.ts'

export interface AuditView {
  shell: ShellView
  filters: AuditFilters
  names: CallerNames
  /** Nothing where the filters are wrong. */
  found: Part<ShownEntries> | undefined
  log: Part<Pick<LogState, 'origin' | 'size' | 'checkpoint'>>
  place: Place
}

/**
 * The audit log: a form for its filters, which live in the address, and a page of entries, the
 * newest first.
 */
export const auditPage = (view: AuditView) =>
  consolePage(
    view.shell,
    'Audit log',
    html`<h1>Audit log</h1>
      ${filterForm(view)}
      <section aria-labelledby="entries">
        <h2 id="entries">Entries, newest first</h2>
        ${openIn(view.shell.providers(view.filters.id), view.filters.id)}
        ${view.found === undefined ? html`<p>Correct what is marked above, then filter again.</p>` : entries(view, view.found)}
      </section>
      ${buttonForm(view.shell, '/owner/audit/export', 'Download as CSV…', { fields: view.filters })}
      <p class="soft">The file contains all entries that match these filters. You confirm with your passkey.</p>
      ${proof(view)}`,
  )

const proof = ({ shell, log }: AuditView) =>
  html`<section aria-labelledby="proof">
    <h2 id="proof">Proof for an auditor</h2>
    ${whenRead(
      log,
      ({ size, ...note }) =>
        html`<p>
            A checkpoint is a short signed text about ${size === 1 ? 'the one entry' : `all ${size} entries`} of
            the log. A person who has one can prove later whether an entry was changed or removed.
            <a href="${mailOf(note)}">Mail a checkpoint</a> to your auditor, or to yourself.
          </p>
          ${buttonForm(shell, '/owner/audit/review', 'Mark as reviewed', { fields: { up_to: String(size - 1) } })}
          <p class="soft">This is recorded, up to entry ${size - 1}. An auditor may ask for it.</p>`,
    )}
  </section>`

/** A mail with a checkpoint, to a person whom the owner chooses (RFC 6068). */
function mailOf({ origin, checkpoint }: Pick<LogState, 'origin' | 'checkpoint'>) {
  const subject = encodeURIComponent(`Checkpoint of ${origin}`)
  return `mailto:?subject=${subject}&body=${encodeURIComponent(checkpoint.replaceAll('\n', '\r\n'))}`
}

const CHIPS = [
  ['Changes', CHANGES],
  ['Approvals', 'approval'],
  ['Refusals', 'refusal'],
  ['Rules', 'rules'],
  ['System', 'system'],
  ['Everything', ''],
] as const

function filterForm({ shell, filters, names }: AuditView) {
  const form = entered(shell, '/owner/audit')
  const isSet = Object.values(filters).some((value) => value !== '')
  const select = (
    name: keyof AuditFilters,
    label: string,
    options: readonly [string, string][],
  ) => {
    const value = filters[name]
    const known = value === '' || options.some(([one]) => one === value)
    const all = known ? options : [...options, [value, value]]
    return html`<label
      >${label}<select name="${name}" ${form.mark(name)}>
        <option value="">All</option>
        ${all.map(
          ([one, text]) =>
            html`<option value="${one}" ${one === value && 'selected'}>${text}</option>`,
        )}
      </select></label
    >`
  }
  const callers = [...names].filter(([caller]) => caller !== EVERYBODY)
  const operations = MUTATIONS.map(({ name, title }): [string, string] => [name, title])
  const kinds = CHIPS.map(([words, event]) => [auditAddress({ event }), words] as const)
  const isOpen =
    form.isRefused || (isSet && !kinds.some(([address]) => address === auditAddress(filters)))
  const code = html`name="code" value="${filters.code}" pattern="${CODE_PATTERN}" title="${CODE_TITLE}"`
  const id = html`name="id" value="${filters.id}" pattern="${ID_PATTERN}" title="${ID_TITLE}"`
  return html`${chips('Kinds of entries', kinds, auditAddress(filters))}
    <details ${isOpen && 'open'}>
      <summary>More filters</summary>
      <form action="/owner/audit" class="filters">
        ${form.errors}
        <div class="fields">
          ${select('event', 'Kind', KIND_TITLES)} ${select('caller', 'Caller', callers)}
          ${select('operation', 'Operation', operations)}
          ${field('Code', html`${code} autocapitalize="none"`, form.mark('code'))}
          <label>From<input type="date" name="from" value="${filters.from}" ${form.mark('from')} /></label>
          <label>To<input type="date" name="to" value="${filters.to}" ${form.mark('to')} /></label>
          ${field('Id', html`${id} autocapitalize="none"`, form.mark('id'))}
        </div>
        <div class="row">
          <button class="main">Filter</button
          >${isSet && html`<a class="button" href="/owner/audit">Clear</a>`}
        </div>
      </form>
    </details>`
}

const CODE_TITLE = 'small letters and underscores'
const ID_TITLE = 'the id of a booking, client, payment link or change, not an email address'

const entries = ({ filters, names, shell, place, log }: AuditView, found: Part<ShownEntries>) =>
  whenRead(found, ({ entries: read, next, facts }) => {
    const isBack = place !== undefined && 'before' in place
    const shown = isBack ? read.toReversed() : read
    const [first, last] = [shown[0], shown.at(-1)]
    const none = next ? 'No entry here. There are older ones.' : 'No entries.'
    const older = isBack ? last : next
    const newer = (isBack ? next : place) && first
    const isAll = first && log !== 'unread' && Object.values(filters).every((value) => value === '')
    // Entries that were written late have a higher number than newer ones, so only where a page
    // begins goes by it.
    const start = isAll && newer ? log.size - first.index : 1
    // The log can grow between the count and the page.
    const size = log === 'unread' ? 0 : Math.max(log.size, start + shown.length - 1)
    const end = start + shown.length - 1
    const from = auditAddress(filters, place)
    const list = filters.event === CHANGES ? changeList : entryList
    const leadTo = (to: Place, words: string) =>
      html`<a class="button" href="${auditAddress(filters, to)}">${words}</a>`
    return html`${isAll && html`<p class="soft">${withCommas(start)} to ${withCommas(end)} of ${withCommas(size)}</p>`}
      ${shown.length === 0 ? html`<p>${none}</p>` : list({ entries: shown, facts }, names, shell.clock, { list: from })}
      <p class="row">
        ${newer && leadTo({ before: { at: newer.at, id: newer.id } }, 'Newer')}
        ${older && leadTo({ after: { at: older.at, id: older.id } }, 'Older')}
      </p>`
  })

/** What a list shows beside its entries. */
interface Beside {
  /** The page of the log that they are on; the page of an entry leads back to it. */
  list?: string | undefined
  /** What is folded under an entry. */
  more?(entry: NumberedEntry): Html | ''
}

/** Entries in words under their days, equal ones together, each with the way to its own page. */
export const entryList = (
  { entries, facts }: ShownEntries,
  names: CallerNames,
  clock: Clock,
  beside: Beside = {},
) =>
  underDays(
    entries,
    ({ at }) => at,
    clock,
    (ofDay) => folded(ofDay).map((entry) => entryLine(entry, names, clock, { ...beside, facts })),
  )

const entryLine = (
  entry: NumberedEntry,
  names: CallerNames,
  clock: Clock,
  { facts, list = '', more }: Beside & Pick<ShownEntries, 'facts'>,
) =>
  line({
    href: `/owner/audit/${entry.index}${/\?.*/.exec(list)?.[0] ?? ''}`,
    when: clockIn(entry.at, clock.zone),
    what: inWords(entry, names, facts),
    tone: toneOf(entry),
    beside: more?.(entry) ?? '',
  })

/** What says how a change stands, the best word on it first. */
const HEADS: readonly AuditEvent[] = ['commit', 'resolution', 'unresolved', 'approval', 'preview']

/** Changes under their days, each once. Its preview, repeats and refusals are folded under it. */
function changeList(
  { entries: found, facts }: ShownEntries,
  names: CallerNames,
  clock: Clock,
  { list }: Beside,
) {
  const changes = Map.groupBy(found, ({ operation_id, id }) => operation_id ?? id)
  const beneath = new Map(
    [...changes.values()].flatMap((entries): [NumberedEntry, NumberedEntry[]][] => {
      const event = HEADS.find((one) => entries.some((entry) => entry.event === one))
      const head = entries.find((entry) => entry.event === event)
      return head ? [[head, entries.filter((entry) => entry !== head)]] : []
    }),
  )
  // What was refused before there was a preview belongs to no change.
  if (beneath.size === 0)
    return html`<p>No changes here. Calls that were refused are under Refusals.</p>`
  const more = (head: NumberedEntry) => {
    const others = beneath.get(head) ?? []
    if (others.length === 0) return ''
    return html`<details class="more">
      <summary>${others.length === 1 ? 'One more entry' : `${others.length} more entries`}</summary>
      <ul class="entries">
        ${others.map((entry) => entryLine(entry, names, clock, { facts, list }))}
      </ul>
    </details>`
  }
  return entryList({ entries: [...beneath.keys()], facts }, names, clock, { list, more })
}

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
  sameChange: Part<ShownEntries> | undefined
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
}: AuditEntryView): string => {
  const isSigned = entry.event === 'approval' && Boolean(entry.about?.['signature'])
  return consolePage(
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
          ${row('Who', html`${whoLink(entry, names)}${isSigned && ', by passkey'}`)}
          ${row('Times', entry.times > 1 ? String(entry.times) : null)}
          ${isSigned && row('Proof', 'Signed with a passkey, and checked when it was made.')}
          ${row('Passkey of', holderOf(names, entry) ?? null)}
        </dl>
        ${openIn(shell.providers(entry.record_id ?? ''), `entry ${entry.index}`)}
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
            ${Object.entries(entry.about ?? {}).map(([name, value]) => row(spokenName(name), value === null ? 'none' : String(value)))}
          </dl>
        </details>
      </section>
      ${
        sameChange &&
        html`<section aria-labelledby="change">
            <h2 id="change">The same change</h2>
            ${whenRead(sameChange, (shown) => entryList(shown, names, shell.clock))}
            ${
              sameChange !== 'unread' && sameChange.next
                ? html`<p>
                    <a href="${auditAddress({ id: entry.operation_id ?? '' })}">All entries of this change</a>
                  </p>`
                : ''
            }
          </section>`
      }
      <p class="soft">Read on ${localTime(shell.clock.now, shell.clock.zone)}. Entries are never changed.</p>`,
  )
}

const filterLink = (id: string) => html`<a href="${auditAddress({ id })}"><code>${id}</code></a>`

/** What each kind is called, and those that stand together. */
export const kindTitle = (kind: string) => new Map(KIND_TITLES).get(kind)

const EVENT_TITLES = {
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

const KIND_TITLES: readonly [kind: string, title: string][] = [
  [CHANGES, 'Changes, with what led to them'],
  ['system', 'System'],
  ...Object.entries(EVENT_TITLES),
]

function toneOf({ event, code }: NumberedEntry): 'good' | 'bad' | 'open' | 'plain' {
  if (event === 'commit') return code === 'committed' ? 'good' : 'bad'
  if (event === 'refusal') return 'bad'
  if (event === 'unresolved') return 'open'
  return 'plain'
}
