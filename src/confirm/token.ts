import type { ConfirmationCall, Keyring } from '../ports/index.ts'
import { equalInConstantTime } from '../crypto/tokens.ts'

const SHAPE = /^ct_([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

const signature = (keyring: Keyring, keyId: string, name: string, id: string): Promise<string> =>
  keyring.mac(keyId, 'token', `${name}|${id}`)

/**
 * The confirmation token of a preview: its nonce, and a MAC that binds it to the caller and the idempotency key.
 * Nothing is kept that could be stolen, and a repeated preview has the same token.
 */
export const issueToken = async (
  keyring: Keyring,
  keyId: string,
  name: string,
  id: string,
): Promise<string> => `ct_${id}.${await signature(keyring, keyId, name, id)}`

/** The nonce of a token that was issued for this object under any listed secret. */
export async function readToken(
  keyring: Keyring,
  name: string,
  token: string | undefined,
): Promise<ConfirmationCall['token']> {
  if (token === undefined) return 'missing'
  const [, id, mac] = SHAPE.exec(token) ?? []
  if (id === undefined || mac === undefined) return 'invalid'
  for (const keyId of keyring.ids) {
    if (equalInConstantTime(mac, await signature(keyring, keyId, name, id))) return { id }
  }
  return 'invalid'
}
