import { parseAccept } from 'hono/utils/accept'

import { sha256 } from '../../core/crypto/encoding.ts'

/** What a page may load and do: our own styles and icon, no script, no form, no frame around it. */
const CONTENT_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; " +
  "base-uri 'none'; form-action 'none'"

/**
 * The headers of every answer, as OWASP has them for APIs, with our own styles and icon for the pages:
 * https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html
 */
const SAFE = new Headers({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': CONTENT_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  // A page that sends no referrer at all hides the origin of its forms.
  'Referrer-Policy': 'same-origin',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
})

/** An answer with this header has them all: nothing else sets it. */
const MARK = 'X-Permitted-Cross-Domain-Policies'

/** The headers of every answer with those of one. Copying all costs less than setting a single one. */
export function safeHeaders(own: Record<string, string>): Headers {
  const headers = new Headers(SAFE)
  for (const [name, value] of Object.entries(own)) headers.set(name, value)
  return headers
}

/** Adds the missing headers to an answer that was made without them, as by a library. */
export function makeSafe(headers: Headers) {
  if (headers.has(MARK)) return
  for (const [name, value] of SAFE) if (!headers.has(name)) headers.set(name, value)
}

const encoder = new TextEncoder()

/** The headers of every answer in JSON: `new Response` makes its own copy of them. */
const JSON_HEADERS = safeHeaders({ 'Content-Type': 'application/json' })

export function jsonAnswer(body: object, own: Record<string, string> = {}) {
  const response = new Response(JSON.stringify(body), { headers: JSON_HEADERS })
  for (const [name, value] of Object.entries(own)) response.headers.set(name, value)
  return response
}

/**
 * The answer to a GET: JSON with its ETag, or 304 where If-None-Match names it. A text under
 * `cursor` leads to the next page: it carries the question but for its zone and limit.
 */
export async function readAnswer(
  request: Request,
  body: object,
  next?: { origin: string; cursor: unknown },
) {
  const bytes = encoder.encode(JSON.stringify(body))
  const etag = await etagOf(bytes)
  const response = isNamedBy(request, etag)
    ? new Response(null, { status: 304, headers: safeHeaders({}) })
    : new Response(bytes, { headers: JSON_HEADERS })
  const { headers } = response
  headers.set('ETag', etag)
  if (typeof next?.cursor === 'string') {
    const { pathname, searchParams } = new URL(request.url)
    const kept = [...searchParams].filter(([name]) => name === 'timezone' || name === 'limit')
    const query = new URLSearchParams([...kept, ['cursor', next.cursor]])
    headers.set('Link', `<${next.origin}${pathname}?${query.toString()}>; rel="next"`)
  }
  return response
}

/** A strong ETag of a whole body: 128 bits of its hash. */
export const etagOf = async (body: string | Uint8Array) => `"${(await sha256(body)).slice(0, 32)}"`

/** Whether If-None-Match names this ETag, compared weakly (RFC 9110). */
export function isNamedBy({ headers }: Request, etag: string): boolean {
  const names = headers.get('If-None-Match')
  if (names === null) return false
  return (
    names.trim() === '*' || names.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
  )
}

/**
 * Whether JSON is acceptable (RFC 9110, section 12.5.1): because nothing is said, or by the most
 * specific range that holds it.
 */
export function acceptsJson(accept: string | null): boolean {
  if (accept === null || accept.trim() === '') return true
  const ranges = parseAccept(accept.toLowerCase())
  for (const range of JSON_RANGES) {
    const decisive = ranges.find(({ type }) => type === range)
    if (decisive) return decisive.q > 0
  }
  return false
}

/** The ranges of media types that hold JSON, the most specific one first. */
const JSON_RANGES = ['application/json', 'application/*', '*/*']
