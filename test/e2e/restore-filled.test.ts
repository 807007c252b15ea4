// @module-tag slow

import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'

import { type CheckedBackup, checkBackup, linesIn } from '../../src/cli/backup/file.ts'
import { fillConnector, newRestoreToken } from '../../src/cli/backup/fill.ts'
import { askWhoStays } from '../../src/cli/backup/who-may-act.ts'
import { startLocal } from '../../src/cli/local.ts'
import { verifyPack } from '../../src/cli/verify/verify.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../src/owner/access/passkey-enrolment.ts'
import { type SoftAuthenticator, softAuthenticator } from '../support/authenticator.ts'
import { backupKeyAt } from '../support/backup-key.ts'
import { type Browser, approve, browser, confirmed } from '../support/browser.ts'
import { OWNED, OWNER_KEY } from '../support/connector.ts'
import { programWith } from '../support/console-walk.ts'
import { enrol, invitation, signIn } from '../support/passkeys.ts'
import { type Change, asked, changed, each, receiptOf } from '../support/rest-changes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { listUnresolved } from '../support/unresolved.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

/** FILLED_BOOKINGS=1000 FILLED_CLIENTS=4000 makes the 10,000 entries of a busy practice; it takes some minutes. */
const BOOKINGS = Number(process.env['FILLED_BOOKINGS'] ?? 40)
const CLIENTS = Number(process.env['FILLED_CLIENTS'] ?? 60)
const UNRESOLVED = 2
const WAITING = 3
const REPEATS = 2000
const RECEIPTS = 20
const KILLS = { backup: 2, restore: 3 }
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

/** Ends the connector after a random time, while this is at work or just after. */
async function killedDuring(work: Promise<unknown>, local: Local): Promise<void> {
  const afterMs = Math.random() * (300 + (BOOKINGS + CLIENTS) / 4)
  await Promise.race([work.catch(() => {}), new Promise((wake) => setTimeout(wake, afterMs))])
  await local.stop()
}

/** Passkeys belong to a name, and an address is none. */
const named = ({ url }: Local): string => url.replace('127.0.0.1', 'localhost')

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

const CLIENT = { entity_type: 'individual', display_name: NAME, contact_email: EMAIL }
const CONSULT = { timezone: 'America/New_York', invitee_email: EMAIL, invitee_name: NAME }

describe('a filled practice', { timeout: 1_800_000 }, () => {
  const enrolment = newEnrolmentToken(Date.now() + HOUR, randomBytes(32))
  const freshEnrolment = newEnrolmentToken(Date.now() + DAY, randomBytes(32))
  const keyFile = pathOf('key.txt')
  const file = pathOf('consult.age')
  const changes: Change[] = []
  const lost: (Change & { operation_id: string })[] = []
  const times: string[] = []
  let vars: Record<string, string>
  let owner: SoftAuthenticator
  let approver: SoftAuthenticator
  let receiver: Awaited<ReturnType<typeof webhookReceiver>>
  let hookId: string
  let officeKey: string
  let waiting: Change[]
  let receipts: string[]
  let checked: CheckedBackup

  /** An owner and an approver with a passkey each, a webhook, and a caller that may only book, where a person approves it. */
  async function peopleAndRules(first: Local): Promise<void> {
    const web = browser(named(first))
    owner = softAuthenticator(named(first))
    expect((await enrol({ token: enrolment }, web, owner)).status).toBe(200)
    approver = softAuthenticator(named(first))
    const token = await invitation(web, 'Sam at the front desk')
    expect((await enrol({ token }, browser(named(first)), approver)).status).toBe(200)
    const program = programWith(first.url, OWNER_KEY)
    const hook = { url: receiver.url, events: ['booking.created'] }
    hookId = String((await program.send('/v1/webhooks', { body: hook })).body['webhook_id'])
    const scopes = ['bookings:write', 'clients:write']
    const { body } = await program.send('/v1/keys', { body: { name: 'Front office', scopes } })
    officeKey = String(body['key'])
    const approval = [{ operation: 'book_consult', level: 'person' as const }]
    await program.tightens({ operations: ['book_consult'], approval }, `key:${String(body['id'])}`)
  }

  async function bookingsAndClients({ url, durableObjects }: Local): Promise<void> {
    for (let day = 1; times.length < BOOKINGS + UNRESOLVED + WAITING; day += 7) {
      const from = new Date(Date.now() + day * DAY).toISOString()
      const { text } = await asked(url, { path: `/v1/availability?start_time=${from}` })
      for (const { start_time } of (JSON.parse(text) as { slots: { start_time: string }[] }).slots)
        if (!times.includes(start_time)) times.push(start_time)
    }
    for (const start_time of times.splice(0, UNRESOLVED)) {
      const change = await changed(
        url,
        '/v1/bookings',
        { start_time, ...CONSULT },
        { expected: 503 },
      )
      lost.push({
        ...change,
        operation_id: await listUnresolved({ durableObjects }, change.key, 'owner'),
      })
    }
    await each(times.splice(0, BOOKINGS), async (start_time) => {
      changes.push(await changed(url, '/v1/bookings', { start_time, ...CONSULT }))
    })
    await each(Array.from({ length: CLIENTS }), async () => {
      changes.push(await changed(url, '/v1/clients', CLIENT))
    })
  }

  const backupOf = ({ url }: Local) =>
    fetch(new URL('/v1/backup', url), { headers: { Authorization: `Bearer ${OWNER_KEY}` } })

  /** Changes go on meanwhile. One whose reader goes away, and those that are killed, are none; the last one is whole. */
  async function backedUpUnderLoad(first: Local): Promise<void> {
    const reader = (await backupOf(first)).body!.getReader()
    await reader.read()
    await reader.cancel()
    const began = Date.now()
    let load = 0
    let isDone = false
    const busy = (async () => {
      for (; !isDone; load++) await changed(first.url, '/v1/clients', CLIENT)
    })()
    const got = async (): Promise<boolean> => {
      const answer = await backupOf(first)
      if (answer.ok) await writeFile(file, new Uint8Array(await answer.arrayBuffer()))
      return answer.ok
    }
    await vi.waitUntil(got, { timeout: 120_000, interval: 1000 })
    isDone = true
    await busy
    const size = (await readFile(file)).length
    console.log(`backup: ${size} bytes in ${Date.now() - began} ms, ${load} changes meanwhile`)
  }

  beforeAll(async () => {
    const OWNER_ENROLMENT_SHA256 = hashOf(enrolment)
    const signingSecret = randomBytes(32).toString('base64url')
    const madeKey = await backupKeyAt(keyFile)
    vars = { SIGNING_SECRET: signingSecret, BACKUP_RECIPIENT: madeKey.recipient }
    const MOCK_FAULTS = Array.from({ length: UNRESOLVED }, () => 'book:timeout_before').join()
    receiver = await webhookReceiver()
    let first = await start(
      { ...vars, OWNER_ENROLMENT_SHA256, MOCK_FAULTS },
      'first',
      'consult-connector',
    )
    await peopleAndRules(first)
    await bookingsAndClients(first)
    for (let kills = 0; kills < KILLS.backup; kills++) {
      const broken = backupOf(first).then((answer) => answer.arrayBuffer())
      await killedDuring(broken, first)
      first = await start(vars, 'first', 'consult-connector')
    }
    const asWaits = { expected: 409, apiKey: officeKey }
    waiting = await Promise.all(
      times
        .splice(0, WAITING)
        .map((start_time) =>
          changed(first.url, '/v1/bookings', { start_time, ...CONSULT }, asWaits),
        ),
    )
    receipts = await Promise.all(
      changes.slice(0, RECEIPTS).map((change) => receiptOf(first.url, change)),
    )
    await backedUpUnderLoad(first)
    checked = await checkBackup(file, await madeKey.pinTo(first.url))
    expect(checked.counts['RECORDS.answers']).toBeGreaterThanOrEqual(BOOKINGS + CLIENTS)
    console.log(checked.counts)
    await first.stop()
  }, 1_800_000)

  afterAll(() => receiver.stop())

  test('holds nothing in clear in file, name and log lines', async () => {
    let all = ''
    for await (const line of linesIn(file, checked.key)) all += line
    const bytes = (await readFile(file)).toString('latin1')
    for (const word of [EMAIL, NAME, 'jordan', OWNER_KEY, officeKey, enrolment])
      for (const text of [all, bytes, logs.join('\n')])
        expect(text.includes(word), word).toBe(false)
    expect(bytes.includes('booking')).toBe(false)
  })

  describe('that is lost, and comes back under another Worker’s name though the restore is killed at random', () => {
    let again: Local
    let web: Browser

    const booked = async (): Promise<unknown[]> => {
      const calendar = (await again.durableObjects('MOCK_CALENDAR')).getByName(
        'calendar',
      ) as unknown as {
        taken(from: number, to: number): Promise<unknown[]>
      }
      return calendar.taken(0, Number.MAX_SAFE_INTEGER)
    }
    const unresolved = async (): Promise<string[]> => {
      const { text } = await asked(again.url, { path: '/v1/unresolved' })
      const all = JSON.parse(text) as { unresolved: { operation_id: string }[] }
      return all.unresolved.map(({ operation_id }) => operation_id)
    }

    beforeAll(async () => {
      const began = Date.now()
      let rows: Record<string, number> | undefined
      const pick = async (_question: string, options: { value: string }[]) =>
        options.map(({ value }) => value)
      const { stays: everybody } = await askWhoStays(checked, { pick })
      for (let kills = 0; kills <= KILLS.restore; kills++) {
        const { token, hash } = newRestoreToken(checked)
        const restoringVars = { ...vars, ...checked.secrets, RESTORED_AT: new Date().toISOString() }
        const restoring = await start(
          { ...restoringVars, RESTORE_SHA256: hash },
          'second',
          'elsewhere',
        )
        const filled = fillConnector(restoring.url, token, checked, everybody).then(
          (got) => (rows ??= got),
        )
        // The first ones would try for minutes; another run begins instead.
        if (kills === KILLS.restore) await filled
        await killedDuring(filled, restoring)
      }
      console.log(`restore: ${Date.now() - began} ms with ${KILLS.restore} kills`)
      const tables = Object.entries(checked.counts).filter(([name]) => /\.(?!outbox)/.test(name))
      expect(rows).toEqual(expect.objectContaining(Object.fromEntries(tables)))
      const RESTORED_AT = new Date().toISOString()
      const OWNER_ENROLMENT_SHA256 = hashOf(freshEnrolment)
      again = await start(
        { ...vars, ...checked.secrets, RESTORED_AT, OWNER_ENROLMENT_SHA256 },
        'second',
        'elsewhere',
      )
      web = browser(named(again))
    }, 1_800_000)
    afterAll(() => again?.stop())

    test('repeats its stored answers with the same bytes, and nothing happens a second time', async () => {
      let repeated = 0
      const all = Array.from({ length: REPEATS }, (_, nth) => changes[nth % changes.length]!)
      await each(all, async (change) => {
        expect((await asked(again.url, change)).text).toBe(change.text)
        repeated += 1
      })
      expect(repeated).toBe(REPEATS)
      expect(await booked()).toEqual([])
    })

    test('holds the passkeys of before until the owner has made a new one', async () => {
      for (const one of [owner, approver]) {
        one.movedTo(named(again))
        expect((await signIn(browser(named(again)), one)).status).toBe(401)
      }
      const fresh = softAuthenticator(named(again))
      expect((await enrol({ token: freshEnrolment }, browser(named(again)), fresh)).status).toBe(
        200,
      )
    })

    test('still does not know what it did not know, and believes the owner’s word on it', async () => {
      const repeat = async (change: Change) =>
        JSON.parse((await asked(again.url, change)).text) as object
      for (const change of lost)
        expect(await repeat(change)).toMatchObject({
          status: 503,
          code: 'outcome_unknown',
          effect: 'unknown',
        })
      expect(await unresolved()).toEqual(lost.map(({ operation_id }) => operation_id))
      const booking_id = 'bk_mock_0123456789abcdef'
      const [made, none] = lost
      const say = (change: typeof made, word: object) =>
        programWith(again.url, OWNER_KEY).send(`/v1/unresolved/${change!.operation_id}`, {
          body: word,
        })
      expect(await say(made, { outcome: 'happened', booking_id })).toMatchObject({ status: 200 })
      expect(await say(none, { outcome: 'did_not_happen' })).toMatchObject({ status: 200 })
      expect(await repeat(made!)).toMatchObject({ status: 'committed', result: { booking_id } })
      expect(await repeat(none!)).toMatchObject({ status: 409, code: 'resolved_by_owner' })
      expect(await unresolved()).toEqual([])
      expect(await booked()).toEqual([])
    })

    test('proves with its receipts of before, its new ones and its pack what was done', async () => {
      const later = await Promise.all(
        changes.slice(-RECEIPTS).map((change) => receiptOf(again.url, change)),
      )
      const held = [...receipts, ...later].map((text, nth) => ({ name: `receipt ${nth}`, text }))
      const pack = await asked(again.url, { path: '/v1/audit/export?format=pack' })
      const report = await verifyPack(pack.bytes, { key: checked.key.vkeys[0]!, held })
      expect(report.isGood, JSON.stringify(report.findings)).toBe(true)
      const verdicts = report.findings
        .filter(({ check }) => check === 'Held')
        .map(({ verdict }) => verdict)
      expect(verdicts).toEqual(held.map(() => 'good'))
    })

    test('lets the owner in with the passkey of before, who finds it paused and lets it go on', async () => {
      expect((await signIn(web, owner)).status).toBe(200)
      const availability = { path: '/v1/availability' }
      expect((await asked(again.url, availability)).text).toContain('"code":"paused"')
      const resume = (await web.open('/owner')).form('/owner/resume')
      expect((await confirmed(web, await web.submit('/owner/resume', resume))).status).toBe(303)
      expect((await asked(again.url, availability)).status).toBe(200)
      const tested = await programWith(again.url, OWNER_KEY).send(`/v1/webhooks/${hookId}/test`, {
        body: {},
      })
      expect(tested.body).toMatchObject({ result: 'ok' })
      expect(receiver.deliveries.at(-1)!.body).toContain('webhook.test')
    })

    test('has made void what waited for a person, and its rules and its approver count as before', async () => {
      expect(checked.waiting).toBe(WAITING)
      const sam = browser(named(again))
      expect((await signIn(sam, approver)).status).toBe(200)
      const shown = async () => (await sam.open('/owner/approvals')).html
      expect(await shown()).not.toContain('/owner/approvals/')
      for (const change of waiting)
        expect((await asked(again.url, change, officeKey)).text).toContain(
          '"code":"outcome_unknown"',
        )
      expect(await booked()).toEqual([])

      const program = programWith(again.url, officeKey)
      const refused = await program.asks('/v1/clients', CLIENT)
      expect(refused.preview).toMatchObject({ status: 403, body: { rule: { name: 'operations' } } })
      const change = await program.asks('/v1/bookings', { start_time: times[0], ...CONSULT })
      expect(await change.commit()).toMatchObject({
        status: 409,
        body: { code: 'approval_pending' },
      })
      expect(await shown()).toContain(change.path)
      expect((await approve(sam, change.path)).status).toBe(303)
      expect(await change.commit()).toMatchObject({
        status: 200,
        body: { approval: { level: 'person' } },
      })
      expect(await booked()).toHaveLength(1)
    })
  })
})
