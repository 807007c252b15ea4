import * as z from 'zod'

import type { AppContext } from '../../../api/http/app-env.ts'
import { modeOfId } from '../../../core/domain/mode.ts'
import { hostOf } from '../../../core/domain/origin.ts'
import { type RecordKind, recordId, recordKey } from '../../../core/domain/records.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import { instantOf } from '../../../core/domain/time/time.ts'
import type { AuditQuery, NumberedEntry } from '../../../core/ports/audit.ts'
import type { RecordEntry } from '../../../core/ports/records.ts'
import { wantProof } from '../../access/fresh-proof.ts'
import { asFile, linesOf } from '../../admin/audit-export.ts'
import { shortTime } from '../shell/dates.ts'
import { type Act, type Show, notHere, nothingChanged } from '../shell/handlers.ts'
import { type CallerNames, nameOf } from '../shell/items.ts'
import { callerNames, clockOf, part, shellOf } from '../shell/load.ts'
import { type Part, isAllMock, listed } from '../shell/shell.ts'
import { auditPage, auditEntryPage, kindTitle } from './page.ts'
import { auditAddress, filtersIn, placeIn, questionOf, type AuditFilters } from './query.ts'
import { type EntryFacts, type ShownEntries, previewOf, operationTitle } from './sentences.ts'

const ON_PAGE = 50
/** How far around an entry others of the same change are looked for. */
const NEARBY = 31 * DAY

const KINDS: Record<string, RecordKind> = { bk: 'booking', cl: 'client', pl: 'payment_link' }

const keptSchema = z.lazy(() =>
  z.looseObject({
    start_time: z.string().optional(),
    display_name: z.string().optional(),
    amount_display: z.string().optional(),
    invoice_number: z.string().nullish(),
  }),
)

/**
 * What entries are about, in a few words, from the masked records; and who approved. Both may be
 * left out.
 */
async function factsOf(c: AppContext, entries: readonly NumberedEntry[]): Promise<EntryFacts> {
  const { audit, records } = c.var.services
  const keys = entries.flatMap(({ record_id }) => {
    const kind = KINDS[record_id?.split('_')[0] ?? '']
    return record_id === null || kind === undefined ? [] : recordKey(kind, record_id)
  })
  const [from, to] = [(entries.at(-1)?.at ?? 0) - DAY, (entries[0]?.at ?? 0) + 1]
  const query: AuditQuery = { event: 'approval', code: 'approved', from, to, limit: 200 }
  const isApproved = entries.some(({ about }) => about?.['approved'] === 'person')
  const [kept, approvals] = await Promise.all([
    keys.length === 0 ? [] : part(() => records.under([...new Set(keys)])),
    isApproved ? part(() => audit.page(query)) : ('unread' as const),
  ])
  const decided = approvals === 'unread' ? [] : approvals.entries
  const said = new Map(
    listed<RecordEntry>(kept).map(({ key, value }) => [recordId(key), wordsOf(c, value)]),
  )
  // Beside real changes, one of the mock must not pass for one.
  const isMarked = !isAllMock(c.var.site())
  const about = entries.flatMap((entry): [string, string][] => {
    const { record_id: id, event } = entry
    if (id === null) return []
    const mark = isMarked && modeOfId(id) === 'mock' && 'mock'
    const words = [said.get(id), mark].filter(Boolean).join(', ')
    if (words === '') return []
    // A preview is about the record that its commit made.
    const names = event === 'commit' ? [id, previewOf(entry)] : [id]
    return names.map((name) => [name, words])
  })
  return {
    records: new Map(about),
    approvers: new Map(decided.map(({ operation_id, caller }) => [operation_id ?? '', caller])),
  }
}

/** A page of the log with what its entries are about. */
export async function entriesWithFacts(
  c: AppContext,
  query: AuditQuery,
): Promise<Part<ShownEntries>> {
  const page = await part(() => c.var.services.audit.page(query))
  return page === 'unread' ? page : { ...page, facts: await factsOf(c, page.entries) }
}

function wordsOf(c: AppContext, value: string) {
  const { start_time, display_name, amount_display, invoice_number } = keptSchema.parse(
    JSON.parse(value),
  )
  const when = start_time && shortTime(instantOf(start_time), clockOf(c))
  return [when, amount_display, invoice_number, display_name].filter(Boolean).join(', ')
}

export const showAudit: Show = async (c, visit) => {
  const given = new URL(c.req.url).searchParams
  const filters = filtersIn(given)
  const asked = questionOf(filters, clockOf(c).zone)
  const place = placeIn(given)
  // First, since it can add an entry of its own, which the list then has.
  const log = await part(() => c.var.services.audit.state(hostOf(c.var.site().origin)))
  const isWrong = 'errors' in asked
  // What is not right is not shown again: it could be an email address.
  const emptied = isWrong ? Object.keys(asked.errors).map((name) => [name, '']) : []
  const right: AuditFilters = { ...filters, ...Object.fromEntries(emptied) }
  const sent = new URLSearchParams(right)
  const refused = isWrong ? { action: c.req.path, sent, errors: asked.errors } : undefined
  const [shell, names, found] = await Promise.all([
    shellOf(c, '/owner/audit', { ...visit, refused }),
    callerNames(c),
    isWrong ? undefined : entriesWithFacts(c, { ...asked.question, ...place, limit: ON_PAGE }),
  ])
  return auditPage({ shell, filters: right, names, found, log, place })
}

const NO_ENTRY = 'There is no entry with this number.'

/** The number of an entry; no entry has that of another text. */
const indexIn = (text: string | null | undefined) =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : -1

export const showEntry: Show = async (c, visit) => {
  const index = indexIn(c.req.param('index'))
  const [shell, names, entry] = await Promise.all([
    shellOf(c, '/owner/audit', visit),
    callerNames(c),
    part(() => c.var.services.audit.entry(index)),
  ])
  if (entry === 'unread' || entry === null)
    return notHere(c, entry, `${NO_ENTRY} It may be old enough to have been dropped.`)
  const { operation_id, at } = entry
  const nearby = { from: at - NEARBY, to: at + NEARBY, limit: ON_PAGE }
  const sameChange =
    operation_id === null ? undefined : await entriesWithFacts(c, { operation_id, ...nearby })
  const given = new URL(c.req.url).searchParams
  const filters = filtersIn(given)
  const back = 'errors' in questionOf(filters, shell.clock.zone) ? {} : filters
  const list = auditAddress(back, placeIn(given))
  const found = sameChange === undefined || sameChange === 'unread' ? undefined : sameChange
  const facts = found?.facts ?? (await factsOf(c, [entry]))
  return auditEntryPage({ shell, entry, names, sameChange, facts, list })
}

export const noteReview: Act = async (c, { form }) => {
  const index = indexIn(form.get('up_to'))
  if ((await c.var.services.audit.entry(index)) === null) return nothingChanged(c, NO_ENTRY)
  await c.var.noteBefore({ event: 'review', code: 'noted', about: { up_to: index } })
  return 'reviewed'
}

/** Sends what filters find as a file, on a proof: with the session alone the log is read page by page. */
export const exportAudit: Act = async (c, own) => {
  const filters = filtersIn(own.form)
  const asked = questionOf(filters, clockOf(c).zone)
  // The page of these filters marks what is wrong with them.
  if ('errors' in asked) return c.redirect(auditAddress(filters), 303)
  await wantProof(c, own, {
    question: 'Download the audit log?',
    changes: filtersInWords(filters, await callerNames(c)),
    facts: Object.values(filters),
    verb: 'Download with your passkey',
    back: auditAddress(filters),
  })
  return asFile(linesOf(c.var.services.audit, asked.question, 'csv'), 'csv')
}

function filtersInWords(
  { event, caller, operation, ...filters }: AuditFilters,
  names: CallerNames,
): string[] {
  const said = Object.entries({
    kind: event && kindTitle(event),
    caller: caller && nameOf(names, caller),
    operation: operation && operationTitle(operation),
    ...filters,
  }).flatMap(([name, value]) =>
    value === '' ? [] : `Only entries of this ${WORDS[name] ?? name}: ${value}.`,
  )
  return [
    'Who did what, without names and email addresses, as a file.',
    ...(said.length > 0 ? said : ['All entries.']),
  ]
}

const WORDS: Record<string, string> = { from: 'day and later', to: 'day and earlier' }
