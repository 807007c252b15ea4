import { env } from 'cloudflare:workers'
import { evictDurableObject, reset, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CLIENT, SECOND, alarmOf, previewed, recordIn } from './practice.ts'

const HOUR = 60 * 60 * SECOND

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await reset()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('an object that a newer version wrote is left alone, and woken again', async () => {
  const change = await previewed('/v1/clients', CLIENT)
  await runInDurableObject(change.confirmation, async (_object, { storage }) => {
    storage.kv.put('flow', { ...storage.kv.get<object>('flow'), v: 2, at: 'elsewhere' })
    await storage.deleteAlarm()
  })
  await evictDurableObject(change.confirmation)
  const before = await recordIn(change.confirmation)

  const reply = await change.commit()
  expect([reply.status, reply.body.code, reply.body.effect]).toEqual([503, 'not_configured', 'unknown'])
  expect(reply.text).toContain('newer version')
  expect(await change.confirmation.busy()).toBe(true)
  expect(await runDurableObjectAlarm(change.confirmation)).toBe(true)
  expect((await alarmOf(change.confirmation))! - Date.now()).toBeGreaterThan(HOUR - 60 * SECOND)
  expect(await recordIn(change.confirmation)).toEqual(before)
  expect((await env.RECORDS_KV.list()).keys).toEqual([])
})

/**
 * The tables as they are out there. Code of another version, after an upgrade or a rollback, meets the same tables, and
 * its INSERTs name no columns: a table is never changed, a new one is put beside it.
 */
const TABLES: Record<string, Record<string, string>> = {
  Credentials: {
    keys: 'id TEXT, name TEXT, scopes TEXT, created_at INTEGER, expires_at INTEGER, last_used_on TEXT, revoked_at INTEGER',
    secrets: 'hash TEXT, key_id TEXT, until INTEGER',
  },
  Desk: {
    targets: 'target TEXT, holder TEXT, seq INTEGER, until INTEGER',
    unresolved: 'operation_id TEXT, operation TEXT, since TEXT',
  },
  MockCalendar: {
    bookings:
      'id TEXT, event_type_id TEXT, start INTEGER, end INTEGER, timezone TEXT, masked_email TEXT, initials TEXT, marker TEXT, cancelled_by TEXT',
  },
  Owner: {
    passkeys:
      'id TEXT, public_key TEXT, counter INTEGER, transports TEXT, created_at INTEGER, last_used_on TEXT',
    enrolments: 'hash TEXT',
    tickets: 'kind TEXT, hash TEXT, about TEXT, until INTEGER',
    attempts: 'kind TEXT, address TEXT, n INTEGER, wait_until INTEGER, forget_at INTEGER',
    app_uses: 'grant_id TEXT, day TEXT',
  },
  Records: {
    records: 'seq INTEGER, key TEXT, kind TEXT, mode TEXT, value TEXT',
    links: 'link TEXT, seq INTEGER',
    flow_refs: 'client TEXT, flow TEXT, at INTEGER',
    outbox: 'kind TEXT, key TEXT, detail TEXT, due INTEGER, attempts INTEGER, repeats INTEGER',
  },
  Audit: {
    entries:
      'at INTEGER, id TEXT, event TEXT, caller TEXT, app TEXT, operation TEXT, code TEXT, record_id TEXT, operation_id TEXT, request_id TEXT, times INTEGER',
  },
}
const STUBS = {
  Credentials: () => env.CREDENTIALS.getByName('credentials'),
  Desk: () => env.DESK.getByName('desk'),
  MockCalendar: () => env.MOCK_CALENDAR.getByName('calendar'),
  Owner: () => env.OWNER.getByName('owner'),
  Records: () => env.RECORDS.getByName('records'),
  Audit: () => env.AUDIT.getByName('audit'),
}

describe('the tables are as they were first made', () => {
  it.each(Object.entries(TABLES))('%s', async (name, tables) => {
    const stub = STUBS[name as keyof typeof STUBS]() as unknown as DurableObjectStub<undefined>
    const found = await runInDurableObject(stub, (_object, { storage }) =>
      Object.keys(tables).map((table) => [
        table,
        storage.sql
          .exec<{ name: string; type: string }>(`SELECT name, type FROM pragma_table_info('${table}')`)
          .toArray()
          .map((column) => `${column.name} ${column.type}`)
          .join(', '),
      ]),
    )
    expect(Object.fromEntries(found)).toEqual(tables)
  })
})
