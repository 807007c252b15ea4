import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto'

import { expect, test } from 'vitest'

import { isSignedByPasskey } from '../../../../src/cli/verify/passkeys.ts'

type Bytes = Uint8Array<ArrayBuffer>

const bytes = (text: string): Bytes => new Uint8Array(Buffer.from(text, 'base64url'))
/** Bytes in CBOR, in the shortest form that their length has: authenticators write no other. */
function string(content: Bytes): number[] {
  const { length } = content
  if (length < 24) return [0x40 + length, ...content]
  return [...(length < 256 ? [0x58] : [0x59, length >> 8]), length & 255, ...content]
}
const jwkOf = (key: KeyObject) =>
  key.export({ format: 'jwk' }) as Record<'x' | 'y' | 'n' | 'e', string>

/** The three kinds of passkey that a browser may make here, each as COSE and as it signs. */
const KINDS = {
  ES256: () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = jwkOf(publicKey)
    const point = [0x21, ...string(bytes(x)), 0x22, ...string(bytes(y))]
    const cose = [0xa5, 1, 2, 3, 0x26, 0x20, 1, ...point]
    return { cose, sign: (text: Bytes) => sign('sha256', text, privateKey) }
  },
  EdDSA: () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const cose = [0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, ...string(bytes(jwkOf(publicKey).x))]
    return { cose, sign: (text: Bytes) => sign(null, text, privateKey) }
  },
  RS256: () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n, e } = jwkOf(publicKey)
    const cose = [0xa4, 1, 3, 3, 0x39, 1, 0, 0x20, ...string(bytes(n)), 0x21, ...string(bytes(e))]
    return { cose, sign: (text: Bytes) => sign('sha256', text, privateKey) }
  },
}

test.each(Object.entries(KINDS))(
  'a signature of a passkey with %s is checked, for its text alone',
  async (name, make) => {
    const passkey = make()
    const key = Uint8Array.from(passkey.cose)
    // In one ECDSA signature of 128, a number is shorter than the others.
    for (let nth = 0; nth < (name === 'ES256' ? 300 : 3); nth += 1) {
      const text = new Uint8Array(Buffer.from(`text ${nth}`))
      const signature = new Uint8Array(passkey.sign(text))
      expect(await isSignedByPasskey(key, signature, text)).toBe(true)
      expect(await isSignedByPasskey(key, signature, Uint8Array.of(...text, 0))).toBe(false)
    }
  },
)

test('a key of another kind, or cut short, is refused', async () => {
  const { cose, sign: signed } = KINDS.ES256()
  const text = new Uint8Array(4)
  const signature = new Uint8Array(signed(text))
  const check = (key: number[]) => isSignedByPasskey(Uint8Array.from(key), signature, text)
  await expect(check(cose.with(2, 9))).rejects.toThrow('not known')
  await expect(check(cose.slice(0, 20))).rejects.toThrow()
  await expect(check([0x80])).rejects.toThrow('not in its form')
})
