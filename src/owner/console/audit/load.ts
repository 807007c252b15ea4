import type { Context } from 'hono'
import * as z from 'zod'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { notePage } from '../../../api/pages/layout.ts'
import { hostOf } from '../../../core/domain/origin.ts'
import { type RecordKind, recordKey } from '../../../core/domain/records.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import { instantOf } from '../../../core/domain/time/time.ts'
import type { AuditPage, AuditQuery, NumberedEntry } from '../../../core/ports/audit.ts'
import { shortTime } from '../shell/dates.ts'
import { type CallerNames, callerNamesOf } from '../shell/items.ts'
import { callerItems, type Visit, clockOf, part, shellOf } from '../shell/load.ts'
import type { Part, ShellView } from '../shell/shell.ts'
import { auditPage, auditEntryPage } from './page.ts'
import { auditAddress, filtersIn, placeIn, questionOf } from './query.ts'
import { type EntryFacts, NO_FACTS, previewOf } from './sentences.ts'

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
async function factsOf(c: Context<AppEnv>, entries: readonly NumberedEntry[]): Promise<EntryFacts> {
  const { audit, records } = c.var.services
  const keyed = entries.flatMap(({ record_id }): [key: string, id: string][] => {
    const kind = KINDS[record_id?.split('_')[0] ?? '']
    return record_id === null || kind === undefined ? [] : [[recordKey(kind, record_id), record_id]]
  })
  const ids = new Map(keyed)
  // A preview is about the record that its commit made.
  const previews = entries.flatMap((entry): [string, string][] =>
    entry.event === 'commit' && entry.record_id !== null
      ? [[previewOf(entry), entry.record_id]]
      : [],
  )
  const [from, to] = [(entries.at(-1)?.at ?? 0) - DAY, (entries[0]?.at ?? 0) + 1]
  const query: AuditQuery = { event: 'approval', code: 'approved', from, to, limit: 200 }
  const isApproved = entries.some(({ about }) => about?.['approved'] === 'person')
  const [kept, approvals] = await Promise.all([
    ids.size === 0 ? [] : part(() => records.under([...ids.keys()])),
    isApproved ? part(() => audit.page(query)) : ('unread' as const),
  ])
  const decided = approvals === 'unread' ? [] : approvals.entries
  const words = new Map(
    kept === 'unread' ? [] : kept.map(({ key, value }) => [ids.get(key)!, wordsOf(c, value)]),
  )
  const ofPreviews = previews.flatMap(([preview, id]): [string, string][] => {
    const found = words.get(id)
    return found === undefined ? [] : [[preview, found]]
  })
  return {
    records: new Map([...words, ...ofPreviews]),
    approvers: new Map(decided.map(({ operation_id, caller }) => [operation_id ?? '', caller])),
  }
}

/** A page of the log with what its entries are about. */
export async function entriesWithFacts(
  c: Context<AppEnv>,
  query: AuditQuery,
): Promise<[Part<AuditPage>, EntryFacts]> {
  const found = await part(() => c.var.services.audit.page(query))
  return [found, found === 'unread' ? NO_FACTS : await factsOf(c, found.entries)]
}

function wordsOf(c: Context<AppEnv>, value: string): string {
  const { start_time, display_name, amount_display, invoice_number } = keptSchema.parse(
    JSON.parse(value),
  )
  const when = start_time && shortTime(instantOf(start_time), clockOf(c))
  return [when, amount_display, invoice_number, display_name].filter(Boolean).join(', ')
}

export const callerNames = async (c: Context<AppEnv>): Promise<CallerNames> =>
  callerNamesOf(await callerItems(c))

export async function showAudit(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const given = new URL(c.req.url).searchParams
  const filters = filtersIn(given)
  const asked = questionOf(filters, clockOf(c).zone)
  const place = placeIn(given)
  // First, since it can add an entry of its own, which the list then has.
  const log = await part(() => c.var.services.audit.state(hostOf(c.var.site().origin)))
  const look =
    'errors' in asked
      ? undefined
      : entriesWithFacts(c, { ...asked.question, ...place, limit: ON_PAGE })
  const [shell, names, [found, facts] = []] = await Promise.all([
    shellOf(c, '/owner/audit', visit),
    callerNames(c),
    look,
  ])
  const errors = 'errors' in asked ? asked.errors : {}
  // What is not right is not shown again: it could be an email address.
  const right = Object.fromEntries(Object.keys(errors).map((name) => [name, '']))
  const shown = { ...filters, ...right }
  return auditPage({ shell, filters: shown, errors, names, found, facts, log, place })
}

export async function showEntry(c: Context<AppEnv>, visit: Visit): Promise<string | Response> {
  const index = /^\d{1,15}$/.test(c.req.param('index') ?? '') ? Number(c.req.param('index')) : -1
  const { audit } = c.var.services
  const [shell, names, entry] = await Promise.all([
    shellOf(c, '/owner/audit', visit),
    callerNames(c),
    part(() => audit.entry(index)),
  ])
  if (entry === 'unread')
    return missing(
      c,
      shell,
      'This entry could not be read just now. Load the page again in a minute.',
      503,
    )
  if (entry === null)
    return missing(
      c,
      shell,
      'There is no entry with this number. It may be old enough to have been dropped.',
      404,
    )
  const { operation_id, at } = entry
  const nearby = { from: at - NEARBY, to: at + NEARBY, limit: ON_PAGE }
  const [sameChange, found] =
    operation_id === null ? [] : await entriesWithFacts(c, { operation_id, ...nearby })
  const given = new URL(c.req.url).searchParams
  const filters = filtersIn(given)
  const back = 'errors' in questionOf(filters, shell.clock.zone) ? {} : filters
  const list = auditAddress(back, placeIn(given))
  const facts = found ?? (await factsOf(c, [entry]))
  return auditEntryPage({ shell, entry, names, sameChange, facts, list })
}

const missing = (c: Context<AppEnv>, { place }: ShellView, why: string, status: 404 | 503) =>
  c.html(notePage('Not here', place, why), status)
