import { accepts } from 'hono/accepts'

import { clientRefusalPage, CLIENT_HEADERS } from '../api/client-link/visitor.ts'
import {
  FOR_PROGRAMS,
  NO_PAGE,
  type PersonText,
  formRefused,
  noOwnerYet,
  refusalPage,
} from '../api/discovery/page.ts'
import { safeHeaders } from '../api/http/answers.ts'
import type { AppContext } from '../api/http/app-env.ts'
import {
  type Problem,
  type ProblemBody,
  type Refusal,
  problemBody,
  refusalFacts,
} from '../core/domain/problem/problem.ts'
import { policyItem, usedUpItem } from '../core/domain/rate-limit.ts'
import { isOwnersOnly } from '../owner/access/owner-pages.ts'
import { isSafe, nameOrNone, originOrNone } from './request-context.ts'

/** The answer to what cannot be done: a problem for programs, a page for a person in a browser. */
export function refusalResponse(
  c: AppContext,
  refusal: Refusal,
  { replayed = false, audited = false, asked: stated }: Partial<Problem> = {},
) {
  c.var.log.code = refusal.code
  if (!audited) c.var.note({ event: 'refusal', code: refusal.code, about: refusalFacts(refusal) })
  const origin = originOrNone(c)
  const asked = stated ?? (isSafe(c) ? 'read' : 'commit')
  const body = problemBody(refusal, c.var.requestId, origin, asked)
  if (!isForPerson(c, refusal)) return problemResponse(body, replayed)
  const type = { 'Content-Type': 'text/html; charset=utf-8' }
  if (c.req.path.startsWith('/c/') && refusal.code !== 'not_configured') {
    const headers = safeHeaders({ ...type, ...CLIENT_HEADERS })
    return new Response(clientRefusalPage(c, body), { status: body.status, headers })
  }
  const page = refusalPage(body, { said: saidToPerson(c, body, origin), name: nameOrNone(c) })
  const headers = safeHeaders({ ...type, Vary: 'Accept' })
  return new Response(page, { status: body.status, headers })
}

/**
 * What a person reads in place of the texts for programs, where there is something better to say.
 */
function saidToPerson(c: AppContext, body: ProblemBody, origin: string): PersonText | undefined {
  if (body.code === 'not_found') {
    // A route that is known but not found waits for an owner.
    const awaitsOwner = isOwnersOnly(c.req.path) && c.var.log.operation !== 'none'
    if (awaitsOwner) return noOwnerYet(origin)
    if (isSafe(c)) return NO_PAGE
  }
  if (body.code === 'method_not_allowed') return FOR_PROGRAMS
  return isSafe(c) ? undefined : formRefused(body)
}

/**
 * A person sent a form of our pages, or typed an address into a browser: of a page, or of nothing
 * that can be opened.
 */
function isForPerson(c: AppContext, { code }: Refusal) {
  const { path } = c.req
  const isPage = path === '/' || /^\/(?:docs|mock|c)\//.test(path)
  const isTyped = isSafe(c) && (isPage || code === 'not_found' || code === 'method_not_allowed')
  const hasForms = isOwnersOnly(path) || /^\/(?:c|docs\/api)\//.test(path)
  if (!isTyped && !hasForms) return false
  const supports = ['application/problem+json', 'application/json', 'text/html']
  return (
    accepts(c, { header: 'Accept', supports, default: 'application/problem+json' }) === 'text/html'
  )
}

/** The answer where a path has other methods. */
export function methodRefusal(c: AppContext, methods: string[]) {
  const response = refusalResponse(c, { code: 'method_not_allowed', effect: 'none' })
  response.headers.set('Allow', methods.join(', '))
  return response
}

/**
 * A refusal as `application/problem+json` (RFC 9457), with the headers that belong to its status.
 */
function problemResponse(body: ProblemBody, replayed: boolean) {
  const headers = safeHeaders({ 'Content-Type': 'application/problem+json' })
  if (body.retry_after_seconds !== undefined)
    headers.set('Retry-After', String(body.retry_after_seconds))
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
