import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import { localTime } from '../domain/time.ts'
import { AUDIT_EVENTS } from '../domain/audit-entry.ts'
import type { AuditPage, NumberedEntry } from '../ports/audit.ts'
import { entryList } from './audit.ts'
import { auditAddress } from './audit-query.ts'
import { codeTitle, inWords, operationTitle } from './audit-words.ts'
import { type CallerNames, callerLink } from './caller-names.ts'
import { clockOn } from './dates.ts'
import { type Part, type ShellView, UNREAD, consolePage } from './shell.ts'

export interface AuditEntryView {
  shell: ShellView
  entry: NumberedEntry
  names: CallerNames
  /** The entries of the same change, with this one; nothing where it belongs to none. */
  sameChange: Part<AuditPage> | undefined
}

/** One entry of the audit log in words, and what else happened in the same change. */
export const auditEntryPage = ({ shell, entry, names, sameChange }: AuditEntryView): string =>
  consolePage(
    shell,
    { title: `Entry ${entry.index}` },
    html`<p><a href="/owner/audit">Audit log</a></p>
      <h1>Entry ${entry.index}</h1>
      <section aria-labelledby="entry">
        <h2 id="entry">${inWords(entry, names)}</h2>
        <p class="soft">${AUDIT_EVENTS[entry.event]}</p>
        <dl class="rules">
          ${row(
            'When',
            html`<time datetime="${new Date(entry.at).toISOString()}"
              >${localTime(entry.at, shell.clock.zone)}</time
            >`,
          )}
          ${row('Caller', callerLink(names, entry.caller))} ${row('App', entry.app)}
          ${row('Operation', html`${operationTitle(entry.operation)} <code>${entry.operation}</code>`)}
          ${row('Code', html`${codeTitle(entry.code)} <code>${entry.code}</code>`)}
          ${row('About', entry.record_id && filterLink(entry.record_id))}
          ${row('Change', entry.operation_id && filterLink(entry.operation_id))}
          ${row('Request', entry.request_id && html`<code>${entry.request_id}</code>`)}
          ${row('Times', entry.times > 1 ? String(entry.times) : null)}
          ${row('Digest of what was shown', entry.shown && html`<code>${entry.shown}</code>`)}
          ${Object.entries(entry.about ?? {}).map(([name, value]) =>
            row(name.replaceAll('_', ' '), value === null ? 'none' : String(value)),
          )}
        </dl>
      </section>
      ${
        sameChange === undefined
          ? ''
          : html`<section aria-labelledby="change">
              <h2 id="change">The same change</h2>
              ${
                sameChange === 'unread'
                  ? UNREAD
                  : html`${entryList(sameChange.entries, names, shell.clock)}
                    ${
                      sameChange.next
                        ? html`<p>
                            There may be more:
                            <a href="${auditAddress({ id: entry.operation_id ?? '' })}">all of this change</a
                            >.
                          </p>`
                        : ''
                    }`
              }
            </section>`
      }
      <p class="soft">Read at ${clockOn(shell.clock.now, shell.clock)}. Entries are never changed.</p>`,
  )

const filterLink = (id: string): Html => html`<a href="${auditAddress({ id })}"><code>${id}</code></a>`

const row = (title: string, value: Html | string | null): Html | '' =>
  value === null
    ? ''
    : html`<div>
        <dt>${title}</dt>
        <dd>${value}</dd>
      </div>`
