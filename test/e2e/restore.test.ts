import { type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'

import { type CheckedBackup, checkBackup, linesIn } from '../../src/cli/backup/file.ts'
import { fillConnector, newRestoreToken } from '../../src/cli/backup/fill.ts'
import { type BackupKey, addBackupKey, readBackupKey } from '../../src/cli/backup/key.ts'
import { startLocal } from '../../src/cli/local.ts'
import { verifyPack } from '../../src/cli/verify/verify.ts'
import { noteKeys, openKeyring, vkeysOf } from '../../src/core/crypto/keyring.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import type { BackupEnd, BackupHead } from '../../src/core/ports/backup.ts'
import { newEnrolmentToken } from '../../src/owner/access/passkey-enrolment.ts'
import { softAuthenticator } from '../support/authenticator.ts'
import { backupKeyAt, vkeysAt } from '../support/backup-key.ts'
import { browser } from '../support/browser.ts'
import { runCommand } from '../support/command.ts'
import { type Connector, OWNED, OWNER_KEY, startConnector } from '../support/connector.ts'
import { fakeHttp } from '../support/fakes/http.ts'
import { encryptedTo, signedLines } from '../support/forged-backup.ts'
import { enrol } from '../support/passkeys.ts'
import { randomFrom } from '../support/random.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Change, type Mutation, changeOf } from '../support/transports.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const pathOf = (name: string): string => join(folder.path, name)

const EMAIL = 'jordan.canary@plumbwick.example'
const NAME = 'Jordan Zibblethwaite'
const CLIENT = { entity_type: 'individual', display_name: NAME, contact_email: EMAIL }

/** Of the owner of what is restored, who confirms it by a new passkey. */
const ENROLMENT = newEnrolmentToken(Date.now() + DAY, randomBytes(32))

/** A change, and the answer to its commit, byte for byte. */
interface Kept extends Change {
  operation: Mutation
  text: string
}

const owner = (connector: Connector) => connector.as(OWNER_KEY)

async function changed(
  connector: Connector,
  operation: Mutation,
  fields: Record<string, unknown>,
): Promise<Kept> {
  const change = changeOf(owner(connector), operation, fields)
  await change.preview()
  const { text, status } = await change.commit()
  expect(status, text).toBe(200)
  return { ...change, operation, text }
}

const repeated = (change: Change, connector: Connector) => change.commit('REST', owner(connector))

const receiptOf = ({ key }: Change, connector: Connector): Promise<string> =>
  vi.waitFor(async () => {
    const receipt = await owner(connector).rest(`/v1/operations/${key}/receipt`)
    expect(receipt.status, receipt.text).toBe(200)
    return receipt.text
  }, 5000)

const packOf = async (connector: Connector): Promise<Uint8Array> =>
  new Uint8Array(await (await asOwner(connector, '/v1/audit/export?format=pack')).arrayBuffer())

const asOwner = (connector: Connector, path: string): Promise<Response> =>
  fetch(new URL(path, connector.url), { headers: { Authorization: `Bearer ${OWNER_KEY}` } })

/** A connector that is empty, under another Worker's name, and waits for a restore. */
async function emptyConnector(checked: CheckedBackup, storage: string) {
  const { token, hash } = newRestoreToken(checked)
  const OWNER_ENROLMENT_SHA256 = createHash('sha256').update(ENROLMENT).digest('hex')
  const RESTORED_AT = new Date().toISOString()
  const vars = { ...OWNED, ...checked.secrets, RESTORED_AT, OWNER_ENROLMENT_SHA256 }
  const restoring = await startConnector({
    vars: { ...vars, RESTORE_SHA256: hash },
    storage: pathOf(storage),
    name: 'elsewhere',
  })
  return { restoring, token, vars }
}

/** The connector goes on, once the secret of the restore is gone. */
async function goneOn(restoring: Connector, vars: Record<string, string>, storage: string) {
  await restoring.stop()
  return startConnector({ vars, storage: pathOf(storage), name: 'elsewhere' })
}

let first: Connector
let key: BackupKey
let file: string
let packFile: string
let checked: CheckedBackup
const changes: Kept[] = []
let open: Kept
/** One of each operation, after the backup. */
const lost: Kept[] = []
let lostReceipt: string
let heldReceipt: string
let intakeClient: string
let intake: Kept

beforeAll(async () => {
  const keyFile = pathOf('key.txt')
  const madeKey = await backupKeyAt(keyFile)
  first = await startConnector({ vars: { ...OWNED, BACKUP_RECIPIENT: madeKey.recipient } })
  const from = new Date(Date.now() + DAY).toISOString()
  const { body } = await owner(first).rest(`/v1/availability?start_time=${from}`)
  const times = body.slots!.map((slot) => slot.start_time)
  const nextTime = () => ({ start_time: times.shift() })
  const consult = { timezone: 'America/New_York', invitee_email: EMAIL, invitee_name: NAME }
  const done = async (operation: Mutation, fields: Record<string, unknown>): Promise<Kept> => {
    const change = await changed(first, operation, fields)
    changes.push(change)
    return change
  }
  const idOf = ({ text }: Kept, field: string): string =>
    (JSON.parse(text) as { result: Record<string, string> }).result[field]!
  const bookings: { booking_id: string }[] = []
  for (let nth = 0; nth < 6; nth++) {
    const booked = await done('book_consult', { ...nextTime(), ...consult })
    bookings.push({ booking_id: idOf(booked, 'booking_id') })
  }
  const clients: { client_id: string }[] = []
  for (let nth = 0; nth < 4; nth++)
    clients.push({ client_id: idOf(await done('create_client_profile', CLIENT), 'client_id') })
  for (const booking of bookings.slice(0, 2))
    await done('reschedule_booking', { ...booking, ...nextTime() })
  for (const booking of bookings.slice(2, 4)) await done('cancel_booking', booking)
  const answers = { primary_goal: 'retirement', household_members: 2 }
  for (const client of clients.slice(0, 3))
    intake = await done('submit_intake_answers', { ...client, answers })
  intakeClient = clients[2]!.client_id
  for (const invoice_id of ['in_mock_open', 'in_mock_jpy'])
    await done('create_payment_link', { invoice_id })
  heldReceipt = await receiptOf(changes[0]!, first)
  const operation = 'create_client_profile'
  const opened = changeOf(owner(first), operation, { ...CLIENT, display_name: 'Open' })
  await opened.preview()
  open = { ...opened, operation, text: '' }

  // Under load: changes go on while the backup is made.
  const load = Promise.all(
    Array.from({ length: 6 }, () => changed(first, 'create_client_profile', CLIENT)),
  )
  const got = await runCommand(
    'backup',
    ['--url', first.url, '--out', folder.path, '--key', keyFile],
    {
      CONNECTOR_API_KEY: OWNER_KEY,
    },
  )
  await load
  expect(got.code, got.stderr).toBe(0)
  file = /\S+\.age/.exec(got.stdout)![0]
  key = await madeKey.pinTo(first.url)
  checked = await checkBackup(file, key)

  packFile = pathOf('pack.jsonl')
  await writeFile(packFile, await packOf(first))
  const tail: [operation: Mutation, fields: Record<string, unknown>][] = [
    ['create_client_profile', CLIENT],
    ['book_consult', { ...nextTime(), ...consult }],
    ['reschedule_booking', { ...bookings[4], ...nextTime() }],
    ['cancel_booking', bookings[5]!],
    ['submit_intake_answers', { ...clients[3], answers }],
    ['create_payment_link', { invoice_id: 'in_mock_partly_paid' }],
  ]
  for (const [operation, fields] of tail) lost.push(await changed(first, operation, fields))
  lostReceipt = await receiptOf(lost[0]!, first)
  await first.stop()
})

describe('a practice that is lost and restored under another Worker’s name', () => {
  let restored: Connector

  beforeAll(async () => {
    const { restoring, token, vars } = await emptyConnector(checked, 'restored')
    const refused = await owner(restoring).rest('/v1/availability')
    expect([refused.status, refused.body.code]).toEqual([503, 'not_configured'])
    const rows = await fillConnector(restoring.url, token, checked)
    // What broke off at the very end is repeated whole, changes nothing, and counts the same.
    expect(await fillConnector(restoring.url, token, checked)).toEqual(rows)
    restored = await goneOn(restoring, vars, 'restored')
  })
  afterAll(() => restored.stop())

  test('repeats every stored answer with the same bytes, however often, and nothing happens a second time', async () => {
    expect(changes).toHaveLength(19)
    for (let times = 0; times < 2; times++)
      for (const change of changes) {
        const { text, replayed } = await repeated(change, restored)
        expect(text).toBe(change.text)
        expect(replayed).toBe(true)
      }
    const calendars = await restored.durableObjects('MOCK_CALENDAR')
    const calendar = calendars.get(calendars.idFromName('calendar')) as unknown as {
      taken(from: number, to: number): Promise<unknown[]>
    }
    expect(await calendar.taken(0, Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  test('is paused: it begins nothing until the owner has looked', async () => {
    const preview = await owner(restored).rest('/v1/clients', {
      key: crypto.randomUUID(),
      body: { ...CLIENT, confirm: false },
    })
    expect([preview.status, preview.body.code]).toEqual([403, 'paused'])
  })

  test('answers a good token whose record is lost with an outcome that is not known, and its status says so', async () => {
    for (const change of [...lost, open]) {
      const { status, body } = await repeated(change, restored)
      expect([change.operation, status, body.code, body.effect]).toEqual([
        change.operation,
        503,
        'outcome_unknown',
        'unknown',
      ])
      expect(body.detail).toContain('restored from a backup')
    }
    const status = await owner(restored).rest(`/v1/operations/${lost[0]!.key}`)
    expect(status.body.next_step).toContain('restored from a backup')
  })

  test('gives receipts of before, and a pack that verifies with what was kept from before', async () => {
    const receipt = JSON.parse(await receiptOf(changes[1]!, restored)) as { leaf: string }
    expect(JSON.parse(atob(receipt.leaf))).toMatchObject({ event: 'commit', code: 'committed' })
    const held = [
      { name: 'before', text: heldReceipt },
      { name: 'lost', text: lostReceipt },
    ]
    const report = await verifyPack(await packOf(restored), { key: key.vkeys[0]!, held })
    expect(report.isGood, JSON.stringify(report.findings)).toBe(true)
    const said = report.findings.filter(({ check }) => check === 'Held')
    expect(said.map(({ verdict }) => verdict)).toEqual(['good', 'remark'])
    expect(said[1]!.text).toMatch(/^lost is of the part that was lost at entry \d+/)

    // Without the entry that says so, the same checkpoint is a reason to doubt the log.
    const unsaid = await verifyPack(await readFile(packFile), {
      key: key.vkeys[0]!,
      held: [held[1]!],
    })
    expect(unsaid.isGood).toBe(false)
  })

  test('keeps who is who: the log goes on, and a deleted client is forgotten by flows, records and answers', async () => {
    const log = await owner(restored).rest('/v1/audit?event=restored')
    expect(log.text).toContain('"event":"restored"')
    const erased = () => owner(restored).rest(`/v1/clients/${intakeClient}`, { method: 'DELETE' })
    expect((await erased()).status).toBe(403)
    const place = restored.url.replace('127.0.0.1', 'localhost')
    const confirmed = await enrol({ token: ENROLMENT }, browser(place), softAuthenticator(place))
    expect(confirmed.status).toBe(200)
    const gone = await erased()
    expect(gone.status).toBeLessThan(300)
    await expect
      .poll(async () => (await repeated(intake, restored)).text)
      .not.toContain('"status":"committed"')
  })
})

test(
  'the file of a night is signed and whole as one by hand, and only where there is a bucket',
  { tags: 'slow' },
  async () => {
    const BACKUP_RECIPIENT = key.recipients[0]!
    const PUBLIC_URL = 'https://consult.example'
    const local = await startLocal({
      script: inject('workerScript'),
      onLog: () => {},
      vars: { ...OWNED, ...checked.secrets, BACKUP_RECIPIENT, PUBLIC_URL },
    })
    const worker = await local.miniflare.getWorker()
    await worker.scheduled({ cron: '41 2 * * *' })
    const bucket = await local.miniflare.getR2Bucket('BACKUPS')
    const night = await vi.waitFor(async () => {
      const [one] = (await bucket.list()).objects
      expect(one).toBeDefined()
      return one!
    })
    expect(night.key).toMatch(/^consult-[\dT-]+Z-[0-9a-z]{8}\.age$/)
    const path = pathOf(night.key)
    await writeFile(path, new Uint8Array(await (await bucket.get(night.key))!.arrayBuffer()))
    const { origin, end } = await checkBackup(path, { ...key, vkeys: await vkeysAt(local.url) })
    expect([origin, end.size > 0]).toEqual(['consult.example/audit-log', true])
    await local.stop()
  },
)

describe('a restore into a practice that is there', () => {
  test(
    'with a strange table, or of another backup than filled it, is refused',
    { tags: 'slow' },
    async () => {
      const { restoring, token, vars } = await emptyConnector(checked, 'filled')
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const sent = async (body: string) => {
        const url = new URL('/v1/restore', restoring.url)
        return (await fetch(url, { method: 'POST', headers, body })).text()
      }
      for await (const head of linesIn(file, key)) {
        expect(await sent(head)).not.toContain('refused')
        break
      }
      const tables = [{ t: 'sqlite_master', c: ['name'], rows: [['x']] }]
      const strange = { object: 'ACCESS', values: {}, tables }
      expect(await sent(JSON.stringify(strange))).toContain('does not know a table')
      await fillConnector(restoring.url, token, checked)
      await restoring.stop()
      // The same under a new installation is another one.
      const digest = randomBytes(32).toString('hex')
      const stranger = { ...checked, end: { ...checked.end, sha256: digest } }
      const late = newRestoreToken(stranger)
      const filled = await startConnector({
        vars: { ...vars, RESTORE_SHA256: late.hash },
        storage: pathOf('filled'),
        name: 'elsewhere',
      })
      await expect(fillConnector(filled.url, late.token, stranger)).rejects.toThrow(
        `A restore of the backup of ${checked.end.made_at} has begun there`,
      )
      await filled.stop()
    },
  )

  test('changes nothing in a connector that is in use', { tags: 'slow' }, async () => {
    const inUse = await startConnector({ vars: OWNED, storage: pathOf('in-use') })
    await changed(inUse, 'create_client_profile', CLIENT)
    await inUse.stop()
    const { token, hash } = newRestoreToken(checked)
    const restoring = await startConnector({
      vars: { ...OWNED, RESTORE_SHA256: hash },
      storage: pathOf('in-use'),
    })
    await expect(fillConnector(restoring.url, token, checked)).rejects.toThrow(
      /There is a practice there already \(1 records, \d+ entries/,
    )
    await restoring.stop()
  })
})

describe('the file', () => {
  const written = async (name: string, bytes: Uint8Array): Promise<string> => {
    await writeFile(pathOf(name), bytes)
    return pathOf(name)
  }
  const encrypted = (name: string, lines: readonly string[]): Promise<string> =>
    encryptedTo(key.recipients[0]!, pathOf(name), lines)
  const linesOf = async (): Promise<string[]> => {
    const lines: string[] = []
    for await (const line of linesIn(file, key)) lines.push(line)
    return lines
  }

  test('shows nothing of what is in it, and holds no address, name or provider’s token', async () => {
    const bytes = await readFile(file)
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
    let all = ''
    for await (const line of linesIn(file, key)) all += line
    for (const word of [EMAIL, NAME, 'Zibblethwaite', 'PROVIDER_TOKEN', 'SECRET_KEY'])
      expect(all.includes(word), word).toBe(false)
    expect(bytes.includes('consult')).toBe(false)
    expect(first.logs.join('\n')).not.toContain(key.recipients[0]!)
  })

  test.each([
    [
      'cut off',
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 100),
      /damaged or cut off, at byte \d+/,
    ],
    ['cut at its first chunk', (bytes: Buffer) => bytes.subarray(0, 250), /damaged or cut off/],
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')]), /damaged or cut off/],
    ['no backup at all', () => Buffer.from('a text'), /damaged or cut off/],
  ])('that is %s is refused in a sentence', async (name, change, said) => {
    const path = await written(`${name.replaceAll(' ', '-')}.age`, change(await readFile(file)))
    await expect(checkBackup(path, key)).rejects.toThrow(said)
  })

  test('with any byte altered is refused in a sentence that repeats nothing of it', async () => {
    const bytes = await readFile(file)
    const random = randomFrom(37)
    const places = Array.from({ length: 50 }, () => random.int(0, bytes.length - 1))
    for (const place of places) {
      const altered = Buffer.from(bytes)
      altered[place] = altered[place]! ^ (1 << random.int(0, 7))
      const path = await written('one-byte.age', altered)
      const refused = checkBackup(path, key).then(
        () => 'taken',
        (thrown: unknown) => String(thrown),
      )
      expect([place, await refused]).toEqual([
        place,
        expect.stringMatching(/damaged or cut off|is for (?:another|the) key/),
      ])
    }
  })

  test('whose lines were altered, left out, doubled or put in another order by a holder of the public key is refused', async () => {
    const lines = await linesOf()
    const random = randomFrom(38)
    const last = lines.length - 1
    for (let nth = 0; nth < 50; nth++) {
      const at = random.int(0, last)
      const line = lines[at]!
      const letter = random.int(0, line.length - 1)
      const otherLetter = line[letter] === '0' ? '1' : '0'
      const altered = random.pick([
        () => lines.with(at, line.slice(0, letter) + otherLetter + line.slice(letter + 1)),
        () => lines.toSpliced(at, 1),
        () => lines.toSpliced(at, 0, line),
        () => lines.with(at, lines[(at + 1) % lines.length]!).with((at + 1) % lines.length, line),
        () => [...lines, ...lines],
      ])()
      const path = await encrypted('altered-lines.age', altered)
      const refused = checkBackup(path, key).then(
        () => 'taken',
        (thrown: unknown) => String(thrown),
      )
      expect([nth, await refused]).toEqual([
        nth,
        expect.stringMatching(/damaged or cut off|was not made by|made by version/),
      ])
    }
  })

  test('of another key, of another practice, of a newer version and of no one is refused, each with its reason', async () => {
    await addBackupKey(pathOf('other.txt'), key.vkeys[0]!)
    const other = await readBackupKey(pathOf('other.txt'))
    await expect(checkBackup(file, other)).rejects.toThrow(
      `${basename(file)} is for the key …${key.recipients[0]!.slice(-8)}; yours is …${other.recipients[0]!.slice(-8)}.`,
    )
    const stranger = await noteKeys(await openKeyring(['s'.repeat(32)]), checked.origin)
    const vkeys = vkeysOf(stranger)
    await expect(checkBackup(file, { ...key, vkeys })).rejects.toThrow(/was not made by/)
    const lines = await linesOf()
    const head = JSON.parse(lines[0]!) as BackupHead
    const { end, note } = JSON.parse(lines.at(-1)!) as BackupEnd
    const secret = checked.secrets['SIGNING_SECRET']!
    const again = (more: Partial<BackupHead>, between = lines.slice(1, -1)) =>
      signedLines(secret, { ...head, ...more }, between, end)
    expect((await checkBackup(await encrypted('again.age', await again({})), key)).app).toBe(
      head.app,
    )
    const newer = await encrypted('newer.age', await again({ app: `9${head.app}` }))
    await expect(checkBackup(newer, key)).rejects.toThrow(/was made by version 9/)
    // Its head is good, and its end is of another backup.
    const mixed = [
      ...(await again({ made_at: '2026-01-01T00:00:00.000Z' })).slice(0, -1),
      lines.at(-1)!,
    ]
    await expect(checkBackup(await encrypted('mixed.age', mixed), key)).rejects.toThrow(/damaged/)
    // Anyone who knows the public half can make a file, with a digest that is right; only the log can sign one.
    const forged = lines.slice(0, -1).toSpliced(3, 1)
    const sha256 = createHash('sha256')
      .update(forged.map((line) => `${line}\n`).join(''))
      .digest('hex')
    const said = JSON.stringify({ end: { ...end, sha256 }, note })
    const forgedPath = await encrypted('forged.age', [...forged, said])
    await expect(checkBackup(forgedPath, key)).rejects.toThrow(/was not made by/)
    const unsigned = [lines[0]!.replace('"waiting":', '"waiting":1'), ...lines.slice(1)]
    await expect(checkBackup(await encrypted('unsigned.age', unsigned), key)).rejects.toThrow(
      /was not made by/,
    )
    // Nor does a checkpoint of the log pass as its signature of a backup.
    const state = (await verifyPack(await readFile(packFile), { key: key.vkeys[0]! })).isGood
    expect(state).toBe(true)
    const checkpoint = JSON.parse(
      (await readFile(packFile, 'utf8')).trim().split('\n').at(-1)!,
    ) as {
      checkpoint: string
    }
    const posed = JSON.stringify({ end: { ...end, sha256 }, note: checkpoint.checkpoint })
    const posedPath = await encrypted('posed.age', [...forged, posed])
    await expect(checkBackup(posedPath, key)).rejects.toThrow(/was not made by/)
    const bomb = await encrypted('bomb.age', ['x'.repeat(9_000_000)])
    await expect(checkBackup(bomb, key)).rejects.toThrow(/damaged or cut off/)
  })

  test('that is small and unpacks to much is refused at its head, before the rest is read', async () => {
    const [head] = await linesOf()
    const rows = Array.from({ length: 500 }, () => [0, '0'])
    const line = JSON.stringify({
      object: 'RECORDS',
      values: {},
      tables: [{ t: 'x', c: ['y'], rows }],
    })
    const lines = [head!.replace('"waiting":', '"waiting":1'), ...Array(20_000).fill(line)]
    const path = await encrypted('small.age', lines)
    expect((await readFile(path)).length).toBeLessThan(600_000)
    const began = performance.now()
    await expect(checkBackup(path, key)).rejects.toThrow(/was not made by/)
    expect(performance.now() - began, 'the rest was read').toBeLessThan(1000)
  })

  test('that was made at another time than its name says is refused, and taken under a name without a time', async () => {
    const bytes = await readFile(file)
    const older = await written('consult-2037-11-24T031742Z-0123abcd.age', bytes)
    await expect(checkBackup(older, key)).rejects.toThrow(
      `was made at another time than its name says: at ${checked.end.made_at}`,
    )
    const renamed = await written('backup.age', bytes)
    expect((await checkBackup(renamed, key)).end).toEqual(checked.end)
  })

  test.each([
    ['no lines of JSON', ['jordan.canary'.repeat(3), '{}', '{}']],
    ['JSON of another form', ['"jordan.canary"', '[]', '7']],
    [
      'tables that are none',
      ['{"backup":1}', '{"object":"jordan.canary","tables":7}', '{"end":{}}'],
    ],
    [
      'a note that is none',
      ['{"backup":1,"app":"0","keys":[]}', '{}', '{"end":{"sha256":""},"note":"jordan.canary"}'],
    ],
  ])(
    'that was encrypted by anybody and holds %s is refused in one sentence, which repeats nothing',
    async (_what, lines) => {
      const path = await encrypted('strange.age', lines)
      const thrown = await checkBackup(path, key).catch((error: unknown) => error)
      expect(thrown).toMatchObject({ message: 'strange.age is damaged or cut off, at byte 0.' })
    },
  )

  test('that is not there is said to be not there, and so is a key file', async () => {
    const missing = pathOf('missing.age')
    await expect(checkBackup(missing, key)).rejects.toThrow(`There is no such file: ${missing}`)
    await expect(readBackupKey(missing)).rejects.toThrow(`There is no such file: ${missing}`)
  })

  /** A connector that has these keys of its log. */
  const connectorWith = (vkeys: string[]) => {
    const answer = (body: string) => () => ({
      status: 200,
      body,
      headers: { 'Request-Id': crypto.randomUUID() },
    })
    return fakeHttp({
      'GET /audit/keys': answer(vkeys.join('\n')),
      'GET /v1/backup': answer('a backup'),
    })
  }

  test('is named without a recipient where the connector says none', { tags: 'slow' }, async () => {
    const old = await connectorWith(key.vkeys)
    const out = await mkdtemp(join(folder.path, 'old-'))
    const args = ['--url', old.url, '--out', out, '--key', pathOf('key.txt')]
    const env = { CONNECTOR_API_KEY: OWNER_KEY }
    const nowhere = await runCommand(
      'backup',
      [...args.slice(0, 2), '--out', pathOf('key.txt')],
      env,
    )
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining('There is no folder'),
    ])
    expect(old.requests.map(({ path }) => path)).toEqual(['/audit/keys'])
    const { code, stderr } = await runCommand('backup', args, env)
    expect(code, stderr).toBe(0)
    expect(await readdir(out)).toEqual([expect.stringMatching(/^consult-[\dT-]+Z\.age$/)])
    await old.stop()
  })

  test(
    'is not got from another connector than the key is for, and no key of that is added',
    { tags: 'slow' },
    async () => {
      const stranger = await noteKeys(
        await openKeyring(['s'.repeat(32)]),
        'other.example/audit-log',
      )
      const other = await connectorWith(vkeysOf(stranger))
      const before = await readFile(pathOf('key.txt'), 'utf8')
      const args = ['--url', other.url, '--key', pathOf('key.txt')]
      const env = { CONNECTOR_API_KEY: OWNER_KEY }
      const got = await runCommand('backup', [...args, '--out', folder.path], env)
      expect([got.code, got.stdout + got.stderr]).toEqual([
        1,
        expect.stringMatching(
          /^\n✗ other\.example answers at .* Nothing was done\. Name the right/s,
        ),
      ])
      expect(other.requests.map(({ path }) => path)).toEqual(['/audit/keys'])
      const added = await runCommand('backup', ['--new-key', ...args], env)
      expect([added.code, added.stdout + added.stderr]).toEqual([
        1,
        expect.stringContaining('is for another connector than other.example. Nothing was done.'),
      ])
      expect(await readFile(pathOf('key.txt'), 'utf8')).toBe(before)
      await other.stop()
    },
  )

  test(
    'that a drill has opened leaves nothing of itself behind where the drill is ended',
    { tags: 'slow' },
    async () => {
      const temporary = await mkdtemp(join(folder.path, 'ended-'))
      const opened = async () =>
        (await readdir(temporary, { recursive: true })).filter((one) =>
          one.includes('consult-drill-'),
        )
      const args = ['--drill', file, '--key', pathOf('key.txt')]
      const { promise: isOpen, resolve } = Promise.withResolvers<ChildProcess>()
      const drill = runCommand('restore', args, { TMPDIR: temporary }, resolve)
      const child = await isOpen
      await expect.poll(opened, { interval: 20 }).toContainEqual(expect.stringContaining('.sqlite'))
      child.kill('SIGTERM')
      const { code, stdout } = await drill
      expect([code, stdout]).toEqual([130, expect.not.stringContaining('can be restored')])
      await expect.poll(opened).toEqual([])
    },
  )

  test('can be tried on this machine by the drill', { tags: 'slow' }, async () => {
    const temporary = await mkdtemp(join(folder.path, 'drill-'))
    const drill = async (path: string) => {
      const args = ['--drill', path, '--key', pathOf('key.txt')]
      const said = await runCommand('restore', args, { TMPDIR: temporary })
      const left = await readdir(temporary, { recursive: true, withFileTypes: true })
      const files = left.filter((one) => one.isFile())
      const contents = files.map((one) => readFile(join(one.parentPath, one.name), 'latin1'))
      // What is opened for a drill is on the disk for a while, and must not stay there or be shown.
      for (const text of [said.stdout, said.stderr, ...(await Promise.all(contents))])
        for (const word of [EMAIL, NAME, OWNER_KEY])
          expect(text.includes(word), `${word} is left`).toBe(false)
      expect(left.map(({ name }) => name).filter((name) => name.startsWith('consult-'))).toEqual([])
      return said
    }
    const { code, stdout, stderr } = await drill(file)
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/\d+ answers/)
    expect(stdout).toContain('This backup can be restored.')
    const bytes = await readFile(file)
    bytes[bytes.length - 40]! ^= 1
    const damaged = await drill(await written('damaged.age', bytes))
    expect(damaged.code).toBe(1)
    expect(damaged.stdout + damaged.stderr).toContain('damaged or cut off')
  })
})

describe('the two routes', () => {
  test('a backup needs a recipient, and a restore is nowhere unless one is under way', async () => {
    const connector = await startConnector({ vars: OWNED })
    const without = await owner(connector).rest('/v1/backup')
    expect([without.status, without.body.code]).toEqual([503, 'not_configured'])
    const { token } = newRestoreToken(checked)
    const init = {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: '{}',
    }
    expect((await fetch(new URL('/v1/restore', connector.url), init)).status).toBe(404)
    await connector.stop()
  })

  test('a restore takes its own token alone, until that has ended', async () => {
    const { restoring, token } = await emptyConnector(checked, 'tokens')
    const begin = async (given: string) => {
      const headers = { Authorization: `Bearer ${given}`, 'Content-Type': 'application/json' }
      const url = new URL('/v1/restore', restoring.url)
      return (await fetch(url, { method: 'POST', headers, body: '{}' })).status
    }
    expect(await begin(token)).toBe(200)
    const { token: another } = newRestoreToken(checked)
    const ended = token.replace(/^rst_\d+/, 'rst_1000000000')
    for (const wrong of [another, ended, OWNER_KEY, '', token.replace(/.$/, '0')].filter(
      (one) => one !== token,
    ))
      expect(await begin(wrong)).toBe(404)
    await restoring.stop()
  })
})
