// @module-tag slow

import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import { type CheckedBackup, checkBackup } from '../../src/cli/backup/file.ts'
import { fillConnector, newRestoreToken } from '../../src/cli/backup/fill.ts'
import { askWhoStays, listOf } from '../../src/cli/backup/who-may-act.ts'
import { startLocal } from '../../src/cli/local.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import type { Stays } from '../../src/core/ports/backup.ts'
import { newEnrolmentToken } from '../../src/owner/access/passkey-enrolment.ts'
import { type SoftAuthenticator, softAuthenticator } from '../support/authenticator.ts'
import { backupKeyAt } from '../support/backup-key.ts'
import { type Browser, browser, confirmed } from '../support/browser.ts'
import { OWNED, OWNER_KEY } from '../support/connector.ts'
import { programWith } from '../support/console-walk.ts'
import { completeLink, linkMade, typedBy } from '../support/filled-link.ts'
import { enrol, invitation, signIn } from '../support/passkeys.ts'
import { asked } from '../support/rest-changes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const pathOf = (name: string): string => join(folder.path, name)

type Local = Awaited<ReturnType<typeof startLocal>>
const signingSecret = randomBytes(32).toString('base64url')
const start = (vars: Record<string, string>, storage: string, name: string): Promise<Local> =>
  startLocal({
    script: inject('workerScript'),
    onLog: () => {},
    vars: { SIGNING_SECRET: signingSecret, ...OWNED, ...vars },
    storage: pathOf(storage),
    name,
  })
/** Passkeys belong to a name, and an address is none. */
const named = ({ url }: Local): string => url.replace('127.0.0.1', 'localhost')

const enrolments = [
  newEnrolmentToken(Date.now() + HOUR, randomBytes(32)),
  newEnrolmentToken(Date.now() + HOUR, randomBytes(32)),
]
const [firstEnrolment = '', freshEnrolment = ''] = enrolments
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

const JORDAN = { name: 'Jordan Zibblethwaite', email: 'jordan@plumbwick.example' }

let checked: CheckedBackup
let stays: Stays
let removed: SoftAuthenticator
let approver: SoftAuthenticator
const keys = { admin: '', office: '', links: '' }
const links = { time: '', details: '', later: '' }
let usedTime = ''
let hookId = ''
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
let again: Local
let web: Browser
let fresh: SoftAuthenticator

const linkFor = async (url: string, ask: string[]): Promise<string> =>
  (await linkMade(url, keys.links, { ask })).path

beforeAll(async () => {
  receiver = await webhookReceiver()
  const made = await backupKeyAt(pathOf('key.txt'))
  const first = await start(
    { BACKUP_RECIPIENT: made.recipient, OWNER_ENROLMENT_SHA256: hashOf(firstEnrolment) },
    'first',
    'consult-connector',
  )
  const ownersWeb = browser(named(first))
  removed = softAuthenticator(named(first))
  expect((await enrol({ token: firstEnrolment }, ownersWeb, removed)).status).toBe(200)
  approver = softAuthenticator(named(first))
  const token = await invitation(ownersWeb, 'Sam at the front desk')
  expect((await enrol({ token }, browser(named(first)), approver)).status).toBe(200)
  const program = programWith(first.url, OWNER_KEY)
  const keyFor = async (name: string, scopes: string[]) =>
    String((await program.send('/v1/keys', { body: { name, scopes } })).body['key'])
  keys.admin = await keyFor('Who has left since', ['admin', 'clients:read'])
  keys.office = await keyFor('Front office', [
    'bookings:write',
    'clients:write',
    'clients:read',
    'admin',
  ])
  keys.links = await keyFor('Links', ['client_links:write'])
  const hook = { url: receiver.url, events: ['client.created'] }
  hookId = String((await program.send('/v1/webhooks', { body: hook })).body['webhook_id'])
  links.time = await linkFor(first.url, ['time'])
  links.details = await linkFor(first.url, ['details'])

  const file = await asked(first.url, { path: '/v1/backup' })
  await writeFile(pathOf('backup.age'), file.bytes)
  checked = await checkBackup(pathOf('backup.age'), await made.pinTo(first.url))
  // In the lost tail: a link is made, and another one is completed.
  links.later = await linkFor(first.url, ['time'])
  usedTime = await completeLink(browser(named(first)), links.time, JORDAN)
  await first.stop()

  const prompts = {
    // The owner keeps the front office and the approver, by their names.
    pick: async (_question: string, options: { value: string; label: string }[]) =>
      options
        .filter(({ label }) => /Front office|Sam|first key/.test(label))
        .map(({ value }) => value),
  }
  const said = await askWhoStays(checked, prompts)
  expect(said.firstKeyStays).toBe(true)
  stays = said.stays
  const restored = {
    RESTORED_AT: new Date().toISOString(),
    OWNER_ENROLMENT_SHA256: hashOf(freshEnrolment),
  }
  const { token: restoreToken, hash } = newRestoreToken(checked)
  const restoring = await start({ ...restored, RESTORE_SHA256: hash }, 'second', 'elsewhere')
  await fillConnector(restoring.url, restoreToken, checked, stays)
  await restoring.stop()
  again = await start(restored, 'second', 'elsewhere')
  web = browser(named(again))
  for (const one of [removed, approver]) one.movedTo(named(again))
  fresh = softAuthenticator(named(again))
})
afterAll(async () => {
  await again?.stop()
  await receiver?.stop()
})

const status = async (path: string, apiKey: string): Promise<number> =>
  (await asked(again.url, { path }, apiKey)).status

test('the command lists who could act, keys that may do everything first, each with its date', () => {
  const text = listOf(checked)
  const order = [
    'your first key',
    'Who has left since',
    '“Links”',
    'passkey of the owner',
    '“Sam at the front desk”',
    'webhook to',
  ]
  const places = order.map((words) => text.indexOf(words))
  expect(places, text).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(text).toMatch(
    /Who has left since”, may do everything \(admin\), [^,]+, since \d{4}-\d\d-\d\d/,
  )
})

test('until the owner has made a new passkey, nothing that was restored resumes, approves or is admin', async () => {
  for (const one of [removed, approver]) {
    const refused = await signIn(browser(named(again)), one)
    expect([refused.status, await refused.text()]).toEqual([
      401,
      expect.stringContaining('held since then'),
    ])
  }
  // What stays does its work, and hands out nothing; what does not stay is no one.
  expect(await status('/v1/keys', OWNER_KEY)).toBe(403)
  expect(await status('/v1/keys', keys.office)).toBe(403)
  const { text: refusal } = await asked(again.url, { path: '/v1/keys' }, OWNER_KEY)
  expect(JSON.parse(refusal)).toMatchObject({
    code: 'insufficient_scope',
    next_step: expect.stringContaining('enrolment link that npm run restore printed'),
  })
  expect(await status('/v1/me', keys.office)).toBe(200)
  for (const gone of [keys.admin, keys.links]) expect(await status('/v1/me', gone)).toBe(401)
  const resumed = await programWith(again.url, OWNER_KEY).send('/v1/rules/*', {
    method: 'PUT',
    body: { paused: false },
  })
  expect(resumed.status).toBeGreaterThanOrEqual(400)
  expect((await asked(again.url, { path: '/v1/availability' })).text).toContain('"code":"paused"')
})

test('a client link that was completed in the lost part does not ask again, and books nothing twice', async () => {
  const client = browser(named(again))
  const page = await client.open(links.time)
  expect(page.status).toBe(410)
  expect(page.html).toMatch(/This link ended on \w+day, .*that booking stands: do not book again/s)
  expect(page.html).not.toContain('<form')
  expect((await client.submit(links.time, typedBy(JORDAN, usedTime))).status).toBe(410)
  const details = await client.open(links.details)
  expect([details.status, details.html]).toEqual([
    410,
    expect.stringContaining('If you sent your details before then, ask'),
  ])
})

test('a client link that was made in the lost part does not work any more, and does not say that it is new', async () => {
  const page = await browser(named(again)).open(links.later)
  expect(page.status).toBe(410)
  expect(page.html).toMatch(/does not work any more[^]*do not book again[^]*for a new link/)
})

test('the new link of the owner confirms what was named; the rest stays held', async () => {
  expect((await enrol({ token: freshEnrolment }, web, fresh)).status).toBe(200)
  expect(await status('/v1/keys', OWNER_KEY)).toBe(200)
  expect(await status('/v1/keys', keys.office)).toBe(200)
  expect(await status('/v1/me', keys.admin)).toBe(401)
  expect((await signIn(browser(named(again)), approver)).status).toBe(200)
  expect((await signIn(browser(named(again)), removed)).status).toBe(401)
  // It was used, so it confirms no second time.
  expect((await enrol({ token: freshEnrolment }, browser(named(again)), removed)).status).toBe(401)
})

test('the console says that it was restored, lists the steps, and ticks off what is done', async () => {
  const home = (await web.open('/owner')).html
  expect(home).toMatch(/Restored from a backup: \d+ steps left/)
  expect(home).toContain('Who has left since')
  expect(home).toContain('You have made a new passkey')
  expect(home).not.toContain('Nothing needs you')
})

test('the owner lets in again whom they know, on a proof, and removes the rest', async () => {
  const page = await web.open('/owner')
  const form = page.form('/owner/restored/let-in', 'Links')
  const asksForProof = await web.submit('/owner/restored/let-in', form)
  expect(asksForProof.html).toContain('Let in')
  expect(await status('/v1/me', keys.links)).toBe(401)
  expect((await confirmed(web, asksForProof)).status).toBe(303)
  await expect.poll(() => status('/v1/me', keys.links)).toBe(200)
  const old = (await web.open('/owner')).form('/owner/restored/let-in', 'without a name')
  const gone = await confirmed(web, await web.submit('/owner/passkeys/remove', old))
  expect(gone.status).toBe(303)
  const left = (await web.open('/owner')).html
  expect(left).not.toContain('without a name')
  expect(left).toContain('Who has left since')
})

test('after the owner has resumed all callers, a webhook that was not named still sends nothing', async () => {
  const resume = (await web.open('/owner')).form('/owner/resume')
  expect((await confirmed(web, await web.submit('/owner/resume', resume))).status).toBe(303)
  const { text } = await asked(again.url, { path: '/v1/webhooks' })
  const { webhooks } = JSON.parse(text) as { webhooks: { webhook_id: string; state: string }[] }
  expect(webhooks).toMatchObject([{ webhook_id: hookId, state: 'paused' }])
  expect((await web.open('/owner')).html).not.toMatch(/<\/span> *All agents may act again<p/)
})

test('a drill or a restore that names no one lets no one in', async () => {
  const { token, hash } = newRestoreToken(checked)
  const vars = { RESTORED_AT: new Date(Date.now() - DAY).toISOString() }
  const restoring = await start({ ...vars, RESTORE_SHA256: hash }, 'unnamed', 'third')
  const lineBefore = await fetch(new URL('/v1/restore', restoring.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ object: 'ACCESS', values: {}, tables: [] }),
  })
  expect(await lineBefore.text(), 'a line before the head was taken').toContain(
    'has not arrived yet',
  )
  await fillConnector(restoring.url, token, checked)
  await restoring.stop()
  const third = await start(vars, 'unnamed', 'third')
  for (const one of Object.values(keys))
    expect((await asked(third.url, { path: '/v1/me' }, one)).status).toBe(401)
  await third.stop()
})
