import * as z from 'zod'
import { type App, createRoute } from '../http/app-env.ts'
import { scalarSchema } from '../domain/facts.ts'
import { nextCursorField } from '../operations/pagination.ts'
import { hostOf } from '../domain/origin.ts'
import { parseInput } from '../operations/validation.ts'
import { queryOf } from '../http/query.ts'
import { readAnswer } from '../http/read-answer.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { adminRoute, asAuditor, asOwner, auditRoute, refusals } from './admin.ts'
import { asFile, linesOf, shownEntry } from './audit-export.ts'
import { callerOfPack, packOf } from './audit-pack.ts'
import { addAuditProofRoutes } from './audit-proofs.ts'
import {
  cursorAfter,
  eventSchema,
  exportQuery,
  filtersOf,
  pageQuery,
  pageQueryOf,
  requireNoFilters,
} from './audit-query.ts'

const orNull = (description: string) => z.union([z.string(), z.null()]).meta({ description })

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

const pageRoute = createRoute({
  ...auditRoute,
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
  ...auditRoute,
  method: 'get',
  path: '/v1/audit/export',
  operationId: 'export_audit_entries',
  summary: 'Export the audit log',
  description:
    'All entries that are asked for, newest first, as a file. If it breaks off, it is not whole: ask again, or for a shorter time. As a `pack` it is the whole log in the order of its numbers, takes no filters, and can be checked offline with `npm run verify`: it ends with a signed checkpoint.',
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

/** Adds the routes with which the owner reads and exports the audit log. */
export function addAuditRoutes(app: App): void {
  for (const route of [pageRoute, exportRoute, refusalsRoute]) app.document(() => route)
  addAuditProofRoutes(app)

  app.get(pageRoute.getRoutingPath(), async (c) => {
    const { origin } = await asAuditor(c, pageRoute.operationId)
    const { audit, keyring } = c.var.services
    const query = await pageQueryOf(parseInput(pageQuery, queryOf(c.req.url)), keyring)
    const { entries, next } = await audit.page(query)
    const next_cursor = next ? await cursorAfter(next, query, keyring) : null
    const more = new URLSearchParams({ cursor: next_cursor ?? '', limit: String(query.limit) })
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
    const { origin } = await asAuditor(c, exportRoute.operationId)
    const { format, ...asked } = parseInput(exportQuery, queryOf(c.req.url))
    const { audit, access } = c.var.services
    if (format === 'pack') {
      requireNoFilters(asked)
      const callers = (await access.listKeys()).map(callerOfPack)
      return asFile(packOf(audit, await audit.state(hostOf(origin)), callers, Date.now()), 'pack')
    }
    return asFile(linesOf(audit, filtersOf(asked), format), format)
  })
}
