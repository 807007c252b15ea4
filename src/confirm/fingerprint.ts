import canonicalize from 'canonicalize'
import type { Keyring, Shown } from '../ports/index.ts'
import { sha256 } from '../crypto/encoding.ts'

/**
 * The name of the object behind one (caller, idempotency key): a hash, so that the key is never seen, and without any
 * secret, so that a rotation of secrets never leads to an empty object.
 */
export const confirmationName = (caller: string, idempotencyKey: string): Promise<string> =>
  sha256(JSON.stringify([caller, idempotencyKey]))

const normalised = (value: unknown): unknown => {
  if (typeof value === 'string') return value.normalize('NFC')
  if (Array.isArray(value)) return value.map(normalised)
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normalised(inner)]))
  }
  return value
}

/**
 * The fingerprint of a payload under every secret: HMAC-SHA-256 over its canonical JSON (RFC 8785, strings in NFC).
 * Keyed, because a plain hash of an email address is easily reversed.
 */
export async function fingerprints(
  keyring: Keyring,
  operation: string,
  payload: object,
): Promise<Record<string, string>> {
  const text = `${operation}|${canonicalize(normalised(payload))}`
  const macs = keyring.ids.map(async (id) => [id, await keyring.mac(id, 'fingerprint', text)] as const)
  return Object.fromEntries(await Promise.all(macs))
}

/**
 * What a preview showed, as it is hashed: canonical JSON (RFC 8785) with the nonce of its token. Who kept the answer can
 * prove what was shown; nobody else can test a guess.
 */
export const shownText = (nonce: string, { preview, summary, warnings }: Shown): string =>
  canonicalize({ nonce, preview, summary, warnings }) ?? ''
