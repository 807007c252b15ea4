import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import {
  AsnParser,
  Certificate,
  ECDSASigValue,
  X509Certificate,
} from '../../../../src/app/bundle-shims/attestation.ts'

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const value = Buffer.concat(parts)
  const length = value.length > 0x7f ? [0x81, value.length] : [value.length]
  return Buffer.concat([Buffer.from([tag, ...length]), value])
}

const read = (bytes: Uint8Array) => AsnParser.parse(new Uint8Array(bytes), ECDSASigValue)

describe('the signature of a passkey', () => {
  // Signatures differ in length, so each kind of key signs often enough to meet the short ones and the long ones.
  test.each([
    ['P-256', 32],
    ['P-384', 48],
    ['P-521', 66],
  ])('of %s is read as its two numbers', (namedCurve, size) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve })
    for (let n = 0; n < 40; n++) {
      const message = randomBytes(32)
      const { r, s } = read(sign('sha256', message, privateKey))
      const fixed = [r, s].map((part) =>
        Buffer.from(part)
          .toString('hex')
          .padStart(size * 2, '0'),
      )
      const plain = Buffer.from(fixed.map((hex) => hex.slice(-size * 2)).join(''), 'hex')
      expect(verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, plain)).toBe(
        true,
      )
    }
  })

  const one = der(0x02, Buffer.from([1]))
  const sound = der(0x30, one, one)

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['something else than a sequence', der(0x31, one, one)],
    ['one number', der(0x30, one)],
    ['three numbers', der(0x30, one, one, one)],
    ['something else than numbers', der(0x30, der(0x04, Buffer.from([1])), one)],
    ['a number without a digit', der(0x30, der(0x02), one)],
    ['bytes behind it', Buffer.concat([sound, Buffer.from([0])])],
    ['fewer bytes than it says', sound.subarray(0, -1)],
    [
      'a length in more bytes than it needs',
      Buffer.concat([Buffer.from([0x30, 0x81, 6]), one, one]),
    ],
    [
      'a length without an end',
      Buffer.concat([Buffer.from([0x30, 0x80]), one, one, Buffer.alloc(2)]),
    ],
  ])('with %s is refused', (_what, bytes) => {
    expect(read(sound)).toEqual({ r: Uint8Array.of(1), s: Uint8Array.of(1) })
    expect(() => read(bytes)).toThrow('not read here')
  })
})

test('a certificate of attestation is refused', () => {
  expect(() => AsnParser.parse(new Uint8Array(4), Certificate)).toThrow('not read here')
  expect(() => new X509Certificate()).toThrow('not read here')
})
