import { base64url, fromBase64url } from '../../src/core/crypto/encoding.ts'

type Bytes = Uint8Array<ArrayBuffer>

const utf8 = (text: string): Bytes => new Uint8Array(new TextEncoder().encode(text))
const sha256 = async (data: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', data))
const joined = (...parts: (Bytes | readonly number[])[]): Bytes =>
  new Uint8Array(parts.flatMap((part) => [...part]))

/** An integer of a DER signature. */
function derInteger(bytes: Bytes): Bytes {
  const digits = bytes.slice(
    Math.max(
      0,
      bytes.findIndex((byte) => byte !== 0),
    ),
  )
  const content = (digits[0] ?? 0) > 0x7f ? joined([0], digits) : digits
  return joined([0x02, content.length], content)
}

/** As authenticators sign: WebCrypto gives both numbers side by side. */
function derSignature(raw: Bytes): Bytes {
  const numbers = joined(derInteger(raw.slice(0, 32)), derInteger(raw.slice(32)))
  return joined([0x30, numbers.length], numbers)
}

interface Asked {
  challenge: string
}

export type SoftAuthenticator = ReturnType<typeof softAuthenticator>

/** An authenticator in software: one ES256 passkey, always with user verification. */
export function softAuthenticator(
  origin: string,
  { verifiesUser = true, crossOrigin = false } = {},
) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const pair = crypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ]) as Promise<CryptoKeyPair>
  const id = crypto.getRandomValues(new Uint8Array(16))
  let counter = 0

  const authData = async (
    flags: number,
    rest: Bytes = new Uint8Array(),
    verified = verifiesUser,
  ): Promise<Bytes> => {
    const count = new Uint8Array(4)
    new DataView(count.buffer).setUint32(0, ++counter)
    const rpIdHash = await sha256(utf8(new URL(origin).hostname))
    return joined(rpIdHash, [flags | 0x01 | (verified ? 0x04 : 0)], count, rest)
  }
  const clientData = (type: string, challenge: string, from: string): Bytes =>
    utf8(JSON.stringify({ type, challenge, origin: from, crossOrigin }))
  const credential = (response: Record<string, unknown>) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  /** The public key as COSE: EC2, ES256, P-256. */
  const publicKey = async (): Promise<Bytes> => {
    const jwk = (await crypto.subtle.exportKey('jwk', (await pair).publicKey)) as {
      x?: string
      y?: string
    }
    const coordinate = (label: number, text = '') => joined([label, 0x58, 32], fromBase64url(text))
    return joined([0xa5, 1, 2, 3, 0x26, 0x20, 1], coordinate(0x21, jwk.x), coordinate(0x22, jwk.y))
  }

  return {
    /** The practice has another port; the name that passkeys belong to stays. */
    movedTo(other: string): void {
      origin = other
    },
    /** What navigator.credentials.create would give. */
    async create({ challenge }: Asked, from = origin) {
      const attested = joined(new Uint8Array(16), [0, id.length], id, await publicKey())
      const data = await authData(0x40, attested)
      const attestation = joined(
        [0xa3, 0x63],
        utf8('fmt'),
        [0x64],
        utf8('none'),
        [0x67],
        utf8('attStmt'),
        [0xa0, 0x68],
        utf8('authData'),
        [0x58, data.length],
        data,
      )
      return credential({
        clientDataJSON: base64url(clientData('webauthn.create', challenge, from)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      })
    },
    /** What navigator.credentials.get would give. */
    async get({ challenge }: Asked, from = origin, verified = verifiesUser) {
      const data = await authData(0, undefined, verified)
      const client = clientData('webauthn.get', challenge, from)
      const signed = joined(data, await sha256(client))
      const signature = await crypto.subtle.sign(algorithm, (await pair).privateKey, signed)
      return credential({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(derSignature(new Uint8Array(signature))),
        userHandle: base64url(utf8('owner')),
      })
    },
  }
}
