// @module-tag slow

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { addBackupKey } from '../../src/cli/backup/key.ts'
import { noteKeys, openKeyring, signedNote, vkeysOf } from '../../src/core/crypto/keyring.ts'
import { handOverText } from '../../src/core/domain/audit/signed-note.ts'
import { type Ended, runCommand } from '../support/command.ts'
import { fakeHttp } from '../support/fakes/http.ts'
import { startedForAll } from '../support/started.ts'

/** The secrets of the Worker, as Cloudflare keeps them: it lists their names, and never gives a value back. */
const secrets = new Map([
  ['OWNER_KEY_SHA256', 'x'],
  ['SIGNING_SECRET', 'the first one'],
  ['SIGNING_SECRET_9', 'the ninth one'],
])

const SECRETS = '/accounts/account/workers/scripts/practice/secrets'
const listed = () => {
  const result = [...secrets.keys()].map((name) => ({ name, type: 'secret_text' }))
  return { status: 200, body: { success: true, errors: [], messages: [], result } }
}
const cloudflare = startedForAll(() =>
  fakeHttp({
    [`GET ${SECRETS}`]: listed,
    [`PUT ${SECRETS}`]({ body }) {
      const { name, text } = body as { name: string; text: string }
      secrets.set(name, text)
      return listed()
    },
    [`DELETE ${SECRETS}/:name`]({ params }) {
      secrets.delete(params['name']!)
      return listed()
    },
  }),
)

const run = (...given: string[]): Promise<Ended> =>
  runCommand('rotate-secret', ['--name', 'practice', ...given], {
    CLOUDFLARE_API_BASE_URL: cloudflare.url,
    CLOUDFLARE_API_TOKEN: 'x',
    CLOUDFLARE_ACCOUNT_ID: 'account',
  })

async function rotate(...given: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...given)
  expect(code, stderr).toBe(0)
  return stdout
}

test('npm run rotate-secret adds a secret that signs without reading one, and removes old ones only with its flag', async () => {
  const said = await rotate()
  expect(secrets.get('SIGNING_SECRET_10')).toMatch(/^[\w-]{43}$/)
  expect(secrets.get('SIGNING_SECRET')).toBe('the first one')
  expect(said).toContain('SIGNING_SECRET_10 signs from now on')
  expect(said).not.toContain(secrets.get('SIGNING_SECRET_10'))

  expect(await rotate('--finish', '--yes')).toContain('Removed SIGNING_SECRET_9, SIGNING_SECRET.')
  expect([...secrets.keys()].toSorted()).toEqual(['OWNER_KEY_SHA256', 'SIGNING_SECRET_10'])
})

describe('the key of the backups', () => {
  const ORIGIN = 'consult.example/audit-log'
  const keysUnder = async (...names: [string, ...string[]]) =>
    noteKeys(await openKeyring(names.map((one) => one.repeat(32)) as [string, ...string[]]), ORIGIN)
  let folder: string
  let vkeys: string[] = []
  let chain: object[] = []
  const connector = startedForAll(() =>
    fakeHttp({
      'GET /audit/keys': () => ({ status: 200, body: vkeys.join('\n') }),
      'GET /audit/key-chain': () => ({ status: 200, body: { keys: chain } }),
    }),
  )
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotate-secret-'))
    const [first] = vkeysOf(await keysUnder('a'))
    await addBackupKey(join(folder, 'key.txt'), first!)
    vkeys = vkeysOf(await keysUnder('b', 'a'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  beforeEach(() => {
    secrets.set('SIGNING_SECRET', 'the first one')
    secrets.set('SIGNING_SECRET_10', 'the tenth one')
  })
  const finish = (...more: string[]) => {
    const given = ['--finish', '--yes', '--url', connector.url, '--key', join(folder, 'key.txt')]
    return run(...given, ...more)
  }

  test('holds the end of a rotation back that it could not follow, unless the owner cannot wait', async () => {
    chain = []
    const held = await finish()
    expect(held.code).toBe(1)
    expect(held.stderr).toContain('has not vouched for its new key yet')
    expect(secrets.has('SIGNING_SECRET')).toBe(true)
    const forced = await finish('--anyway')
    expect(forced.code, forced.stderr).toBe(0)
    expect(forced.stdout).toContain('Now make a new key for your backups')
    expect(secrets.has('SIGNING_SECRET')).toBe(false)
  })

  test('is said to open the next ones where the log has vouched for its new key', async () => {
    const keys = await keysUnder('b', 'a')
    const [vkey] = vkeysOf(keys)
    chain = [{ vkey, note: await signedNote(keys, handOverText(ORIGIN, vkey!)) }]
    const { code, stdout, stderr } = await finish()
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('The key of your backups opens the next ones, too.')
  })
})
