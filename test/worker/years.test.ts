import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'

import { DAY } from '../../src/core/domain/time/duration.ts'

const START = Date.parse('2026-11-23T15:00:00Z')
const MONTH = 30 * DAY
const YEARS = 7
const MONTHS = 12 * YEARS

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})

const rowsIn = ({ sql }: DurableObjectStorage, table: string): number =>
  sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n

/**
 * Seven years in one object: what is done in each month, and its alarm as it would ring. Returns the most rows that each
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

const BOOK = { caller: 'key:1', operation: 'book_consult' }

it('a coordinator that lost its alarm sets one with the next lock', async () => {
  const coordinator = env.COORDINATOR.getByName('coordinator')
  await coordinator.acquire('one', ['slot:old'], [], BOOK)
  await runInDurableObject(coordinator, (_object, { storage }) => storage.deleteAlarm())
  await evictDurableObject(coordinator)
  vi.setSystemTime(START + 61 * DAY)
  await coordinator.acquire('one', ['slot:new'], [], BOOK)
  expect(await runDurableObjectAlarm(coordinator)).toBe(true)
  expect(
    await runInDurableObject(coordinator, (_object, { storage }) => rowsIn(storage, 'locks')),
  ).toBe(1)
})

it('revoked and expired API keys stay listed for some 13 months; ended secrets go with the next new key', async () => {
  const access = env.ACCESS.getByName('access')
  const [keys, secrets] = await lived(access, ['keys', 'secrets'], (object, index, now) => {
    const made = {
      name: 'Front desk',
      scopes: ['admin'],
      created_by: 'owner',
      inTrial: false,
      created_at: now,
    }
    object.createKey({ id: `revoked ${index}`, ...made, expires_at: null }, `a ${index}`)
    object.createKey({ id: `expiring ${index}`, ...made, expires_at: now + DAY }, `b ${index}`)
    for (let i = 0; i < 3; i++) object.rotateKey(`revoked ${index}`, `c ${index} ${i}`, DAY)
    object.revokeKey(`revoked ${index}`)
  })
  for (const most of [keys, secrets]) {
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(5 * 15)
  }

  const lasting = {
    name: 'Zapier',
    scopes: ['admin'],
    created_by: 'owner',
    inTrial: false,
    expires_at: null,
  }
  await access.createKey({ id: 'lasting', ...lasting, created_at: START }, 'd')
  const later = START + 2 * YEARS * 365 * DAY
  vi.setSystemTime(later)
  await access.createKey({ id: 'new', ...lasting, created_at: later }, 'e')
  expect((await access.listKeys()).map(({ id }) => id)).toEqual(['new', 'lasting'])
  expect(await access.findKey('d')).toMatchObject({ id: 'lasting' })
})

it('sessions, attempts, used links, challenges, tokens and last uses of apps are dropped in time', async () => {
  const bounds = {
    tickets: 5 * 2,
    attempts: 5 * 2,
    app_uses: 5 * 5,
    apps: 5 * 5,
    enrolments: 1,
    used_challenges: 5 * 2,
    used_tokens: 5 * 5,
    ended_grants: 5 * 5,
  }
  const access = env.ACCESS.getByName('access')
  const most = await lived(access, Object.keys(bounds), async (object, index, now) => {
    for (let i = 0; i < 5; i++) {
      const one = `${index}-${i}`
      const passkey = {
        id: one,
        role: 'owner' as const,
        name: null,
        publicKey: '',
        counter: 0,
        transports: [],
        createdAt: now,
        lastUsedOn: null,
      }
      object.owner.enrol(passkey, { nonce: one, endsAt: now + DAY / 2 }, `link ${one}`)
      await object.owner.removePasskey(one)
      object.owner.issueTicket('session', one, '', DAY / 2)
      await object.attempts.countFailure('sign_in', one)
      object.grants.noteApp({
        grantId: `grant ${one}`,
        clientId: 'app',
        name: 'App',
        inTrial: false,
        caller: 'oauth:owner:app',
        scopes: [],
      })
      object.grants.takeToken(`grant ${one}`, 'token')
      object.grants.endGrant(`ended ${one}`)
      object.grants.recordUse(`grant ${one}`)
    }
  })
  for (const [i, bound] of Object.values(bounds).entries()) {
    expect(most[i]).toBeGreaterThan(0)
    expect(most[i]).toBeLessThanOrEqual(bound)
  }
  vi.setSystemTime(START + (MONTHS + 4) * MONTH)
  expect(await runDurableObjectAlarm(access)).toBe(true)
  const left = await runInDurableObject(access, (_object, { storage }) => storage.getAlarm())
  expect(left).toBeNull()
})

it('the records keep the flows of a month with each client', async () => {
  const [most] = await lived(env.RECORDS.getByName('records'), ['flow_refs'], (object, index) => {
    for (let i = 0; i < 3; i++) object.registerFlow('cl_mock_1', `${index}-${i}`)
  })
  expect(most).toBeGreaterThanOrEqual(3)
  expect(most).toBeLessThanOrEqual(3 * 2)
})
