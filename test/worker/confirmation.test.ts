import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'

import { nextAlarmOf } from '../../src/core/confirm/record.ts'
import { DAY, SECOND } from '../../src/core/domain/time/duration.ts'
import {
  CLIENT,
  INVITEE,
  alarmOf,
  bookings,
  confirmationUnder,
  consultAt,
  freeTimes,
  loseAnswers,
  previewed,
  recordIn,
} from './fixtures.ts'

const kept = async (key: string) => env.RECORDS.getByName('records').get(key)

/** Only the clock moves; timers and alarms stay real. */
function letPass(ms: number) {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + ms })
}

it('a flow continues after its object was evicted between preview, commit and repeat', async () => {
  const [time] = await freeTimes()
  const change = await previewed('/v1/bookings', consultAt(time))

  await evictDurableObject(change.confirmation)
  const committed = await change.commit()
  await evictDurableObject(change.confirmation)
  const repeated = await change.commit()

  expect(committed.status).toBe(200)
  expect(repeated.text).toBe(committed.text)
  expect(repeated.headers.get('Idempotent-Replayed')).toBe('true')
  expect(await bookings()).toHaveLength(1)
})

it('an alarm finds an effect whose answer was lost, and records it', async () => {
  const [time] = await freeTimes()
  const change = await previewed('/v1/bookings', consultAt(time))
  const book = loseAnswers('book')

  const doubtful = await change.commit()
  const { status, body } = doubtful
  expect([status, body.code, body.effect]).toEqual([503, 'outcome_unknown', 'unknown'])

  letPass(60 * SECOND)
  await evictDurableObject(change.confirmation)
  expect(await runDurableObjectAlarm(change.confirmation)).toBe(true)

  const record = await recordIn(change.confirmation)
  expect(record).toMatchObject({ state: 'done', answer: { is: 'committed' } })
  expect(record?.outbox).toBeUndefined()
  const answer = await change.commit()
  expect(answer.headers.get('Idempotent-Replayed')).toBe('true')
  expect(await kept(`booking:${String(answer.body.result?.['booking_id'])}`)).toBeTypeOf('string')
  expect(book).toHaveBeenCalledTimes(1)
})

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

it('a flow stores nothing personal, and neither the key nor the token', async () => {
  const [time] = await freeTimes()
  const key = 'idempotency key of jordan.canary'
  const { preview, commit, confirmation } = await previewed('/v1/bookings', consultAt(time), key)
  const whilePreviewed = JSON.stringify(await storedIn(confirmation))
  await commit()
  const whenDone = JSON.stringify(await storedIn(confirmation))

  for (const stored of [whilePreviewed, whenDone]) {
    expect(stored).toContain('j***@***.example')
    expect(stored).toContain('J. Z.')
    for (const personal of [...INVITEE.email.split('@'), ...INVITEE.name.split(' '), key]) {
      expect(stored.toLowerCase()).not.toContain(personal.toLowerCase())
    }
    expect(stored).not.toContain(preview.body.confirmation_token)
  }
  // What only the commit needed is dropped with it.
  expect(Object.keys((await recordIn(confirmation)) ?? {})).not.toContain('pinned')
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

it('a status request about an unknown change stores nothing', async () => {
  const stub = await confirmationUnder('a key that no one used')
  expect(await stub.status()).toMatchObject({ is: 'never_seen' })
  expect([await storedIn(stub), await alarmOf(stub)]).toEqual([[], null])
})
