import { expect, test } from 'vitest'

import { openKeyring } from '../../../../../src/core/crypto/keyring.ts'
import { emailIndex } from '../../../../../src/practice/operations/client/identity.ts'

const [first, second, third] = ['a', 'b', 'c'].map((letter) =>
  Buffer.alloc(32, letter).toString('base64url'),
)
const EMAIL = 'robin@castle.example'

/** What a search compares, and what a record made today is found by, where these secrets are set, today's first. */
async function indexUnder(...secrets: string[]): Promise<string[]> {
  const keyring = await openKeyring(secrets as [string, ...string[]])
  return emailIndex(keyring, keyring.current, EMAIL)
}
const meet = (one: string[], other: string[]) => one.some((link) => other.includes(link))

test('a search meets what was made under every secret that is still set, and nothing else', async () => {
  const [one, two, three] = [
    await indexUnder(first!),
    await indexUnder(second!, first!),
    await indexUnder(third!, second!),
  ]
  expect([one.length, two.length, three.length]).toEqual([1, 2, 2])
  expect(meet(two, one)).toBe(true)
  expect(meet(three, two)).toBe(true)
  expect(meet(three, one)).toBe(false)
})

test('a preview made before a rotation is found by a search after it', async () => {
  const before = await openKeyring([first!])
  const after = await openKeyring([second!, first!])
  // The commit of an old preview keeps to the secret of its record.
  const record = await emailIndex(after, before.current, EMAIL)
  expect(record).toEqual(await emailIndex(before, before.current, EMAIL))
  expect(meet(await indexUnder(second!, first!), record)).toBe(true)
})
