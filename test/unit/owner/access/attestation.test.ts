import { describe, expect, test } from 'vitest'

import { base64url } from '../../../../src/core/crypto/encoding.ts'
import { isWithoutCertificate } from '../../../../src/owner/access/passkey.ts'

const text = (value: string): number[] => [0x60 + value.length, ...Buffer.from(value)]
const bytes = (length: number): number[] => [0x58, length, ...new Uint8Array(length)]

/** An attestation object in CBOR: its format, the entries of its statement, and authenticator data. */
const attestation = (format: string, ...statement: number[][]): string =>
  base64url(
    Uint8Array.from([
      0xa3,
      ...text('fmt'),
      ...text(format),
      ...text('attStmt'),
      0xa0 + statement.length,
      ...statement.flat(),
      ...text('authData'),
      ...bytes(37),
    ]),
  )

const algorithm = [...text('alg'), 0x26]
const signature = [...text('sig'), ...bytes(70)]
const certificates = [...text('x5c'), 0x81, ...bytes(100)]

describe('a new passkey', () => {
  test.each([
    ['no attestation', attestation('none')],
    ['a signature of its own', attestation('packed', algorithm, signature)],
  ])('is read where it brings %s', async (_what, given) => {
    expect(await isWithoutCertificate(given)).toBe(true)
  })

  test.each([
    ['a certificate', attestation('packed', algorithm, signature, certificates)],
    [
      'an empty list of certificates',
      attestation('packed', algorithm, signature, [...text('x5c'), 0x80]),
    ],
    ['an attestation of Apple', attestation('apple', certificates)],
    [
      'an attestation of SafetyNet, whose certificates are in a token',
      attestation('android-safetynet'),
    ],
    ['a format that is not known', attestation('other')],
    ['nothing that can be read', 'AAAA'],
    ['nothing', ''],
  ])('is refused where it brings %s', async (_what, given) => {
    expect(await isWithoutCertificate(given)).toBe(false)
  })
})
