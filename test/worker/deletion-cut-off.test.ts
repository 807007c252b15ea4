// @module-tag slow

import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'

import { RECORD_KINDS, type RecordKind, recordKey } from '../../src/core/domain/records.ts'
import { DAY, SECOND } from '../../src/core/domain/time/duration.ts'
import { onPurpose } from '../support/on-purpose.ts'
import {
  ANSWERS,
  type Change,
  aClient,
  anIntake,
  beforeCallsOutside,
  deletion,
  deletionsInAuditLog,
  finish,
  intakeOf,
  killRecords,
  records,
  ringAfter,
  rowsOf,
  simulatedKv,
} from './deletion-rig.ts'
import { emptyStorage } from './empty-storage.ts'
import { failRecords, previewed, recordIn } from './fixtures.ts'

const OWNED = (Object.keys(RECORD_KINDS) as RecordKind[]).filter(
  (kind) => RECORD_KINDS[kind].owner !== null,
)

/** A client with a record of every kind that belongs to clients, and with flows in every state that holds data. */
async function aKnownClient() {
  const client = await aClient()
  const intake = await anIntake(client.id)
  const open = await previewed(intakeOf(client.id), { answers: ANSWERS })
  const flow = env.CONFIRMATIONS.newUniqueId().toString()
  const key = recordKey as (kind: RecordKind, ...ids: string[]) => string
  await records().upsert(
    OWNED.filter((kind) => kind !== 'client').map((kind) => ({
      key: key(kind, client.id, 'another'),
      mode: 'mock',
      value: { of: client.id, ...ANSWERS },
      links: [`k:${kind}`],
    })),
    flow,
  )
  // One that committed, and whose records are not delivered yet.
  const upsert = failRecords()
  const undelivered = await previewed(intakeOf(client.id), { answers: ANSWERS })
  await undelivered.commit()
  upsert.mockRestore()
  return { id: client.id, flows: [client, intake, open, undelivered] as Change[] }
}

/** Everything that is kept anywhere and names the client; the id of the record that stays erased does not. */
async function traces(kv: Map<string, string>, id: string, flows: Change[]): Promise<unknown[]> {
  const revealsClient = (thing: unknown): boolean =>
    [id, 'J. Z.', 'j***', 'retirement', 'Likes short'].some((text) =>
      JSON.stringify(thing).includes(text),
    )
  const rows = (await rowsOf('records')).filter(({ value }) => value !== null)
  const kept = await Promise.all(flows.map(({ confirmation }) => recordIn(confirmation)))
  const tables = await Promise.all([rowsOf('links'), rowsOf('flow_refs'), rowsOf('outbox')])
  return [
    ...kv,
    ...rows,
    ...tables.flat(),
    ...kept.filter((record) => record !== undefined),
  ].filter(revealsClient)
}

/** Cuts the deletion off at its n-th call outside. Whether it came so far, and what is left of the client in the end. */
async function cutOffAt(n: number, how: 'fails' | 'dies') {
  const kv = simulatedKv()
  const { id, flows } = await aKnownClient()
  await vi.waitFor(() => expect(kv.stored.size).toBe(OWNED.length + 1))
  expect((await traces(kv.stored, id, flows)).length).toBeGreaterThan(OWNED.length + flows.length)
  let calls = 0
  beforeCallsOutside(kv, async () => {
    calls += 1
    if (calls !== n) return
    if (how === 'fails') throw onPurpose('cut off')
    await new Promise(() => {})
  })
  let isAlive = true
  const orDeath = async (work: Promise<unknown>): Promise<void> => {
    let isOver = false
    void work.catch(() => {}).finally(() => (isOver = true))
    // Looked for, not awaited: what the dying instance resolves, it takes along.
    while (!isOver && !(isAlive && how === 'dies' && calls >= n)) await scheduler.wait(2)
    if (isOver) return
    isAlive = false
    await killRecords()
  }
  await orDeath(deletion(id))
  await finish(() => orDeath(runDurableObjectAlarm(records())))
  // A flow that could not deliver before does so now.
  for (const { confirmation } of flows) await runDurableObjectAlarm(confirmation)
  await finish()
  return {
    reached: calls >= n,
    left: await traces(kv.stored, id, flows),
    entries: await deletionsInAuditLog(id),
  }
}

/** Clock and objects are as they were when the test began. */
function asAtFirst(): void {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.spyOn(console, 'log').mockImplementation(() => {})
}

const WAYS = ['fails', 'dies'] as const

describe('nothing of any kind that belongs to a client is left', () => {
  it.each(WAYS)('wherever the deletion %s', async (how) => {
    for (let n = 1; ; n += 1) {
      const { reached, left, entries } = await cutOffAt(n, how)
      expect(left, `cut off at call ${n}`).toEqual([])
      expect(entries).toHaveLength(1)
      if (!reached) break
      asAtFirst()
    }
  })
})

it('a KV write that was begun by an instance that died, and that lands after the deletion, is deleted within a day', async () => {
  for (const wait of [10 * SECOND, DAY / 2]) {
    const kv = simulatedKv()
    const client = await aClient()
    await vi.waitFor(() => expect(kv.stored.size).toBe(1))
    const begun = Promise.withResolvers<[string, string]>()
    kv.beforeEach(async (call, write) => {
      if (call !== 'put') return
      begun.resolve(write)
      await new Promise(() => {})
    })
    const intake = await anIntake(client.id)
    const late = await begun.promise
    await killRecords()
    expect((await deletion(client.id)).status).toBe(200)
    await ringAfter(wait)
    expect(late[0]).toBe(`intake:${client.id}:${intake.id}`)
    kv.stored.set(...late)
    await ringAfter(DAY + SECOND)
    expect(kv.stored.size).toBe(0)
    await finish()
    asAtFirst()
    await emptyStorage()
  }
})
