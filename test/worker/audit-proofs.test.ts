import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'

import { AuditLog } from '../../durable-objects/audit-log.ts'
import { hashApiKey } from '../../src/core/crypto/api-key.ts'
import type { AuditEntry } from '../../src/core/domain/audit/entry.ts'
import { leafText } from '../../src/core/domain/audit/leaf.ts'
import { leafHash, merkleTreeOf, provesInclusion } from '../../src/core/domain/audit/merkle-tree.ts'
import {
  type Checkpoint,
  fromBase64,
  parseCheckpoint,
  parseInclusionProof,
  parseNote,
  parseVkey,
  signaturesBy,
} from '../../src/core/domain/audit/signed-note.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import type { NumberedEntry } from '../../src/core/ports/audit.ts'
import { exampleEntry } from '../support/example-entry.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { CLIENT, ask, previewed, recordIn } from './fixtures.ts'

const HOST = 'consult.example'
const ORIGIN = `${HOST}/audit-log`
const START = Date.parse('2026-11-21T12:00:00Z')
const SIX_YEARS = 2192 * DAY

const auditLog = () => env.AUDIT_LOG.getByName('audit-log')
const entry = (id: string, more: Partial<AuditEntry> = {}): AuditEntry =>
  exampleEntry({ id, at: START, ...more })
const several = (from: number, count: number, at = START): AuditEntry[] =>
  Array.from({ length: count }, (_, i) =>
    entry(`e${from + i}`, { at, shown: `digest ${from + i}` }),
  )

const stateNow = () => auditLog().state(HOST)
const signed = async (): Promise<Checkpoint> =>
  parseCheckpoint(parseNote((await stateNow()).checkpoint).text, ORIGIN)

/** The hashes of all leaves, from the entries themselves, or from what is kept of those that were dropped. */
async function leafHashes(): Promise<Uint8Array[]> {
  const { size } = await stateNow()
  const leaves = await auditLog().leaves(0, size)
  return Promise.all(
    leaves.map(async (one) =>
      'leaf' in one ? leafHash(new TextEncoder().encode(one.leaf)) : fromBase64(one.hash),
    ),
  )
}

/** Whether the log still begins as each of these checkpoints says. */
async function expectToHold(checkpoints: readonly Checkpoint[]): Promise<void> {
  const tree = merkleTreeOf(await leafHashes())
  for (const { size, root } of checkpoints) expect(await tree.root(size)).toEqual(root)
}

async function expectProved(index: number): Promise<string> {
  const receipt = (await auditLog().receipt(index, HOST))!
  const proof = parseInclusionProof(receipt.proof)
  expect(proof.index).toBe(index)
  const hash = await leafHash(new TextEncoder().encode(receipt.leaf))
  const top = parseCheckpoint(parseNote(proof.note).text, ORIGIN)
  expect(await provesInclusion(proof.hashes, hash, index, top)).toBe(true)
  return receipt.leaf
}

const rowsIn = (table: string): Promise<number> =>
  runInDurableObject(
    auditLog(),
    (_object, { storage }) =>
      storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
  )

it('An entry is a leaf of the tree under its own number, whose text has all that the entry has', async () => {
  await auditLog().append([
    entry('a'),
    entry('b', { event: 'commit', code: 'committed', shown: 'd', about: { approved: 'agent' } }),
  ])
  const leaf = await expectProved(1)
  expect(leaf).toBe(leafText((await auditLog().entry(1)) as NumberedEntry))
  expect(JSON.parse(leaf)).toMatchObject({
    v: 1,
    id: 'b',
    about: { approved: 'agent', shown: 'd' },
  })
})

it('The same batch sent twice makes no second leaf', async () => {
  await auditLog().append(several(0, 3))
  const before = await stateNow()
  await auditLog().append(several(0, 3))
  expect(await stateNow()).toEqual(before)
})

it('The same entries give the same checkpoint, byte for byte, after the object was evicted too', async () => {
  await auditLog().append(several(0, 300))
  const { checkpoint } = await stateNow()
  await evictDurableObject(auditLog())
  expect((await stateNow()).checkpoint).toBe(checkpoint)
})

it('A checkpoint is signed by the key that the log announces in an entry, under the name it had when it was first signed', async () => {
  await auditLog().append(several(0, 2))
  const { checkpoint, vkeys, size } = await stateNow()
  expect(await auditLog().vkeys(HOST)).toEqual(vkeys)
  const note = parseNote(checkpoint)
  const key = await parseVkey(vkeys[0]!)
  const [signature] = signaturesBy(note, key)
  const known = await crypto.subtle.importKey('raw', key.publicKey as never, 'Ed25519', false, [
    'verify',
  ])
  const text = new TextEncoder().encode(note.text)
  expect(await crypto.subtle.verify('Ed25519', known, signature as never, text)).toBe(true)
  expect(size).toBe(3)
  expect(JSON.parse(await expectProved(2))).toMatchObject({
    event: 'log_key',
    about: { vkey: vkeys[0] },
  })
  expect((await auditLog().state('moved.example')).checkpoint).toBe(checkpoint)
})

it('Asking for the public keys writes nothing, so that strangers cannot', async () => {
  const vkeys = await auditLog().vkeys(HOST)
  expect(vkeys).toEqual([expect.stringContaining(`${ORIGIN}+`)])
  expect(await rowsIn('entries')).toBe(0)
})

it('Every checkpoint of a growing log stays true of it, whatever is hashed by alarm, evicted or dropped in between', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  const checkpoints: Checkpoint[] = []
  let made = 0
  for (const count of [1, 2, 250, 3, 1, 255, 257, 100]) {
    vi.setSystemTime(START + made * DAY)
    await auditLog().append(several(made, count, Date.now()))
    made += count
    checkpoints.push(await signed())
    await runDurableObjectAlarm(auditLog())
    checkpoints.push(await signed())
    await evictDurableObject(auditLog())
  }
  await expectToHold(checkpoints)
  const whole = await leafHashes()
  // Dropped to within a tile, then past it, then all but the newest.
  for (const days of [200, 500, 870, 9999]) {
    vi.setSystemTime(START + SIX_YEARS + days * DAY)
    await runDurableObjectAlarm(auditLog())
    checkpoints.push(await signed())
    await evictDurableObject(auditLog())
    expect((await leafHashes()).slice(0, whole.length)).toEqual(whole)
  }
  await expectToHold(checkpoints)
  // What is never dropped: the key of the log, and an entry for each time that others were dropped.
  expect(await rowsIn('entries')).toBe(1 + 3)
  const { size } = await stateNow()
  await expectProved(size - 1)
  expect(await auditLog().receipt(5, HOST)).toBe(null)
  await auditLog().append([entry('after')])
  expect((await auditLog().entry(size))?.id).toBe('after')
  await expectToHold(checkpoints)
})

it('Complete tiles are hashed once: later checkpoints read no entry of theirs', async () => {
  await auditLog().append(several(0, 600))
  await stateNow()
  expect(await rowsIn('tiles')).toBe(2)
  await evictDurableObject(auditLog())
  const rowsRead = await runInDurableObject(auditLog(), async (object, { storage }) => {
    const exec = vi.spyOn(storage.sql, 'exec')
    await object.state(HOST)
    return exec.mock.results
      .map(({ value }) => (value as SqlStorageCursor<Record<string, SqlStorageValue>>).rowsRead)
      .reduce((sum, rows) => sum + rows, 0)
  })
  expect(rowsRead).toBeLessThan(130)
})

it('Appending hashes nothing and writes no tile', async () => {
  const digest = vi.spyOn(crypto.subtle, 'digest')
  await runInDurableObject(auditLog(), (object) => object.append(several(0, 600)))
  expect(digest).not.toHaveBeenCalled()
  expect(await rowsIn('tiles')).toBe(0)
  await runInDurableObject(auditLog(), (object) => object.state(HOST))
  expect(digest).toHaveBeenCalled()
})

it('A commit says who approved it, and its receipt is pending until the log has the entry', async () => {
  const append = vi
    .spyOn(AuditLog.prototype, 'append')
    .mockRejectedValue(onPurpose('no audit log today'))
  const change = await previewed('/v1/clients', CLIENT)
  const receiptOf = () => ask(`/v1/operations/${change.key}/receipt`)
  expect((await receiptOf()).status).toBe(404)
  await change.commit()
  await vi.waitFor(() => expect(append).toHaveBeenCalled())
  const early = await receiptOf()
  expect([early.status, early.body.code, early.headers.get('Retry-After')]).toEqual([
    503,
    'receipt_pending',
    '5',
  ])
  append.mockRestore()
  await evictDurableObject(change.confirmation)
  await runDurableObjectAlarm(change.confirmation)
  const { status, body } = await receiptOf()
  expect(status).toBe(200)
  const leaf = JSON.parse(atob(String(body['leaf']))) as { about: object }
  expect(leaf).toMatchObject({ event: 'commit', code: 'committed', about: { approved: 'agent' } })
  const record = await recordIn(change.confirmation)
  expect(leaf.about).toHaveProperty('shown', record?.digest)
})

it('No API key is made or rotated unless the log has it first, while one is revoked all the same', async () => {
  const post = (path: string, body: object) =>
    ask(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const listed = async () =>
    (await ask('/v1/keys?limit=100')).body['keys'] as { id: string; revoked_at: string | null }[]
  const asked = { name: 'Zapier', scopes: ['bookings:write'] }
  const { body } = await post('/v1/keys', asked)
  const append = vi
    .spyOn(AuditLog.prototype, 'append')
    .mockRejectedValue(onPurpose('no audit log today'))
  expect((await post('/v1/keys', asked)).status).toBe(500)
  expect((await post(`/v1/keys/${String(body['id'])}/rotate`, {})).status).toBe(500)
  expect(await listed()).toMatchObject([{ id: body['id'], revoked_at: null }])
  const known = await env.ACCESS.getByName('access').findKey(await hashApiKey(String(body['key'])))
  expect(known).toBeDefined()
  expect((await ask(`/v1/keys/${String(body['id'])}`, { method: 'DELETE' })).status).toBe(200)
  expect((await listed())[0]?.revoked_at).not.toBe(null)
  append.mockRestore()
})
