import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'

import { nextAlarmOf } from '../../src/core/confirm/record.ts'
import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import { CLIENT, alarmOf, type confirmationUnder, previewed, recordIn } from './fixtures.ts'

/** Only the clock moves; timers and alarms stay real. */
function letPass(ms: number) {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + ms })
}

it('a forgotten flow starts again in the same instance when it is called', async () => {
  const change = await previewed('/v1/clients', CLIENT)
  await change.commit()
  await delivered(change.confirmation)
  letPass(31 * DAY)
  const before = await runInDurableObject(change.confirmation, (object) => object)
  expect(await runDurableObjectAlarm(change.confirmation)).toBe(true)
  expect([await storedIn(change.confirmation), await alarmOf(change.confirmation)]).toEqual([
    [],
    null,
  ])

  const afresh = await change.previewAgain()

  expect(await runInDurableObject(change.confirmation, (object) => object)).toBe(before)
  expect([afresh.status, afresh.body['status']]).toEqual([200, 'preview'])
  expect(afresh.body.confirmation_token).not.toBe(change.preview.body.confirmation_token)
  expect(await alarmOf(change.confirmation)).not.toBeNull()
})

it('a lost alarm is set again', async () => {
  const change = await previewed('/v1/clients', CLIENT)
  await runInDurableObject(change.confirmation, (_object, { storage }) => storage.deleteAlarm())
  await evictDurableObject(change.confirmation)
  const record = await recordIn(change.confirmation)
  expect(await alarmOf(change.confirmation)).toBe(record && nextAlarmOf(record))
})

it('an alarm that rings while a setting is wrong is set again, since no one else wakes the flow', async () => {
  const change = await previewed('/v1/clients', CLIENT)
  await runInDurableObject(
    change.confirmation,
    (object) => void Object.assign(object, { env: { ...env, PRACTICE_TIMEZONE: 'nowhere' } }),
  )
  letPass(DAY)
  await runDurableObjectAlarm(change.confirmation)
  expect(await alarmOf(change.confirmation)).toBe(Date.now() + 5 * MINUTE)
})

type Stub = Awaited<ReturnType<typeof confirmationUnder>>

const storedIn = (stub: Stub): Promise<[string, unknown][]> =>
  runInDurableObject(stub, (_object, { storage }) => [...storage.kv.list()])

/** When the change ended, once its records are written. */
const delivered = (stub: Stub): Promise<number> =>
  vi.waitFor(async () => {
    const record = await recordIn(stub)
    expect(record?.outbox).toBeUndefined()
    return record?.state === 'done' ? record.endedAt : 0
  })
