import type { Context } from 'hono'
import type { AppEnv, Site } from '../http/app-env.ts'
import { etagOf, isNamedBy } from '../http/etag.ts'
import { safeHeaders } from '../http/security-headers.ts'

interface Made {
  body: Uint8Array
  etag: string
  /** With the body, and without it where the caller has it already. */
  headers: { whole: Headers; unchanged: Headers }
}

/** Loopback can be called under several names and ports; more than these are not remembered. */
export const MOST_ORIGINS = 16

/**
 * A public document: made once per address of this service, with an ETag, and answered with 304 where that still holds.
 * `own` are headers of its own.
 */
export function publicDocument(
  name: string,
  type: string,
  cacheControl: string,
  make: (site: Site) => string | Promise<string>,
  own: Record<string, string> = {},
) {
  const made = new Map<string, Made>()
  return async (c: Context<AppEnv>): Promise<Response> => {
    c.get('log').operation = name
    const site = c.get('site')()
    let document = made.get(site.origin)
    if (!document) {
      document = await madeOf(await make(site), type, { 'Cache-Control': cacheControl, ...own })
      if (made.size < MOST_ORIGINS) made.set(site.origin, document)
    }
    return answer(c, document)
  }
}

/** A public answer that is made anew each time, with an ETag all the same. */
export async function freshDocument(
  c: Context<AppEnv>,
  name: string,
  type: string,
  body: string,
): Promise<Response> {
  c.var.log.operation = name
  return answer(c, await madeOf(body, type, { 'Cache-Control': 'no-cache' }))
}

async function madeOf(text: string, type: string, own: Record<string, string>): Promise<Made> {
  const body = new TextEncoder().encode(text)
  const etag = await etagOf(body)
  const named = { ETag: etag, ...own }
  const headers = { whole: safeHeaders({ ...named, 'Content-Type': type }), unchanged: safeHeaders(named) }
  return { body, etag, headers }
}

function answer(c: Context<AppEnv>, { body, etag, headers }: Made): Response {
  if (isNamedBy(c.req.header('If-None-Match'), etag))
    return new Response(null, { status: 304, headers: headers.unchanged })
  return new Response(body, { headers: headers.whole })
}
