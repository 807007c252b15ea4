/**
 * Makes the practice that is kept here again; test/README.md says how it is run. It has the storage of a filled
 * practice with invented people, its backup, and an invented key. test/e2e/kept-practice.test.ts opens
 * all of it with the code of each commit.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

import { buildWorker } from '../../../src/cli/local.ts'
import { hashApiKey, newApiKey } from '../../../src/core/crypto/api-key.ts'
import { NO_RULES } from '../../../src/core/domain/rules/house-rules.ts'
import { DAY } from '../../../src/core/domain/time/duration.ts'
import { isoSeconds } from '../../../src/core/domain/time/time.ts'
import { backupKeyAt } from '../backup-key.ts'
import { type Change, asked } from '../rest-changes.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import {
  BACKUP,
  FACTS,
  KEY,
  type KeptPractice,
  STORAGE,
  packed,
  scriptOn,
  startOn,
} from './opened.ts'

const CLOCK = '2036-05-20T14:00:00.000Z'
const WORKER = 'kept-practice'
const PERSON = { invitee_name: 'Ada Quillfeather', invitee_email: 'ada@quillfeather.example' }
const CLIENT = {
  entity_type: 'individual',
  display_name: 'Ada Quillfeather',
  contact_email: 'ada@quillfeather.example',
}

const folder = temporaryFolder()
const pathOf = (name: string): string => join(folder.path, name)

rmSync(KEY, { force: true })
const madeKey = await backupKeyAt(KEY)
const owner = newApiKey(randomBytes(32))
const vars = {
  PUBLIC_URL: 'https://kept.example',
  PRACTICE_NAME: 'Quillfeather Tax',
  SIGNING_SECRET: randomBytes(32).toString('base64url'),
  ALLOW_ANONYMOUS: 'false',
  OWNER_KEY_SHA256: await hashApiKey(owner),
  BACKUP_RECIPIENT: madeKey.recipient,
}
const built = await buildWorker({ outdir: pathOf('built') })
const script = scriptOn(CLOCK, built.script, pathOf('moved'))
const opened = { script, storage: pathOf('storage'), worker: WORKER }
const local = await startOn({ vars }, opened)

async function call(path: string, body: object, method = 'POST'): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${owner}`, 'Content-Type': 'application/json' }
  const request = { method, headers, body: JSON.stringify(body) }
  const answer = await fetch(new URL(path, local.url), request)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}

const changes: KeptPractice['changes'] = []

/** Previews and commits; the result of what was committed. */
async function change(
  path: string,
  fields: object,
  apiKey: string,
): Promise<Record<string, string>> {
  const key = crypto.randomUUID()
  const preview = await asked(
    local.url,
    { path, key, fields: { ...fields, confirm: false } },
    apiKey,
  )
  const { confirmation_token } = JSON.parse(preview.text) as { confirmation_token?: string }
  const commit: Omit<Change, 'text'> = {
    path,
    key,
    fields: { ...fields, confirm: true, confirmation_token },
  }
  const { status, text } = await asked(local.url, commit, apiKey)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}\n${preview.text}`)
  changes.push({ ...commit, text, apiKey })
  return (JSON.parse(text) as { result: Record<string, string> }).result
}

const keyFor = async (name: string, scopes: string[]): Promise<string> =>
  String((await call('/v1/keys', { name, scopes }))['key'])
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
const known = (await call('/v1/keys', { name: 'Links', scopes: ['client_links:write'] }))['key']
const keys = { owner, office: await keyFor('Front office', scopes), links: String(known) }

const from = isoSeconds(Date.parse(CLOCK) + DAY)
const { text: free } = await asked(
  local.url,
  { path: `/v1/availability?start_time=${from}` },
  owner,
)
const times = (JSON.parse(free) as { slots: { start_time: string }[] }).slots.map(
  ({ start_time }) => start_time,
)
const consult = (start_time: string | undefined) => ({
  start_time,
  timezone: 'America/New_York',
  ...PERSON,
})
const moved = await change('/v1/bookings', consult(times[0]), keys.office)
const cancelled = await change('/v1/bookings', consult(times[1]), keys.office)
const kept = await change('/v1/bookings', consult(times[2]), owner)
await change(
  `/v1/bookings/${moved['booking_id']}/reschedule`,
  { start_time: times[4], timezone: 'America/New_York' },
  keys.office,
)
await change(
  `/v1/bookings/${cancelled['booking_id']}/cancel`,
  { reason: 'Changed plans' },
  keys.office,
)
const client = await change('/v1/clients', CLIENT, keys.office)
const answers = { primary_goal: 'retirement', household_members: 2, notes: 'Prefers mornings' }
await change(`/v1/clients/${client['client_id']}/intake`, { answers }, keys.office)
await change('/v1/payment-links', { invoice_id: 'in_mock_open' }, owner)
const link = await change('/v1/client-links', { ask: ['details', 'intake', 'time'] }, keys.links)
await call('/v1/rules/*', { ...NO_RULES, changes_a_day: 200 }, 'PUT')
await call('/v1/webhooks', {
  url: 'https://quillfeather-tax.com/in',
  events: ['client.created'],
})

const reads = [
  { path: '/v1/bookings', words: [kept['booking_id']!, 'a***@***'] },
  { path: `/v1/clients/${client['client_id']}`, words: ['A. Q.', 'retirement'] },
  { path: '/v1/audit?limit=100', words: ['"event":"commit"', '"event":"log_key"'] },
  { path: '/v1/rules', words: ['"changes_a_day":200'] },
  { path: '/v1/events', words: ['booking.created', 'client.created'] },
  { path: '/v1/keys', words: ['Front office', 'Links'] },
]
const { status, bytes } = await asked(local.url, { path: '/v1/backup' }, owner)
if (status !== 200) throw new Error('there is no backup')
writeFileSync(BACKUP, bytes)
await madeKey.pinTo(local.url)
for (const { path, words } of reads) {
  const { text } = await asked(local.url, { path }, owner)
  for (const word of words)
    if (!text.includes(word)) throw new Error(`${path} lacks ${word}: ${text}`)
}
await local.stop()

const files = readdirSync(opened.storage, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
writeFileSync(
  STORAGE,
  packed(
    Object.fromEntries(files.map((path) => [relative(opened.storage, path), readFileSync(path)])),
  ),
)
const facts: KeptPractice = {
  clock: CLOCK,
  worker: WORKER,
  vars,
  keys,
  changes,
  reads,
  openLink: new URL(link['url']!).pathname,
}
writeFileSync(FACTS, `${JSON.stringify(facts, null, 2)}\n`)
folder.remove()
console.log(
  `${files.length} files of storage, ${changes.length} changes: test/support/kept-practice`,
)
