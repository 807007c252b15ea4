import { decodeCBOR } from '@levischuck/tiny-cbor'

import { base64url, fromBase64url, sha256Base64url } from '../../core/crypto/encoding.ts'
import { callerOfCredential } from '../../core/domain/audit/entry.ts'
import type { AuditLeaf } from '../../core/domain/audit/leaf.ts'
import { sha256Bytes } from '../../core/domain/audit/merkle-tree.ts'
import type { Facts } from '../../core/domain/facts.ts'

const USER_PRESENT_AND_VERIFIED = 0x05

type KnownPasskey = { publicKey: string; role: string; removedAt: number }

/** The passkeys of a log, by the hash of their id. */
export function passkeysOf(leaves: readonly AuditLeaf[]): Map<string, KnownPasskey> {
  const known = new Map<string, KnownPasskey>()
  for (const { event, code, about, at } of leaves) {
    if (event !== 'enrolment' || !about) continue
    const credential = textOf(about, 'credential')
    const before = known.get(credential)
    if (code === 'removed') {
      if (before) before.removedAt = at
    } else if (!before && 'public_key' in about) {
      // An entry without a key, such as that of a new name, adds none.
      const [publicKey, role] = [textOf(about, 'public_key'), textOf(about, 'role')]
      known.set(credential, { publicKey, role, removedAt: Infinity })
    }
  }
  return known
}

/** Checks that the passkey of an approval signed exactly what was shown. Returns the host, or the fault. */
export async function checkApproval(
  { about, caller, at }: AuditLeaf,
  passkeys: ReadonlyMap<string, KnownPasskey>,
): Promise<{ host: string } | { fault: string }> {
  const facts = about ?? {}
  const text = (field: string) => textOf(facts, field)
  const passkey = passkeys.get(text('credential'))
  if (!passkey) return { fault: 'its passkey was never added' }
  const name = passkey.role === 'owner' ? 'owner' : callerOfCredential(text('credential'))
  if (caller !== name) return { fault: 'it names another person than the holder of its passkey' }
  if (passkey.removedAt < at) return { fault: 'its passkey had been removed before' }
  try {
    const clientData = fromBase64url(text('client_data'))
    const said = JSON.parse(new TextDecoder().decode(clientData)) as Record<string, unknown>
    const asked = ['approve-v1', 'approve', text('shown'), text('digest'), text('nonce')].join('|')
    const challenge = await sha256Base64url(asked)
    if (
      said['type'] !== 'webauthn.get' ||
      said['challenge'] !== challenge ||
      said['crossOrigin'] === true
    )
      return { fault: 'its passkey signed something else than what was shown' }
    const { hostname, host } = new URL(String(said['origin']))
    const authenticator = fromBase64url(text('authenticator_data'))
    if (base64url(authenticator.slice(0, 32)) !== (await sha256Base64url(hostname)))
      return { fault: 'its passkey was used for another site' }
    if (((authenticator[32] ?? 0) & USER_PRESENT_AND_VERIFIED) !== USER_PRESENT_AND_VERIFIED)
      return { fault: 'its passkey did not ask its holder' }
    const signed = Uint8Array.from([...authenticator, ...(await sha256Bytes(clientData))])
    const [key, signature] = [fromBase64url(passkey.publicKey), fromBase64url(text('signature'))]
    const isGood = await isSignedByPasskey(key, signature, signed)
    return isGood ? { host } : { fault: 'the signature of its passkey is wrong' }
  } catch {
    return { fault: 'what its passkey signed cannot be read' }
  }
}

const textOf = (facts: Facts, field: string) => String(facts[field] ?? '')

type Bytes = Uint8Array<ArrayBuffer>

const ES256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const KEY_TYPE = { okp: 1, ec2: 2, rsa: 3 }

/** Whether the passkey with this public key (COSE) signed a text. Throws for an unknown kind of key. */
export async function isSignedByPasskey(
  publicKey: Bytes,
  signature: Bytes,
  text: Bytes,
): Promise<boolean> {
  const cose = decodeCBOR(publicKey)
  if (!(cose instanceof Map)) throw new TypeError('the public key is not in its form')
  const part = (label: number) => {
    const value = cose.get(label)
    if (!(value instanceof Uint8Array)) throw new TypeError('the public key lacks a part')
    return base64url(value as Bytes)
  }
  const verify = async (algorithm: { name: string }, jwk: JsonWebKey, raw: Bytes) => {
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
    return crypto.subtle.verify(algorithm, key, raw, text)
  }
  switch (cose.get(1)) {
    case KEY_TYPE.ec2:
      return verify(
        ES256,
        { kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) },
        rawSignature(signature),
      )
    case KEY_TYPE.okp:
      return verify({ name: 'Ed25519' }, { kty: 'OKP', crv: 'Ed25519', x: part(-2) }, signature)
    case KEY_TYPE.rsa:
      return verify(RS256, { kty: 'RSA', n: part(-1), e: part(-2) }, signature)
    default:
      throw new TypeError('a kind of key that is not known')
  }
}

/** Converts an ECDSA signature of a passkey, two whole numbers in DER, into the form of WebCrypto. */
function rawSignature(der: Bytes): Bytes {
  const raw = new Uint8Array(64)
  let next = 2
  for (const end of [32, 64]) {
    const length = der[next + 1] ?? 0
    const number = der.slice(next + 2, next + 2 + length)
    const digits = number.slice(Math.max(0, number.length - 32))
    if (der[next] !== 2 || number.length > 33)
      throw new TypeError('the signature is not in its form')
    raw.set(digits, end - digits.length)
    next += 2 + length
  }
  return raw
}
