import { problem } from '../domain/problem.ts'
import { SCOPES, type Scope } from '../domain/scopes.ts'

/** Who is calling, and what they may do. */
export interface Principal {
  /** Stays the same for as long as the caller does; idempotency keys belong to it. */
  caller: string
  scopes: readonly Scope[]
}

const ANONYMOUS: Principal = { caller: 'anonymous', scopes: Object.keys(SCOPES) as Scope[] }

/**
 * The caller of a request. Raises `unauthenticated`. Anonymous callers exist for a local trial only; API keys and OAuth
 * do not exist yet.
 */
export function principalOf(_request: Request, { allowAnonymous }: { allowAnonymous: boolean }): Principal {
  if (allowAnonymous) return ANONYMOUS
  throw problem('unauthenticated')
}
