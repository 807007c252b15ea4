import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'

import type { AuditLog } from '../../durable-objects/audit-log.ts'
import { ProviderHealthStore } from '../../durable-objects/coordinator/provider-health.ts'
import { verifyPack } from '../../src/cli/verify/verify.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import { exampleEntry } from '../support/example-entry.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { ask } from './fixtures.ts'

const AUTHORITY = 'http://tsa.example/'
// Ahead of every real clock: workerd sets no alarm in the past.
const START = Date.parse('2099-11-23T06:00:00Z')
const auditLog = () => env.AUDIT_LOG.getByName('audit-log')

const entry = (id: string) => exampleEntry({ id, at: Date.now() })

let answers: boolean
let asked: number

beforeEach(() => {
  answers = true
  asked = 0
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    expect(request.url).toBe(AUTHORITY)
    asked += 1
    if (!answers) return new Response(null, { status: 503 })
    const query = new Uint8Array(await request.arrayBuffer())
    return new Response(Uint8Array.of(0x30, 0x40, 0x30, 3, 2, 1, 0, ...query.slice(24, 56)))
  })
})

/** The alarm of the object as it rings on an installation with a timestamp authority; how long until the next. */
const ring = (after: number, settings: object = { TIMESTAMP_URL: AUTHORITY }): Promise<number> => {
  vi.setSystemTime(Date.now() + after)
  return runInDurableObject(auditLog(), async (object: AuditLog, { storage }) => {
    const own = object as unknown as { env: object }
    own.env = { ...env, PUBLIC_URL: 'https://connector.example', ...settings }
    await object.alarm()
    return (await storage.getAlarm())! - Date.now()
  })
}

const health = async () => (await ask('/health')).body['reasons']
/** `/health` is remembered for some seconds. */
const healthLater = () => {
  vi.setSystemTime(Date.now() + 10_000)
  return health()
}

it('A checkpoint is anchored once a day if the log has grown, and the pack has it with what came back', async () => {
  await auditLog().append([entry('a')])
  expect(await ring(DAY)).toBe(DAY)
  expect(asked).toBe(1)
  await ring(DAY)
  expect(asked).toBe(1)
  await auditLog().append([entry('b')])
  await ring(DAY)
  expect(asked).toBe(2)
  const anchors = await auditLog().anchors(0, 10)
  expect(anchors.map(({ size, at }) => [size, at])).toEqual([
    [2, START + DAY],
    [3, START + 3 * DAY],
  ])
  const { text } = await ask('/v1/audit/export?format=pack')
  const report = await verifyPack(new TextEncoder().encode(text))
  expect(report.isGood).toBe(true)
  const said = report.findings
    .filter(({ check }) => check === 'Anchors')
    .map(({ text: one }) => one)
  expect(said).toEqual([
    expect.stringMatching(/the first 3 entries are unchanged since .*, and the first 2 since /),
    expect.stringContaining('Each timestamp names its checkpoint.'),
  ])
})

it('Nothing is sent where no authority is set', async () => {
  await auditLog().append([entry('a')])
  expect(await ring(DAY, {})).toBe(DAY)
  expect([asked, await auditLog().anchors(0, 10)]).toEqual([0, []])
})

it('What fails is tried each hour, makes the connector degraded after three days, and well once it works', async () => {
  await auditLog().append([entry('a')])
  answers = false
  for (let hours = 0; hours < 72; hours += 24)
    expect(await ring(hours === 0 ? DAY : 24 * HOUR)).toBe(HOUR)
  expect(await healthLater()).toEqual([])
  await ring(24 * HOUR)
  expect(await healthLater()).toEqual(['audit_log_not_anchored'])
  answers = true
  expect(await ring(HOUR)).toBe(DAY)
  expect(await healthLater()).toEqual([])
  expect(await auditLog().anchors(0, 10)).toHaveLength(1)
})

it('That anchors work again is reported to the health until it arrives there', async () => {
  await auditLog().append([entry('a')])
  answers = false
  await ring(DAY)
  await ring(3 * DAY)
  expect(await healthLater()).toEqual(['audit_log_not_anchored'])
  answers = true
  const broken = vi.spyOn(ProviderHealthStore.prototype, 'record').mockImplementation(() => {
    throw onPurpose('not now')
  })
  expect(await ring(HOUR)).toBe(DAY)
  broken.mockRestore()
  expect(await healthLater()).toEqual(['audit_log_not_anchored'])
  await ring(DAY)
  expect(await healthLater()).toEqual([])
})

it('The last anchor shows whether the log is still the one that was anchored', async () => {
  await auditLog().append([entry('a'), entry('b')])
  await ring(DAY)
  await auditLog().append([entry('c')])
  const last = { size: 3, at: START + DAY }
  expect(await auditLog().anchoring()).toMatchObject({ last, fits: true, failingSince: null })
  await runInDurableObject(auditLog(), (_object, { storage }) => {
    storage.sql.exec(`UPDATE entries SET code = 'other' WHERE "index" = 1`)
  })
  await evictDurableObject(auditLog())
  expect(await auditLog().anchoring()).toMatchObject({ last, fits: false })
})
