import { hashApiKey, isApiKey } from '../../core/crypto/api-key.ts'
import { sha256 } from '../../core/crypto/encoding.ts'
import { BoundedMap } from '../../core/domain/bounded-map.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import type { RateLimit } from '../../core/domain/rate-limit.ts'
import {
  ANONYMOUS_CALLER,
  DEFAULT_SCOPES,
  SCOPES,
  type Scope,
  TRIAL_CALLER,
  TRIAL_GRANTS,
} from '../../core/domain/scopes.ts'
import { MINUTE, SECOND } from '../../core/domain/time/duration.ts'
import { dateIn } from '../../core/domain/time/time.ts'
import type { Access } from '../../core/ports/access.ts'
import type { AccessServices } from '../../core/ports/services.ts'
import type { Settings } from '../../core/settings.ts'

/** Who is calling, and what they may do. */
export interface Principal {
  /** Stays the same as long as the caller does; idempotency keys belong to it. */
  caller: string
  label: string
  app?: string
  scopes: readonly Scope[]
  /** The scopes that the owner granted this credential by name; none if it may do everything anyway. */
  granted: readonly Scope[]
  /** The end of an API key in epoch milliseconds; null if it has none, and for any other credential. */
  expiresAt: number | null
}

interface AuthOptions {
  settings: Pick<Settings, 'allowAnonymous' | 'OWNER_KEY_SHA256' | 'RESTORED_AT'>
  services: Pick<AccessServices, 'access' | 'trialKeyHash'>
  lookUp: LookUp
  /** Where the request came from; unknown credentials are throttled by it. */
  address(): string
  accessToken?: (token: string) => Promise<Principal | undefined>
  hasOwner?: () => Promise<boolean>
  /** The request came to a public address: no caller is anonymous there, whatever the settings say. */
  deployed: boolean
  isFresh?: boolean
}

const ACCESS_TOKEN = /^[^:]+:[^:]+:[^:]+$/

const ALL_SCOPES = Object.keys(SCOPES) as Scope[]
const EVERYTHING = { scopes: DEFAULT_SCOPES, granted: [], expiresAt: null }
export const ANONYMOUS: Principal = {
  caller: ANONYMOUS_CALLER,
  label: 'Local trial',
  ...EVERYTHING,
}
export const TRIAL: Principal = {
  caller: TRIAL_CALLER,
  label: 'Trial key',
  scopes: ALL_SCOPES.filter((one) => [...DEFAULT_SCOPES, ...TRIAL_GRANTS].includes(one)),
  granted: TRIAL_GRANTS,
  expiresAt: null,
}
/** The caller that an API key is, through all its rotations. */
export const callerOfKey = (id: string) => `key:${id}`

export const OWNER: Principal = { caller: 'owner', label: 'Owner', ...EVERYTHING }
/** The same after a restore, until the owner has confirmed it. */
const UNCONFIRMED: Principal = {
  ...OWNER,
  scopes: OWNER.scopes.filter((scope) => scope !== 'admin'),
}

/**
 * The caller of a request, by an API key (bearer or X-API-Key) or an access token. Raises `unauthenticated`
 * for a missing, unknown, revoked or expired one alike, `rate_limited` for too many unknown ones from an
 * address, and `not_configured` on a deployed Worker that has no key to check against.
 */
export async function principalOf(request: Request, door: AuthOptions): Promise<Principal> {
  const token = credentialOf(request)
  const { settings, services } = door
  if (token === undefined) {
    if (settings.allowAnonymous && !door.deployed) return ANONYMOUS
    const checkable =
      !door.deployed || settings.OWNER_KEY_SHA256 !== undefined || (await services.access.hasKeys())
    if (checkable || (await door.hasOwner?.())) throw problem('unauthenticated')
    throw problem('not_configured', { detail: 'There is no API key yet to check against.' })
  }
  const { accessToken } = door
  if (!isApiKey(token)) {
    if (!accessToken || !ACCESS_TOKEN.test(token))
      throw problem('unauthenticated', { detail: whatIsNoCredential(request, token) })
    const principal = await door.lookUp(await sha256(token), door.address(), () =>
      accessToken(token),
    )
    if (principal) return principal
    throw problem('unauthenticated')
  }
  const hash = await hashApiKey(token)
  if (hash === settings.OWNER_KEY_SHA256) return (await isUnconfirmed(door)) ? UNCONFIRMED : OWNER
  if (hash === services.trialKeyHash && !door.deployed) return TRIAL
  const key = await door.lookUp(hash, door.address(), () =>
    services.access.findKey(hash, door.isFresh),
  )
  if (!key) throw problem('unauthenticated')
  const scopes = ALL_SCOPES.filter((scope) => key.scopes.includes(scope))
  const { id, name: label, expires_at: expiresAt } = key
  return { caller: callerOfKey(id), label, scopes, granted: scopes, expiresAt }
}

/** Whether a restore is still to be confirmed; asked only where there was one. */
const isUnconfirmed = async ({ settings, services }: AuthOptions) =>
  settings.RESTORED_AT !== undefined && services.access.restored.isUnconfirmed()

function credentialOf(request: Request): string | undefined {
  const authorization = request.headers.get('Authorization')
  if (authorization !== null) return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  return request.headers.get('X-API-Key') ?? undefined
}

/** What came in place of a credential, by its form alone: nothing of it is repeated. */
function whatIsNoCredential({ headers }: Request, token: string) {
  if (token === '')
    return headers.has('Authorization')
      ? 'The header Authorization has another form than `Bearer`, a space and one key.'
      : 'The header X-API-Key is empty.'
  if (ACCESS_TOKEN.test(token)) return 'The access token of an app is for /mcp alone.'
  return (
    'What was sent is no API key, which begins with ccn_: it is mistyped or cut off, has other ' +
    'signs around it, or is of another service.'
  )
}

/** The day on which this isolate last recorded the use of each grant, and of each caller of a trial. */
const noted = new BoundedMap<string, string>(200)

/**
 * Records once a day of the practice, in its `zone`, that an app, by its grant, or a caller of a local
 * trial, by its name, was used.
 */
export async function noteUse(name: string, access: Access, zone: string) {
  const today = dateIn(Date.now(), zone)
  if (noted.get(name) === today) return
  noted.set(name, today)
  await access.grants.recordUse(name).catch(() => noted.delete(name))
}

const LIMIT: RateLimit = {
  policy: 'unknown_credentials',
  quota: 20,
  window_seconds: MINUTE / SECOND,
}
/** How long a credential is taken for unknown, twice as long each time: a new one works almost at once. */
const BELIEVED_UNKNOWN = { first: 5 * SECOND, longest: MINUTE }
const MOST_REMEMBERED = 1000
/** How often, and for how long, a call looks whether another one has found out about the same credential. */
const LOOK_AGAIN_MS = 10
const MOST_LOOKS = 200

/**
 * Looks up credentials so that made-up ones cannot keep the one object of all keys busy; one
 * isolate's memory. A credential that was good here before is always looked up, since many people
 * can share an address; all others have a quota for each address. Calls that bring the same new
 * credential at once count as one: all but the first wait for what it finds, each by a timer of its
 * own, since a Worker cannot await the promise of another request.
 */
export function lookups(now: () => number) {
  const good = new BoundedMap<string, true>(MOST_REMEMBERED)
  const unknown = new BoundedMap<string, { until: number; next: number }>(MOST_REMEMBERED)
  const windows = new BoundedMap<string, { until: number; count: number }>(MOST_REMEMBERED)
  const underWay = new Set<string>()

  const windowOf = (address: string) => {
    const known = windows.get(address)
    if (known && known.until > now()) return known
    const fresh = { until: now() + LIMIT.window_seconds * SECOND, count: 0 }
    windows.set(address, fresh)
    return fresh
  }

  /** `name` identifies the credential and is no secret. Raises `rate_limited` for one lookup too many. */
  return async <T>(name: string, address: string, find: () => Promise<T | undefined>) => {
    for (let looks = 0; underWay.has(name) && looks < MOST_LOOKS; looks++)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    if (good.has(name)) {
      const found = await find()
      if (found === undefined) good.delete(name)
      else good.set(name, true)
      return found
    }
    const { until, next } = unknown.get(name) ?? { until: 0, next: BELIEVED_UNKNOWN.first }
    if (until > now()) return undefined
    const window = windowOf(address)
    if (window.count >= LIMIT.quota) {
      const retry_after_seconds = Math.ceil((window.until - now()) / SECOND)
      throw problem('rate_limited', { retry_after_seconds, limit: LIMIT })
    }
    // Counted before the lookup, so that many at once are too many as well; a good one is given back.
    window.count++
    underWay.add(name)
    const found = await find()
      .catch((failure: unknown) => {
        window.count--
        throw failure
      })
      .finally(() => underWay.delete(name))
    if (found === undefined)
      unknown.set(name, { until: now() + next, next: Math.min(next * 2, BELIEVED_UNKNOWN.longest) })
    else {
      unknown.delete(name)
      window.count--
      good.set(name, true)
    }
    return found
  }
}

type LookUp = ReturnType<typeof lookups>
