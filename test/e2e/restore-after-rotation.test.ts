// @module-tag slow

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { type UnknownLog, checkBackup } from '../../src/cli/backup/file.ts'
import {
  type BackupKey,
  keysTrustedFrom,
  readBackupKey,
  shortHashOf,
} from '../../src/cli/backup/key.ts'
import { noteKeyOf } from '../../src/cli/verify/keys.ts'
import { backupKeyAt, chainAt, vkeysAt } from '../support/backup-key.ts'
import { runCommand } from '../support/command.ts'
import { OWNED, OWNER_KEY, startConnector } from '../support/connector.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const pathOf = (name: string): string => join(folder.path, name)

const PUBLIC_URL = 'https://consult.example'
const SECRETS = [
  'the first signing secret of this practice',
  'the second signing secret of this one',
]
/** Before the rotation, during its overlap, and after `rotate-secret -- --finish`. */
const STAGES = {
  before: { SIGNING_SECRET: SECRETS[0]! },
  overlap: { SIGNING_SECRET: SECRETS[0]!, SIGNING_SECRET_2: SECRETS[1]! },
  finished: { SIGNING_SECRET: '', SIGNING_SECRET_2: SECRETS[1]! },
}
type Stage = keyof typeof STAGES

let key: BackupKey
let pinned = ''
let newest = ''

beforeAll(async () => {
  const made = await backupKeyAt(pathOf('key.txt'))
  for (const stage of Object.keys(STAGES) as Stage[]) {
    const vars = { ...OWNED, PUBLIC_URL, BACKUP_RECIPIENT: made.recipient, ...STAGES[stage] }
    const connector = await startConnector({ vars, storage: pathOf('storage') })
    const headers = { Authorization: `Bearer ${OWNER_KEY}` }
    const file = await fetch(new URL('/v1/backup', connector.url), { headers })
    await writeFile(pathOf(`${stage}.age`), new Uint8Array(await file.arrayBuffer()))
    if (stage === 'before') key = await made.pinTo(connector.url)
    ;[newest = ''] = await vkeysAt(connector.url)
    pinned ||= newest
    if (stage === 'finished') {
      const chain = await chainAt(connector.url)
      expect(chain.map(({ vkey }) => vkey)).toEqual([pinned, newest])
      expect(await keysTrustedFrom([pinned], chain)).toContainEqual(await noteKeyOf(newest))
    }
    await connector.stop()
  }
})

test.each(Object.keys(STAGES))(
  'a backup made %s a rotation of the signing secret is good under the key that was pinned before it',
  async (stage) => {
    const { origin } = await checkBackup(pathOf(`${stage}.age`), key)
    expect(origin).toBe('consult.example/audit-log')
  },
)

test.each(Object.keys(STAGES))(
  'the line of age alone is enough for a backup made %s it, once the owner has compared whose log it is',
  async (stage) => {
    await writeFile(pathOf('alone.txt'), `  ${key.identities[0]!}\n`)
    const alone = await readBackupKey(pathOf('alone.txt'))
    const asked: UnknownLog[] = []
    await checkBackup(pathOf(`${stage}.age`), alone, async (log) => void asked.push(log))
    expect(asked).toEqual([{ name: 'consult.example', hash: await shortHashOf(pinned) }])
    const no = () => Promise.reject(new Error('not mine'))
    await expect(checkBackup(pathOf(`${stage}.age`), alone, no)).rejects.toThrow()
  },
)

test('without a terminal the line of age alone is refused, and it says what is missing', async () => {
  const args = ['--drill', pathOf('finished.age'), '--key', pathOf('alone.txt')]
  const { code, stdout } = await runCommand('restore', args)
  expect(code).toBe(1)
  expect(stdout).toMatch(/does not name the key of your log[^]*consult-backup-key:…/)
})

test('one pinned after the rotation trusts no backup of before it', async () => {
  const later = { ...key, vkeys: [newest] }
  await expect(checkBackup(pathOf('before.age'), later)).rejects.toThrow('was not made by')
  expect((await checkBackup(pathOf('finished.age'), later)).origin).toBe(
    'consult.example/audit-log',
  )
})
