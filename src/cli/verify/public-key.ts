import { base64url } from '../../crypto/encoding.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Cose = Map<number, number | Bytes>

const ES256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const KEY_TYPE = { okp: 1, ec2: 2, rsa: 3 }

/** The public key of a passkey, as its enrolment entry has it (COSE): whether it signed a text. Throws on another kind. */
export async function isSignedByPasskey(publicKey: Bytes, signature: Bytes, text: Bytes): Promise<boolean> {
  const cose = coseKey(publicKey)
  const part = (label: number): string => base64url(bytesAt(cose, label))
  const verify = async (algorithm: { name: string }, jwk: JsonWebKey, raw: Bytes): Promise<boolean> => {
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
    return crypto.subtle.verify(algorithm, key, raw, text)
  }
  switch (cose.get(1)) {
    case KEY_TYPE.ec2:
      return verify(ES256, { kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) }, rawSignature(signature))
    case KEY_TYPE.okp:
      return verify({ name: 'Ed25519' }, { kty: 'OKP', crv: 'Ed25519', x: part(-2) }, signature)
    case KEY_TYPE.rsa:
      return verify(RS256, { kty: 'RSA', n: part(-1), e: part(-2) }, signature)
    default:
      throw new TypeError('a kind of key that is not known')
  }
}

function bytesAt(cose: Cose, label: number): Bytes {
  const value = cose.get(label)
  if (!(value instanceof Uint8Array)) throw new TypeError('the public key lacks a part')
  return value
}

/** The little of CBOR that a public key needs: a map from whole numbers to whole numbers and bytes. */
function coseKey(bytes: Bytes): Cose {
  let next = 0
  const head = (): { type: number; count: number } => {
    const first = bytes[next++] ?? 0
    let count = first & 31
    if (count > 25) throw new TypeError('the public key is not in its form')
    for (let more = count === 24 ? 1 : count === 25 ? 2 : 0, sum = 0; more > 0; more -= 1)
      count = sum = sum * 256 + (bytes[next++] ?? 0)
    return { type: first >> 5, count }
  }
  const value = (): number | Bytes => {
    const { type, count } = head()
    if (type === 0) return count
    if (type === 1) return -1 - count
    if (type !== 2) throw new TypeError('the public key is not in its form')
    next += count
    return bytes.slice(next - count, next)
  }
  const { type, count } = head()
  if (type !== 5) throw new TypeError('the public key is not in its form')
  return new Map(Array.from({ length: count }, () => [value() as number, value()]))
}

/** An ECDSA signature as WebCrypto takes it, from the two whole numbers in DER that a passkey gives. */
function rawSignature(der: Bytes): Bytes {
  const raw = new Uint8Array(64)
  let next = 2
  for (const end of [32, 64]) {
    const length = der[next + 1] ?? 0
    const number = der.slice(next + 2, next + 2 + length)
    const digits = number.slice(Math.max(0, number.length - 32))
    if (der[next] !== 2 || number.length > 33) throw new TypeError('the signature is not in its form')
    raw.set(digits, end - digits.length)
    next += 2 + length
  }
  return raw
}
