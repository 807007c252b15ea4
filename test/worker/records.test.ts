import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'

import { Records } from '../../durable-objects/records.ts'
import { MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import type { RecordWrite } from '../../src/core/ports/records.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { finish, killRecords, rowsOf } from './deletion-rig.ts'
import {
  CLIENT,
  ask,
  consultAt,
  failRecords,
  freeTimes,
  previewed,
  recordIn,
  send,
} from './fixtures.ts'

const LIVE = { bookings: 'live', paymentLinks: 'live' } as const

const records = () => env.RECORDS.getByName('records')
const kv = () => Object.getPrototypeOf(env.RECORDS_KV) as KVNamespace
const letPass = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
const aFlow = () => env.CONFIRMATIONS.newUniqueId().toString()
const write = (key: string, more: Partial<RecordWrite> = {}): RecordWrite => ({
  key,
  mode: 'live',
  value: { key },
  ...more,
})

const bookingKeys = (count: number) => Array.from({ length: count }, (_, i) => `booking:bk_${i}`)
const writeAll = (keys: string[], more: Partial<RecordWrite> = {}) => {
  const writes = keys.map((key) => write(key, more))
  return records().upsert(writes, aFlow())
}

async function committed(path: string, fields: object): Promise<Record<string, unknown>> {
  const reply = await (await previewed(path, fields)).commit()
  if (!reply.body.result) throw new Error(`not committed: ${reply.text}`)
  return reply.body.result
}

/** What is kept under a key, once its copy is in KV too. */
const kept = (key: string): Promise<Record<string, unknown>> =>
  vi.waitFor(async () => {
    const value = await env.RECORDS_KV.get(key)
    expect(value).toBe(await records().get(key))
    return JSON.parse(value!) as Record<string, unknown>
  })

it('each change has a record with its answer, time and mode', async () => {
  const [first, second] = await freeTimes()
  const booking = await committed('/v1/bookings', consultAt(first))
  const move = { start_time: second }
  const moved = await committed(`/v1/bookings/${String(booking['booking_id'])}/reschedule`, move)
  await committed(`/v1/bookings/${String(moved['booking_id'])}/cancel`, { reason: 'ill' })
  const client = await committed('/v1/clients', CLIENT)
  const answers = { primary_goal: 'retirement', notes: 'Call 212-555-0147.' }
  const intake = await committed(`/v1/clients/${String(client['client_id'])}/intake`, { answers })
  // Anyone who has the address can pay: it is given to the caller, and not kept with the records.
  const { url, ...link } = await committed('/v1/payment-links', { invoice_id: 'in_mock_open' })
  expect(url).toContain('/mock/checkout/in_mock_open')

  const results: Record<string, Record<string, unknown>> = {
    [`booking:${String(booking['booking_id'])}`]: booking,
    [`booking:${String(moved['booking_id'])}`]: moved,
    [`client:${String(client['client_id'])}`]: client,
    [`intake:${String(client['client_id'])}:${String(intake['intake_id'])}`]: intake,
    [`payment_link:${String(link['payment_link_id'])}`]: link,
  }
  for (const [key, answer] of Object.entries(results)) {
    expect(await kept(key)).toEqual({ ...answer, mode: 'mock', recorded_at: expect.any(String) })
  }
  expect(await kept(`booking:${String(booking['booking_id'])}:end`)).toMatchObject({
    state: 'cancelled',
    next_booking_id: moved['booking_id'],
  })
  expect(await kept(`booking:${String(moved['booking_id'])}:end`)).toMatchObject({
    state: 'cancelled',
  })
  expect((await env.RECORDS_KV.list()).keys).toHaveLength(Object.keys(results).length + 2)
})

describe('a record', () => {
  it('keeps its place when it is written again, and an identical repeat copies nothing', async () => {
    await records().upsert([write('client:cl_a'), write('client:cl_b')], aFlow())
    await vi.waitFor(async () => expect(await env.RECORDS_KV.get('client:cl_b')).not.toBeNull())
    const put = vi.spyOn(kv(), 'put')
    await records().upsert([write('client:cl_a')], aFlow())
    expect(put).not.toHaveBeenCalled()
    await records().upsert([write('client:cl_a', { value: { changed: true } })], aFlow())
    expect(
      (await records().newest('client', 'live', Number.MAX_SAFE_INTEGER, 9)).map(({ key }) => key),
    ).toEqual(['client:cl_b', 'client:cl_a'])
    await vi.waitFor(async () =>
      expect(await env.RECORDS_KV.get('client:cl_a', 'json')).toEqual({ changed: true }),
    )
  })

  it('is written together with all others of its commit, or not at all', async () => {
    await runInDurableObject(records(), (object) => {
      const writes = [write('booking:bk_1'), write('of no kind')]
      expect(() => object.upsert(writes, aFlow())).toThrow('a key of no kind')
    })
    expect(await records().known(['booking:bk_1'])).toEqual([])
  })

  it('of a booking says whether the booking ended here', async () => {
    const one = { links: ['k:mac'] }
    const writes = [
      write('client:cl_x', one),
      write('booking:bk_1', one),
      write('booking:bk_2', one),
    ]
    await records().upsert([...writes, write('booking:bk_1:end')], aFlow())
    const { bookings } = await records().ofClient('cl_x', LIVE, 20)
    expect(bookings.entries.map(({ key, ended }) => [key, ended])).toEqual([
      ['booking:bk_2', false],
      ['booking:bk_1', true],
    ])
  })

  it('that was made by the mock for an address is never shown among live ones', async () => {
    const one = { links: ['k:mac'] }
    const mock = { ...one, mode: 'mock' as const }
    await records().upsert(
      [write('client:cl_x', one), write('booking:bk_mock_1', mock), write('booking:bk_2', one)],
      aFlow(),
    )
    const { bookings } = await records().ofClient('cl_x', LIVE, 20)
    expect([bookings.entries.map(({ key }) => key), bookings.count]).toEqual([['booking:bk_2'], 1])
    expect(
      (await records().ofClient('cl_x', { ...LIVE, bookings: 'mock' }, 20)).bookings.count,
    ).toBe(1)
  })

  it('costs one row when a flow first asks about a client, and none when it asks again on that day', async () => {
    const rows = await runInDurableObject(records(), (object, { storage }) => {
      const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
      const sql = Object.getPrototypeOf(storage.sql) as SqlStorage
      const { exec } = sql
      vi.spyOn(sql, 'exec').mockImplementation(function (this: SqlStorage, ...args) {
        const cursor = exec.apply(this, args)
        cursors.push(cursor)
        return cursor as never
      })
      return ['one', 'one', 'two'].map((flow) => {
        cursors.length = 0
        void object.registerFlow('cl_x', flow)
        return cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
      })
    })
    expect(rows).toEqual([1, 0, 1])
  })
})

describe('the copy of a record in KV', () => {
  it('delays no answer and no outbox of a flow', async () => {
    vi.spyOn(kv(), 'put').mockReturnValue(new Promise(() => {}))
    const change = await previewed('/v1/clients', CLIENT)
    const { result } = (await change.commit()).body
    await vi.waitFor(async () =>
      expect((await recordIn(change.confirmation))?.outbox).toBeUndefined(),
    )
    expect(await records().known([`client:${String(result?.['client_id'])}`])).toHaveLength(1)
  })

  it('is written later by alarm if KV fails or the object ends', async () => {
    const put = vi.spyOn(kv(), 'put').mockRejectedValue(onPurpose('KV cannot be written'))
    await records().upsert([write('booking:bk_1')], aFlow())
    await vi.waitFor(() => expect(put).toHaveBeenCalledTimes(1))
    put.mockRestore()
    await evictDurableObject(records())
    expect(await env.RECORDS_KV.get('booking:bk_1')).toBeNull()
    letPass(2 * MINUTE)
    expect(await runDurableObjectAlarm(records())).toBe(true)
    expect(await env.RECORDS_KV.get('booking:bk_1', 'json')).toEqual({ key: 'booking:bk_1' })
  })

  it('is written after its object died meanwhile, although later ones were written before', async () => {
    const { put } = kv()
    const written: string[] = []
    vi.spyOn(kv(), 'put').mockImplementation(async function (
      this: KVNamespace,
      key: string,
      value,
    ) {
      if (key === 'booking:bk_0') await new Promise(() => {})
      await put.call(this, key, value as string)
      written.push(key)
    })
    await writeAll(bookingKeys(9))
    await vi.waitFor(() => expect(written).toHaveLength(8))
    await killRecords()
    vi.mocked(kv().put).mockRestore()
    expect(await env.RECORDS_KV.get('booking:bk_0')).toBeNull()
    await finish()
    expect((await env.RECORDS_KV.list()).keys).toHaveLength(9)
  })

  it('is written again by the same object where its end cannot be noted', async () => {
    const put = vi.spyOn(kv(), 'put')
    await runInDurableObject(records(), async (object, { storage }) => {
      const sql = Object.getPrototypeOf(storage.sql) as SqlStorage
      const { exec } = sql
      const full = vi.spyOn(sql, 'exec').mockImplementation(function (this: SqlStorage, ...args) {
        if (args[0].startsWith('INSERT INTO progress')) throw onPurpose('no more rows today')
        return exec.apply(this, args) as never
      })
      object.upsert([write('booking:bk_1')], aFlow())
      await vi.waitFor(() => expect(put).toHaveBeenCalledTimes(1))
      await scheduler.wait(1)
      await object.alarm()
      expect(put.mock.calls.length).toBeGreaterThan(1)
      full.mockRestore()
    })
    await finish()
    expect(await rowsOf('progress')).toEqual([{ one: 1, published: 1, copied: 1 }])
  })

  it('is left to the next alarm where one could not be set', async () => {
    await runInDurableObject(records(), async (object, { storage }) => {
      const setAlarm = vi.spyOn(storage, 'setAlarm').mockRejectedValueOnce(onPurpose('no alarm'))
      object.upsert([write('booking:bk_1')], aFlow())
      await scheduler.wait(1)
      object.upsert([write('booking:bk_2')], aFlow())
      expect(setAlarm).toHaveBeenCalledTimes(2)
    })
    await finish()
  })

  it('writes one row for each run, not one for each record', async () => {
    const exec = await runInDurableObject(records(), (_object, { storage }) =>
      vi.spyOn(Object.getPrototypeOf(storage.sql) as SqlStorage, 'exec'),
    )
    await writeAll(bookingKeys(30))
    await finish()
    const noted = exec.mock.calls.filter(([sql]) =>
      /^(?:INSERT|UPDATE).* (?:outbox|progress) /.test(sql),
    )
    expect(noted).toHaveLength(1)
  })

  it('is written one at a time per key, and four at a time in all', async () => {
    const inFlight: string[] = []
    const most: number[] = []
    vi.spyOn(kv(), 'put').mockImplementation(async (key: string) => {
      expect(inFlight).not.toContain(key)
      most.push(inFlight.push(key))
      await scheduler.wait(5)
      inFlight.splice(inFlight.indexOf(key), 1)
    })
    for (let time = 0; time < 3; time++) await writeAll(bookingKeys(12), { value: { time } })
    await vi.waitFor(() => expect(most.length).toBeGreaterThanOrEqual(12))
    letPass(MINUTE)
    while (await runDurableObjectAlarm(records())) letPass(MINUTE)
    expect(Math.max(...most)).toBe(4)
    const left = await runInDurableObject(records(), (_object, { storage }) =>
      storage.sql.exec('SELECT * FROM outbox').toArray(),
    )
    expect(left).toEqual([])
  })

  it('is written in bounded pieces if there is much to write', async () => {
    const put = vi.spyOn(kv(), 'put')
    await writeAll(bookingKeys(100))
    await vi.waitFor(() => expect(put).toHaveBeenCalledTimes(40))
    letPass(2 * MINUTE)
    await runDurableObjectAlarm(records())
    expect(put).toHaveBeenCalledTimes(80)
    letPass(2 * MINUTE)
    await runDurableObjectAlarm(records())
    expect((await env.RECORDS_KV.list()).keys).toHaveLength(100)
  })

  it('is left to the alarm where it waits since an outage: a commit writes no more copies than it adds', async () => {
    const put = vi.spyOn(kv(), 'put').mockRejectedValue(onPurpose('KV cannot be written'))
    await writeAll(bookingKeys(30))
    await vi.waitFor(() => expect(put).toHaveBeenCalledTimes(30))
    put.mockReset()
    letPass(2 * MINUTE)
    await writeAll(['booking:bk_new'])
    await vi.waitFor(() => expect(put).toHaveBeenCalledTimes(1))
    await scheduler.wait(50)
    expect(put).toHaveBeenCalledTimes(1)
    await finish()
    expect((await env.RECORDS_KV.list()).keys).toHaveLength(31)
  })
})

describe('a client whose record is not delivered yet', () => {
  it('can be read, deleted and given intake by its id alone', async () => {
    const upsert = failRecords()
    const { client_id } = await committed('/v1/clients', CLIENT)
    const path = `/v1/clients/${String(client_id)}`
    const intake = { answers: { primary_goal: 'other' }, confirm: false }
    const preview = await send(`${path}/intake`, crypto.randomUUID(), intake)
    expect(preview.status).toBe(200)
    expect(preview.body['preview']).toMatchObject({ display_name: null, entity_type: null })
    const read = await ask(path)
    const unknown = { entity_type: null, display_name: null, contact_email: null }
    const client = { client_id, ...unknown, timezone: null, created_at: null }
    expect([read.status, read.body['client']]).toEqual([200, client])
    expect((await ask(`${path}/deletion`)).body).toMatchObject({
      deleted: false,
      display_name: null,
    })
    upsert.mockRestore()
  })

  it('is distinguished from an invented id, and from a deleted client', async () => {
    const upsert = failRecords()
    const { client_id } = await committed('/v1/clients', CLIENT)
    upsert.mockRestore()
    const madeUp = String(client_id).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect((await ask(`/v1/clients/${madeUp}`)).body.code).toBe('client_not_found')
    await ask(`/v1/clients/${String(client_id)}`, { method: 'DELETE' })
    expect((await ask(`/v1/clients/${String(client_id)}`)).body.code).toBe('client_not_found')
  })

  it('delays the answer of its commit by a second at most', async () => {
    vi.spyOn(Records.prototype, 'upsert').mockReturnValue(new Promise(() => {}) as never)
    const change = await previewed('/v1/clients', CLIENT)
    const { setTimeout } = globalThis
    // A wait of a second ends at once, and a longer one never.
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms = 0) =>
      ms > SECOND ? 0 : setTimeout(act, ms === SECOND ? 0 : ms)) as never)
    expect((await change.commit()).status).toBe(200)
  })
})
