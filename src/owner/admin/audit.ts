import * as z from 'zod'

import { readAnswer } from '../../api/http/answers.ts'
import { httpEndpoint } from '../../api/openapi/endpoint.ts'
import { AUDIT_EVENTS, type AuditEvent } from '../../core/domain/audit/entry.ts'
import { scalarSchema } from '../../core/domain/facts.ts'
import { built } from '../../core/domain/lazy.ts'
import { hostOf } from '../../core/domain/origin.ts'
import { problem, invalidField } from '../../core/domain/problem/problem.ts'
import { isoUtc, boundOf } from '../../core/domain/time/time.ts'
import type { AuditMark, AuditQuery } from '../../core/ports/audit.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import type { Ports } from '../../core/ports/services.ts'
import { receiptBody, receiptSchema } from '../../practice/operations/operation-status.ts'
import {
  firstOf,
  listQuery,
  listSchema,
  nextCursorField,
  ON_PAGE,
  cursorField,
  issueCursor,
  limitField,
  notAsFirstPage,
  readCursor,
  windowFields,
} from '../../practice/operations/pagination.ts'
import {
  momentField,
  namedObject,
  orNull,
  textOrNull,
  textField,
} from '../../practice/operations/schemas.ts'
import {
  asFile,
  linesOf,
  shownEntry,
  approverOfPack,
  callerOfPack,
  packOf,
} from './audit-export.ts'

const eventSchema = z.enum(Object.keys(AUDIT_EVENTS) as [AuditEvent, ...AuditEvent[]]).meta({
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

const pageQuery = z.lazy(() =>
  built(filters).extend({ limit: limitField, cursor: cursorField.optional() }),
)

const exportQuery = z.lazy(() =>
  built(filters).extend({
    format: z
      .enum(['csv', 'jsonl', 'pack'])
      .default('csv')
      .meta({
        description:
          'CSV, JSON lines with one entry on each, or a `pack` with proofs. In CSV an apostrophe ' +
          'stands in front of a field that a spreadsheet would take for a formula.',
      }),
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
async function pageQueryOf(
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
function filtersOf(
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
function requireNoFilters(asked: z.infer<typeof filters>) {
  const [name] = Object.entries(asked).find(([, value]) => value !== undefined) ?? []
  if (name !== undefined)
    throw invalidField(`/${name}`, 'A pack is the whole log and takes no filters.')
}

const cursorAfter = async (
  next: AuditMark,
  { limit: _limit, after: _after, ...query }: AuditQuery,
  keyring: () => Promise<Keyring>,
) => issueCursor(await keyring(), LISTING, { ...query, after: next })

const knownText = (description: string) => textOrNull.meta({ description })

const entrySchema = z.lazy(() =>
  namedObject('AuditEntry', 'One entry of the audit log; nothing in it is personal.', {
    index: z.int().min(0).meta({
      description:
        'The number of the entry: it starts at 0, follows the order of arrival, and is never used twice.',
    }),
    occurred_at: momentField,
    id: textField('Together with its time, this identifies the entry.'),
    event: eventSchema,
    caller: textField(
      'The caller, as GET /v1/me names it; `owner`, or `none` if the caller is not known.',
    ),
    app: knownText('The host of the client app, where an app called.'),
    operation: z.string(),
    code: textField('`ok`, `committed`, the code of a problem, or what was done.'),
    record_id: knownText(
      'The booking, client, invoice, payment link, key or grant that it is about.',
    ),
    operation_id: knownText(
      'The change in which it happened: one for each caller and idempotency key.',
    ),
    request_id: knownText('The request that brought it about.'),
    times: z.int().min(1).meta({
      description: 'How many times it happened: repeats in a short time are counted in one entry.',
    }),
    shown: knownText('On a preview and its commit: a digest of what was shown.'),
    about: orNull(z.record(z.string(), scalarSchema)).meta({
      description: 'More facts about it; never personal data.',
    }),
  }),
)

const pageSchema = z.lazy(() =>
  namedObject('AuditPage', { entries: z.array(entrySchema), next_cursor: nextCursorField }),
)

const refusalsSchema = z.lazy(() =>
  listSchema(
    'refusals',
    z.strictObject({
      began_at: momentField.meta({ description: 'When the hour began, UTC.' }),
      operation: z.string(),
      code: z.string(),
      times: z.int().min(1),
    }),
  ).meta({ id: 'AnonymousRefusals' }),
)

const PATH = '/v1/audit'
const READERS = ['audit:read', 'admin'] as const

export const AUDIT_ENDPOINTS = [
  httpEndpoint({
    route: `GET ${PATH}`,
    operationId: 'list_audit_entries',
    summary: 'Read the audit log',
    description:
      'Lists who did what, newest first. The outcome of a change is never lost and never ' +
      'listed twice, but it may appear a minute late, or later while the audit log cannot ' +
      'be reached. Repeats, refused calls, sign-ins, keys and consent are written once, on ' +
      'a best-effort basis; many entries of one kind in a minute are counted in one entry. ' +
      'Calls without a credential are only counted: see GET /v1/audit/refusals. ' +
      'With a filter, a page can have few entries or none, and there may still be a next ' +
      'page.',
    scopes: READERS,
    query: pageQuery,
    answer: {
      description: 'A page of the audit log.',
      schema: pageSchema,
      isListing: true,
    },
    async run(asked, { origin }, c) {
      const { audit, keyring } = c.var.services
      const query = await pageQueryOf(asked, c.var.services)
      const { entries, next } = await audit.page(query)
      const next_cursor = next ? await cursorAfter(next, query, keyring) : null
      return readAnswer(
        c.req.raw,
        { entries: entries.map(shownEntry), next_cursor },
        { origin, cursor: next_cursor },
      )
    },
  }),
  httpEndpoint({
    route: `GET ${PATH}/export`,
    operationId: 'export_audit_entries',
    summary: 'Export the audit log',
    description:
      'Returns the matching entries as a file, newest first. ' +
      'If the download breaks off, the file is not complete: repeat it, or ask for a ' +
      'shorter time. A `pack` is the whole log in the order of its numbers. ' +
      'It takes no filters and ends with a signed checkpoint, so `npm run verify` can ' +
      'check it offline.',
    scopes: READERS,
    query: exportQuery,
    answer: {
      description: 'The entries, one on each line.',
      media: ['text/csv', 'application/jsonl'],
    },
    async run({ format, ...asked }, { origin }, c) {
      const { audit, access, practice } = c.var.services
      if (format === 'pack') {
        requireNoFilters(asked)
        const [keys, approvers] = await Promise.all([access.listKeys(), access.owner.approvers()])
        const callers = [...keys.map(callerOfPack), ...approvers.map(approverOfPack)]
        return asFile(packOf(audit, await audit.state(hostOf(origin)), callers, Date.now()), 'pack')
      }
      return asFile(linesOf(audit, filtersOf(asked, practice.timezone), format), format)
    },
  }),
  httpEndpoint({
    route: `GET ${PATH}/refusals`,
    operationId: 'count_anonymous_refusals',
    summary: 'Count the calls without a credential',
    description:
      'Counts the calls of the last 30 days that were refused because they had no valid ' +
      'credential, by hour, operation and code. Such calls make no entries in the audit ' +
      'log, so strangers cannot fill it.',
    scopes: ['admin'],
    query: listQuery,
    answer: { description: 'The counts, newest hour first.', schema: refusalsSchema },
    async run({ limit }, _owner, c) {
      const counts = await c.var.services.audit.anonymousRefusals()
      const refusals = counts.map(({ hour, ...rest }) => ({ began_at: isoUtc(hour), ...rest }))
      return firstOf('refusals', refusals, limit)
    },
  }),
  httpEndpoint({
    route: `GET ${PATH}/checkpoint`,
    operationId: 'read_audit_checkpoint',
    summary: 'Get a signed checkpoint of the audit log',
    description:
      'Returns a signed C2SP tlog-checkpoint: the number of entries, and the root of the ' +
      'Merkle tree (RFC 6962) over all of them. Keep it: with it you can see whether an ' +
      'earlier entry was changed or removed later. With the same secrets and the same ' +
      'entries, the bytes are the same.',
    scopes: READERS,
    answer: { description: 'The checkpoint.', media: ['text/plain'] },
    async run(_input, { origin }, c) {
      const { checkpoint } = await c.var.services.audit.state(hostOf(origin))
      return new Response(checkpoint, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
    },
  }),
  httpEndpoint({
    route: `GET ${PATH}/{index}/receipt`,
    operationId: 'read_audit_receipt',
    summary: 'Get the receipt of an entry of the audit log',
    description: 'Returns the entry with this number, and a proof that the log contains it.',
    scopes: READERS,
    params: z.lazy(() =>
      z.object({
        index: z.string().meta({ description: 'The number of the entry.', examples: ['812'] }),
      }),
    ),
    answer: { description: 'The receipt.', schema: receiptSchema },
    problems: ['not_found'],
    async run({ index }, { origin }, c) {
      const { audit } = c.var.services
      const receipt = /^\d{1,15}$/.test(index)
        ? await audit.receipt(Number(index), hostOf(origin))
        : null
      if (!receipt)
        throw problem('not_found', {
          detail: 'There is no entry with this number, or it was dropped.',
          next_step: 'GET /v1/audit lists the entries with their numbers.',
        })
      return receiptBody(receipt)
    },
  }),
]
