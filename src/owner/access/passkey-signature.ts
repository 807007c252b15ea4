import { base64url, fromBase64url } from '../../core/crypto/encoding.ts'

/** Labels of a COSE key, and the algorithms that passkeys are asked for (RFC 9053, RFC 8812). */
const COSE = { alg: 3, modulus: -1, es256: -7, eddsa: -8, rs256: -257 } as const

const INTEGER = 0x02
const SEQUENCE = 0x30
/** The bytes of a number on the curve P-256, and of an Ed25519 signature. */
const P256_BYTES = 32
const ED25519_BYTES = 64

/**
 * Whether a signature, as base64url, has the exact form that WebAuthn (section 6.5.6) gives to one by
 * this kind of key: ECDSA on P-256 as DER (RFC 3279, section 2.2.3) and nothing behind it, Ed25519 as
 * 64 bytes, RSA as long as its modulus. It says nothing of whether the signature is good. False for
 * what cannot be read.
 */
export async function isExactSignature(publicKey: Uint8Array, text: unknown): Promise<boolean> {
  if (typeof text !== 'string') return false
  try {
    const signature = fromBase64url(text)
    if (base64url(signature) !== text) return false
    const { decodeCredentialPublicKey } = await import('./webauthn.ts')
    const key = decodeCredentialPublicKey(Uint8Array.from(publicKey)) as Map<number, unknown>
    switch (key.get(COSE.alg)) {
      case COSE.es256:
        return isDerPair(signature)
      case COSE.eddsa:
        return signature.length === ED25519_BYTES
      case COSE.rs256:
        return signature.length === (key.get(COSE.modulus) as Uint8Array).length
      default:
        return false
    }
  } catch {
    return false
  }
}

/** A sequence of two positive integers of at most 32 bytes, each as short as it can be, and no more. */
function isDerPair(bytes: Uint8Array) {
  if (bytes[0] !== SEQUENCE || bytes[1] !== bytes.length - 2) return false
  const second = afterInteger(bytes, 2)
  return second !== undefined && afterInteger(bytes, second) === bytes.length
}

/** Where the positive integer ends that begins here; undefined where none does. */
function afterInteger(bytes: Uint8Array, start: number): number | undefined {
  const [tag, length = 0, first = 0, next = 0] = bytes.subarray(start, start + 4)
  const end = start + 2 + length
  // A leading zero stands only where the number would be negative without it.
  const isShortest = first > 0 || (length > 1 && next >= 0x80)
  const isFitting = length >= 1 && length <= P256_BYTES + (first === 0 ? 1 : 0)
  if (tag !== INTEGER || end > bytes.length || !isFitting || !isShortest || first >= 0x80)
    return undefined
  return end
}
