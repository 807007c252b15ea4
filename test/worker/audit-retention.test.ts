import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'

import { AuditLog } from '../../durable-objects/audit-log.ts'
import { AuditTree } from '../../durable-objects/audit/tree.ts'
import { verifyPack } from '../../src/cli/verify/verify.ts'
import type { AuditEntry } from '../../src/core/domain/audit/entry.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import { exampleEntry } from '../support/example-entry.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { ask } from './fixtures.ts'

const START = Date.parse('2026-11-21T12:00:00Z')
const SIX_YEARS = 2192 * DAY

const auditLog = () => env.AUDIT_LOG.getByName('audit-log')
const entry = (id: string, more: Partial<AuditEntry>): AuditEntry => exampleEntry({ id, ...more })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})

/** Entries that are as old as they may be, a passkey among them; and one that is new. */
const old = (at: number): AuditEntry[] => [
  entry('a', { at }),
  entry('passkey', { at, event: 'enrolment', about: { public_key: 'p' } }),
  entry('b', { at }),
  entry('new', { at: Date.now() }),
]
const isWhole = async (count: number) =>
  (await auditLog().leaves(0, count)).map((one) => 'leaf' in one)
const retentionEntries = async () =>
  (await auditLog().page({ limit: 100, event: 'retention' })).entries.map(({ index, about }) => [
    index,
    about,
  ])
/** What the verifier says of an export: its headline. */
const verified = async (): Promise<string> => {
  const { text } = await ask('/v1/audit/export?format=pack')
  return (await verifyPack(new TextEncoder().encode(text))).headline
}

it('The entries with a public key are never dropped, and an entry says how many of them are among what was', async () => {
  await auditLog().append(old(START - SIX_YEARS - DAY))
  await runDurableObjectAlarm(auditLog())
  expect(await isWhole(5)).toEqual([false, true, false, true, true])
  const about = { dropped_below: 3, older_than: START - SIX_YEARS, kept: 1 }
  expect(await retentionEntries()).toEqual([[4, about]])
  for (const index of [1, 4])
    expect(await auditLog().receipt(index, 'consult.example')).not.toBe(null)
})

it('A pack of a log that dropped entries is good and says how many; nothing is said again until more are dropped', async () => {
  await auditLog().append(old(START - SIX_YEARS - DAY))
  for (let round = 0; round < 3; round++) {
    await runDurableObjectAlarm(auditLog())
    await evictDurableObject(auditLog())
  }
  expect(await retentionEntries()).toHaveLength(1)
  const until = 'hidden, until 20 November 2020'
  expect(await verified()).toBe(`Nothing is wrong with this pack; 2 of its 6 entries are ${until}`)
  // Twelve years on even that entry is old, and stays.
  vi.setSystemTime(START + 2 * SIX_YEARS)
  for (let round = 0; round < 3; round++) await runDurableObjectAlarm(auditLog())
  expect((await retentionEntries()).map(([, about]) => about)).toMatchObject([
    { dropped_below: 4, kept: 1 },
    { dropped_below: 3, kept: 1 },
  ])
  expect(await verified()).toMatch(
    /^Nothing is wrong with this pack; 3 of its 7 entries are hidden/,
  )
})

it('If the log ends after it said that it drops entries, and before it did, it drops them later and says nothing twice', async () => {
  await auditLog().append(old(START - SIX_YEARS - DAY))
  const drop = vi.spyOn(AuditTree.prototype, 'drop').mockRejectedValueOnce(onPurpose('ended'))
  await runInDurableObject(auditLog(), (object) => object.alarm()).catch(() => {})
  expect(drop).toHaveBeenCalled()
  await evictDurableObject(auditLog())
  expect(await isWhole(5)).toEqual([true, true, true, true, true])
  expect(await verified()).toBe('Nothing is wrong with this pack')
  vi.setSystemTime(START + HOUR)
  await runInDurableObject(auditLog(), (object) => object.alarm())
  expect(await isWhole(5)).toEqual([false, true, false, true, true])
  expect(await retentionEntries()).toHaveLength(1)
  expect(await verified()).toMatch(
    /^Nothing is wrong with this pack; 2 of its 6 entries are hidden/,
  )
})

it('Entries are only dropped once the log has said so', async () => {
  await auditLog().append(old(START - SIX_YEARS - DAY))
  const exec: string[] = []
  await runInDurableObject(auditLog(), async (object, { storage }) => {
    const real = storage.sql.exec.bind(storage.sql)
    vi.spyOn(storage.sql, 'exec').mockImplementation((...given: Parameters<SqlStorage['exec']>) => {
      if (/^(INSERT|DELETE).* entries/.test(given[0])) exec.push(given[0].slice(0, 6))
      return real(...given)
    })
    await object.alarm()
  })
  expect(exec).toEqual(['INSERT', 'DELETE'])
})

it('A pack breaks off where entries are dropped after its checkpoint was signed', async () => {
  await auditLog().append(old(START - SIX_YEARS - DAY))
  const state = AuditLog.prototype.state
  vi.spyOn(AuditLog.prototype, 'state').mockImplementation(async function (this: AuditLog, host) {
    const signedNow = await state.call(this, host)
    await this.alarm()
    return signedNow
  })
  await expect(ask('/v1/audit/export?format=pack')).rejects.toThrow('dropped meanwhile')
  vi.restoreAllMocks()
  expect(await verified()).toMatch(
    /^Nothing is wrong with this pack; 2 of its 6 entries are hidden/,
  )
})

it('A kept entry that is young holds back what came after it, so that all that is dropped is as old as the log says', async () => {
  const [a, passkey, b, young] = old(START - SIX_YEARS - DAY)
  await auditLog().append([a!, { ...passkey!, at: START }, b!, young!])
  await runDurableObjectAlarm(auditLog())
  expect(await isWhole(4)).toEqual([false, true, true, true])
  expect(await verified()).toMatch(/^Nothing is wrong with this pack; 1 of its 6 entries is hidden/)
})

it('Only a prefix is dropped: a young entry that arrived before an old one keeps it', async () => {
  const now = Date.now()
  await auditLog().append([
    entry('old', { at: now - SIX_YEARS - DAY }),
    entry('young', { at: now }),
    entry('late', { at: now - SIX_YEARS - DAY }),
    entry('new', { at: now }),
  ])
  await runDurableObjectAlarm(auditLog())
  const kept = await auditLog().leaves(0, 4)
  expect(kept.map((one) => 'leaf' in one)).toEqual([false, true, true, true])
})
