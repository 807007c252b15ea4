import { sha256, fromBase64url, fromHex } from '../../core/crypto/encoding.ts'
import type { Access, TokenUse } from '../../core/ports/access.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import { OWNER_ID, type OAuthEnv, grantOf, storeWith, withBody } from './oauth-server.ts'

const FIELDS = new Map(
  Object.entries({ authorization_code: 'code', refresh_token: 'refresh_token' }),
)

interface SingleUse {
  access: Access
  keyring(): Promise<Keyring>
  env: OAuthEnv
  form: URLSearchParams
  revoke(grantId: string): Promise<void>
  /** Called where an app has asked to end a grant of its own (RFC 7009), which the server then does. */
  onRevoked(grantId: string): Promise<void>
  /** Called once, when a second use has ended a grant. */
  onReuse(grantId: string): void
  /** Called where a refresh token was answered once more. */
  onRepeat(grantId: string): void
}

/**
 * Asks for tokens so that each code and refresh token gives them once, however many requests arrive
 * together. The server writes a grant after all its checks and before it makes tokens; there the
 * code or token is taken. A second use ends the grant (RFC 9700, section 4.14.2), also where the
 * server has refused it; but soon after its first use a refresh token gets the same successor again
 * (decision 31).
 */
export async function usedOnce(
  { access, keyring, env, form, revoke, onRevoked, onReuse, onRepeat }: SingleUse,
  ask: (env: OAuthEnv) => Promise<Response>,
) {
  const given = await givenIn(form)
  const seen: { use: TokenUse; next?: Successor } = { use: 'unused' }
  const write: WriteGrant = async (key, read, written, put) => {
    if (!given || key !== `grant:${OWNER_ID}:${given.grantId}` || seen.use !== 'unused')
      throw new Error('a grant is written that this request gives nothing for')
    const { grantId, hash, secret, isRefresh } = given
    const successors = isRefresh ? await successorsOf(secret, grantId, await keyring()) : []
    const hashes = successors.map((one) => one.hash)
    seen.use = await access.grants.takeToken(grantId, hash, hashes)
    if (seen.use !== 'taken' && seen.use !== 'repeated')
      throw new Error('a code or a refresh token was used before')
    const known =
      read?.previousRefreshTokenId === hash
        ? successors.find((one) => one.hash === read.refreshTokenId)
        : undefined
    const next = known ?? successors[0]
    if (next === undefined) return put(written)
    seen.next = next
    // It is written already. Writing it again could undo what has followed meanwhile.
    if (known) return
    const grant = await withSuccessor(JSON.parse(written) as RefreshGrant, secret, next)
    await put(JSON.stringify(grant)).catch((failure: unknown) => {
      // KV takes one write a second for a key: the one before this one was the same.
      if (seen.use !== 'repeated' || !/429/.test(String(failure))) throw failure
    })
  }
  const asked = ask({
    OAUTH_KV: writingGrants(env.OAUTH_KV, write, async (grantId) => {
      if (!given) await onRevoked(grantId)
    }),
  })
  if (!given) return asked
  const { grantId, hash, isRefresh } = given
  const answer = await asked.catch(async (failure: unknown) => {
    if (seen.use === 'taken') await access.grants.returnToken(grantId, hash)
    if (seen.use !== 'reused' && seen.use !== 'ended') throw failure
    return undefined
  })
  if (answer && (seen.use === 'taken' || seen.use === 'repeated')) {
    if (!answer.ok) {
      if (seen.use === 'taken') await access.grants.returnToken(grantId, hash)
      return answer
    }
    // A second use may have ended the grant before these tokens were there to be ended with it.
    if (await access.grants.hasEnded(grantId)) await revoke(grantId)
    if (seen.use === 'repeated') onRepeat(grantId)
    return seen.next === undefined ? answer : withRefreshToken(answer, seen.next.token)
  }
  if (answer && seen.use === 'unused') {
    // A caller that does not prove which client it is (401) ends nothing.
    if (answer.status === 401) return answer
    // Nor does an app that asks with its refresh token for what it may not have.
    if (isRefresh && !(await saysInvalidGrant(answer))) return answer
    seen.use = await access.grants.checkToken(grantId, hash)
    if (seen.use === 'unused') return answer
  }
  if (seen.use === 'reused') onReuse(grantId)
  await revoke(grantId)
  return invalidGrant()
}

async function givenIn(form: URLSearchParams) {
  const type = form.get('grant_type') ?? ''
  const secret = form.get(FIELDS.get(type) ?? '') ?? ''
  const grantId = grantOf(secret)
  if (grantId === undefined) return undefined
  return { grantId, secret, hash: await sha256(secret), isRefresh: type === 'refresh_token' }
}

/** The tokens that were made, with the refresh token that the grant names. */
async function withRefreshToken(answer: Response, refreshToken: string) {
  const tokens = (await answer.json()) as object
  return withBody(answer, { ...tokens, refresh_token: refreshToken })
}

/** Writes a grant in place of the server; `read` is what the server read of it before. */
type WriteGrant = (
  key: string,
  read: RefreshGrant | undefined,
  written: string,
  put: (value: string) => Promise<void>,
) => Promise<void>

const GRANT = 'grant:'
const OWNERS_GRANT = `${GRANT}${OWNER_ID}:`

/** The store of the OAuth server, in which `write` writes grants; `ended` is called before one is deleted. */
function writingGrants(
  kv: KVNamespace,
  write: WriteGrant,
  ended: (grantId: string) => Promise<void>,
): KVNamespace {
  const read = new Map<string, RefreshGrant>()
  return storeWith(kv, async (method, args, call) => {
    const [key, written, ...rest] = args
    if (typeof key !== 'string' || !key.startsWith(GRANT)) return call(args)
    if (method === 'put')
      return write(key, read.get(key), String(written), async (grant) => {
        await call([key, grant, ...rest])
      })
    if (method === 'delete') await ended(key.slice(OWNERS_GRANT.length))
    const found = await call(args)
    // The server changes the object that it is given.
    if (method === 'get' && found !== null && typeof found === 'object') read.set(key, { ...found })
    return found
  })
}

async function saysInvalidGrant(answer: Response) {
  const { error } = (await answer.clone().json()) as { error?: unknown }
  return error === 'invalid_grant'
}

/** The OAuth server's own answer to a code or token that is good for nothing (RFC 6749, section 5.2). */
const invalidGrant = () =>
  Response.json(
    {
      error: 'invalid_grant',
      error_description: 'It was used before, so this connection has ended.',
    },
    { status: 400, headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' } },
  )

/** A refresh token, with the hash by which the OAuth library and `Access` know it. */
interface Successor {
  token: string
  hash: string
}

/**
 * The refresh tokens that may follow another one, one under each signing secret, today's first.
 * They are derived, so that the same one can be given again while nothing of it is kept, and only
 * who has both the token and the secret knows it.
 */
const successorsOf = (token: string, grantId: string, keyring: Keyring): Promise<Successor[]> =>
  Promise.all(
    keyring.ids.map(async (id) => {
      const next = `${OWNER_ID}:${grantId}:${await keyring.mac(id, 'refresh token', token)}`
      return { token: next, hash: await sha256(next) }
    }),
  )

/** The part of a grant of the OAuth library that says which refresh tokens are good. */
interface RefreshGrant {
  refreshTokenId?: string
  refreshTokenWrappedKey?: string
  previousRefreshTokenId?: string
  previousRefreshTokenWrappedKey?: string
}

/**
 * A grant that the library is about to write, with this successor in place of the random one that
 * it made. Throws where the library wraps its keys in another way than here: then no token is
 * handed out.
 */
async function withSuccessor<G extends RefreshGrant>(
  grant: G,
  token: string,
  successor: Successor,
): Promise<G> {
  const wrapped = fromBase64url(grant.previousRefreshTokenWrappedKey ?? '')
  const key = await crypto.subtle.unwrapKey(
    'raw',
    wrapped,
    await wrappingKey(token),
    'AES-KW',
    'AES-GCM',
    true,
    ['encrypt', 'decrypt'],
  )
  const own = await crypto.subtle.wrapKey('raw', key, await wrappingKey(successor.token), 'AES-KW')
  return {
    ...grant,
    refreshTokenId: successor.hash,
    refreshTokenWrappedKey: btoa(String.fromCharCode(...new Uint8Array(own as ArrayBuffer))),
  }
}

/**
 * The constant with which `@cloudflare/workers-oauth-provider` derives a wrapping key from a token.
 * It is no secret.
 */
const DERIVATION = fromHex('227e26868df1e16d8070ea17975b47a68218fa8728aede85b51d4ad996caca43')

async function wrappingKey(token: string): Promise<CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', DERIVATION!, hmac, false, ['sign'])
  const raw = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(token))
  return crypto.subtle.importKey('raw', raw, 'AES-KW', false, ['wrapKey', 'unwrapKey'])
}
