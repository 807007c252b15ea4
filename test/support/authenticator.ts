import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const bytes = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x58, text.length / 2]), Buffer.from(text, 'hex')])

interface Asked {
  challenge: string
}

/** An authenticator in software: one ES256 passkey, always with user verification. */
export function softAuthenticator(origin: string, { verifiesUser = true, crossOrigin = false } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const rpIdHash = sha256(new URL(origin).hostname)
  let counter = 0

  const authData = (flags: number, rest: Buffer = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([rpIdHash, Buffer.from([flags | 0x01 | (verifiesUser ? 0x04 : 0)]), count, rest])
  }
  const clientData = (type: string, challenge: string, from: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin }))
  const credential = (response: Record<string, unknown>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    /** What navigator.credentials.create would give. */
    create({ challenge }: Asked, from = origin) {
      const hex = (part: string | undefined) => Buffer.from(part ?? '', 'base64url').toString('hex')
      const cose = Buffer.concat([
        Buffer.from('a5010203262001', 'hex'),
        Buffer.from([0x21]),
        bytes(hex(x)),
        Buffer.from([0x22]),
        bytes(hex(y)),
      ])
      const data = authData(0x40, Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]))
      const attestation = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from('fmt'),
        Buffer.from([0x64]),
        Buffer.from('none'),
        Buffer.from([0x67]),
        Buffer.from('attStmt'),
        Buffer.from([0xa0, 0x68]),
        Buffer.from('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge, from).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    /** What navigator.credentials.get would give. */
    get({ challenge }: Asked, from = origin) {
      const data = authData(0)
      const client = clientData('webauthn.get', challenge, from)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: Buffer.from('owner').toString('base64url'),
      })
    },
  }
}
