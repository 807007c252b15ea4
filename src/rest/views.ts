import type { RouteConfig } from '@hono/zod-openapi'
import * as z from 'zod'
import type { Context as HonoContext } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { safeHeaders } from '../http/security-headers.ts'
import { credentialWith } from '../domain/scopes.ts'
import { problemsOf } from '../operations/operation.ts'
import { answerHeaders, problemResponses } from '../openapi/responses.ts'
import { type View, look } from '../operations/view.ts'
import { queryOf } from '../http/query.ts'

const isListing = ({ output }: View): boolean => 'next_cursor' in output.shape

/** The documentation of the route of a view. */
export function viewRoute(view: View): RouteConfig {
  const { name, http, title, description, scope, input, output, example } = view
  const inPath = [...http.path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!)
  const part = (wanted: boolean) =>
    z.strictObject(
      Object.fromEntries(
        Object.entries(input.shape).filter(([field]) => inPath.includes(field) === wanted),
      ) as z.ZodRawShape,
    )
  const headers = isListing(view) ? answerHeaders('ETag', 'Link') : answerHeaders('ETag')
  return {
    ...http,
    operationId: name,
    tags: ['Operations'],
    summary: title,
    description,
    security: credentialWith(scope),
    'x-openai-isConsequential': false,
    request: {
      query: part(false),
      ...(inPath.length > 0 ? { params: part(true) } : {}),
      headers: z.object({
        'If-None-Match': z
          .string()
          .optional()
          .meta({ description: 'The ETag of an earlier answer; 304 if it would be the same.' }),
      }),
    },
    responses: {
      200: {
        description: output.description ?? title,
        headers,
        content: { 'application/json': { schema: output, example: example.result } },
      },
      304: { description: 'The answer is the one that If-None-Match names.', headers },
      ...problemResponses(problemsOf(view)),
    },
  }
}

/** Answers with the view, its ETag, and the address of the next page. */
export async function showView(view: View, c: HonoContext<AppEnv>): Promise<Response> {
  const log = c.get('log')
  log.operation = view.name
  const context = await c.get('context')()
  log.mode = view.mode(context.ports)
  const path: Record<string, string> = c.req.param()
  const body = await look(view, { fields: queryOf(c.req.url), path }, context)
  const text = JSON.stringify(body)
  const etag = await etagOf(text)
  const headers = safeHeaders({ ETag: etag })
  const next = body['next_cursor']
  if (typeof next === 'string')
    headers.set('Link', `<${nextAddress(c.req.url, context.origin, next)}>; rel="next"`)
  if (isNamedBy(c.req.header('If-None-Match'), etag)) return new Response(null, { status: 304, headers })
  headers.set('Content-Type', 'application/json')
  return new Response(text, { headers })
}

async function etagOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `"${[...new Uint8Array(hash).slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}

/** Compared weakly, as If-None-Match wants it (RFC 9110). */
const isNamedBy = (header: string | undefined, etag: string): boolean =>
  header === '*' || (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag)

/** The same question with the cursor, under the public address. The cursor is all that is needed; a zone goes along. */
function nextAddress(url: string, origin: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url)
  const timezone = searchParams.get('timezone')
  const query = new URLSearchParams({ ...(timezone === null ? {} : { timezone }), cursor })
  return `${origin}${pathname}?${query.toString()}`
}
