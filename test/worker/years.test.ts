import { env } from 'cloudflare:workers'
import { evictDurableObject, reset, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AuditEntry } from '../../src/ports/audit.ts'
import { DAY } from './practice.ts'

const START = Date.parse('2026-11-23T15:00:00Z')
const MONTH = 30 * DAY
const YEARS = 5
const MONTHS = 12 * YEARS

beforeEach(async () => {
  await reset()
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

const rowsIn = ({ sql }: DurableObjectStorage, table: string): number =>
  sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n

/**
 * Five years in one object: what is done in each month, and its alarm as it would ring. Returns the most rows that each
 * table ever had.
 */
function lived<O extends Rpc.DurableObjectBranded & { alarm?(): void | Promise<void> }>(
  stub: DurableObjectStub<O>,
  tables: string[],
  month: (object: O, index: number, now: number) => unknown,
): Promise<number[]> {
  return runInDurableObject(stub, async (object, { storage }) => {
    const most = tables.map(() => 0)
    for (let index = 0; index < MONTHS; index++) {
      const now = START + index * MONTH
      vi.setSystemTime(now)
      await month(object, index, now)
      tables.forEach((table, i) => (most[i] = Math.max(most[i]!, rowsIn(storage, table))))
      if ((await storage.getAlarm()) !== null) {
        await storage.deleteAlarm()
        await object.alarm?.()
      }
    }
    return most
  })
}

it('the desk keeps what was touched in 60 days, and is empty when nothing is touched any more', async () => {
  const desk = env.DESK.getByName('desk')
  const [most] = await lived(desk, ['targets'], (object, index, now) => {
    for (let i = 0; i < 20; i++) object.take('one', [`slot:${index}-${i}`], now + 60 * DAY, [])
  })
  expect(most).toBeGreaterThan(20 * 2)
  expect(most).toBeLessThanOrEqual(20 * 4)
  vi.setSystemTime(START + (MONTHS + 3) * MONTH)
  expect(await runDurableObjectAlarm(desk)).toBe(true)
  const left = await runInDurableObject(desk, async (_object, { storage }) => [
    rowsIn(storage, 'targets'),
    await storage.getAlarm(),
  ])
  expect(left).toEqual([0, null])
})

it('the desk of an earlier version, without an alarm, gets one with the next touch', async () => {
  const desk = env.DESK.getByName('desk')
  await desk.take('one', ['slot:old'], START + DAY, [])
  await runInDurableObject(desk, (_object, { storage }) => storage.deleteAlarm())
  await evictDurableObject(desk)
  await desk.take('one', ['slot:new'], START + 90 * DAY, [])
  vi.setSystemTime(START + 2 * DAY)
  expect(await runDurableObjectAlarm(desk)).toBe(true)
  expect(await runInDurableObject(desk, (_object, { storage }) => rowsIn(storage, 'targets'))).toBe(1)
})

it('API keys that ended are told of for some 13 months; secrets that ended go with the next act', async () => {
  const credentials = env.CREDENTIALS.getByName('credentials')
  const [keys, secrets] = await lived(credentials, ['keys', 'secrets'], (object, index, now) => {
    const made = { name: 'Front desk', scopes: ['admin'], created_at: now }
    object.create({ id: `revoked ${index}`, ...made, expires_at: null }, `a ${index}`)
    object.create({ id: `expiring ${index}`, ...made, expires_at: now + DAY }, `b ${index}`)
    for (let i = 0; i < 3; i++) object.rotate(`revoked ${index}`, `c ${index} ${i}`, now + DAY)
    object.revoke(`revoked ${index}`, now)
  })
  for (const most of [keys, secrets]) {
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(5 * 15)
  }

  const lasting = { name: 'Zapier', scopes: ['admin'], expires_at: null }
  await credentials.create({ id: 'lasting', ...lasting, created_at: START }, 'd')
  const later = START + 2 * YEARS * 365 * DAY
  await credentials.create({ id: 'new', ...lasting, created_at: later }, 'e')
  expect((await credentials.list()).map(({ id }) => id)).toEqual(['new', 'lasting'])
  expect(await credentials.lookup('d', later)).toMatchObject({ id: 'lasting' })
})

it('the owner keeps sign-ins, attempts, uses and used links of a while only', async () => {
  const owner = env.OWNER.getByName('owner')
  const tables = ['tickets', 'attempts', 'app_uses', 'enrolments']
  const most = await lived(owner, tables, async (object, index, now) => {
    for (let i = 0; i < 5; i++) {
      const one = `${index}-${i}`
      const passkey = { id: one, publicKey: '', counter: 0, transports: [], createdAt: now, lastUsedOn: null }
      object.enrol(passkey, `link ${one}`)
      object.removePasskey(one)
      object.issue('session', one, '', now + DAY / 2, now)
      object.issue('challenge', one, '', now + DAY / 2, now)
      await object.failed('sign_in', one, now)
      object.appUsed(`grant ${one}`, now)
    }
  })
  expect(most.every((one) => one > 0)).toBe(true)
  expect(most[0]).toBeLessThanOrEqual(10)
  expect(most[1]).toBeLessThanOrEqual(5)
  expect(most[2]).toBeLessThanOrEqual(5 * 4)
  expect(most[3]).toBe(1)
})

it('the mock calendar keeps 90 days', async () => {
  const [most] = await lived(env.MOCK_CALENDAR.getByName('calendar'), ['bookings'], (object, _index, now) => {
    for (let i = 0; i < 10; i++) {
      const start = now + i * 3_600_000
      const who = { timezone: 'UTC', masked_email: '', initials: null, marker: `${start}` }
      object.book({ event_type_id: 'consult', start, end: start + 1_800_000, ...who })
    }
  })
  expect(most).toBeGreaterThan(10 * 2)
  expect(most).toBeLessThanOrEqual(10 * 5)
})

it('the trail keeps what its setting says, two years by default', async () => {
  const none = {
    app: null,
    record_id: null,
    operation_id: null,
    request_id: null,
    times: 1,
    shown: null,
    about: null,
  }
  const [most] = await lived(env.AUDIT.getByName('audit'), ['entries'], (object, index, now) => {
    const entry = (i: number): AuditEntry => ({
      ...none,
      id: `${index}-${i}`,
      at: now,
      event: 'commit',
      caller: 'key:1',
      operation: 'book_consult',
      code: 'ok',
    })
    return object.append(Array.from({ length: 10 }, (_, i) => entry(i)))
  })
  expect(most).toBeGreaterThan(10 * 20)
  expect(most).toBeLessThanOrEqual(10 * 26)
})

it('the records keep the flows of a month with each client', async () => {
  const [most] = await lived(env.RECORDS.getByName('records'), ['flow_refs'], (object, index) => {
    for (let i = 0; i < 3; i++) object.isErased('cl_mock_1', `${index}-${i}`)
  })
  expect(most).toBeGreaterThanOrEqual(3)
  expect(most).toBeLessThanOrEqual(3 * 2)
})
