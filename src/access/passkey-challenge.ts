import type { AnsweredChallenge } from '../ports/access.ts'
import type { Keyring } from '../ports/index.ts'
import { base64url, fromBase64url } from '../crypto/encoding.ts'
import { equalInConstantTime, newToken } from '../crypto/tokens.ts'
import { MINUTE } from '../domain/duration.ts'

const LIFETIME = 5 * MINUTE
const MAC_PURPOSE = 'passkey_challenge'
const SHAPE = /^(\d{13})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/

/**
 * What a passkey is asked for: `act:` with the digest of one act of the owner, or `approve:` with the one preview that it
 * approves; then that is all it is good for.
 */
export type Purpose = 'enrol' | 'sign-in' | `act:${string}` | `approve:${string}`

/**
 * A challenge for a passkey, as base64url. It is signed and kept nowhere, so whoever asks for many takes nothing from
 * the owner; what makes it work once is that its nonce is kept when it has been answered well.
 */
export async function newChallenge(keyring: Keyring, purpose: Purpose, now: number): Promise<string> {
  const signed = `${now + LIFETIME}.${newToken()}`
  const mac = await keyring.mac(keyring.current, MAC_PURPOSE, `${purpose}.${signed}`)
  return base64url(new TextEncoder().encode(`${signed}.${mac}`))
}

/** What of a challenge is kept once it has been answered; undefined if we did not make it for this, or it has ended. */
export async function openChallenge(
  keyring: Keyring,
  purpose: Purpose,
  challenge: string,
  now: number,
): Promise<AnsweredChallenge | undefined> {
  const [, ends = '', nonce = '', mac = ''] = SHAPE.exec(textOf(challenge)) ?? []
  const endsAt = Number(ends)
  if (endsAt <= now) return undefined
  for (const id of keyring.ids) {
    const expected = await keyring.mac(id, MAC_PURPOSE, `${purpose}.${ends}.${nonce}`)
    if (equalInConstantTime(mac, expected)) return { nonce, endsAt }
  }
  return undefined
}

function textOf(challenge: string): string {
  try {
    return new TextDecoder().decode(fromBase64url(challenge))
  } catch {
    return ''
  }
}
