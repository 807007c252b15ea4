import type { Context } from 'hono'
import type { AppEnv, Site } from '../app-env.ts'

interface Made {
  body: string
  etag: string
}

/** Loopback can be called under several names and ports; more than these are not remembered. */
const MOST_ORIGINS = 16

const hashed = async (body: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  const hex = [...new Uint8Array(digest.slice(0, 12))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return `"${hex}"`
}

/** A public document: made once per address of this service, with an ETag, and answered with 304 where that still holds. */
export function publicDocument(
  name: string,
  type: string,
  cacheControl: string,
  make: (site: Site) => string | Promise<string>,
) {
  const made = new Map<string, Made>()
  return async (c: Context<AppEnv>): Promise<Response> => {
    c.var.log.operation = name
    const site = c.var.site()
    let document = made.get(site.origin)
    if (!document) {
      const body = await make(site)
      document = { body, etag: await hashed(body) }
      if (made.size < MOST_ORIGINS) made.set(site.origin, document)
    }
    return answer(c, document, type, cacheControl)
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
  return answer(c, { body, etag: await hashed(body) }, type, 'no-cache')
}

function answer(c: Context<AppEnv>, { body, etag }: Made, type: string, cacheControl: string): Response {
  const headers = { ETag: etag, 'Cache-Control': cacheControl }
  const known = c.req
    .header('If-None-Match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(etag) || known?.includes('*')) return c.body(null, 304, headers)
  return c.body(body, 200, { ...headers, 'Content-Type': type })
}
