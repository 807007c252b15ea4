/**
 * Made the second part of the practice that is kept here, and is never run again for it; test/README.md says how it is
 * run for a part that is not there yet. It is the storage of a practice with invented people and with changes under way,
 * its backup, and an invented key. test/e2e/kept-practice.test.ts opens both parts with the code of each commit.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { buildWorker } from '../../../src/cli/local.ts'
import { hashApiKey, newApiKey } from '../../../src/core/crypto/api-key.ts'
import { NO_RULES, RULES_COPY_MS } from '../../../src/core/domain/rules/house-rules.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/core/domain/time/duration.ts'
import { isoSeconds } from '../../../src/core/domain/time/time.ts'
import { newEnrolmentToken } from '../../../src/owner/access/passkey-enrolment.ts'
import { app } from '../../security/oauth/app.ts'
import { softAuthenticator } from '../authenticator.ts'
import { backupKeyAt } from '../backup-key.ts'
import { approve, browser } from '../browser.ts'
import { customField, defaultFields } from '../fakes/calcom-bodies.ts'
import { resetAfter } from '../fakes/http.ts'
import { enrol } from '../passkeys.ts'
import { asked } from '../rest-changes.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import {
  type KeptPractice,
  calcomOn,
  filesOf,
  packed,
  scriptOn,
  startOn,
  underItsName,
} from './opened.ts'

const FILES = filesOf('second')
if (existsSync(FILES.storage))
  throw new Error('The second part is there. It stays as it is: later code has to open it.')
mkdirSync(dirname(FILES.storage), { recursive: true })

const CLOCK = '2036-05-20T14:00:00.000Z'
const WORKER = 'kept-practice'
const PUBLIC_URL = 'https://kept.example'
const ZONE = 'America/New_York'
/** One id for every copy of the program. */
const CLAUDE_CODE = 'https://claude.ai/oauth/claude-code-client-metadata'
const PERSON = { invitee_name: 'Ada Quillfeather', invitee_email: 'ada@quillfeather.example' }
const CLIENT = {
  entity_type: 'individual',
  display_name: 'Ada Quillfeather',
  contact_email: 'ada@quillfeather.example',
}

const folder = temporaryFolder()
const pathOf = (name: string): string => join(folder.path, name)

const calcom = await calcomOn({ clock: CLOCK })
const { eventType, state } = calcom
// Hosts take turns for the one, and the other asks a question.
const asksMore = [...defaultFields(), { ...customField('about', true), label: 'What is it about?' }]
state.eventTypes.push({ ...eventType, id: 4712, bookingFields: asksMore })
eventType.schedulingType = 'roundRobin'

const madeKey = await backupKeyAt(FILES.key)
const owner = newApiKey(randomBytes(32))
const enrolment = newEnrolmentToken(Date.parse(CLOCK) + HOUR, randomBytes(32))
const vars = {
  PUBLIC_URL,
  PRACTICE_NAME: 'Quillfeather Tax',
  SIGNING_SECRET: randomBytes(32).toString('base64url'),
  ALLOW_ANONYMOUS: 'false',
  OWNER_KEY_SHA256: await hashApiKey(owner),
  OWNER_ENROLMENT_SHA256: await hashApiKey(enrolment),
  BACKUP_RECIPIENT: madeKey.recipient,
  SCHEDULING_PROVIDER: 'calcom',
  SCHEDULING_PROVIDER_TOKEN: state.token,
  EVENT_TYPES: JSON.stringify({ consult: { id: '4711' }, 'tax-call': { id: '4712' } }),
  BOOKING_ASKS: 'answers,phone',
}
const built = await buildWorker({ outdir: pathOf('built') })
const script = scriptOn(CLOCK, built.script, pathOf('moved'))
const opened = { script, storage: pathOf('storage'), worker: WORKER }
const local = await startOn({ vars }, opened, { calcom })

async function call(path: string, body: object, method = 'POST'): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${owner}`, 'Content-Type': 'application/json' }
  const request = { method, headers, body: JSON.stringify(body) }
  const answer = await fetch(new URL(path, local.url), request)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}

interface Previewed {
  confirmation_token?: string
  approval?: { url: string }
}

/** Previews a change: the request that commits it, and the page on which it is approved, if it needs that. */
async function shown(path: string, given: object, apiKey: string) {
  const key = crypto.randomUUID()
  const fields = { ...given, confirm: false }
  const { text } = await asked(local.url, { path, key, fields }, apiKey)
  const { confirmation_token, approval } = JSON.parse(text) as Previewed
  if (confirmation_token === undefined) throw new Error(`${path}: ${text}`)
  const commit = { path, key, fields: { ...given, confirm: true, confirmation_token } }
  return { commit, approval: approval && new URL(approval.url).pathname }
}

const changes: KeptPractice['changes'] = []

/** Previews and commits; the result of what was committed. */
async function change(
  path: string,
  fields: object,
  apiKey: string,
): Promise<Record<string, string>> {
  const { commit } = await shown(path, fields, apiKey)
  const { status, text } = await asked(local.url, commit, apiKey)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  changes.push({ ...commit, text, apiKey })
  return (JSON.parse(text) as { result: Record<string, string> }).result
}

const underWay: NonNullable<KeptPractice['underWay']> = []

/** Previews a change of the office, and keeps its commit as one that is still to come. */
async function leaveShown(
  what: string,
  path: string,
  given: object,
  ...answer: [status: number, ...words: string[]]
) {
  const { commit, approval } = await shown(path, given, keys.office)
  underWay.push({ what, ...commit, answer, apiKey: keys.office })
  return { commit, approval }
}

const newKey = async (name: string, scopes: string[]): Promise<Record<string, string>> =>
  (await call('/v1/keys', { name, scopes })) as Record<string, string>
const scopes = [
  'availability:read',
  'bookings:write',
  'bookings:read',
  'clients:write',
  'clients:read',
  'intake:write',
  'payments:write',
  'payments:read',
]
const office = await newKey('Front office', scopes)
const links = await newKey('Links', ['client_links:write'])
const keys = { owner, office: office['key']!, links: links['key']! }
const undelivered = ['booking.created', 'client.created']
await call('/v1/webhooks', { url: 'https://quillfeather-tax.com/in', events: undelivered })
await call('/v1/admin/provider-webhooks', {})

// The owner lets an app in on two computers, and one that registers itself.
const web = browser(PUBLIC_URL, underItsName(local))
const enrolled = await enrol({ token: enrolment }, web, softAuthenticator(PUBLIC_URL))
if (!enrolled.ok) throw new Error(await enrolled.text())
const computer = app(PUBLIC_URL, undefined, underItsName(local))
const hosts: NonNullable<KeptPractice['hosts']> = []
for (const clientId of [CLAUDE_CODE, CLAUDE_CODE, await computer.registered()]) {
  const { back } = await computer.askOwner(web, clientId)
  const code = back.searchParams.get('code') ?? ''
  const { status, body } = await computer.redeem(clientId, code)
  if (status !== 200) throw new Error(JSON.stringify(body))
  hosts.push({ clientId, accessToken: body.access_token, refreshToken: body.refresh_token })
}

const from = isoSeconds(Date.parse(CLOCK) + DAY)
const { text: free } = await asked(
  local.url,
  { path: `/v1/availability?start_time=${from}` },
  owner,
)
const times = (JSON.parse(free) as { slots: { start_time: string }[] }).slots.map(
  ({ start_time }) => start_time,
)
const consult = (start_time: string | undefined) => ({ start_time, timezone: ZONE, ...PERSON })
const to = (start_time: string | undefined) => ({ start_time, timezone: ZONE })
const BOOKINGS = '/v1/bookings'

const said = [{ question: 'What is it about?', answer: 'An amended return' }]
const asking = { ...consult(times[0]), event_type: 'tax-call', answers: said }
const taxCall = await change(BOOKINGS, asking, keys.office)
const moved = await change(BOOKINGS, consult(times[1]), keys.office)
const move = `${BOOKINGS}/${moved['booking_id']}/reschedule`
const again = await change(move, to(times[2]), keys.office)

/** A booking with a guest, which another host than the one who is next has. */
async function withGuest(at: string | undefined): Promise<string> {
  const { booking_id } = await change(BOOKINGS, consult(at), keys.office)
  const booking = state.bookings.at(-1)!
  const [invitee] = booking.attendees
  booking.attendees.push({ ...invitee!, name: 'Cy Guest', email: 'cy@guest.example' })
  booking.hosts = [8]
  return `${BOOKINGS}/${booking_id}/reschedule`
}
await leaveShown(
  'a move of two people, who get another host',
  await withGuest(times[3]),
  to(times[4]),
  200,
  '"other_people":1',
  '"host_changed":true',
)
await leaveShown(
  'a move to another address, with the guest',
  await withGuest(times[5]),
  { ...to(times[6]), invitee_email: 'bo@quillfeather.example' },
  200,
  '"other_people":1',
  '"invitee_changed":true',
  '"host_changed":true',
)
const kind = '"event_type":"consult"'
await leaveShown('a booking', BOOKINGS, consult(times[8]), 200, '"committed"', kind)
const cancel = `${BOOKINGS}/${taxCall['booking_id']}/cancel`
await leaveShown('a cancellation', cancel, { reason: 'Changed plans' }, 200, '"cancelled"')

// Cal.com makes it for another address, its answer never comes, and no list has it yet.
state.rewrites = 'other@quillfeather.example'
calcom.fault('book', resetAfter)
calcom.lists(false)
const { commit: inDoubt } = await leaveShown(
  'a booking in doubt, with the address that it got',
  BOOKINGS,
  consult(times[9]),
  200,
  '"committed"',
  'differs_from_preview',
)
const { text: doubt } = await asked(local.url, inDoubt, keys.office)
if (!doubt.includes('outcome_unknown')) throw new Error(doubt)
state.rewrites = undefined
calcom.lists(true)

const client = await change('/v1/clients', CLIENT, keys.office)
const answers = { primary_goal: 'tax_planning', household_members: 3, notes: 'Prefers mornings' }
await change(`/v1/clients/${client['client_id']}/intake`, { answers }, keys.office)
await change('/v1/payment-links', { invoice_id: 'in_mock_open' }, owner)
const link = await change('/v1/client-links', { ask: ['details', 'time'] }, keys.links)
const filled = await change('/v1/client-links', { ask: ['details', 'time'] }, keys.links)

const page = new URL(filled['url']!).pathname
const visitor = browser(local.url)
const form = await visitor.open(page)
// The last of the times that it offers: it is not soon over, and no other change here wants it.
const offered = [...form.html.matchAll(/name="start_time" value="([^"]+)"/g)]
const start_time = offered.at(-1)?.[1] ?? ''
if (times.slice(0, 10).includes(start_time)) throw new Error('that time is taken')
const email = 'bo@quillfeather.example'
const checked = await visitor.submit(page, [
  ['name', 'Bo Quillfeather'],
  ['email', email],
  ['email_again', email],
  ['entity_type', 'individual'],
  ['start_time', start_time],
  ['step', 'check'],
])
const halfFilled = {
  path: page,
  form: [...checked.form(page), ['step', 'send']] as [string, string][],
}
if (!halfFilled.form.some(([name]) => name === 'sealed')) throw new Error(checked.html)

const caller = `key:${office['id']}`
const approval = [{ operation: 'create_client_profile', level: 'person' }]
await call(`/v1/rules/${caller}`, { ...NO_RULES, approval }, 'PUT')
// A preview goes by rules that may be as old as that.
await new Promise((resolve) => setTimeout(resolve, RULES_COPY_MS + SECOND))
async function leaveAsked(what: string, ...answer: [number, string]) {
  const given = { ...CLIENT, contact_email: `${what}@quillfeather.example` }
  const { commit, approval } = await leaveShown(
    `a client, ${what}`,
    '/v1/clients',
    given,
    ...answer,
  )
  return { key: commit.key, page: approval! }
}
const approved = await leaveAsked('approved', 200, '"level":"person"')
await approve(web, approved.page)
const declined = await leaveAsked('declined', 409, 'approval_declined')
const decision = (await web.open(declined.page)).form(declined.page, 'value="decline"')
await web.submit(declined.page, [...decision, ['decision', 'decline']])
const waits = await leaveAsked('waiting', 409, 'approval_pending')

const reads = [
  // The day begins in the zone of the practice.
  { path: BOOKINGS, words: [again['booking_id']!, 'a***@***', '"from":"2036-05-20T10:'] },
  { path: `/v1/clients/${client['client_id']}`, words: ['A. Q.', 'tax_planning'] },
  { path: '/v1/audit?limit=100', words: ['"code":"approval_needed"', '"event":"approval"'] },
  { path: '/v1/rules', words: ['create_client_profile'] },
  { path: '/v1/events', words: ['booking.rescheduled', 'approval.requested'] },
  { path: '/v1/webhooks', words: ['quillfeather-tax.com'] },
  { path: '/v1/keys', words: ['Front office', 'Links'] },
]
const { status, bytes } = await asked(local.url, { path: '/v1/backup' }, owner)
if (status !== 200) throw new Error('there is no backup')
writeFileSync(FILES.backup, bytes)
await madeKey.pinTo(local.url)
for (const { path, words } of reads) {
  const { text } = await asked(local.url, { path }, owner)
  for (const word of words)
    if (!text.includes(word)) throw new Error(`${path} lacks ${word}: ${text}`)
}
const taken = await calcom.webhooks.deliver(underItsName(local))
if (taken.length === 0 || taken.some((answer) => answer !== 200)) throw new Error(String(taken))
await local.stop()
await calcom.stop()

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
// A KV namespace goes by the clock of the machine. What ends there ends as long after that day as after it was written.
for (const path of filesIn(join(opened.storage, 'kv')).filter((one) => one.endsWith('.sqlite'))) {
  if (path.endsWith('metadata.sqlite')) continue
  const database = new DatabaseSync(path)
  database
    .prepare('UPDATE _mf_entries SET expiration = expiration + ? WHERE expiration < ?')
    .run(state.now() - Date.now(), Date.parse(CLOCK))
  database.close()
}
const files = filesIn(opened.storage).map((path) => [
  relative(opened.storage, path),
  readFileSync(path),
])
writeFileSync(FILES.storage, packed(Object.fromEntries(files)))
const facts: KeptPractice = {
  // Later than all that was stored, and before anything of it ends.
  clock: new Date(state.now() + MINUTE).toISOString(),
  worker: WORKER,
  vars,
  keys,
  changes,
  reads,
  openLink: new URL(link['url']!).pathname,
  underWay,
  undelivered,
  waiting: { key: waits.key, caller },
  halfFilled,
  calendar: {
    eventTypes: state.eventTypes,
    bookings: state.bookings,
    hooks: calcom.webhooks.hooks,
  },
  hosts,
}
writeFileSync(FILES.facts, `${JSON.stringify(facts, null, 2)}\n`)
folder.remove()
console.log(
  `${files.length} files of storage, ${changes.length} changes, ${underWay.length} under way: test/support/kept-practice/second`,
)
