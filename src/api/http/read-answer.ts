import type { Context } from 'hono'

import { sha256 } from '../../core/crypto/encoding.ts'
import type { AppEnv } from './app-env.ts'
import { JSON_HEADERS, safeHeaders } from './security-headers.ts'

/**
 * The answer to a GET: JSON with its ETag, or 304 where If-None-Match names it. A text under
 * `cursor` leads to the next page: it carries the question but for its zone and limit.
 */
export async function readAnswer(
  c: Context<AppEnv>,
  body: object,
  next?: { origin: string; cursor: unknown },
): Promise<Response> {
  const text = JSON.stringify(body)
  const etag = await etagOf(text)
  const response = isNamedBy(c.req.header('If-None-Match'), etag)
    ? new Response(null, { status: 304, headers: safeHeaders({}) })
    : new Response(text, { headers: JSON_HEADERS })
  const { headers } = response
  headers.set('ETag', etag)
  if (typeof next?.cursor === 'string') {
    const { pathname, searchParams } = new URL(c.req.url)
    const kept = [...searchParams].filter(([name]) => name === 'timezone' || name === 'limit')
    const query = new URLSearchParams([...kept, ['cursor', next.cursor]])
    headers.set('Link', `<${next.origin}${pathname}?${query.toString()}>; rel="next"`)
  }
  return response
}

/** A strong ETag of a whole body: 128 bits of its hash. */
export const etagOf = async (body: string | Uint8Array): Promise<string> =>
  `"${(await sha256(body)).slice(0, 32)}"`

/** Whether If-None-Match names this ETag, compared weakly (RFC 9110). */
export const isNamedBy = (header: string | undefined, etag: string): boolean =>
  header?.trim() === '*' ||
  (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
