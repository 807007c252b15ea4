import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'

import { startLocal } from '../../../src/cli/local.ts'
import type { FlowRecord } from '../../../src/core/confirm/record.ts'
import { hashApiKey } from '../../../src/core/crypto/api-key.ts'
import { topicsFor } from '../../../src/core/domain/events/topics.ts'
import { DEFAULT_SCOPES } from '../../../src/core/domain/scopes.ts'
import { READS, SEED } from '../../../src/practice/operations/index.ts'
import { type Answer, FACES, inquirer } from './answers.ts'
import { CANARIES } from './canaries.ts'
import {
  type Stored,
  answerPlace,
  durableObjectsUnder,
  filesUnder,
  placeOf,
  recordsIn,
  textOf,
} from './evidence.ts'
import {
  FAULTS,
  journey,
  mcpNonsense,
  mishaps,
  mistakes,
  readBack,
  refusedAll,
  restNonsense,
  slowly,
  subscribing,
} from './journeys.ts'
import { ownerKey, owning } from './owner.ts'
import { type Place, scannerFor } from './scanner.ts'
import { NETWORKS, newEnrolment, signingIn } from './signing-in.ts'

const SETTINGS = {
  ALLOW_ANONYMOUS: 'true',
  SIGNING_SECRET: 'a signing secret of the privacy tests',
}

const scan = scannerFor(CANARIES)
const answers: Answer[] = []
const codes = new Set<string>()
const logs: string[] = []
/** What a webhook was sent, with its headers. */
const deliveries: string[] = []
const records = new Map<string, string>()
const grants = new Map<string, string>()
const folders: string[] = []
let secrets: string[] = []
let inDoubt = { booked: '', notBooked: '' }
let foundBooked: number[] = []
let files: Place[] = []
let stored: Stored[] = []
let names: string[] = []

type Local = Awaited<ReturnType<typeof startLocal>>
type Records = Parameters<typeof recordsIn>[0]

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'consult-connector-privacy-'))
  folders.push(folder)
  return folder
}

const recordsOf = async (local: Local) =>
  recordsIn((await local.kv('RECORDS_KV')) as unknown as Records)

const bookedTimes = (kept: { key: string; value: string }[]): number[] =>
  kept
    .filter(({ key }) => /^booking:[^:]+$/.test(key))
    .map(({ value }) => Date.parse((JSON.parse(value) as { start_time: string }).start_time))

async function serving(
  storage: string,
  vars: Record<string, string>,
  drive: (asking: ReturnType<typeof inquirer>, local: Local) => Promise<void>,
): Promise<void> {
  const onLog = (line: string) => logs.push(line)
  const local = await startLocal({ storage, vars, onLog, script: inject('workerScript') })
  try {
    await drive(inquirer(new URL(local.url).origin, answers, codes), local)
    for (const { key, value } of await recordsOf(local)) records.set(key, value)
    const kept = await recordsIn((await local.kv('OAUTH_KV')) as unknown as Records)
    for (const { key, value } of kept) grants.set(key, value)
  } finally {
    await local.stop()
  }
}

const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    deliveries.push(`${JSON.stringify(request.headers)} ${body}`)
    response.end()
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const [calm, faulty] = await Promise.all([newFolder(), newFolder()])
  const alarmed = serving(faulty, { ...SETTINGS, MOCK_FAULTS: FAULTS }, async (asking, local) => {
    inDoubt = await mishaps(asking, 'REST')
    // The alarm looks by itself, and writes down what it has found to be booked; no one asks it to.
    const seen = async () => {
      foundBooked = bookedTimes(await recordsOf(local))
      expect(foundBooked).toContain(Date.parse(inDoubt.booked))
    }
    await vi.waitFor(seen, { interval: 500 })
  })
  const asked = (async () => {
    await serving(calm, SETTINGS, async (asking) => {
      const { port } = receiver.address() as AddressInfo
      await subscribing(asking, `http://127.0.0.1:${port}/`)
      for (const face of FACES) await journey(asking, face)
      for (const face of FACES) await mistakes(asking, face)
      await readBack(asking)
      await restNonsense(asking)
      await mcpNonsense(asking)
    })
    await serving(calm, { ...SETTINGS, CONFIRMATION_TTL_SECONDS: '1' }, async (asking) => {
      for (const face of FACES) await slowly(asking, face, () => sleep(1200))
    })
    const owned = {
      ...SETTINGS,
      ALLOW_ANONYMOUS: 'false',
      OWNER_KEY_SHA256: await hashApiKey(ownerKey),
    }
    await serving(calm, owned, async (asking) => {
      const made = await owning(asking.as(ownerKey), asking.as)
      secrets = [ownerKey, ...made, SETTINGS.SIGNING_SECRET]
      for (const one of [asking, ...asking.wrongly()]) await refusedAll(one)
    })
    const { token, setting } = newEnrolment()
    await serving(calm, { ...owned, OWNER_ENROLMENT_SHA256: setting }, async (_asking, local) => {
      // Passkeys belong to a name: an address cannot have them.
      const url = local.url.replace('127.0.0.1', 'localhost')
      secrets.push(...(await signingIn(url, token, inquirer(url, answers, codes))))
    })
    await serving(calm, { ...SETTINGS, SIGNING_SECRET: '' }, refusedAll)
  })()
  await Promise.all([alarmed, asked])
  files = (await Promise.all(folders.map(filesUnder))).flat()
  const objects = await Promise.all(folders.map(durableObjectsUnder))
  stored = objects.flatMap((folder) => folder.stored)
  names = objects.flatMap((folder) => folder.names)
})

afterAll(() => void receiver.close())
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

it('the canary run drives every operation over REST and MCP, to success and into every kind of failure', () => {
  for (const { name, route } of SEED) {
    const done = answers.filter(({ text, status }) => status === 200 && succeeded(text, name))
    const overRest = done.filter(({ asked }) => asked.includes(`${route.split(' ')[0]} /v1/`))
    const overMcp = done.filter(({ asked }) => asked.endsWith('POST /mcp'))
    expect([name, overRest.length > 0, overMcp.length > 1]).toEqual([name, true, true])
  }
  expect([...codes]).toEqual(
    expect.arrayContaining([
      'booking_not_active',
      'booking_not_found',
      'client_not_found',
      'confirmation_expired',
      'confirmation_token_invalid',
      'confirmation_token_missing',
      'duplicate_in_doubt',
      'idempotency_key_invalid',
      'idempotency_key_missing',
      'idempotency_key_reused',
      'invoice_not_found',
      'invoice_not_payable',
      'method_not_allowed',
      'not_configured',
      'not_found',
      'outcome_unknown',
      'partially_applied',
      'payload_too_large',
      'preview_required',
      'preview_stale',
      'provider_busy',
      'provider_misconfigured',
      'reschedule_restored',
      'sensitive_data_refused',
      'slot_unavailable',
      'unauthenticated',
      'unsupported_media_type',
      'validation_failed',
    ]),
  )
})

it('the canary run reads back everything it made, over REST and in both eras of MCP', () => {
  for (const { name } of READS) {
    const shown = answers.filter(
      ({ text, status }) => status === 200 && text.includes(`operation`) && text.includes(name),
    )
    const overMcp = shown.filter(({ asked }) => asked.endsWith('POST /mcp'))
    expect([name, shown.length > overMcp.length, overMcp.length > 1]).toEqual([name, true, true])
  }
})

it('no answer has any planted personal data', () => {
  const findings = answers.flatMap((answer) =>
    scan([answerPlace(answer)]).filter(
      (finding) => !answer.mayHold.some((allowed) => allowed === finding.canary),
    ),
  )
  expect(findings).toEqual([])
})

it('no key and no secret is stored or repeated, except in the answer that creates it', () => {
  const scanSecrets = scannerFor(
    Object.fromEntries(secrets.map((secret, i) => [`secret ${i}`, [secret]])),
  )
  // Four of the keys and settings; two links, three sessions, two codes and three pairs of tokens of the signing in.
  expect(new Set(secrets).size).toBe(17)
  const handedOut = (asked: string) => / POST \/v1\/keys(\/[^/]+\/rotate)?$/.test(asked)
  const others = answers.filter(({ asked }) => !handedOut(asked)).map(answerPlace)
  expect(scanSecrets([...others, ...logs.map((line) => placeOf(line, line)), ...files])).toEqual([])
})

it('alarms find effects whose answer was lost, and guess at nothing', () => {
  expect(foundBooked).toContain(Date.parse(inDoubt.booked))
  expect(foundBooked).not.toContain(Date.parse(inDoubt.notBooked))
})

it('the log has no planted data, and only allowed fields', () => {
  expect(logs.length).toBeGreaterThan(answers.length - 1)
  expect(scan(logs.map((line, i) => placeOf(`line ${i + 1}: ${line}`, line)))).toEqual([])
  const allowed = ['request_id', 'operation', 'code', 'status', 'duration_ms', 'caller', 'mode']
  const ofAlert = ['event', 'operation_id', 'operation', 'since', 'half_done']
  const other = logs.filter(
    (line) => !isLine(line, 'request_id', allowed) && !isLine(line, 'event', ofAlert),
  )
  expect(other).toEqual([])
})

it('what a webhook is sent has no planted data', () => {
  expect(deliveries.length).toBeGreaterThan(topicsFor(DEFAULT_SCOPES).length)
  expect(scan(deliveries.map((sent, i) => placeOf(`delivery ${i + 1}: ${sent}`, sent)))).toEqual([])
})

it('the records have no planted data', () => {
  expect(records.size).toBeGreaterThan(10)
  const texts = [...records].map(([key, value]) => placeOf(`record ${key}`, `${key}\n${value}`))
  expect(scan(texts)).toEqual([])
})

it('the grants of apps have no planted data', () => {
  const kinds = new Set([...grants.keys()].map((key) => key.slice(0, key.indexOf(':'))))
  expect([...kinds]).toEqual(expect.arrayContaining(['client', 'grant', 'token']))
  const texts = [...grants].map(([key, value]) => placeOf(`grant ${key}`, `${key}\n${value}`))
  expect(scan(texts)).toEqual([])
})

it('no network address of a sign-in is stored or logged', () => {
  const scanNetworks = scannerFor(NETWORKS)
  const kept = stored.map(({ object, thing, value }) =>
    placeOf(`${object} ${thing}`, textOf(value)),
  )
  const attempts = stored.filter(({ object, thing }) => object === 'Access' && thing === 'attempts')
  expect(attempts.length).toBeGreaterThan(1)
  expect(scanNetworks([...kept, ...files, ...logs.map((line) => placeOf(line, line))])).toEqual([])
})

it('the objects have no planted data', () => {
  const objects = new Set(stored.map(({ object }) => object))
  expect([...objects]).toEqual(
    expect.arrayContaining([
      'Access',
      'AuditLog',
      'Confirmation',
      'Coordinator',
      'EventLog',
      'MockCalendar',
    ]),
  )
  expect(stored.length).toBeGreaterThan(50)
  const texts = stored.map(({ object, thing, value }, i) =>
    placeOf(`${object} ${thing} ${i}`, textOf(value)),
  )
  expect(scan(texts)).toEqual([])
})

it('no file has planted data', () => {
  expect(files.filter(({ place }) => place.endsWith('.sqlite')).length).toBeGreaterThan(50)
  expect(files.filter(({ place }) => place.endsWith('-wal')).length).toBeGreaterThan(0)
  expect(scan(files)).toEqual([])
})

it('the masked forms of the planted data are stored, so the scan has read the right places', () => {
  const masked = ['Z***@***.example', 'T. Ô.', 'w***@gmail.com', 'F. Ő.', '[email]', '[phone]']
  const kept = [...records.values(), ...stored.map(({ value }) => textOf(value))].join('\n')
  expect(masked.filter((mask) => !kept.includes(mask))).toEqual([])
})

it('the text for the client was shown in previews, and is kept sealed while it may be sent, and no longer', () => {
  const shown = answers.filter(({ text }) => text.includes(CANARIES.reason[0]))
  expect(shown.map(({ mayHold }) => mayHold).every((allowed) => allowed.includes('reason'))).toBe(
    true,
  )
  const cancellations = stored
    .filter(({ object }) => object === 'Confirmation')
    .map(({ value }) => value as FlowRecord)
    .filter(({ operation }) => operation === 'cancel_booking')
  const states = (has: boolean) =>
    cancellations.filter((one) => (one.sealedText !== undefined) === has).map(({ state }) => state)
  expect(states(false)).toContain('done')
  expect(states(true).length).toBeGreaterThan(0)
  expect(states(true)).not.toContain('done')
})

it('objects are named by hashes, except those of which there is one', () => {
  expect(names.length).toBeGreaterThan(30)
  expect(
    names.filter(
      (name) =>
        !/^([0-9a-f]{64}|access|audit-log|coordinator|event-log|provider-sync|records)$/.test(name),
    ),
  ).toEqual([])
})

it('only what docs/reference/storage.md lists is stored', async () => {
  const page = await readFile(
    new URL('../../../docs/reference/storage.md', import.meta.url),
    'utf8',
  )
  const prefixes = [...records.keys()].map((key) => `\`${key.slice(0, key.indexOf(':') + 1)}`)
  prefixes.push(...[...grants.keys()].map((key) => `\`${key.slice(0, key.indexOf(':') + 1)}`))
  const targets = stored
    .filter(({ object, thing }) => object === 'Coordinator' && thing === 'locks')
    .map(({ value }) => `\`${String((value as { lock_key: string }).lock_key).split(':')[0]}:`)
  const fields = stored
    .filter(({ object }) => object === 'Confirmation')
    .flatMap(({ value }) => Object.keys(value as object).map((field) => `\`${field}\``))
  const named = (thing: string) =>
    thing.includes(':') ? `\`${thing.slice(0, thing.indexOf(':') + 1)}` : `\`${thing}\``
  const things = stored.flatMap(({ object, thing }) => [named(object), named(thing)])
  const undeclared = new Set(
    [...prefixes, ...targets, ...fields, ...things].filter((name) => !page.includes(name)),
  )
  expect([...undeclared]).toEqual([])
})

const succeeded = (text: string, operation: string): boolean =>
  text.includes(`"operation":"${operation}"`) &&
  (operation === 'list_availability' || text.includes('"status":"committed"'))

function isLine(line: string, needed: string, allowed: readonly string[]): boolean {
  try {
    const fields = Object.keys(JSON.parse(line) as object)
    return fields.includes(needed) && fields.every((field) => allowed.includes(field))
  } catch {
    return false
  }
}
