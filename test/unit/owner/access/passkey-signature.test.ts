import { describe, expect, test } from 'vitest'

import { base64url } from '../../../../src/core/crypto/encoding.ts'
import { isExactSignature } from '../../../../src/owner/access/passkey.ts'

/** A COSE key with this algorithm, in CBOR: `{3: alg}`, and `{3: alg, -1: modulus}` for RSA. */
const KEYS = {
  es256: Uint8Array.of(0xa1, 0x03, 0x26),
  eddsa: Uint8Array.of(0xa1, 0x03, 0x27),
  rs256: Uint8Array.of(...Buffer.from('a20339010020590100', 'hex'), ...new Uint8Array(256)),
  es512: Uint8Array.of(0xa1, 0x03, 0x38, 0x23),
}

const integer = (bytes: number[]): number[] => [0x02, bytes.length, ...bytes]
const sequence = (...parts: number[][]): number[] => [0x30, parts.flat().length, ...parts.flat()]

/** A number of a signature as DER has it. */
function shortest(bytes: Uint8Array): number[] {
  const from = bytes.findIndex((byte) => byte !== 0)
  const digits = [...bytes.subarray(from)]
  return integer(digits[0]! >= 0x80 ? [0, ...digits] : digits)
}

const isExact = (bytes: number[] | Uint8Array, key: keyof typeof KEYS = 'es256') =>
  isExactSignature(KEYS[key], base64url(Uint8Array.from(bytes)))

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

test('a signature of a real key is exact, whatever its numbers begin with', async () => {
  const pair = (await crypto.subtle.generateKey(algorithm, true, ['sign'])) as CryptoKeyPair
  for (let i = 0; i < 300; i++) {
    const signed = await crypto.subtle.sign(algorithm, pair.privateKey, Uint8Array.of(i))
    const both = new Uint8Array(signed)
    const der = sequence(shortest(both.subarray(0, 32)), shortest(both.subarray(32)))
    expect([i, await isExact(der)]).toEqual([i, true])
  }
})

describe('what is not of the exact form is refused before a library reads it', () => {
  const one = integer([0x11, 0x22])
  const long = integer([0x7f, ...Array.from({ length: 31 }, () => 0x55)])
  test.each<[string, number[]]>([
    ['nothing', []],
    ['a sequence with something behind it', [...sequence(long, long), 0x00]],
    ['a sequence that ends too early', sequence(long, long).slice(0, -1)],
    ['a length in two bytes', [0x30, 0x81, long.length * 2, ...long, ...long]],
    ['a third number', sequence(one, one, one)],
    ['one number alone', sequence(long)],
    ['a needless zero before a number', sequence(integer([0x00, 0x11]), one)],
    ['a negative number', sequence(integer([0x80, 0x11]), one)],
    ['a number of no bytes', sequence(integer([]), one)],
    ['the number zero', sequence(integer([0]), one)],
    [
      'a number of 33 bytes',
      sequence(integer([0x11, ...Array.from({ length: 32 }, () => 1)]), one),
    ],
    ['another tag for a number', sequence([0x03, 0x02, 0x11, 0x22], one)],
    ['another tag for the sequence', [0x31, one.length * 2, ...one, ...one]],
    ['both numbers side by side, as WebCrypto has them', Array.from({ length: 64 }, () => 0x11)],
  ])('%s', async (_what, bytes) => {
    expect(await isExact(bytes)).toBe(false)
  })

  test('the exact form, as text that is not base64url without padding', async () => {
    const text = base64url(Uint8Array.from(sequence(one, one)))
    expect(await isExactSignature(KEYS.es256, text)).toBe(true)
    for (const wrong of [`${text}=`, `${text} `, ` ${text}`, `${text}.`, '', null, 7, {}])
      expect(await isExactSignature(KEYS.es256, wrong)).toBe(false)
  })
})

test('other kinds of keys have their own length, and one that no passkey was asked for has none', async () => {
  expect(await isExact(new Uint8Array(64), 'eddsa')).toBe(true)
  for (const length of [0, 63, 65])
    expect(await isExact(new Uint8Array(length), 'eddsa')).toBe(false)
  expect(await isExact(new Uint8Array(256), 'rs256')).toBe(true)
  for (const length of [255, 257, 64])
    expect(await isExact(new Uint8Array(length), 'rs256')).toBe(false)
  expect(await isExact(sequence(integer([1]), integer([1])), 'es512')).toBe(false)
  expect(await isExactSignature(Uint8Array.of(0xff), 'AAAA')).toBe(false)
})
