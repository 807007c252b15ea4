import { safeHeaders } from './security-headers.ts'
import { type Refusal, problemBody } from '../domain/problem.ts'
import { policyItem, usedUpItem } from '../domain/rate-limit.ts'

/** A refusal as `application/problem+json` (RFC 9457), with the headers that belong to its status. */
export function problemResponse(
  refusal: Refusal,
  { requestId, origin, replayed = false }: { requestId: string; origin: string; replayed?: boolean },
): Response {
  const body = problemBody(refusal, requestId, origin)
  const headers = safeHeaders({ 'Content-Type': 'application/problem+json' })
  if (body.retry_after_seconds !== undefined) headers.set('Retry-After', String(body.retry_after_seconds))
  if (body.limit) {
    headers.set('RateLimit-Policy', policyItem(body.limit))
    headers.set('RateLimit', usedUpItem(body.limit, body.retry_after_seconds ?? 0))
  }
  if (body.status === 401) headers.set('WWW-Authenticate', 'Bearer realm="consult-connector"')
  // RFC 9652; the relation `status` is that of RFC 8631.
  if (body.status_url_template !== undefined)
    headers.set('Link-Template', `"${body.status_url_template}"; rel="status"`)
  if (replayed) headers.set('Idempotent-Replayed', 'true')
  return new Response(JSON.stringify(body), { status: body.status, headers })
}
