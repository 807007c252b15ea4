import type { Context as HonoContext } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { ProblemCode } from '../domain/problems.ts'
import { credentialWith } from '../domain/scopes.ts'
import type { Context } from '../operations/perform.ts'
import { problemResponses } from '../operations/problem-responses.ts'
import type { Access } from '../ports/access.ts'
import type { AuditLog } from '../ports/audit.ts'
import type { ClientDeletion, Doubts } from '../ports/index.ts'
import type { Finding } from './checks.ts'

/** What the routes of the owner work with. */
export interface Admin {
  /** The caller, if it is the owner. Raises `unauthenticated` or `insufficient_scope`. */
  asOwner(c: HonoContext<AppEnv>, operation: string): Promise<Context>
  audit(c: HonoContext<AppEnv>): AuditLog
  access(c: HonoContext<AppEnv>): Access
  doubts(c: HonoContext<AppEnv>): Doubts
  clientDeletion(c: HonoContext<AppEnv>): ClientDeletion
  /** Runs the checks of the inside. */
  examine(c: HonoContext<AppEnv>): Promise<Finding[]>
  /** A new API key, and the hash under which it is kept. */
  newSecret(c: HonoContext<AppEnv>): Promise<{ key: string; hash: string }>
  /** Raises `payload_too_large` or `unsupported_media_type`. */
  readJson(request: Request): Promise<unknown>
  /** The query as fields. */
  readQuery(request: Request): Record<string, string | string[]>
}

/** What the documentation of every route of the owner says. */
export const adminRoute = {
  tags: ['Administration'],
  security: credentialWith('admin'),
}

/** The refusals that every route of the owner can give, and those that this one can give besides, documented. */
export const refusals = (...more: ProblemCode[]) =>
  problemResponses([
    'unauthenticated',
    'address_not_allowed',
    'insufficient_scope',
    'rate_limited',
    'internal_error',
    'not_configured',
    ...more,
  ])

/** What a route that reads a body can refuse. */
export const BODY_REFUSALS = ['validation_failed', 'payload_too_large', 'unsupported_media_type'] as const
