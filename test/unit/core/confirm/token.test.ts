import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { issueToken, readToken } from '../../../../src/core/confirm/token.ts'
import { base64url } from '../../../../src/core/crypto/encoding.ts'
import { openKeyring } from '../../../../src/core/crypto/keyring.ts'

const FIRST = 'the first signing secret, 32 bytes long'
const SECOND = 'the second signing secret, 32 bytes too'
const NAME = 'the name of one object'
const ID = base64url(Uint8Array.from({ length: 16 }, (_byte, index) => index * 13))

const keyring = await openKeyring([FIRST])
const token = await issueToken(keyring, keyring.current, NAME, ID)

describe('a confirmation token', () => {
  test('carries the id of its preview, and is the same each time', async () => {
    expect(token).toMatch(/^ct_[\w-]{22}\.[\w-]{43}$/)
    expect(await readToken(keyring, NAME, token)).toEqual({ id: ID })
    expect(await issueToken(keyring, keyring.current, NAME, ID)).toBe(token)
  })

  test('names neither the object nor a secret', () => {
    expect(token).not.toContain(NAME)
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(NAME)
  })

  test('is valid for one object only', async () => {
    expect(await readToken(keyring, 'the name of another', token)).toBe('invalid')
  })

  test('is invalid with any one bit changed', async () => {
    const [id = '', mac = ''] = token.slice('ct_'.length).split('.')
    for (const [part, bytes] of [
      Buffer.from(id, 'base64url'),
      Buffer.from(mac, 'base64url'),
    ].entries()) {
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = Uint8Array.from(bytes)
        flipped[bit >> 3]! ^= 1 << (bit & 7)
        const changed =
          part === 0 ? `ct_${base64url(flipped)}.${mac}` : `ct_${id}.${base64url(flipped)}`
        expect(await readToken(keyring, NAME, changed)).toBe('invalid')
      }
    }
  })

  test('is valid after a rotation, until its secret is no longer listed', async () => {
    expect(await readToken(await openKeyring([SECOND, FIRST]), NAME, token)).toEqual({ id: ID })
    expect(await readToken(await openKeyring([SECOND]), NAME, token)).toBe('invalid')
  })

  test('is missing or wrong, and the two are distinguished', async () => {
    expect(await readToken(keyring, NAME, undefined)).toBe('missing')
    expect(await readToken(keyring, NAME, '')).toBe('invalid')
  })

  test('cannot be made up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.string({ minLength: 43, maxLength: 43 })),
        async (text) => {
          expect(await readToken(keyring, NAME, text)).toBe('invalid')
          expect(await readToken(keyring, NAME, `ct_${ID}.${text}`)).toBe('invalid')
        },
      ),
    )
  })

  test('cannot be made to mean another object and preview by shifting characters between the two', async () => {
    const one = await issueToken(keyring, keyring.current, 'a|b', ID)
    expect(await readToken(keyring, 'a', one)).toBe('invalid')
  })
})
