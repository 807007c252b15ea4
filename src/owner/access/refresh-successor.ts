import { fromBase64url, fromHex, sha256 } from '../../core/crypto/encoding.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import { OWNER_ID } from './oauth-server.ts'

/** A refresh token, with the hash by which the OAuth library and `Access` know it. */
export interface Successor {
  token: string
  hash: string
}

/**
 * The refresh tokens that may follow another one, one under each signing secret, today's first.
 * They are derived, so that the same one can be given again while nothing of it is kept, and only
 * who has both the token and the secret knows it.
 */
export const successorsOf = (
  token: string,
  grantId: string,
  keyring: Keyring,
): Promise<Successor[]> =>
  Promise.all(
    keyring.ids.map(async (id) => {
      const next = `${OWNER_ID}:${grantId}:${await keyring.mac(id, 'refresh token', token)}`
      return { token: next, hash: await sha256(next) }
    }),
  )

/** The part of a grant of the OAuth library that says which refresh tokens are good. */
export interface RefreshGrant {
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
export async function withSuccessor<G extends RefreshGrant>(
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
