import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'

import { HOUR, SECOND } from '../../src/core/domain/time/duration.ts'
import { CLIENT, alarmOf, ask, previewed, recordIn } from './fixtures.ts'

it('an object that a newer version wrote is left alone, and tried again later', async () => {
  const change = await previewed('/v1/clients', CLIENT)
  await runInDurableObject(change.confirmation, async (_object, { storage }) => {
    storage.kv.put('flow', { ...storage.kv.get<object>('flow'), v: 2, at: 'elsewhere' })
    await storage.deleteAlarm()
  })
  await evictDurableObject(change.confirmation)
  const before = await recordIn(change.confirmation)

  const reply = await change.commit()
  expect([reply.status, reply.body.code, reply.body.effect]).toEqual([
    503,
    'not_configured',
    'unknown',
  ])
  expect(reply.text).toContain('newer version')
  for (const path of [`/v1/operations/${change.key}`, `/v1/operations/${change.key}/receipt`]) {
    const { status, body } = await ask(path)
    expect([status, body.code, body.effect], path).toEqual([503, 'not_configured', 'unknown'])
  }
  expect(await change.confirmation.busy()).toBe(true)
  expect(await runDurableObjectAlarm(change.confirmation)).toBe(true)
  expect((await alarmOf(change.confirmation))! - Date.now()).toBeGreaterThan(HOUR - 60 * SECOND)
  expect(await recordIn(change.confirmation)).toEqual(before)
  expect((await env.RECORDS_KV.list()).keys).toEqual([])
})

const ones = () => [
  env.COORDINATOR.getByName('coordinator'),
  env.RECORDS.getByName('records'),
  env.EVENT_LOG.getByName('event-log'),
  env.PROVIDER_SYNC.getByName('provider-sync'),
  env.ACCESS.getByName('access'),
  env.AUDIT_LOG.getByName('audit-log'),
]

it('storage that a later version added a table to is used by this one as before, and keeps what that one wrote', async () => {
  const change = await previewed('/v1/clients', CLIENT)
  const committed = await change.commit()
  expect(committed.status).toBe(200)
  for (const one of ones()) {
    const object = one as DurableObjectStub
    await runInDurableObject(object, (_object, { storage }) => {
      storage.sql.exec('CREATE TABLE later (id TEXT PRIMARY KEY, fact TEXT) WITHOUT ROWID')
      storage.sql.exec("INSERT INTO later VALUES ('a', 'kept')")
    })
    await evictDurableObject(object)
  }

  expect((await change.commit()).text).toBe(committed.text)
  expect((await (await previewed('/v1/clients', CLIENT)).commit()).status).toBe(200)
  for (const one of ones()) {
    const { tables } = await one.copy()
    expect(tables.find(({ t }) => t === 'later')?.rows).toEqual([['a', 'kept']])
  }
})

it('a backup fills the tables of a later version, and one with a table or a column of a later version is refused whole', async () => {
  await (await previewed('/v1/clients', CLIENT)).commit()
  const records = env.RECORDS.getByName('records')
  const { values, tables } = await records.copy()
  const emptied = () =>
    runInDurableObject(records, (_object, { storage }) => {
      for (const { t } of tables) storage.sql.exec(`DELETE FROM ${t}`)
    })
  const before = await records.rowCounts()
  await emptied()
  const later = { t: 'later', c: ['id'], rows: [['a']] }
  const [first, ...others] = tables
  const wider = {
    ...first!,
    c: [...first!.c, 'later'],
    rows: first!.rows.map((row) => [...row, 'x']),
  }
  expect(await records.restoreRows({ values, tables: [...tables, later] })).toBe(false)
  expect(await records.restoreRows({ values, tables: [...others, wider] })).toBe(false)
  expect(new Set(Object.values(await records.rowCounts()))).toEqual(new Set([0]))

  await runInDurableObject(records, (_object, { storage }) => {
    storage.sql.exec('CREATE TABLE later (id TEXT PRIMARY KEY)')
    storage.sql.exec('ALTER TABLE records ADD COLUMN later TEXT')
  })
  for (let times = 0; times < 2; times++)
    expect(await records.restoreRows({ values, tables })).toBe(true)
  expect(await records.rowCounts()).toEqual({ ...before, later: 0 })
})
