// @module-tag slow

import { randomBytes } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { newApiKey } from '../../src/core/crypto/api-key.ts'
import { runCommand } from '../support/command.ts'
import { OWNED, OWNER_KEY } from '../support/connector.ts'
import { sharedConnector } from '../support/started.ts'

const connector = sharedConnector(OWNED)

/** What `npm run keys -- …` prints, and whether it failed. */
async function keys(given: string[], key = OWNER_KEY): Promise<{ text: string; failed: boolean }> {
  const args = [...given, '--url', connector.url]
  const { code, stdout, stderr } = await runCommand('keys', args, { CONNECTOR_API_KEY: key })
  return code === 0 ? { text: stdout, failed: false } : { text: stderr, failed: true }
}

const keyIn = (text: string): string => /ccn_\w+/.exec(text)?.[0] ?? ''
const statusWith = async (key: string): Promise<number> =>
  (await connector.as(key).rest('/v1/me')).status

describe('npm run keys', () => {
  test('makes a key that works, rotates it with an overlap, and revokes it', async () => {
    const made = await keys([
      'create',
      '--name',
      'Front desk',
      '--scopes',
      'availability:read, bookings:write',
    ])
    const first = keyIn(made.text)
    const id = /\(([0-9a-f-]{36})\)/.exec(made.text)?.[1] ?? ''
    expect(await statusWith(first)).toBe(200)

    const listed = await keys(['list'])
    expect(listed.text).toContain(`${id}  Front desk\n  availability:read, bookings:write`)
    expect(listed.text).not.toContain('ccn_')

    const rotated = await keys(['rotate', id, '--overlap-hours', '1'])
    expect(rotated.text).toContain('The old key stays valid for 1 hour.')
    const second = keyIn(rotated.text)
    expect(second).not.toBe(first)
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])

    expect((await keys(['revoke', id])).text).toContain('within 60 seconds')
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 401])
    expect((await keys(['list'])).text).toMatch(/revoked \d{4}-/)
  })

  test('a lifetime or an overlap that is no number makes no key, which would never end', async () => {
    const made = ['create', '--name', 'x', '--scopes', 'availability:read']
    for (const given of [
      [...made, '--expires-in-days', '90d'],
      ['rotate', 'any', '--overlap-hours', 'none'],
    ])
      expect(await keys(given)).toMatchObject({
        failed: true,
        text: expect.stringContaining('takes a whole number') as string,
      })
  })

  test('an option that is given twice is refused, and not the last one taken', async () => {
    const made = ['create', '--name', 'x', '--scopes', 'availability:read', '--scopes', 'admin']
    expect(await keys(made)).toMatchObject({
      failed: true,
      text: expect.stringContaining('--scopes is given twice') as string,
    })
  })

  test('says in one sentence what is wrong, and never shows a key', async () => {
    const unnamed = await keys(['list'], newApiKey(randomBytes(32)))
    expect(unnamed).toMatchObject({
      failed: true,
      text: expect.stringContaining('CONNECTOR_API_KEY') as string,
    })
    const unknown = await keys(['create', '--name', 'x', '--scopes', 'everything'])
    expect(unknown).toMatchObject({
      failed: true,
      text: expect.stringContaining('scopes, entry 1: ') as string,
    })
    expect(await keys([])).toMatchObject({
      failed: true,
      text: expect.stringContaining('Usage:') as string,
    })
    for (const { text } of [unnamed, unknown]) expect(text).not.toContain('ccn_')
  })
})
