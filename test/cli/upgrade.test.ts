// @module-tag slow

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { runWrangler } from '../../src/cli/wrangler.ts'
import { DAY, SECOND } from '../../src/core/domain/time/duration.ts'
import { isoSeconds } from '../../src/core/domain/time/time.ts'
import type { CopiedPage, CopyPlace } from '../../src/core/ports/backup.ts'
import { type FakeCloudflare, fakeCloudflare } from '../support/fakes/cloudflare.ts'
import { clockFrom, keptPractice, unpackInto } from '../support/kept-practice/opened.ts'
import { type Change, asked, each } from '../support/rest-changes.ts'
import { type Clone, freshClone } from './clone.ts'
import { LATER, makeLater } from './later-version.ts'
import { servedBy } from './served.ts'

const practice = keptPractice()
const NAME = practice.worker
const NOTE = 'of-the-later-version'
const INVOICE = { invoice_id: 'in_mock_jpy' }

const NOW_AND_THEN = { interval: SECOND / 4 }

let fake: FakeCloudflare
let clone: Clone
let served: Awaited<ReturnType<typeof servedBy>>
let environment: Record<string, string>
/** The owner's key of today; the kept one was that of another deployment. */
let ownerKey = ''
beforeAll(async () => {
  fake = await fakeCloudflare()
  clone = freshClone()
  served = await servedBy(fake, NAME, {})
  environment = {
    CLOUDFLARE_API_BASE_URL: fake.url,
    CLOUDFLARE_API_TOKEN: fake.state.token,
    CLOUDFLARE_ACCOUNT_ID: fake.state.accounts[0]!.id,
    DEPLOY_CHECK_URL: served.url,
  }
})
afterAll(async () => {
  await served.stop()
  await fake.stop()
  clone.remove()
})

/** The first command of docs/operate/upgrades-and-backup.md. */
async function deploy(...options: string[]): Promise<string> {
  const { code, output } = await clone.run('deploy', options, environment)
  expect(code, output).toBe(0)
  return output
}

/** The second one. */
async function rollBack(): Promise<void> {
  const env = { ...clone.environment, ...environment }
  const { code, output } = await runWrangler(['rollback', '--name', NAME], { cwd: clone.root, env })
  expect(code, output).toBe(0)
}

type Request = Omit<Change, 'text'> & { apiKey?: string }
type Done = Request & { text: string }

function ask({ apiKey = practice.keys.owner, ...request }: Partial<Request> & { path: string }) {
  return asked(served.url, request, apiKey === practice.keys.owner ? ownerKey : apiKey)
}

/** Repeats a request under its key until it is answered, as a caller does while the version is replaced. */
const answerTo = (request: Request): Promise<string> =>
  vi.waitFor(async () => {
    const { status, text } = await ask(request)
    expect(status, text).toBe(200)
    return text
  }, NOW_AND_THEN)

/** Previews a change; the request that commits it. */
async function previewed(path: string, fields: object): Promise<Request> {
  const request = { path, key: crypto.randomUUID() }
  const text = await answerTo({ ...request, fields: { ...fields, confirm: false } })
  const { confirmation_token } = JSON.parse(text) as { confirmation_token: string }
  return { ...request, fields: { ...fields, confirm: true, confirmation_token } }
}

/** Every change that was committed, with its answer. */
const done: Done[] = [...practice.changes]

async function commit(request: Request): Promise<Done> {
  const committed = { ...request, text: await answerTo(request) }
  done.push(committed)
  return committed
}

let clients = 0
const newClient = (path = '/v1/clients') =>
  previewed(path, {
    entity_type: 'individual',
    display_name: `Ada Client${++clients}`,
    contact_email: `client${clients}@quillfeather.example`,
  })
let times: string[] = []
const newBooking = () =>
  previewed('/v1/bookings', {
    start_time: times.shift(),
    timezone: 'America/New_York',
    invitee_name: 'Ada Quillfeather',
    invitee_email: 'ada@quillfeather.example',
  })

/** The answer to every committed change is what it was, byte for byte. */
const repeatAll = (): Promise<void> =>
  each(done.slice(), async ({ text, ...request }) => {
    expect(await answerTo(request)).toBe(text)
  })

/**
 * Four callers make changes and repeat all that were made, while the version is replaced. The one after it commits a
 * change that the version before has shown, and answers a booking that the one before made without learning it.
 */
async function underCalls(replace: () => Promise<unknown>): Promise<void> {
  const shown = await newClient()
  const begun = await newBooking()
  const { status, text } = await ask(begun)
  expect([status, text]).toEqual([503, expect.stringContaining('outcome_unknown')])
  let isReplaced = false
  const callers = [newClient, newClient, newBooking, newBooking].map(async (preview) => {
    while (!isReplaced) {
      await commit(await preview())
      await repeatAll()
    }
  })
  await replace().finally(() => (isReplaced = true))
  await Promise.all(callers)
  for (const request of [shown, begun]) await commit(request)
  await repeatAll()
}

type Row = Record<string, unknown>

/** The rows of a table, as the one object of this class has them. */
async function rowsOf(binding: string, object: string, table: string): Promise<Row[]> {
  const miniflare = await served.miniflare()
  const namespace = await miniflare.getDurableObjectNamespace(binding, NAME)
  const stub = namespace.getByName(object) as unknown as {
    copy(place?: CopyPlace): Promise<CopiedPage & { next?: CopyPlace }>
  }
  const rows: Row[] = []
  let place: CopyPlace | undefined
  do {
    const { tables, next } = await stub.copy(place)
    for (const { c, rows: cells } of tables.filter(({ t }) => t === table))
      rows.push(...cells.map((row) => Object.fromEntries(c.map((name, at) => [name, row[at]]))))
    place = next
  } while (place)
  return rows
}

const records = () => rowsOf('RECORDS', 'records', 'records')
const commitsLogged = async () =>
  (await rowsOf('AUDIT_LOG', 'audit-log', 'entries')).filter(({ event }) => event === 'commit')
/** The keys of the records that the later version has made, by its column. */
const notedKeys = async () =>
  (await records()).filter((row) => row[LATER.column] === NOTE).map(({ key }) => key)

/** The address of what a change has made, and the key of its record. */
function madeBy({ text }: Done): { path: string; key: string; id: string } {
  const { result } = JSON.parse(text) as { result: Record<string, string> }
  const [kind, path] = Object.entries(PATHS).find(([kind]) => `${kind}_id` in result)!
  const id = result[`${kind}_id`]!
  return { path: `${path}/${id}`, key: `${kind}:${id}`, id }
}
const PATHS = {
  client: '/v1/clients',
  booking: '/v1/bookings',
  payment_link: '/v1/payment-links',
}

describe('an upgrade under calls, and back', () => {
  let stored: Row[] = []
  let logged = 0
  let noted: unknown[] = []
  let prospect: Done
  let waiting: Request

  test('the first version shows what the practice has stored', async () => {
    const settings = Object.entries(practice.vars).filter(
      ([name]) => !['OWNER_KEY_SHA256', 'ALLOW_ANONYMOUS'].includes(name),
    )
    const lines = settings.map(([name, value]) => `${name}='${value}'\n`)
    writeFileSync(join(clone.root, '.deploy.env'), lines.join(''))
    const worker = join(clone.root, 'src/worker.ts')
    writeFileSync(join(clone.root, 'src/clock.ts'), clockFrom(practice.clock))
    writeFileSync(worker, `import './clock.ts'\n${readFileSync(worker, 'utf8')}`)
    // The calendar makes each booking, and its answer is lost: the next request under the key finds it.
    const faults = '[vars]\nMOCK_FAULTS = "book:timeout_after*"\n'
    appendFileSync(join(clone.root, 'wrangler.toml'), faults)
    unpackInto(served.storage)
    const output = await deploy('--name', NAME)
    ownerKey = /\bccn_[0-9A-Za-z]{49}\b/.exec(output)?.[0] ?? ''

    await repeatAll()
    for (const { path, words } of practice.reads) {
      const { text } = await ask({ path })
      for (const word of words) expect(text).toContain(word)
    }
    stored = await records()
    logged = (await commitsLogged()).length
    const [from, to] = [2, 30].map((days) => isoSeconds(Date.parse(practice.clock) + days * DAY))
    const free = await ask({ path: `/v1/availability?start_time=${from}&end_time=${to}` })
    const { slots } = JSON.parse(free.text) as { slots: { start_time: string }[] }
    times = slots.map(({ start_time }) => start_time)
  })

  test('the later version repeats every answer, and commits what was shown before', async () => {
    makeLater(clone.root)
    appendFileSync(join(clone.root, '.deploy.env'), `${LATER.setting}=${NOTE}\n`)
    await underCalls(deploy)
    expect(await records()).toEqual(
      expect.arrayContaining(stored.map((row) => ({ ...row, [LATER.column]: null }))),
    )
    await commit(await previewed('/v1/payment-links', INVOICE))
    prospect = await commit(await newClient(LATER.path))
    waiting = await newClient(LATER.path)
    noted = await notedKeys()
    expect(noted).toContain(madeBy(prospect).key)
  })

  test('the first version, back again, reads and rewrites those rows, and refuses what is newer', async () => {
    done.splice(done.indexOf(prospect), 1)
    await underCalls(rollBack)
    await commit(await previewed('/v1/payment-links', INVOICE))
    for (const one of [prospect, ...done.slice(practice.changes.length)]) {
      const { status, text } = await ask({ path: madeBy(one).path })
      expect(status, text).toBe(200)
      expect(text).not.toContain(NOTE)
    }
    expect((await ask(waiting)).status).toBe(405)
    for (const { key, fields } of [waiting, prospect]) {
      const { status, text } = await ask({ path: '/v1/clients', key, fields })
      expect([status, text]).toEqual([503, expect.stringContaining('newer version')])
    }
  })

  test('the later version again finishes what waited; nothing is lost, and nothing was done twice', async () => {
    await underCalls(deploy)
    done.push(prospect)
    await commit(waiting)
    await repeatAll()
    expect(await notedKeys()).toEqual(expect.arrayContaining(noted))
    const made = done.slice(practice.changes.length).map(madeBy)
    // What an ended process had still to deliver is delivered a minute later.
    await vi.waitFor(async () => {
      const newRecords = (await records()).slice(stored.length).map(({ key }) => String(key))
      expect(newRecords.toSorted()).toEqual([...new Set(made.map(({ key }) => key))].toSorted())
      const newCommits = (await commitsLogged())
        .slice(logged)
        .map((row) => String(row['record_id']))
      expect(newCommits.toSorted()).toEqual(made.map(({ id }) => id).toSorted())
    }, NOW_AND_THEN)
  })
})
