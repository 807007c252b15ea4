import type { Context as HonoContext } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import type { ProblemCode } from '../domain/problems.ts'
import { credentialWith, requireScope } from '../domain/scopes.ts'
import type { Context } from '../operations/perform.ts'
import { SCOPED_ROUTE_PROBLEMS, problemResponses } from '../openapi/responses.ts'

/** The caller, if it is the owner; `operation` names the call in the log. Raises `unauthenticated` or `insufficient_scope`. */
export async function asOwner(c: HonoContext<AppEnv>, operation: string): Promise<Context> {
  c.var.log.operation = operation
  const context = await c.var.context()
  requireScope(context.scopes, 'admin')
  return context
}

/** The caller, if it may read the audit log: the owner, or an auditor. Raises `unauthenticated` or `insufficient_scope`. */
export async function asAuditor(c: HonoContext<AppEnv>, operation: string): Promise<Context> {
  c.var.log.operation = operation
  const context = await c.var.context()
  requireScope(context.scopes, 'audit:read', 'admin')
  return context
}

/** What the documentation of every route of the owner says. */
export const adminRoute = {
  tags: ['Administration'],
  security: credentialWith('admin'),
}

/** The same of the routes that an auditor has, too. */
export const auditRoute = {
  ...adminRoute,
  security: [...credentialWith('audit:read'), ...credentialWith('admin')],
}

/** The refusals that every route of the owner can give, and those that this one can give besides, documented. */
export const refusals = (...more: ProblemCode[]) => problemResponses([...SCOPED_ROUTE_PROBLEMS, ...more])

/** What a route that reads a body can refuse. */
export const BODY_REFUSALS = ['validation_failed', 'payload_too_large', 'unsupported_media_type'] as const
