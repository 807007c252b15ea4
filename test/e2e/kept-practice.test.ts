import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'

import { type CheckedBackup, checkBackup } from '../../src/cli/backup/file.ts'
import { fillConnector, newRestoreToken } from '../../src/cli/backup/fill.ts'
import { readBackupKey } from '../../src/cli/backup/key.ts'
import { LATER, addLater } from '../support/kept-practice/later.ts'
import {
  BACKUP,
  KEY,
  keptPractice,
  scriptOn,
  startOn,
  unpackInto,
} from '../support/kept-practice/opened.ts'
import { asked } from '../support/rest-changes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * A practice that an earlier version of this code has filled, with its backup. If this fails, a connector that is updated can
 * no longer read what it has stored. Keep reading it. Only where stored shapes are still free: test/support/kept-practice/make.ts makes it
 * again, and the commit says why.
 */
const practice = keptPractice()
const { changes, reads, keys, openLink } = practice

const folder = temporaryFolder()
afterAll(() => folder.remove())
const pathOf = (name: string): string => join(folder.path, name)

type Local = Awaited<ReturnType<typeof startOn>>
let script: string
beforeAll(() => {
  script = scriptOn(practice.clock, inject('workerScript'), pathOf('built'))
})

/** What holds of the practice wherever it is open. */
async function repeatsItsAnswers({ url }: Local, without: readonly string[] = []): Promise<void> {
  for (const change of changes.filter(({ apiKey }) => !without.includes(apiKey))) {
    const { text } = await asked(url, change, change.apiKey)
    expect(text, `the stored answer of ${change.path} is not what it was`).toBe(change.text)
  }
}

describe.each([
  { which: 'an earlier version has filled', isLater: false },
  { which: 'a later version has added to, which was taken back', isLater: true },
])('the storage of a practice that $which', ({ isLater }) => {
  let local: Local
  beforeAll(async () => {
    const storage = pathOf(`storage${isLater}`)
    unpackInto(storage)
    if (isLater) addLater(storage)
    local = await startOn(practice, { script, storage, worker: practice.worker })
  }, 120_000)
  afterAll(() => local?.stop())

  test('repeats its answers byte for byte', () => repeatsItsAnswers(local))

  test.each(reads)('shows $path as it did', async ({ path, words }) => {
    const { status, text } = await asked(local.url, { path }, keys.owner)
    expect(status, text).toBe(200)
    for (const word of words) expect(text).toContain(word)
    expect(text).not.toContain(LATER)
  })

  test('goes on: a client link is open, and a new change can be made', async () => {
    const page = await fetch(new URL(openLink, local.url))
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form')])
    const fields = {
      entity_type: 'llc',
      display_name: 'Quillfeather LLC',
      contact_email: 'b@quillfeather.example',
    }
    const preview = {
      path: '/v1/clients',
      key: crypto.randomUUID(),
      fields: { ...fields, confirm: false },
    }
    expect((await asked(local.url, preview, keys.office)).text).toContain('"status":"preview"')
  })
})

describe('the backup of that practice', () => {
  let checked: CheckedBackup
  let local: Local
  beforeAll(async () => {
    checked = await checkBackup(BACKUP, await readBackupKey(KEY))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(practice.clock) })
    const { token, hash } = newRestoreToken(checked)
    vi.useRealTimers()
    const restored = { ...practice.vars, RESTORED_AT: practice.clock }
    const at = { script, storage: pathOf('restored'), worker: 'restored-practice' }
    const restoring = await startOn({ vars: { ...restored, RESTORE_SHA256: hash } }, at)
    const all = checked.who.actors.filter(({ kind }) => kind === 'key').map(({ id }) => id)
    await fillConnector(restoring.url, token, checked, { keys: all, passkeys: [], webhooks: [] })
    await restoring.stop()
    local = await startOn({ vars: restored }, at)
  }, 180_000)
  afterAll(() => local?.stop())

  test('is whole, and restores under another name; it repeats its answers byte for byte', async () => {
    expect(checked.counts['RECORDS.answers']).toBe(changes.length)
    await repeatsItsAnswers(local)
  })

  test('ends its client links', async () => {
    const page = await fetch(new URL(openLink, local.url))
    expect([page.status, await page.text()]).toEqual([
      410,
      expect.stringContaining('This link ended on'),
    ])
  })
})
