import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  sign,
} from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { base64url, equalInConstantTime, sha256 } from '../../../../src/core/crypto/encoding.ts'
import { openKeyring } from '../../../../src/core/crypto/keyring.ts'

const FIRST = 'the first signing secret, 32 bytes long'
const SECOND = 'the second signing secret, 32 bytes too'

describe('a keyring', () => {
  test('signs with the first secret and verifies with all', async () => {
    const { current, ids } = await openKeyring([FIRST, SECOND])
    expect(ids).toHaveLength(2)
    expect(current).toBe(ids[0])
    const rotated = await openKeyring([SECOND, FIRST])
    expect(rotated.ids).toEqual([...ids].reverse())
  })

  test('names a secret by an id that does not give it away', async () => {
    const { current } = await openKeyring([FIRST])
    expect(current).toMatch(/^[0-9a-f]{8}$/)
    expect(createHash('sha256').update(FIRST).digest('hex')).not.toContain(current)
  })

  test('makes the same hash under the same id, whatever else is listed', async () => {
    const alone = await openKeyring([FIRST])
    const among = await openKeyring([SECOND, FIRST])
    const id = alone.current
    expect(await among.mac(id, 'pin', 'text')).toBe(await alone.mac(id, 'pin', 'text'))
  })

  test('derives a key for each purpose by HKDF-SHA-256 and signs with HMAC-SHA-256', async () => {
    const keyring = await openKeyring([FIRST])
    const key = hkdfSync('sha256', FIRST, '', 'consult-connector|v1|token', 32)
    const expected = createHmac('sha256', Buffer.from(key)).update('text').digest('base64url')
    expect(await keyring.mac(keyring.current, 'token', 'text')).toBe(expected)
  })

  test('another text, purpose or secret gives another hash', async () => {
    const keyring = await openKeyring([FIRST, SECOND])
    const [first, second] = keyring.ids as [string, string]
    const macs = await Promise.all([
      keyring.mac(first, 'pin', 'text'),
      keyring.mac(first, 'pin', 'texu'),
      keyring.mac(first, 'token', 'text'),
      keyring.mac(second, 'pin', 'text'),
    ])
    expect(new Set(macs).size).toBe(4)
  })

  test('refuses an id that is not listed', async () => {
    const keyring = await openKeyring([FIRST])
    const { current } = await openKeyring([SECOND])
    await expect(keyring.mac(current, 'pin', 'text')).rejects.toThrow(RangeError)
  })
})

describe('a seal', () => {
  test('is opened for its purpose and owner, and does not show what is in it', async () => {
    const keyring = await openKeyring([FIRST])
    const sealed = await keyring.seal('webhook', 'wh_1', 'a secret text')
    expect(sealed.startsWith(`${keyring.current}.`)).toBe(true)
    expect(sealed).not.toContain('secret')
    expect(await keyring.seal('webhook', 'wh_1', 'a secret text')).not.toBe(sealed)
    expect(await keyring.open('webhook', 'wh_1', sealed)).toBe('a secret text')
    expect(await keyring.open('webhook', 'wh_2', sealed)).toBeUndefined()
    expect(await keyring.open('other', 'wh_1', sealed)).toBeUndefined()
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BA' : 'AA'}`
    expect(await keyring.open('webhook', 'wh_1', changed)).toBeUndefined()
    expect(await keyring.open('webhook', 'wh_1', 'no seal')).toBeUndefined()
  })

  test('is opened as long as its signing secret is listed, and made under the first', async () => {
    const sealed = await (await openKeyring([FIRST])).seal('webhook', 'wh_1', 'text')
    const rotated = await openKeyring([SECOND, FIRST])
    expect(await rotated.open('webhook', 'wh_1', sealed)).toBe('text')
    const again = await rotated.seal('webhook', 'wh_1', 'text')
    const after = await openKeyring([SECOND])
    expect(await after.open('webhook', 'wh_1', again)).toBe('text')
    expect(await after.open('webhook', 'wh_1', sealed)).toBeUndefined()
  })
})

describe('the encodings', () => {
  test('SHA-256 is in lower-case hex, of UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        expect(await sha256(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'))
      }),
      { numRuns: 30 },
    )
  })

  test('two texts are equal only if they are the same', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u0000'), maxLength: 6 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(equalInConstantTime(a, b)).toBe(a === b)
        expect(equalInConstantTime(a, a)).toBe(true)
      }),
    )
    for (const [a, b] of [
      ['', 'a'],
      ['a', ''],
      ['a', 'aa'],
      ['aa', 'a'],
      ['abab', 'ab'],
    ] as const)
      expect(equalInConstantTime(a, b)).toBe(false)
  })
})

test('The audit log is signed by an Ed25519 key whose seed is derived from the secret by HKDF-SHA-256', async () => {
  const keyring = await openKeyring([FIRST, SECOND])
  const [first, second] = await Promise.all(keyring.ids.map((id) => keyring.signer(id)))
  const seed = Buffer.from(
    hkdfSync('sha256', FIRST, '', 'consult-connector|v1|audit-log-ed25519', 32),
  )
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' })
  expect(Buffer.from(await first!.sign('text')).equals(sign(null, Buffer.from('text'), key))).toBe(
    true,
  )
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  expect(base64url(first!.publicKey)).toBe(x)
  expect(second!.publicKey).not.toEqual(first!.publicKey)
  await expect(keyring.signer('00000000')).rejects.toThrow(RangeError)
})
