import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'

import { AuditLog } from '../../durable-objects/audit-log.ts'
import { Confirmation } from '../../durable-objects/confirmation.ts'
import { Coordinator } from '../../durable-objects/coordinator.ts'
import { ApprovalsTable } from '../../durable-objects/coordinator/approvals.ts'
import { MockCalendar } from '../../durable-objects/mock-calendar.ts'
import { Flow } from '../../src/core/confirm/flow.ts'
import { forgetRules } from '../../src/practice/adapters/caller-copies.ts'
import { CLIENT, consultAt, freeTimes, previewed, recordIn } from './fixtures.ts'

const OBJECTS = { ApprovalsTable, AuditLog, Confirmation, Coordinator, MockCalendar }

/** The calls between a request and its answer, without the deliveries to the records and the audit log that follow. */
let calls: string[] = []
let beforeTheAnswer: string[] = []

beforeEach(async () => {
  for (const [name, { prototype }] of Object.entries(OBJECTS)) watchCalls(name, prototype)
  const { call } = Flow.prototype
  vi.spyOn(Flow.prototype, 'call').mockImplementation(async function (this: Flow, ...given) {
    const reply = await call.apply(this, given)
    beforeTheAnswer = [...calls]
    return reply
  })
  const storage = await runInDurableObject(
    env.CONFIRMATIONS.getByName('any'),
    (_object, state) => Object.getPrototypeOf(state.storage.kv) as SyncKvStorage,
  )
  // A put and the alarm beside it are one transaction. Other objects with this kind of storage come after the answer.
  for (const write of ['put', 'delete'] as const) {
    const real = storage[write] as (...given: unknown[]) => unknown
    vi.spyOn(storage, write).mockImplementation(function (this: unknown, ...given: unknown[]) {
      calls.push('transaction')
      return real.apply(this, given) as never
    })
  }
})

/** Every method that another object can call is written down with its name. */
function watchCalls(name: string, prototype: object) {
  for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (method === 'constructor' || method === 'alarm' || value === undefined) continue
    const target = prototype as Record<string, (...given: unknown[]) => unknown>
    const real = target[method]!
    vi.spyOn(target, method).mockImplementation(function (this: unknown, ...given: unknown[]) {
      calls.push(`${name}.${method}`)
      return real.apply(this, given)
    })
  }
}

/** The calls of storage and of other objects until the answer stands, in order. */
async function until(request: () => Promise<{ status: number; text: string }>): Promise<string[]> {
  calls = []
  beforeTheAnswer = []
  const { status, text } = await request()
  expect(status, text).toBe(200)
  return beforeTheAnswer
}

const provider = (call: string) => call.startsWith('MockCalendar.')

it('a preview takes one call and one transaction, and asks for the house rules unless its isolate has a copy', async () => {
  const [time, later] = await freeTimes()
  forgetRules()
  calls = []
  const change = await previewed('/v1/bookings', consultAt(time))
  expect(beforeTheAnswer.filter((call) => !provider(call))).toEqual([
    'Confirmation.perform',
    'Coordinator.copyFor',
    'transaction',
  ])
  calls = []
  await previewed('/v1/bookings', consultAt(later!))
  expect(beforeTheAnswer.filter((call) => !provider(call))).toEqual([
    'Confirmation.perform',
    'transaction',
  ])

  const again = await until(() => change.previewAgain())
  expect(again).toEqual(['Confirmation.perform'])
})

it('a commit with a provider takes one call, two transactions and one call of the coordinator', async () => {
  const [time] = await freeTimes()
  const change = await previewed('/v1/bookings', consultAt(time))

  const committed = await until(() => change.commit())

  expect(committed.filter((call) => !provider(call))).toEqual([
    'Confirmation.perform',
    'Coordinator.acquire',
    'transaction',
    'transaction',
  ])
  expect(committed.indexOf('transaction')).toBeLessThan(committed.indexOf('MockCalendar.book'))
})

it('a commit without a provider takes one call, one of the coordinator and one transaction', async () => {
  const change = await previewed('/v1/clients', CLIENT)
  expect(await until(() => change.commit())).toEqual([
    'Confirmation.perform',
    'Coordinator.acquire',
    'transaction',
  ])
})

it('a repeat of a commit takes one call, and writes nothing', async () => {
  const [time] = await freeTimes()
  const change = await previewed('/v1/bookings', consultAt(time))
  await change.commit()
  await vi.waitFor(async () =>
    expect((await recordIn(change.confirmation))?.outbox).toBeUndefined(),
  )
  expect(await until(() => change.commit())).toEqual(['Confirmation.perform'])
})
