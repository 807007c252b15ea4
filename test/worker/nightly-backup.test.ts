import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'

import { AuditLog } from '../../durable-objects/audit-log.ts'
import type { Backup } from '../../durable-objects/backup.ts'
import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import { onPurpose, playedFailure } from '../support/on-purpose.ts'
import { answered, ask } from './fixtures.ts'

/** Ahead of the clock of the runtime, so that no alarm comes by itself. */
const START = Date.parse('2036-11-21T02:41:00Z')
const SETTINGS = {
  PUBLIC_URL: 'https://consult.example',
  BACKUP_RECIPIENT: 'age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj',
  ALERT_WEBHOOK_URL: 'https://owner.example/alerts',
}

const backup = () => env.BACKUP.getByName('backup')
const bucket = () => env.BACKUPS!
const nights = async () => (await bucket().list()).objects
const entries = async () =>
  (await env.AUDIT_LOG.getByName('audit-log').page({ limit: 100, event: 'backup' })).entries

/** The object with the settings of an owner, and perhaps another bucket. */
const within = <Result>(
  work: (object: Backup, state: DurableObjectState) => Result | Promise<Result>,
  more: object = {},
): Promise<Result> =>
  runInDurableObject(backup(), async (object, state) => {
    Object.assign(object, { env: { ...env, ...SETTINGS, ...more } })
    return work(object, state)
  })

const alerts: unknown[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  alerts.length = 0
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    alerts.push(JSON.parse(init?.body as string))
    return new Response(null, { status: 204 })
  })
})

it('A night puts one encrypted file into the bucket, says so in the log, and sets no further alarm', async () => {
  await within((object) => object.nightly())
  await within((object) => object.alarm())
  const [night, ...more] = await nights()
  expect(more).toEqual([])
  expect(night!.key).toBe('consult-2036-11-21T024100Z-equnujwj.age')
  const text = await (await bucket().get(night!.key))!.text()
  expect(text.slice(0, 21)).toBe('age-encryption.org/v1')
  expect(await entries()).toMatchObject([
    { operation: 'nightly_backup', caller: 'none', code: 'ok' },
  ])
  expect(await backup().status()).toMatchObject({ night: { at: START, size: night!.size } })
  expect(await within((_object, { storage }) => storage.getAlarm())).toBe(null)
})

it('A night that the log does not take is made again, so that the log has it', async () => {
  vi.spyOn(AuditLog.prototype, 'append').mockRejectedValueOnce(onPurpose('no answer'))
  await within((object) => object.nightly())
  await within((object) => object.alarm())
  expect(await within((_object, { storage }) => storage.getAlarm())).toBe(START + 20 * MINUTE)
  await within((object) => object.alarm())
  expect(await entries()).toHaveLength(1)
})

it('What is larger than a part is uploaded in parts of the same length, and comes back whole', async () => {
  await runInDurableObject(env.RECORDS.getByName('records'), (_object, { storage }) => {
    for (let nth = 100; nth < 200; nth++) {
      const random = crypto.getRandomValues(new Uint8Array(60_000))
      const value = btoa(String.fromCharCode(...random))
      storage.sql.exec(
        'INSERT INTO records VALUES (?, ?, ?, ?, ?)',
        nth,
        `k${nth}`,
        'k',
        'mock',
        value,
      )
    }
  })
  await within((object) => object.nightly())
  await within((object) => object.alarm())
  const [night] = await nights()
  expect(night!.size).toBeGreaterThan(5 * 1024 * 1024)
  expect((await backup().status()).night?.size).toBe(night!.size)
})

it('A night that fails is tried three times, then the owner is told once, and the next good night takes it back', async () => {
  const BACKUPS = { createMultipartUpload: () => Promise.reject(onPurpose('R2 is not enabled')) }
  await within((object) => object.nightly())
  for (let tries = 1; tries <= 3; tries++) {
    expect(alerts).toEqual([])
    await within((object) => object.alarm(), { BACKUPS })
    // What was tried is counted, also where the object ends.
    await evictDurableObject(backup())
    vi.setSystemTime(START + tries * 20 * MINUTE)
  }
  const since = '2036-11-21T03:21:00Z'
  expect(alerts).toMatchObject([{ event: 'backup_failed', since }])
  expect(await backup().status()).toMatchObject({ failsSince: Date.parse(since) })
  expect(await entries()).toEqual([])

  await within((object) => object.nightly())
  await within((object) => object.alarm())
  expect(await backup().status()).toMatchObject({ failsSince: undefined })
  expect(await nights()).toHaveLength(1)
})

it('Three nights without a backup make /health degraded, until one is kept again', async () => {
  const BACKUPS = { createMultipartUpload: () => Promise.reject(onPurpose('R2 is not enabled')) }
  const night = async (more: object) => {
    await within((object) => object.nightly())
    for (let tries = 0; tries < 3; tries++) await within((object) => object.alarm(), more)
    return (await ask('/health')).body
  }
  const failing = expect.arrayContaining(['backups_fail'])
  for (const nth of [1, 2]) {
    expect((await night({ BACKUPS }))['reasons'] ?? [], `after night ${nth}`).not.toEqual(failing)
    vi.setSystemTime(START + nth * DAY)
  }
  const degraded = { status: 'degraded', reasons: failing }
  expect(await night({ BACKUPS })).toMatchObject(degraded)
  vi.setSystemTime(START + 3 * DAY)
  expect(await night({ BACKUPS })).toMatchObject(degraded)
  expect((await night({}))['reasons'] ?? []).not.toEqual(failing)
})

it('What breaks off while it is made leaves nothing in the bucket', async () => {
  await within((object) => object.nightly())
  const failing = { getByName: () => ({ copy: () => Promise.reject(onPurpose('gone')) }) }
  const ACCESS = { ...failing, idFromName: () => 'access', get: failing.getByName }
  await within((object) => object.alarm(), { ACCESS })
  expect(await nights()).toEqual([])
  expect((await backup().status()).night).toBe(undefined)
  // The next try is due, and good.
  await within((object) => object.alarm())
  expect(await nights()).toHaveLength(1)
})

it('A night that is killed while it uploads leaves nothing half in the bucket, and the next night is whole', async () => {
  const uploaded: number[] = []
  const BACKUPS = {
    async createMultipartUpload(key: string) {
      const upload = await bucket().createMultipartUpload(key)
      const uploadPart = async (nth: number, part: Uint8Array) => {
        await upload.uploadPart(nth, part)
        uploaded.push(nth)
        return new Promise(() => {})
      }
      return { uploadPart }
    },
  }
  await within((object) => object.nightly())
  const night = within((object) => object.alarm(), { BACKUPS }).catch(() => {})
  await vi.waitFor(() => expect(uploaded).toEqual([1]))
  const killed = within((_object, state) => state.abort(playedFailure('killed'))).catch(() => {})
  await Promise.race([Promise.all([killed, night]), scheduler.wait(20)])
  await vi.waitFor(() => backup().status())
  expect(await nights()).toEqual([])
  expect((await backup().status()).night).toBe(undefined)

  vi.setSystemTime(START + DAY)
  await within((object) => object.nightly())
  await within((object) => object.alarm())
  expect((await nights()).map(({ key }) => key)).toEqual([
    'consult-2036-11-22T024100Z-equnujwj.age',
  ])
  expect(await backup().status()).toMatchObject({ night: { at: START + DAY } })
})

it('Without a bucket no night is begun', async () => {
  await within((object) => object.nightly(), { BACKUPS: undefined })
  expect(await runDurableObjectAlarm(backup())).toBe(false)
})

it('By hand four are made in a day, the fifth is told when it can be, and a HEAD makes none', async () => {
  await within(() => {})
  const { BACKUP_RECIPIENT } = SETTINGS
  const asked = async (method = 'GET') => {
    const request = new Request('http://127.0.0.1:8787/v1/backup', { method })
    const answer = await answered(request, { ...env, BACKUP_RECIPIENT } as typeof env)
    const wait = answer.headers.get('Retry-After')
    return [answer.status, wait ?? (await answer.arrayBuffer()).byteLength > 0]
  }
  for (let nth = 0; nth < 5; nth++) expect(await asked('HEAD')).toEqual([200, false])
  for (let nth = 0; nth < 4; nth++) expect(await asked()).toEqual([200, true])
  vi.setSystemTime(START + DAY - MINUTE)
  expect(await asked()).toEqual([429, '60'])
  vi.setSystemTime(START + DAY)
  expect(await asked()).toEqual([200, true])
})
