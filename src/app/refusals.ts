import type { Context as HonoContext } from 'hono'
import { accepts } from 'hono/accepts'
import { isOwnersOnly } from '../access/cors.ts'
import { safeHeaders } from '../http/security-headers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { originOrNone } from './request-context.ts'
import { FOR_PROGRAMS, noOwnerYet, refusalPage } from '../discovery/pages.ts'
import { type Problem, type Refusal, problemBody } from '../domain/problem.ts'
import { problemResponse } from '../http/problem-response.ts'

/** The answer to what cannot be done: a problem for programs, a page for a person in a browser. */
export function refusalResponse(
  c: HonoContext<AppEnv>,
  refusal: Refusal,
  { replayed, audited }: Pick<Problem, 'replayed' | 'audited'> = { replayed: false, audited: false },
): Response {
  c.var.log.code = refusal.code
  if (!audited) c.var.note({ event: 'refusal', code: refusal.code })
  const origin = originOrNone(c)
  const { requestId } = c.var
  if (!isForPerson(c, refusal)) return problemResponse(refusal, { requestId, origin, replayed })
  const body = problemBody(refusal, requestId, origin)
  // A route that is known but not found waits for an owner.
  const awaitsOwner =
    refusal.code === 'not_found' && isOwnersOnly(c.req.path) && c.var.log.operation !== 'none'
  const said = awaitsOwner
    ? noOwnerYet(origin)
    : refusal.code === 'method_not_allowed'
      ? FOR_PROGRAMS
      : undefined
  const page = refusalPage(body, said)
  const headers = safeHeaders({ 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' })
  return new Response(page, { status: body.status, headers })
}

/** Whether requests of this method change nothing. */
export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Somebody typed an address into a browser: of a page, or of nothing that can be opened. */
function isForPerson(c: HonoContext<AppEnv>, { code }: Refusal): boolean {
  const { method, path } = c.req
  const isPage = path === '/' || isOwnersOnly(path) || /^\/(?:docs|mock)\//.test(path)
  if (!isSafe(method) || !(isPage || code === 'not_found' || code === 'method_not_allowed')) return false
  const supports = ['application/problem+json', 'application/json', 'text/html']
  return accepts(c, { header: 'Accept', supports, default: 'application/problem+json' }) === 'text/html'
}

/** The answer where a path has other methods. */
export function methodRefusal(c: HonoContext<AppEnv>, methods: string[]): Response {
  const response = refusalResponse(c, { code: 'method_not_allowed', effect: 'none' })
  response.headers.set('Allow', methods.join(', '))
  return response
}
