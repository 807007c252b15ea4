import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import { type CheckedBackup, checkBackup, linesIn } from '../../../src/cli/backup/file.ts'
import { fillConnector, newRestoreToken } from '../../../src/cli/backup/fill.ts'
import { askWhoStays, listOf } from '../../../src/cli/backup/who-may-act.ts'
import { startLocal } from '../../../src/cli/local.ts'
import { hashApiKey } from '../../../src/core/crypto/api-key.ts'
import { DAY } from '../../../src/core/domain/time/duration.ts'
import { softAuthenticator } from '../../support/authenticator.ts'
import { backupKeyAt } from '../../support/backup-key.ts'
import { type Browser, browser, confirmed, unescaped } from '../../support/browser.ts'
import { programWith } from '../../support/console-walk.ts'
import { completeLink, linkMade } from '../../support/filled-link.ts'
import { enrol } from '../../support/passkeys.ts'
import { type Change, asked, changed } from '../../support/rest-changes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Answer, inquirer } from './answers.ts'
import { CANARIES, canary } from './canaries.ts'
import { type Stored, durableObjectsUnder, filesUnder, placeOf, textOf } from './evidence.ts'
import { ownerKey, owning } from './owner.ts'
import { type Place, scannerFor } from './scanner.ts'
import { newEnrolment, signingIn } from './signing-in.ts'

/*
 * Personal data and secrets go through a connector, which is then backed up, lost and restored. If this fails, something of
 * a person has come back with the backup in clear, or is shown by what was restored: find where it is stored or written.
 */

const folder = temporaryFolder()
const pathOf = (name: string): string => join(folder.path, name)

type Local = Awaited<ReturnType<typeof startLocal>>
/** Passkeys belong to a name, and an address is none. */
const named = ({ url }: Local): string => url.replace('127.0.0.1', 'localhost')

const PERSON = { name: canary('invitee_name'), email: canary('invitee_email') }
const CLIENT = {
  entity_type: 'joint',
  display_name: canary('display_name'),
  contact_email: canary('contact_email'),
}
const ANSWERS = {
  primary_goal: 'wealth_transfer',
  notes: `Write to ${canary('email_in_notes')}, or ring ${canary('phone_in_notes')}, abroad ${canary('foreign_phone_in_notes')}.`,
}

/** How many pages of one kind are opened: those of single entries are alike. */
const OF_A_KIND = 4

const scan = scannerFor(CANARIES)
const vars: Record<string, string> = {
  SIGNING_SECRET: 'a signing secret of the restored privacy tests',
}
const secrets: string[] = []
const changes: Change[] = []
/** The lines that the restored connector has logged. */
const logs: string[] = []
/** Every page and answer of the restored connector, by its address. */
const shown: Place[] = []
let lost: Change
let link = ''
let waiting = ''
let checked: CheckedBackup
const lines: Place[] = []
let terminal = ''
let files: Place[] = []
let stored: Stored[] = []

const start = (name: string, more: Record<string, string>, onLog: (line: string) => void) =>
  startLocal({
    script: inject('workerScript'),
    onLog,
    name,
    storage: pathOf(name),
    vars: { ...vars, ...more },
  })

const consultAt = (start_time: string) => ({
  start_time,
  timezone: 'America/New_York',
  invitee_email: PERSON.email,
  invitee_name: PERSON.name,
})

async function freeTimes({ url }: Local): Promise<string[]> {
  const from = encodeURIComponent(new Date(Date.now() + 7 * DAY).toISOString())
  const { text } = await asked(url, { path: `/v1/availability?start_time=${from}` }, ownerKey)
  return (JSON.parse(text) as { slots: { start_time: string }[] }).slots.map(
    (one) => one.start_time,
  )
}

/** Changes of every kind, one of which stays in doubt; a client link is filled in. */
async function filled(first: Local): Promise<void> {
  const by = { apiKey: ownerKey }
  const [doubted = '', time = '', later = ''] = await freeTimes(first)
  await changed(first.url, '/v1/bookings', consultAt(doubted), { ...by, expected: 503 })
  const booked = await changed(first.url, '/v1/bookings', consultAt(time), by)
  const client = await changed(first.url, '/v1/clients', CLIENT, by)
  const { client_id } = (JSON.parse(client.text) as { result: { client_id: string } }).result
  const intake = `/v1/clients/${client_id}/intake`
  changes.push(booked, client, await changed(first.url, intake, { answers: ANSWERS }, by))
  const { booking_id } = (JSON.parse(booked.text) as { result: { booking_id: string } }).result
  const moved = { start_time: later, invitee_email: canary('reschedule_email') }
  changes.push(await changed(first.url, `/v1/bookings/${booking_id}/reschedule`, moved, by))

  const owner = programWith(first.url, ownerKey)
  const forLinks = { name: 'Links', scopes: ['client_links:write'] }
  const linkKey = String((await owner.send('/v1/keys', { body: forLinks })).body['key'])
  secrets.push(linkKey)
  link = (await linkMade(first.url, linkKey, { ask: ['time'] })).path
  await completeLink(browser(named(first)), link, PERSON)
}

/** A consult waits for a person; the path of the page on which they would decide. */
async function waitingConsult(first: Local): Promise<string> {
  const owner = programWith(first.url, ownerKey)
  const { id, program } = await owner.makesKey('Front office', ['bookings:write'])
  const approval = [{ operation: 'book_consult' as const, level: 'person' as const }]
  await owner.tightens({ approval }, `key:${id}`)
  const asksApproval = await program.asks('/v1/bookings', consultAt((await freeTimes(first))[0]!))
  expect((await asksApproval.commit()).status).toBe(409)
  return asksApproval.path
}

/** Opens every page that a link of the console leads to, some of each kind. */
async function everyPage(web: Browser): Promise<void> {
  const opened = new Map<string, number>()
  const left = ['/owner', '/owner/approvals', waiting, link, '/health', '/llms.txt']
  const known = new Set(left)
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    const kind = path.replace(/\?.*/, '').replaceAll(/[^/]*\d[^/]*/g, ':id')
    opened.set(kind, (opened.get(kind) ?? 0) + 1)
    if (opened.get(kind)! > OF_A_KIND) continue
    const { html, headers, status } = await web.open(path)
    shown.push(placeOf(path, [status, ...[...headers].flat(), html].join('\n')))
    for (const [, to = ''] of html.matchAll(/href="((?:\/owner|\/approve)[^"#]*)"/g)) {
      const next = unescaped(to)
      if (known.has(next)) continue
      known.add(next)
      left.push(next)
    }
  }
  for (const page of [
    '/owner',
    '/owner/audit',
    '/owner/clients',
    '/owner/callers',
    '/owner/settings',
  ])
    expect(opened.has(page), `${page} was not opened`).toBe(true)
  expect(opened.has('/owner/audit/:id'), 'no entry of the log was opened').toBe(true)
}

/** Repeats what was committed before, and what was lost; nothing of it comes back but what was answered. */
async function repeated({ url }: Local): Promise<void> {
  for (const change of changes) {
    const { text } = await asked(url, change, ownerKey)
    expect(text).toBe(change.text)
    shown.push(placeOf(`${change.path}, again`, text))
  }
  const unknown = await asked(url, lost, ownerKey)
  expect(unknown.text).toContain('"outcome_unknown"')
  shown.push(placeOf('what was lost, again', unknown.text))
}

beforeAll(async () => {
  const key = await backupKeyAt(pathOf('key.txt'))
  vars['BACKUP_RECIPIENT'] = key.recipient
  vars['ALLOW_ANONYMOUS'] = 'false'
  vars['OWNER_KEY_SHA256'] = await hashApiKey(ownerKey)
  const enrolment = newEnrolment()
  const before = { OWNER_ENROLMENT_SHA256: enrolment.setting, MOCK_FAULTS: 'book:timeout_before' }
  const first = await start('first', before, () => {})
  const answers: Answer[] = []
  await filled(first)
  const asking = inquirer(first.url, answers, new Set())
  secrets.push(ownerKey, ...(await owning(asking.as(ownerKey), asking.as)))
  const place = named(first)
  const signed = await signingIn(place, enrolment.token, inquirer(place, answers, new Set()))
  secrets.push(...signed, vars['SIGNING_SECRET']!, key.identity, link)
  waiting = await waitingConsult(first)
  const tokens = answers.flatMap(({ text }) => text.match(/ct_[\w-]+\.[\w-]+/g) ?? [])
  expect(tokens.length).toBeGreaterThan(5)
  secrets.push(...tokens)
  const file = await asked(first.url, { path: '/v1/backup' }, ownerKey)
  expect(file.status, file.text).toBe(200)
  await writeFile(pathOf('backup.age'), file.bytes)
  const opening = await key.pinTo(first.url)
  checked = await checkBackup(pathOf('backup.age'), opening)
  lost = await changed(first.url, '/v1/clients', CLIENT, { apiKey: ownerKey })
  await first.stop()

  for await (const text of linesIn(checked.path, opening))
    lines.push(placeOf(`line ${lines.length + 1} of the backup`, text))
  terminal = listOf(checked)
  const pick = async (_question: string, options: { value: string; label: string }[]) => {
    terminal += options.map(({ label }) => label).join('\n')
    return options.map(({ value }) => value)
  }
  const { stays } = await askWhoStays(checked, { pick })

  const fresh = newEnrolment()
  const after = {
    ...checked.secrets,
    RESTORED_AT: new Date().toISOString(),
    OWNER_ENROLMENT_SHA256: fresh.setting,
  }
  const onLog = (line: string) => void logs.push(line)
  const { token, hash } = newRestoreToken(checked)
  const restoring = await start('second', { ...after, RESTORE_SHA256: hash }, onLog)
  await fillConnector(restoring.url, token, checked, stays)
  await restoring.stop()
  secrets.push(token, fresh.token)

  const again = await start('second', after, onLog)
  await repeated(again)
  const web = browser(named(again))
  const enrolled = await enrol({ token: fresh.token }, web, softAuthenticator(named(again)))
  expect(enrolled.status).toBe(200)
  secrets.push(...web.cookies.values())
  const home = await web.open('/owner')
  expect(home.html).toContain('Restored from a backup')
  await everyPage(web)
  for (const person of [CLIENT.contact_email, PERSON.email, canary('reschedule_email')]) {
    const form = (await web.open('/owner/clients')).form('/owner/clients')
    const found = await web.submit('/owner/clients', [...form, ['person', person]])
    expect(found.status, found.html).toBe(200)
    shown.push(placeOf('a person who was looked for', found.html))
  }
  const resume = await web.submit('/owner/resume', home.form('/owner/resume'))
  expect((await confirmed(web, resume)).status).toBe(303)
  shown.push(placeOf('/owner, resumed', (await web.open('/owner')).html))
  await repeated(again)
  for (const path of [
    '/v1/bookings',
    '/v1/clients',
    '/v1/audit?limit=100',
    '/v1/unresolved',
    '/v1/keys',
  ])
    shown.push(placeOf(path, (await asked(again.url, { path }, ownerKey)).text))
  await again.stop()
  files = await filesUnder(pathOf('second'))
  stored = (await durableObjectsUnder(pathOf('second'))).stored
})

afterAll(() => folder.remove())

const storedPlaces = (): Place[] =>
  stored.map(({ object, thing, value }, nth) => placeOf(`${object} ${thing} ${nth}`, textOf(value)))
const logged = (): Place[] => logs.map((line, nth) => placeOf(`line ${nth + 1}: ${line}`, line))

test('the masked forms came back with the backup, so the scans below read the right places', () => {
  const kept = stored.map(({ value }) => textOf(value)).join('\n')
  const masked = ['Z***@***.example', 'T. Ô.', 'w***@gmail.com', 'F. Ő.', '[email]', '[phone]']
  expect(masked.filter((mask) => !kept.includes(mask))).toEqual([])
  expect(checked.waiting).toBe(1)
  expect(checked.counts['flows'], 'no change is at work in the backup').toBeGreaterThan(0)
  expect(logs.length).toBeGreaterThan(shown.length / 2)
  expect(terminal).toContain('Front office')
})

test('no line of the backup has personal data', () => {
  expect(lines.length).toBeGreaterThan(5)
  expect(scan(lines)).toEqual([])
})

test('the storage of the restored connector has no personal data', () => {
  expect(files.some(({ place }) => place.endsWith('.sqlite'))).toBe(true)
  expect(scan([...storedPlaces(), ...files])).toEqual([])
})

test('the restored connector logs no personal data', () => {
  expect(scan(logged())).toEqual([])
})

test('what the command shows of a backup has no personal data', () => {
  expect(scan([placeOf('what the terminal shows', terminal)])).toEqual([])
})

test('no page and no answer of the restored connector has personal data', () => {
  expect(shown.length).toBeGreaterThan(30)
  expect(scan(shown)).toEqual([])
})

test('no key, token, session or link of before is in the storage, the log, the terminal or on a page', () => {
  const found = scannerFor(
    Object.fromEntries([...new Set(secrets)].map((secret, nth) => [`secret ${nth}`, [secret]])),
  )([...storedPlaces(), ...files, ...logged(), ...shown, placeOf('terminal', terminal)])
  expect(found).toEqual([])
})
