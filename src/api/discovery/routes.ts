import type { RouteConfig } from '@hono/zod-openapi'
import * as z from 'zod'

import { modeSchema } from '../../core/domain/mode.ts'
import { hostOf } from '../../core/domain/origin.ts'
import { mockCheckoutPath, type Invoice } from '../../core/domain/payment-link.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import { type DegradedReason, DEGRADED_REASONS } from '../../core/domain/provider-health.ts'
import { VERSION } from '../../core/version.ts'
import { orNull } from '../../practice/operations/schemas.ts'
import { safeHeaders } from '../http/answers.ts'
import type { App, Site, AppContext } from '../http/app-env.ts'
import { ICON, nameAtHead } from '../http/html.ts'
import { answerHeaders, problemResponses, refusalOf } from '../openapi/responses.ts'
import { SANDBOXED, apiReferencePage } from './api-reference.ts'
import {
  MOST_ORIGINS,
  freshDocument,
  publicDocument,
  examplePrompts,
  llmsText,
} from './document.ts'
import { errorsMarkdown, errorsPage } from './errors-page.ts'
import { docsPage, welcomePage } from './home-page.ts'
import { mockCheckoutPage } from './page.ts'
import {
  API_CATALOG,
  CATALOG_LINK,
  LINKSET,
  ROBOTS,
  SECURITY_TXT,
  apiCatalog,
  securityTxt,
} from './well-known.ts'

const JSON_TYPE = 'application/json'
const TEXT = 'text/plain; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const HTML = 'text/html; charset=utf-8'
const OF_ICON = {
  'Cache-Control': 'public, max-age=86400',
  // Hosts of agents show the icon on pages of their own.
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

const REASONS = Object.keys(DEGRADED_REASONS) as [DegradedReason, ...DegradedReason[]]
const reasonNotes = () =>
  'Why it is degraded; empty while it is not. ' +
  `${REASONS.map((reason) => `\`${reason}\`: ${DEGRADED_REASONS[reason]}`).join(' ')} ` +
  'A provider refuses also where it refuses only a change.'

const healthSchema = z
  .strictObject({
    status: z.enum(['ok', 'degraded']).meta({
      description:
        '`degraded` while the owner has something to fix. The status is still 200, or 503 with `?strict=1`.',
    }),
    reasons: z.array(z.enum(REASONS)).meta({ description: reasonNotes() }),
    version: z.string(),
    adapters: z.strictObject({ scheduling: modeSchema, payments: modeSchema }),
    needs_attention: orNull(z.int()).meta({
      description:
        'How many operations have an outcome that a person has to find out; null if this could not be read.',
    }),
  })
  .meta({ id: 'Health' })

const PUBLIC_DOCUMENTS = [
  '/health',
  '/openapi.json',
  '/llms.txt',
  '/docs/example-prompts.md',
  '/docs/errors',
  '/docs/errors.md',
  '/docs',
  '/docs/api',
  '/audit/keys',
  '/audit/key-chain',
  API_CATALOG,
  '/',
] as const

export const isPublicDocument = (path: string) =>
  (PUBLIC_DOCUMENTS as readonly string[]).includes(path)

const NOT_CONFIGURED = refusalOf(['not_configured'])

interface PublicPath {
  path: (typeof PUBLIC_DOCUMENTS)[number]
  operationId: string
  summary: string
  type: string
  schema?: z.ZodType
  request?: RouteConfig['request']
  /** Beside those of every public document. */
  responses?: RouteConfig['responses']
  handle(c: AppContext): Promise<Response>
}

interface DiscoverySources {
  openApi(site: Site): object
  mockInvoice(id: string): Invoice | undefined
  /** The reasons why the owner has to act, and how many operations wait for a person. Never throws. */
  health(c: AppContext): Promise<{ reasons: DegradedReason[]; needs_attention: number | null }>
}

/** Adds the public documents; `openApi` makes the OpenAPI document once all routes are there. */
export function addDiscoveryRoutes(app: App, { openApi, mockInvoice, health }: DiscoverySources) {
  for (const one of publicPaths(openApi, health)) addPublicPath(app, one)
  addFiles(app)
  app.get(mockCheckoutPath(':invoice_id'), (c) => {
    c.var.log.operation = 'mock_checkout'
    const isMock = c.var.site().modes.payments === 'mock'
    const invoice = isMock ? mockInvoice(c.req.param('invoice_id')) : undefined
    if (!invoice) throw problem('not_found')
    return c.html(mockCheckoutPage(invoice, nameAtHead(c.var.site().practice.name)), 200, {
      'Cache-Control': 'no-store',
    })
  })
}

/** The documents that are in the OpenAPI document themselves. */
function publicPaths(
  openApi: DiscoverySources['openApi'],
  health: DiscoverySources['health'],
): PublicPath[] {
  // Anyone may ask for the keys: an isolate asks the audit log once.
  const known = new Map<string, string[]>()
  return [
    {
      path: '/health',
      operationId: 'health',
      summary: 'Check that the connector is up',
      type: JSON_TYPE,
      schema: healthSchema,
      request: {
        query: z.object({
          strict: z.enum(['1']).optional().meta({
            description:
              'With 1, a degraded connector answers 503, for monitors that look only at the status.',
          }),
        }),
      },
      responses: {
        503: {
          ...NOT_CONFIGURED,
          description:
            'The connector is degraded and `strict=1` was sent; or it is not configured.',
          content: { [JSON_TYPE]: { schema: healthSchema }, ...NOT_CONFIGURED.content },
        },
      },
      async handle(c) {
        const adapters = c.var.site().modes
        const found = await health(c)
        const status = found.reasons.length === 0 ? 'ok' : 'degraded'
        const body = healthSchema.parse({ status, version: VERSION, adapters, ...found })
        const text = JSON.stringify(body)
        if (status === 'ok' || c.req.query('strict') !== '1')
          return freshDocument(c, 'health', JSON_TYPE, text)
        // Without an ETag: a monitor that has seen the same before is told again.
        c.var.log.operation = 'health'
        const headers = safeHeaders({ 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-cache' })
        return new Response(text, { status: 503, headers })
      },
    },
    {
      path: '/openapi.json',
      operationId: 'openapi',
      summary: 'Get this document',
      type: JSON_TYPE,
      schema: z.record(z.string(), z.unknown()),
      handle: publicDocument('openapi', JSON_TYPE, (site) => JSON.stringify(openApi(site))),
    },
    {
      path: '/llms.txt',
      operationId: 'llms',
      summary: 'Get a description of the service for agents',
      type: TEXT,
      handle: publicDocument('llms', TEXT, llmsText),
    },
    {
      path: '/docs/example-prompts.md',
      operationId: 'example_prompts',
      summary: 'Get three example prompts',
      type: MARKDOWN,
      handle: publicDocument('example_prompts', MARKDOWN, examplePrompts),
    },
    {
      path: '/docs/errors',
      operationId: 'errors_page',
      summary: 'Get every problem code, and what to do about it',
      type: HTML,
      handle: publicDocument('errors', HTML, ({ practice }) =>
        errorsPage(nameAtHead(practice.name)),
      ),
    },
    {
      path: '/audit/keys',
      operationId: 'audit_keys',
      summary: 'Get the public keys of the audit log',
      type: TEXT,
      async handle(c) {
        const { origin } = c.var.site()
        if (origin === '') throw problem('not_configured', { detail: 'PUBLIC_URL is not set.' })
        await c.var.services.keyring()
        const vkeys = known.get(origin) ?? (await c.var.services.audit.vkeys(hostOf(origin)))
        if (known.size < MOST_ORIGINS) known.set(origin, vkeys)
        return freshDocument(c, 'audit_keys', TEXT, vkeys.map((vkey) => `${vkey}\n`).join(''))
      },
    },
    {
      path: '/',
      operationId: 'home_page',
      summary: 'Get the start page',
      type: HTML,
      handle: publicDocument('home', HTML, welcomePage, CATALOG_LINK),
    },
  ]
}

function addPublicPath(
  app: App,
  { path, operationId, summary, type, schema, request, responses, handle }: PublicPath,
) {
  const description = summary
  app.document(() => ({
    method: 'get',
    path,
    operationId,
    summary,
    description,
    security: [],
    ...(request && { request }),
    responses: {
      200: {
        description,
        headers: answerHeaders(),
        content: { [type.split(';')[0]!]: { schema: schema ?? z.string() } },
      },
      304: { description: 'Not modified since the given ETag.' },
      ...problemResponses(['address_not_allowed', 'internal_error', 'not_configured']),
      ...responses,
    },
  }))
  app.get(path, handle)
}

/** The pages for people, and what programs ask for at addresses that are agreed. */
function addFiles(app: App) {
  app.get('/docs', publicDocument('docs', HTML, docsPage, CATALOG_LINK))
  app.get(
    '/docs/api',
    publicDocument(
      'api_reference',
      HTML,
      ({ practice }) => apiReferencePage(nameAtHead(practice.name)),
      SANDBOXED,
    ),
  )
  app.get('/docs/errors.md', publicDocument('errors', MARKDOWN, errorsMarkdown))
  // For our own commands: every key of the log, the first one first, each in a note of those before it.
  app.get('/audit/key-chain', async (c) => {
    const keys = await c.var.services.audit.keyChain()
    return freshDocument(c, 'audit_key_chain', JSON_TYPE, JSON.stringify({ keys }))
  })
  app.get(API_CATALOG, publicDocument('api_catalog', LINKSET, apiCatalog, CATALOG_LINK))
  app.get(
    '/robots.txt',
    publicDocument('robots', TEXT, () => ROBOTS),
  )
  // Browsers ask for the second one by themselves where a page names none.
  for (const path of ['/favicon.svg', '/favicon.ico'])
    app.get(
      path,
      publicDocument('favicon', 'image/svg+xml', () => ICON, OF_ICON),
    )
  app.get(SECURITY_TXT, (c) => {
    const { securityContact } = c.var.site()
    if (securityContact === null) throw problem('not_found')
    const text = securityTxt(c.var.site(), securityContact, Date.now())
    return freshDocument(c, 'security_txt', TEXT, text)
  })
}
