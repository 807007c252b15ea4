import { env } from 'cloudflare:workers'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { CLIENT, alarmOf, previewed, recordIn } from './fixtures.ts'
import { HOUR, SECOND } from '../../src/domain/time/duration.ts'

it('an object that a newer version wrote is left alone, and tried again later', async () => {
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
