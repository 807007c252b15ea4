import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { newEnrolmentToken } from '../../src/access/passkey-enrolment.ts'
import { startLocal } from '../../src/cli/local.ts'
import {
  type CheckedBackup,
  addBackupKey,
  addLogKeys,
  checkBackup,
  linesIn,
  readBackupKey,
} from '../../src/cli/backup/file.ts'
import { fillConnector, newRestoreToken } from '../../src/cli/backup/fill.ts'
import { DAY, HOUR } from '../../src/domain/time/duration.ts'
import { softAuthenticator } from '../support/authenticator.ts'
import { browser } from '../support/browser.ts'
import { OWNED, OWNER_KEY } from '../support/connector.ts'
import { enrol, signIn } from '../support/passkeys.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** FILLED_BOOKINGS=1000 FILLED_CLIENTS=4000 makes the 10,000 entries of a busy practice; it takes some minutes. */
const BOOKINGS = Number(process.env['FILLED_BOOKINGS'] ?? 40)
const CLIENTS = Number(process.env['FILLED_CLIENTS'] ?? 60)
const REPEATS = 2000
const AT_ONCE = 8
const EMAIL = 'jordan.canary@plumbwick.example'
const NAME = 'Jordan Zibblethwaite'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const pathOf = (name: string): string => join(folder.path, name)

type Local = Awaited<ReturnType<typeof startLocal>>
const logs: string[] = []
const start = (vars: Record<string, string>, storage: string, name: string): Promise<Local> =>
  startLocal({
    script: inject('workerScript'),
    onLog: (line) => logs.push(line),
    vars: { SIGNING_SECRET: randomBytes(32).toString('base64url'), ...OWNED, ...vars },
    storage: pathOf(storage),
    name,
  })

interface Change {
  path: string
  key: string
  fields: object
  text: string
}

async function asked(url: string, path: string, key?: string, fields?: object) {
  const headers: Record<string, string> = { Authorization: `Bearer ${OWNER_KEY}` }
  if (key !== undefined) headers['Idempotency-Key'] = key
  if (fields) headers['Content-Type'] = 'application/json'
  const body = fields && JSON.stringify(fields)
  const answer = await fetch(new URL(path, url), {
    method: body ? 'POST' : 'GET',
    headers,
    body: body ?? null,
  })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

async function changed(url: string, path: string, fields: object): Promise<Change> {
  const key = crypto.randomUUID()
  const preview = await asked(url, path, key, { ...fields, confirm: false })
  const { confirmation_token } = JSON.parse(preview.text) as { confirmation_token: string }
  const commit = { ...fields, confirm: true, confirmation_token }
  const { status, text } = await asked(url, path, key, commit)
  expect(status, text).toBe(200)
  return { path, key, fields: commit, text }
}

/** Does the work so many at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const next = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

const CLIENT = { entity_type: 'individual', display_name: NAME, contact_email: EMAIL }
const signingSecret = randomBytes(32).toString('base64url')

describe('a filled practice', { tags: 'slow', timeout: 1_800_000 }, () => {
  const changes: Change[] = []
  const token = newEnrolmentToken(Date.now() + HOUR, randomBytes(32))
  let first: Local
  let authenticator: ReturnType<typeof softAuthenticator>
  let checked: CheckedBackup
  let file: string
  let vars: Record<string, string>

  beforeAll(async () => {
    const keyFile = pathOf('key.txt')
    const OWNER_ENROLMENT_SHA256 = createHash('sha256').update(token).digest('hex')
    vars = { SIGNING_SECRET: signingSecret, BACKUP_RECIPIENT: await addBackupKey(keyFile) }
    first = await start({ ...vars, OWNER_ENROLMENT_SHA256 }, 'first', 'consult-connector')
    const { url } = first
    const address = url.replace('127.0.0.1', 'localhost')
    authenticator = softAuthenticator(address)
    expect((await enrol({ token }, browser(address), authenticator)).status).toBe(200)
    const hook = { url: 'https://hooks.example.com/x', events: ['booking.created'] }
    expect((await asked(url, '/v1/webhooks', undefined, hook)).status).toBeLessThan(300)

    const times: string[] = []
    for (let day = 1; times.length < BOOKINGS; day += 7) {
      const from = new Date(Date.now() + day * DAY).toISOString()
      const { text } = await asked(url, `/v1/availability?start_time=${from}`)
      for (const { start_time } of (JSON.parse(text) as { slots: { start_time: string }[] }).slots)
        if (!times.includes(start_time)) times.push(start_time)
    }
    const consult = { timezone: 'America/New_York', invitee_email: EMAIL, invitee_name: NAME }
    await each(times.slice(0, BOOKINGS), async (start_time) => {
      changes.push(await changed(url, '/v1/bookings', { start_time, ...consult }))
    })
    await each(
      Array.from({ length: CLIENTS }, (_, nth) => nth),
      async () => {
        changes.push(await changed(url, '/v1/clients', CLIENT))
      },
    )

    const began = Date.now()
    // A backup whose reader goes away is none, and keeps the next one from nothing.
    const broken = await fetch(new URL('/v1/backup', url), {
      headers: { Authorization: `Bearer ${OWNER_KEY}` },
    })
    const reader = broken.body!.getReader()
    await reader.read()
    await reader.cancel()
    let load = 0
    let isDone = false
    const busy = (async () => {
      for (; !isDone; load++) await changed(url, '/v1/clients', CLIENT)
    })()
    const headers = { Authorization: `Bearer ${OWNER_KEY}` }
    const got = async (): Promise<boolean> => {
      const answer = await fetch(new URL('/v1/backup', url), { headers })
      if (answer.ok) await writeFile(pathOf('consult.age'), new Uint8Array(await answer.arrayBuffer()))
      return answer.ok
    }
    await vi.waitUntil(got, { timeout: 120_000, interval: 1000 })
    isDone = true
    await busy
    file = pathOf('consult.age')
    await addLogKeys(keyFile, (await asked(url, '/audit/keys')).text.trim().split('\n'))
    checked = await checkBackup(file, await readBackupKey(keyFile))
    const size = (await readFile(file)).length
    console.log(
      `backup: ${size} bytes in ${Date.now() - began} ms, ${load} changes meanwhile`,
      checked.counts,
    )
    await first.stop()
  }, 1_800_000)

  const countsWithoutOutboxes = (): object =>
    Object.fromEntries(
      Object.entries(checked.counts).filter(([name]) => name.includes('.') && !name.endsWith('.outbox')),
    )

  test('holds nothing in clear in file, name and log lines', async () => {
    let all = ''
    for await (const line of linesIn(file, checked.key)) all += line
    const bytes = (await readFile(file)).toString('latin1')
    for (const word of [EMAIL, NAME, 'jordan', OWNER_KEY, token])
      for (const text of [all, bytes, logs.join('\n')]) expect(text.includes(word), word).toBe(false)
    expect(bytes.includes('booking')).toBe(false)
  })

  test('comes back under another Worker’s name though the restore is killed at random, and nothing happens twice', async () => {
    let restoring: Local
    let rows: Record<string, number> | undefined
    for (let kills = 0; ; kills++) {
      const { token: restore, hash } = newRestoreToken(checked)
      const restoringVars = { ...vars, ...checked.secrets, RESTORED_AT: new Date().toISOString() }
      restoring = await start({ ...restoringVars, RESTORE_SHA256: hash }, 'second', 'elsewhere')
      const filled = fillConnector(restoring.url, restore, checked)
      // One that is killed would try for minutes; another run of it begins instead.
      const ended = filled.then((got) => void (rows ??= got)).catch(() => {})
      if (kills === 3) {
        await filled
        break
      }
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, Math.random() * 300))])
      await restoring.stop()
    }
    expect(rows).toEqual(expect.objectContaining(countsWithoutOutboxes()))
    await restoring.stop()
    const RESTORED_AT = new Date().toISOString()
    const again = await start({ ...vars, ...checked.secrets, RESTORED_AT }, 'second', 'elsewhere')
    let repeated = 0
    await each(
      Array.from({ length: REPEATS }, (_, nth) => changes[nth % changes.length]!),
      async ({ path, key, fields, text }) => {
        const answer = await asked(again.url, path, key, fields)
        expect(answer.text).toBe(text)
        repeated += 1
      },
    )
    expect(repeated).toBe(REPEATS)
    const calendars = await again.durableObjects('MOCK_CALENDAR')
    const calendar = calendars.get(calendars.idFromName('calendar')) as unknown as {
      taken(from: number, to: number): Promise<unknown[]>
    }
    expect(await calendar.taken(0, Number.MAX_SAFE_INTEGER)).toEqual([])

    const address = again.url.replace('127.0.0.1', 'localhost')
    authenticator.movedTo(address)
    expect((await signIn(browser(address), authenticator)).status).toBe(200)
    await again.stop()
  })
})
