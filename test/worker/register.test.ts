import { env } from 'cloudflare:workers'
import { reset, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CLIENT, SECOND, previewed, recordIn } from './practice.ts'

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await reset()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const register = () => env.REGISTER.getByName('register')

it('never shows what was rehearsed for an address among what is real', async () => {
  await register().put('client:cl_x', 'live', '{}', ['k:mac'], '')
  await register().put('booking:bk_mock_1', 'mock', '{}', ['k:mac'], '')
  await register().put('booking:bk_2', 'live', '{}', ['k:mac'], '')
  const { entries, count } = await register().tiedTo('client:cl_x', 'booking', 'live', 20)
  expect([entries.map(({ key }) => key), count]).toEqual([['booking:bk_2'], 1])
  expect((await register().tiedTo('client:cl_x', 'booking', 'mock', 20)).count).toBe(1)
})

describe('what is kept about a client', () => {
  it('is told to whoever erases them: every intake, and every flow that asked or wrote', async () => {
    expect(await register().put('client:cl_x', 'live', '{}', [], '', 'made')).toBe(true)
    await Promise.all([
      register().note('cl_x', 'asked'),
      register().put('intake:cl_x:one', 'live', '{}', [], '', 'wrote'),
      register().put('intake:cl_x:two', 'live', '{}', [], '', 'asked'),
      register().put('intake:cl_xy:other', 'live', '{}', [], '', 'of another'),
    ])
    const keys = ['intake:cl_x:one', 'intake:cl_x:two']
    expect(await register().holdings('cl_x')).toEqual({
      deleted: false,
      keys: expect.arrayContaining(['client:cl_x', ...keys]),
    })
    const held = { keys, flows: ['asked', 'made', 'wrote'] }
    expect(await register().eraseClient('cl_x')).toEqual(held)
    // An answer that was lost is given again.
    expect(await register().eraseClient('cl_x')).toEqual(held)
    await register().release('cl_x')
    expect(await register().eraseClient('cl_x')).toEqual({ keys, flows: [] })
  })

  it('is written no more once they are erased, and nobody is noted', async () => {
    await register().put('client:cl_x', 'live', '{}', ['k:mac'], '', 'made')
    await register().eraseClient('cl_x')
    await register().release('cl_x')
    expect(await register().note('cl_x', 'late')).toBe(true)
    expect(await register().put('intake:cl_x:late', 'live', '{}', [], '', 'late')).toBe(false)
    expect(await register().put('client:cl_x', 'live', '{}', ['k:mac'], '', 'late')).toBe(false)
    expect(await register().eraseClient('cl_x')).toEqual({ keys: [], flows: [] })
    expect(await register().holdings('cl_x')).toEqual({ deleted: true, keys: [] })
  })

  it('costs a row where a flow is heard of for the first time, and none when it comes again that day', async () => {
    const rows = await runInDurableObject(register(), (object, { storage }) => {
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
        object.note('cl_x', flow)
        return cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
      })
    })
    expect(rows).toEqual([1, 0, 1])
  })
})

it('tells of a record that KV refused, which is delivered later, once', async () => {
  const put = vi
    .spyOn(Object.getPrototypeOf(env.RECORDS) as KVNamespace, 'put')
    .mockRejectedValue(new Error('the records cannot be written'))
  const change = await previewed('/v1/clients', CLIENT)
  const key = `client:${String((await change.commit()).body.result?.['client_id'])}`
  await vi.waitFor(async () => expect((await recordIn(change.confirmation))?.outbox?.attempts).toBe(1))
  expect(await env.RECORDS.get(key)).toBeNull()
  put.mockRestore()

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120 * SECOND })
  await runDurableObjectAlarm(change.confirmation)
  expect((await recordIn(change.confirmation))?.outbox).toBeUndefined()
  expect(await env.RECORDS.get(key, 'json')).toMatchObject({ display_name: 'J. Z.' })
  expect(
    (await register().newest('client', 'mock', Number.MAX_SAFE_INTEGER, 9)).map((one) => one.key),
  ).toEqual([key])
})
