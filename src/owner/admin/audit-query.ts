import * as z from 'zod'

import { AUDIT_EVENTS, type AuditEvent } from '../../core/domain/audit/entry.ts'
import { built } from '../../core/domain/lazy-schema.ts'
import { invalidField } from '../../core/domain/problem/problem.ts'
import { boundOf } from '../../core/domain/time/time.ts'
import type { AuditMark, AuditQuery } from '../../core/ports/audit.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import type { Ports } from '../../core/ports/services.ts'
import {
  ON_PAGE,
  cursorField,
  issueCursor,
  limitField,
  notAsFirstPage,
  readCursor,
  windowFields,
} from '../../practice/operations/pagination.ts'

export const eventSchema = z.enum(Object.keys(AUDIT_EVENTS) as [AuditEvent, ...AuditEvent[]]).meta({
  id: 'AuditEvent',
  description: Object.entries(AUDIT_EVENTS)
    .map(([event, meaning]) => `\`${event}\`: ${meaning}`)
    .join(' '),
})
const wanted = (description: string) => z.string().min(1).max(600).optional().meta({ description })

const filters = z.lazy(() =>
  z.strictObject({
    ...windowFields,
    event: eventSchema.optional(),
    caller: wanted('Entries of this caller.'),
    app: wanted('Entries of apps of this host.'),
    operation: wanted('Entries of this operation.'),
    code: wanted('Entries with this code.'),
    record_id: wanted('Entries about this booking, client, invoice, payment link or key.'),
    operation_id: wanted('Entries of this change.'),
    request_id: wanted('Entries of this request.'),
  }),
)

export const pageQuery = z.lazy(() =>
  built(filters).extend({ limit: limitField, cursor: cursorField.optional() }),
)

export const exportQuery = z.lazy(() =>
  built(filters).extend({
    format: z
      .enum(['csv', 'jsonl', 'pack'])
      .default('csv')
      .meta({ description: 'CSV, JSON lines with one entry on each, or a `pack` with proofs.' }),
  }),
)

const LISTING = 'audit'
const placeSchema = z.lazy(() =>
  z.looseObject({ after: z.object({ at: z.int(), id: z.string() }) }),
)

/**
 * The query of a page. The cursor carries the query of the first page; fields beside it must not
 * differ from that.
 */
export async function pageQueryOf(
  { cursor, limit = ON_PAGE, ...asked }: z.infer<typeof pageQuery>,
  { keyring, practice }: Pick<Ports, 'keyring' | 'practice'>,
): Promise<AuditQuery> {
  const query = filtersOf(asked, practice.timezone)
  if (cursor === undefined) return { ...query, limit }
  const { after, ...first } = await readCursor(await keyring(), LISTING, cursor, placeSchema)
  for (const [name, value] of Object.entries(query))
    if (first[name] !== value) throw notAsFirstPage(name)
  return { ...(first as Omit<AuditQuery, 'limit'>), after, limit }
}

/** The filters as the audit log takes them. Raises `validation_failed`. */
export function filtersOf(
  { from, to, ...rest }: z.infer<typeof filters>,
  zone: string,
): Omit<AuditQuery, 'limit'> {
  const given = {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(from !== undefined && { from: boundOf(from, zone, 'from') }),
    ...(to !== undefined && { to: boundOf(to, zone, 'to') }),
  }
  if (given.from !== undefined && given.to !== undefined && given.to <= given.from)
    throw invalidField('/to', 'Expected a time after from.')
  return given
}

/**
 * Raises `validation_failed` where anything is filtered: a pack is the whole log, or nothing could
 * be proved of it.
 */
export function requireNoFilters(asked: z.infer<typeof filters>): void {
  const [name] = Object.entries(asked).find(([, value]) => value !== undefined) ?? []
  if (name !== undefined)
    throw invalidField(`/${name}`, 'A pack is the whole log and takes no filters.')
}

export const cursorAfter = async (
  next: AuditMark,
  { limit: _limit, after: _after, ...query }: AuditQuery,
  keyring: () => Promise<Keyring>,
): Promise<string> => issueCursor(await keyring(), LISTING, { ...query, after: next })
