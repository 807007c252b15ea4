import { sha256 } from '../../core/crypto/encoding.ts'
import type { Access, TokenUse } from '../../core/ports/access.ts'
import { OWNER_ID, type OAuthEnv } from './oauth-server.ts'

const OF_GRANT = new RegExp(`^${OWNER_ID}:([A-Za-z0-9_-]{1,64}):[A-Za-z0-9_-]{1,128}$`)
/** The grant to which a code belongs; undefined for what is none. */
export const grantOfCode = (code: string): string | undefined => OF_GRANT.exec(code)?.[1]

const FIELDS = new Map(
  Object.entries({ authorization_code: 'code', refresh_token: 'refresh_token' }),
)

interface SingleUse {
  access: Access
  env: OAuthEnv
  form: URLSearchParams
  revoke(grantId: string): Promise<void>
  /** Called once, when a second use has ended a grant. */
  onReuse(grantId: string): void
}

/**
 * Asks for tokens so that each code and refresh token gives them once, however many requests arrive together.
 * The server writes a grant after all its checks and before it makes tokens; there the code or token is
 * taken. A second use ends the grant (RFC 9700, section 4.14.2), also where the server has refused it.
 */
export async function usedOnce(
  { access, env, form, revoke, onReuse }: SingleUse,
  ask: (env: OAuthEnv) => Promise<Response>,
): Promise<Response> {
  const given = await givenIn(form)
  const seen: { use: TokenUse } = { use: 'unused' }
  const take = async (key: string): Promise<void> => {
    if (!given || key !== `grant:${OWNER_ID}:${given.grantId}` || seen.use !== 'unused')
      throw new Error('a grant is written that this request gives nothing for')
    seen.use = await access.grants.takeToken(given.grantId, given.hash)
    if (seen.use !== 'taken') throw new Error('a code or a refresh token was used before')
  }
  const asked = ask({ OAUTH_KV: beforeGrants(env.OAUTH_KV, take) })
  if (!given) return asked
  const { grantId, hash } = given
  const answer = await asked.catch(async (failure: unknown) => {
    if (seen.use === 'taken') await access.grants.returnToken(grantId, hash)
    if (seen.use === 'taken' || seen.use === 'unused') throw failure
    return undefined
  })
  if (answer && seen.use === 'taken') {
    if (!answer.ok) await access.grants.returnToken(grantId, hash)
    // A second use may have ended the grant before these tokens were there to be ended with it.
    else if (await access.grants.hasEnded(grantId)) await revoke(grantId)
    return answer
  }
  if (answer && seen.use === 'unused') {
    // A caller that does not prove which client it is (401) ends nothing.
    if (answer.status === 401) return answer
    seen.use = await access.grants.checkToken(grantId, hash)
    if (seen.use === 'unused') return answer
  }
  if (seen.use === 'reused') onReuse(grantId)
  await revoke(grantId)
  return invalidGrant()
}

async function givenIn(form: URLSearchParams) {
  const secret = form.get(FIELDS.get(form.get('grant_type') ?? '') ?? '') ?? ''
  const grantId = grantOfCode(secret)
  return grantId === undefined ? undefined : { grantId, hash: await sha256(secret) }
}

const beforeGrants = (kv: KVNamespace, act: (key: string) => Promise<void>): KVNamespace =>
  new Proxy(kv, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return async (...given: unknown[]): Promise<unknown> => {
        const [key] = given
        if (property === 'put' && typeof key === 'string' && key.startsWith('grant:'))
          await act(key)
        return Reflect.apply(value, target, given) as unknown
      }
    },
  })

/** The OAuth server's own answer to a code or token that is good for nothing (RFC 6749, section 5.2). */
const invalidGrant = (): Response =>
  Response.json(
    {
      error: 'invalid_grant',
      error_description: 'It was used before, so this connection has ended.',
    },
    { status: 400, headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' } },
  )
