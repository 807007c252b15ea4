import { problem } from '../domain/problem.ts'
import { SCOPES, type Scope } from '../domain/scopes.ts'
import type { Access } from '../ports/access.ts'
import { sha256 } from '../crypto/encoding.ts'
import { hashApiKey, isApiKey } from '../crypto/api-key.ts'
import type { LookUp } from './lookups.ts'

/** Who is calling, and what they may do. */
export interface Principal {
  /** Stays the same for as long as the caller does; idempotency keys belong to it. */
  caller: string
  /** The name of the credential, for a person. */
  label: string
  /** The host of the client app, where an app calls. */
  app?: string
  scopes: readonly Scope[]
  /** Those of them that the owner granted this credential by name: none of a credential that may do everything anyway. */
  granted: readonly Scope[]
}

/** What a credential is checked against. */
export interface AuthOptions {
  /** A local trial: callers need no credential. */
  allowAnonymous: boolean
  /** SHA-256 of the owner's first key, from the secrets; it may do everything. */
  ownerKeyHash: string | undefined
  access: Pick<Access, 'findKey' | 'hasKeys'>
  lookUp: LookUp
  /** Where the request came from: those who make credentials up are slowed down by it. */
  address: string
  /** The caller of an OAuth access token, where one is good at all. */
  accessToken?: (token: string) => Promise<Principal | undefined>
  /** Whether an owner is there who can let apps in. */
  hasOwner?: () => Promise<boolean>
  /** The connector answers under a public address. */
  deployed: boolean
}

/** The form of an access token; nothing else is looked up. */
const ACCESS_TOKEN = /^[^:]+:[^:]+:[^:]+$/

const ALL_SCOPES = Object.keys(SCOPES) as Scope[]
const ANONYMOUS: Principal = { caller: 'anonymous', label: 'Local trial', scopes: ALL_SCOPES, granted: [] }
/** The caller that an API key is, through all its rotations. */
export const callerOfKey = (id: string): string => `key:${id}`

/** Whoever comes with the owner's first key. */
export const OWNER: Principal = { caller: 'owner', label: 'Owner', scopes: ALL_SCOPES, granted: [] }

/**
 * The caller of a request: an API key as bearer token or in X-API-Key. Raises one and the same `unauthenticated` for a
 * credential that is missing, unknown, revoked or expired, `rate_limited` where too many unknown ones came from the
 * address, and `not_configured` on a deployed Worker that has none to check against.
 */
export async function principalOf(request: Request, door: AuthOptions): Promise<Principal> {
  const token = credentialOf(request)
  if (token === undefined) {
    if (door.allowAnonymous) return ANONYMOUS
    const checkable = !door.deployed || door.ownerKeyHash !== undefined || (await door.access.hasKeys())
    if (checkable || (await door.hasOwner?.())) throw problem('unauthenticated')
    throw problem('not_configured', { detail: 'There is no API key yet to check against.' })
  }
  const { accessToken } = door
  if (!isApiKey(token)) {
    if (!accessToken || !ACCESS_TOKEN.test(token)) throw problem('unauthenticated')
    const principal = await door.lookUp(await sha256(token), door.address, () => accessToken(token))
    if (principal) return principal
    throw problem('unauthenticated')
  }
  const hash = await hashApiKey(token)
  if (hash === door.ownerKeyHash) return OWNER
  const key = await door.lookUp(hash, door.address, () => door.access.findKey(hash))
  if (!key) throw problem('unauthenticated')
  const scopes = ALL_SCOPES.filter((scope) => key.scopes.includes(scope))
  return { caller: callerOfKey(key.id), label: key.name, scopes, granted: scopes }
}

function credentialOf(request: Request): string | undefined {
  const authorization = request.headers.get('Authorization')
  if (authorization !== null) return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  return request.headers.get('X-API-Key') ?? undefined
}
