import * as z from 'zod'
import { type App, createRoute } from '../http/app-env.ts'
import { invalidField } from '../domain/problem.ts'
import { scalarSchema } from '../domain/facts.ts'
import { dateTimeSchema, instantOf } from '../domain/time.ts'
import {
  cursorField,
  issueCursor,
  notAsFirstPage,
  nextCursorField,
  readCursor,
} from '../operations/pagination.ts'
import { parseInput } from '../operations/validation.ts'
import { AUDIT_EVENTS, type AuditEvent, type AuditQuery } from '../ports/audit.ts'
import type { Keyring } from '../ports/index.ts'
import { queryOf } from '../http/query.ts'
import { readAnswer } from '../http/read-answer.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { adminRoute, asOwner, refusals } from './admin.ts'
import { FORMATS, type Format, linesOf, shownEntry } from './audit-export.ts'

const eventSchema = z.enum(Object.keys(AUDIT_EVENTS) as [AuditEvent, ...AuditEvent[]]).meta({
  description: Object.entries(AUDIT_EVENTS)
    .map(([event, meaning]) => `\`${event}\`: ${meaning}`)
    .join(' '),
})
const orNull = (description: string) => z.union([z.string(), z.null()]).meta({ description })
const wanted = (description: string) => z.string().min(1).max(600).optional().meta({ description })

const entrySchema = z
  .strictObject({
    index: z
      .int()
      .min(0)
      .meta({ description: 'The number of the entry: from 0, in the order of arrival, never given twice.' }),
    time: z.string().meta({ format: 'date-time' }),
    id: z.string().meta({ description: 'Names the entry, together with its time.' }),
    event: eventSchema,
    caller: z.string().meta({
      description: 'The caller, as GET /v1/me names it; `owner`, or `none` where nobody was known.',
    }),
    app: orNull('The host of the client app, where an app called.'),
    operation: z.string(),
    code: z.string().meta({ description: '`ok`, `committed`, the code of a problem, or what was done.' }),
    record_id: orNull('The booking, client, invoice, payment link, key or grant that it is about.'),
    operation_id: orNull('The change in which it happened: one for each caller and idempotency key.'),
    request_id: orNull('The request that brought it about.'),
    times: z
      .int()
      .min(1)
      .meta({ description: 'More than 1 where repeats in a short time are counted in one entry.' }),
    shown: orNull('On a preview and its commit: a digest of what was shown.'),
    about: z
      .union([z.record(z.string(), scalarSchema), z.null()])
      .meta({ description: 'More about it; never personal.' }),
  })
  .meta({ id: 'AuditEntry', description: 'One entry of the audit log; nothing in it is personal.' })

const filters = z.strictObject({
  from: dateTimeSchema.optional().meta({ description: 'Entries of then or later.' }),
  to: dateTimeSchema.optional().meta({ description: 'Entries before then.' }),
  event: eventSchema.optional(),
  caller: wanted('Entries of this caller.'),
  app: wanted('Entries of apps of this host.'),
  operation: wanted('Entries of this operation.'),
  code: wanted('Entries with this code.'),
  record_id: wanted('Entries about this booking, client, invoice, payment link or key.'),
  operation_id: wanted('Entries of this change.'),
  request_id: wanted('Entries of this request.'),
})

const DEFAULT_ENTRIES = 100

const pageQuery = filters.extend({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'How many entries, at most 500.', default: DEFAULT_ENTRIES }),
  cursor: cursorField.optional(),
})

const exportQuery = filters.extend({
  format: z
    .enum(Object.keys(FORMATS) as [Format, ...Format[]])
    .default('csv')
    .meta({ description: 'CSV, or JSON lines: one entry on each line.' }),
})

const pageRoute = createRoute({
  ...adminRoute,
  method: 'get',
  path: '/v1/audit',
  operationId: 'list_audit_entries',
  summary: 'Read the audit log',
  description:
    'Who did what, newest first. What a change did is never lost and never there twice, but may come a minute late, or later while the audit log cannot be reached. Repeats, refused calls, sign-ins, keys and consent are written once, as well as it can be done; many of one kind in a minute are counted in one entry. Calls without a credential are only counted: see GET /v1/audit/refusals. A page with a filter can hold few entries, even none, and still have a next one.',
  'x-openai-isConsequential': false,
  request: { query: pageQuery, headers: ifNoneMatch },
  responses: {
    ...readResponses({
      description: 'A page of the audit log.',
      schema: z
        .strictObject({ entries: z.array(entrySchema), next_cursor: nextCursorField })
        .meta({ id: 'AuditPage' }),
      isListing: true,
    }),
    ...refusals('validation_failed'),
  },
})

const exportRoute = createRoute({
  ...adminRoute,
  method: 'get',
  path: '/v1/audit/export',
  operationId: 'export_audit_entries',
  summary: 'Export the audit log',
  description:
    'All entries that are asked for, newest first, as a file. If it breaks off, it is not whole: ask again, or for a shorter time.',
  'x-openai-isConsequential': false,
  request: { query: exportQuery },
  responses: {
    200: {
      description: 'The entries, one on each line.',
      content: { 'text/csv': { schema: z.string() }, 'application/jsonl': { schema: z.string() } },
    },
    ...refusals('validation_failed'),
  },
})

const refusalsRoute = createRoute({
  ...adminRoute,
  method: 'get',
  path: '/v1/audit/refusals',
  operationId: 'count_anonymous_refusals',
  summary: 'Count the calls without a credential',
  description:
    'Calls that were refused because they carried no good credential, counted by the hour, operation and code, for the last 30 days. They make no entries of the audit log, so strangers cannot fill it.',
  'x-openai-isConsequential': false,
  request: { headers: ifNoneMatch },
  responses: {
    ...readResponses({
      description: 'The counts, newest hour first.',
      schema: z
        .strictObject({
          refusals: z.array(
            z.strictObject({
              hour: z.string().meta({ format: 'date-time', description: 'When the hour began, UTC.' }),
              operation: z.string(),
              code: z.string(),
              times: z.int().min(1),
            }),
          ),
        })
        .meta({ id: 'AnonymousRefusals' }),
    }),
    ...refusals(),
  },
})

const LISTING = 'audit'
const placeSchema = z.object({ after: z.object({ at: z.int(), id: z.string() }) }).loose()

/** The question of a page: that of the first one goes along in the cursor, and nothing beside it may differ. */
async function questionOf(
  { cursor, limit = DEFAULT_ENTRIES, ...asked }: z.infer<typeof pageQuery>,
  keyring: () => Promise<Keyring>,
): Promise<AuditQuery> {
  const query = queryFrom(asked)
  if (cursor === undefined) return { ...query, limit }
  const { after, ...first } = await readCursor(await keyring(), LISTING, cursor, placeSchema)
  for (const [name, value] of Object.entries(query)) if (first[name] !== value) throw notAsFirstPage(name)
  return { ...(first as Omit<AuditQuery, 'limit'>), after, limit }
}

function queryFrom({ from, to, ...rest }: z.infer<typeof filters>): Omit<AuditQuery, 'limit'> {
  const given = {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(from !== undefined && { from: instantOf(from) }),
    ...(to !== undefined && { to: instantOf(to) }),
  }
  if (given.from !== undefined && given.to !== undefined && given.to <= given.from)
    throw invalidField('/to', 'Expected a time after from.')
  return given
}

/** Adds the routes with which the owner reads and exports the audit log. */
export function addAuditRoutes(app: App): void {
  for (const route of [pageRoute, exportRoute, refusalsRoute]) app.document(() => route)

  app.get(pageRoute.getRoutingPath(), async (c) => {
    const { origin } = await asOwner(c, pageRoute.operationId)
    const { audit, keyring } = c.var.services
    const query = await questionOf(parseInput(pageQuery, queryOf(c.req.url)), keyring)
    const { entries, next } = await audit.page(query)
    const { limit, after: _here, ...question } = query
    const next_cursor = next
      ? await issueCursor(await keyring(), LISTING, { ...question, after: next })
      : null
    const more = new URLSearchParams({ cursor: next_cursor ?? '', limit: String(limit) })
    const body = { entries: entries.map(shownEntry), next_cursor }
    return readAnswer(c, body, next && `${origin}${pageRoute.path}?${more.toString()}`)
  })

  app.get(refusalsRoute.getRoutingPath(), async (c) => {
    await asOwner(c, refusalsRoute.operationId)
    const counts = await c.var.services.audit.anonymousRefusals()
    return readAnswer(c, {
      refusals: counts.map(({ hour, ...rest }) => ({ hour: new Date(hour).toISOString(), ...rest })),
    })
  })

  app.get(exportRoute.getRoutingPath(), async (c) => {
    await asOwner(c, exportRoute.operationId)
    const { format, ...asked } = parseInput(exportQuery, queryOf(c.req.url))
    return new Response(linesOf(c.var.services.audit, queryFrom(asked), format), {
      headers: {
        'Content-Type': FORMATS[format].type,
        'Content-Disposition': `attachment; filename="audit.${format}"`,
        'Cache-Control': 'no-store',
      },
    })
  })
}
