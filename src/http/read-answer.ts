import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'
import { safeHeaders } from './security-headers.ts'
import { sha256 } from '../crypto/encoding.ts'

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

/** The address of the next page, under the public origin: the cursor carries the question but for its zone and limit. */
export function nextAddress(url: string, origin: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url)
  const kept = [...searchParams].filter(([name]) => name === 'timezone' || name === 'limit')
  return `${origin}${pathname}?${new URLSearchParams([...kept, ['cursor', cursor]]).toString()}`
}

/** A strong ETag of a whole body: 128 bits of its hash. */
export const etagOf = async (body: string | Uint8Array): Promise<string> =>
  `"${(await sha256(body)).slice(0, 32)}"`

/** Whether If-None-Match names this ETag, compared weakly (RFC 9110). */
export const isNamedBy = (header: string | undefined, etag: string): boolean =>
  header?.trim() === '*' || (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag)

/** Answers with a script or a style sheet of our pages. */
export const asset = (text: string, type: string) => (c: Context<AppEnv>) =>
  c.body(text, 200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'public, max-age=300' })
