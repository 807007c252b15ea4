import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'
import { etagOf, isNamedBy } from './etag.ts'
import { safeHeaders } from './security-headers.ts'

/** The answer to a GET: JSON with its ETag, or 304 where If-None-Match names it. `next` is the address of the next page. */
export async function readAnswer(c: Context<AppEnv>, body: object, next?: string): Promise<Response> {
  const text = JSON.stringify(body)
  const etag = await etagOf(text)
  const headers = safeHeaders({ ETag: etag })
  if (next !== undefined) headers.set('Link', `<${next}>; rel="next"`)
  if (isNamedBy(c.req.header('If-None-Match'), etag)) return new Response(null, { status: 304, headers })
  headers.set('Content-Type', 'application/json')
  return new Response(text, { headers })
}
