import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'

import { type CheckedBackup, checkBackup } from '../../src/cli/backup/file.ts'
import { fillConnector, newRestoreToken } from '../../src/cli/backup/fill.ts'
import { readBackupKey } from '../../src/cli/backup/key.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { app, listAvailability } from '../security/oauth/app.ts'
import { approverOf } from '../support/approver.ts'
import { browser } from '../support/browser.ts'
import { LATER, addLater } from '../support/kept-practice/later.ts'
import {
  type KeptPractice,
  type Part,
  calcomOn,
  filesOf,
  keptPractice,
  ringAtOnce,
  scriptOn,
  startOn,
  underItsName,
  unpackInto,
} from '../support/kept-practice/opened.ts'
import { asked } from '../support/rest-changes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * A practice in two parts, each filled by the version of its day, with its backup: neither part is ever made again.
 */
const KEEP_READING =
  'A connector that is updated answers otherwise from what it has stored. Keep reading the fields, columns and ' +
  'defaults with which test/support/kept-practice was stored, beside the new ones'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const pathOf = (name: string): string => join(folder.path, name)

/** Opens a part on its day, with the provider that it had then. */
async function open(part: Part, storage: string, { worker, vars }: Opening = keptPractice(part)) {
  const practice = keptPractice(part)
  const script = scriptOn(practice.clock, inject('workerScript'), `${storage}-built`)
  const calcom = practice.calendar && (await calcomOn(practice))
  const delivered: string[] = []
  const take = (body: string) => void delivered.push(body)
  const local = await startOn({ vars }, { script, storage, worker }, { calcom, take })
  const stop = async () => {
    await local.stop()
    await calcom?.stop()
  }
  return { ...local, calcom, delivered, stop }
}
type Opening = Pick<KeptPractice, 'worker' | 'vars'>
type Local = Awaited<ReturnType<typeof open>>

/** What holds of a part wherever it is open. */
async function repeatsItsAnswers({ url }: Local, part: Part): Promise<void> {
  for (const change of keptPractice(part).changes) {
    const { text } = await asked(url, change, change.apiKey)
    expect(text, `the stored answer of ${change.path} is not what it was. ${KEEP_READING}`).toBe(
      change.text,
    )
  }
}

describe.each<{ which: string; part: Part; isLater: boolean }>([
  { which: 'an earlier version has left', part: 'second', isLater: false },
  { which: 'a later version has added to, which was taken back', part: 'first', isLater: true },
])('the storage of a practice that $which', ({ part, isLater }) => {
  const practice = keptPractice(part)
  const { reads, keys, openLink, halfFilled, waiting } = practice
  const { underWay = [], undelivered = [], hosts = [] } = practice
  const storage = pathOf(`${part}${isLater}`)
  let local: Local
  async function ring() {
    ringAtOnce(storage, practice.worker, 'EventLog')
    local = await open(part, storage)
  }
  beforeAll(() => {
    unpackInto(storage, part)
    if (isLater) addLater(storage)
    return ring()
  })
  afterAll(() => local?.stop())

  test('repeats its answers byte for byte', () => repeatsItsAnswers(local, part))

  test.each(reads)('shows $path as it did', async ({ path, words }) => {
    const { status, text } = await asked(local.url, { path }, keys.owner)
    expect(status, text).toBe(200)
    for (const word of words) expect(text, KEEP_READING).toContain(word)
    expect(text).not.toContain(LATER)
  })

  test.each(underWay)('finishes $what', async ({ what, answer, apiKey, ...request }) => {
    const [expected, ...words] = answer
    const { status, text } = await asked(local.url, request, apiKey)
    expect(status, `${what}: ${text} ${KEEP_READING}`).toBe(expected)
    for (const word of words) expect(text, KEEP_READING).toContain(word)
    const isWaiting = waiting?.key === request.key
    if (isWaiting) await approverOf(local).decides(request.key, 'approve', waiting.caller)
    const again = await asked(local.url, request, apiKey)
    if (isWaiting) expect(again.text, KEEP_READING).toContain('"committed"')
    else if (expected === 200) expect(again.text).toBe(text)
  })

  test.each(undelivered)('delivers each %s that was not delivered', async (type) => {
    const arrived = () => local.delivered.join().includes(type)
    // An alarm sends for two seconds, and the next one would ring on the day of the practice.
    for (let rings = 0; rings < 8; rings++) {
      if (await vi.waitUntil(arrived, 20_000).catch(() => false)) return
      await local.stop()
      await ring()
    }
    expect(local.delivered.join(), KEEP_READING).toContain(type)
  })

  test.each(practice.calendar ? ['Cal.com'] : [])('takes what %s sends', async () => {
    const { bookOnPage, webhooks } = local.calcom!
    const someone = { name: 'Di Visitor', email: 'di@visitor.example', timeZone: 'UTC' }
    bookOnPage(Date.parse(practice.clock) + 9 * DAY, someone)
    const taken = await webhooks.deliver(underItsName(local))
    expect([...new Set(taken)], KEEP_READING).toEqual([200])
  })

  test.each(hosts)('knows $clientId', async ({ clientId, accessToken, refreshToken }) => {
    const { refresh } = app(practice.vars['PUBLIC_URL']!, undefined, underItsName(local))
    const lists = async (token: string) => (await listAvailability(local.url, token)).text
    expect(await lists(accessToken), KEEP_READING).toContain('slots')
    const { body } = await refresh(clientId, refreshToken)
    expect(await lists(body.access_token), KEEP_READING).toContain('slots')
  })

  test('goes on: client links are open, and a new change can be made', async () => {
    const page = await fetch(new URL(openLink, local.url))
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form')])
    if (halfFilled) {
      const { path, form } = halfFilled
      const { status, html } = await browser(local.url).submit(path, form)
      expect(status, `${html} ${KEEP_READING}`).toBe(303)
    }
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

describe.each<Part>(['first', 'second'])('the backup of the %s part', { tags: 'slow' }, (part) => {
  const practice = keptPractice(part)
  const { changes, openLink } = practice
  let checked: CheckedBackup
  let local: Local
  beforeAll(async () => {
    checked = await checkBackup(filesOf(part).backup, await readBackupKey(filesOf(part).key))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(practice.clock) })
    const { token, hash } = newRestoreToken(checked)
    vi.useRealTimers()
    const restored = { ...practice.vars, RESTORED_AT: practice.clock }
    const storage = pathOf(`restored-${part}`)
    const worker = 'restored-practice'
    const vars = { ...restored, RESTORE_SHA256: hash }
    const restoring = await open(part, storage, { worker, vars })
    const all = checked.who.actors.filter(({ kind }) => kind === 'key').map(({ id }) => id)
    const chosen = { keys: all, passkeys: [], webhooks: [] }
    await fillConnector(restoring.url, token, checked, chosen).catch((cause: unknown) => {
      throw new Error(`${String(cause)} ${KEEP_READING}`)
    })
    await restoring.stop()
    local = await open(part, storage, { worker, vars: restored })
  })
  afterAll(() => local?.stop())

  test('is whole, and restores under another name; it repeats its answers byte for byte', async () => {
    expect(checked.counts['RECORDS.answers']).toBe(changes.length)
    await repeatsItsAnswers(local, part)
  })

  test('ends its client links', async () => {
    const page = await fetch(new URL(openLink, local.url))
    expect([page.status, await page.text()]).toEqual([
      410,
      expect.stringContaining('This link ended on'),
    ])
  })
})
