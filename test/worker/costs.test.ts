import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'

import page from '../../docs/operate/limits-and-costs.md?raw'
import { AuditLog } from '../../durable-objects/audit-log.ts'
import { Confirmation } from '../../durable-objects/confirmation.ts'
import { Coordinator } from '../../durable-objects/coordinator.ts'
import { ApprovalsTable } from '../../durable-objects/coordinator/approvals.ts'
import { EventLog } from '../../durable-objects/event-log.ts'
import { Records } from '../../durable-objects/records.ts'
import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import { approvalsOf } from '../../src/practice/adapters/cloudflare/coordinator.ts'
import { stillDue } from './deletion-rig.ts'
import { emptyStorage } from './empty-storage.ts'
import {
  CLIENT,
  alarmOf,
  askForAPerson,
  consultAt,
  freeTimes,
  houseRules,
  previewed,
  recordIn,
} from './fixtures.ts'
import { ASSUMED, type Counted, bill, freeADay } from './prices.ts'

const METHODS = {
  Confirmation: ['perform', 'approval', 'decide', 'busy', 'unresolved', 'erase', 'alarm'],
  Coordinator: ['acquire', 'appliedTo', 'copyFor', 'addUnresolved', 'clearUnresolved'],
  ApprovalsTable: ['add', 'remove', 'decided'],
  AuditLog: ['append'],
  EventLog: ['append'],
  Records: ['upsert', 'registerFlow', 'get', 'known', 'alarm'],
}
const CLASSES = { Confirmation, Coordinator, ApprovalsTable, AuditLog, EventLog, Records }

type Anything = Record<string, (...args: unknown[]) => unknown>

/** The objects of which there is one for all callers: how often each was asked while the meter ran. */
const asked = { Coordinator: 0, AuditLog: 0, EventLog: 0, Records: 0 }

/** Counts what is billed from now on: calls of objects and their alarms, rows, and operations of KV. */
async function meter() {
  // An isolate asks for the house rules every ten seconds, so most previews find a copy of them.
  await houseRules().copyOf('anonymous')
  const count = { objectRequests: 0, rowsWritten: 0, kvReads: 0, kvWrites: 0 }
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
  const wrap = (prototype: object, name: string, before: () => void) => {
    const real = (prototype as Anything)[name]!
    vi.spyOn(prototype as Anything, name).mockImplementation(function (
      this: unknown,
      ...args: unknown[]
    ) {
      before()
      return Reflect.apply(real, this, args)
    })
  }
  for (const object of Object.keys(asked)) asked[object as keyof typeof asked] = 0
  // A method that another method of the same object calls is no call of the object.
  let nested = false
  for (const [name, methods] of Object.entries(METHODS)) {
    for (const method of methods) {
      const prototype = CLASSES[name as keyof typeof CLASSES].prototype as unknown as Anything
      const real = prototype[method]!
      vi.spyOn(prototype, method).mockImplementation(function (this: unknown, ...args: unknown[]) {
        if (nested) return Reflect.apply(real, this, args)
        count.objectRequests += 1
        if (name in asked) asked[name as keyof typeof asked] += 1
        nested = true
        try {
          return Reflect.apply(real, this, args)
        } finally {
          nested = false
        }
      })
    }
  }
  const records = Object.getPrototypeOf(env.RECORDS_KV) as object
  for (const name of ['put', 'delete', 'list']) wrap(records, name, () => (count.kvWrites += 1))
  wrap(records, 'get', () => (count.kvReads += 1))
  await runInDurableObject(env.COORDINATOR.getByName('coordinator'), (_object, { storage }) => {
    const written = () => (count.rowsWritten += 1)
    for (const name of ['put', 'delete'])
      wrap(Object.getPrototypeOf(storage.kv) as object, name, written)
    const prototype = Object.getPrototypeOf(storage) as object
    // To set an alarm is a row. That one rings is none, although the test runner deletes it then.
    wrap(prototype, 'setAlarm', written)
    wrap(prototype, 'deleteAll', () => (count.rowsWritten += 2))
    const sql = Object.getPrototypeOf(storage.sql) as Anything
    const exec = sql['exec']!
    vi.spyOn(sql, 'exec').mockImplementation(function (this: unknown, ...args: unknown[]) {
      const cursor = Reflect.apply(exec, this, args) as (typeof cursors)[number]
      // The calendar is the mock provider's, and not there where a real one is.
      if (!/ (?:bookings|invitees|requests|payments|payment_links) /.test(String(args[0])))
        cursors.push(cursor)
      return cursor
    })
  })
  return () => {
    const sumOf = (rows: 'rowsRead' | 'rowsWritten') =>
      cursors.reduce((sum, cursor) => sum + cursor[rows], 0)
    return {
      ...count,
      rowsWritten: count.rowsWritten + sumOf('rowsWritten'),
      rowsRead: sumOf('rowsRead'),
    }
  }
}

/** Waits until a change and the records have nothing more to deliver. */
async function delivered({ confirmation }: Awaited<ReturnType<typeof previewed>>): Promise<void> {
  await vi.waitFor(async () => expect((await recordIn(confirmation))?.outbox).toBeUndefined())
  await vi.waitFor(async () => expect(await stillDue()).toEqual([]))
}

/** Changes of one day, from their previews until nothing is kept of them but their records, as they are billed. */
async function lived(
  path: string,
  fields: readonly object[],
  isApproved: boolean,
): Promise<Counted> {
  // What every installation makes once: the tables of the one coordinator, audit log and records.
  await env.COORDINATOR.getByName('coordinator').unresolved()
  await env.AUDIT_LOG.getByName('audit-log').page({ limit: 1 })
  await env.EVENT_LOG.getByName('event-log').page({ types: [], limit: 1 })
  await env.PROVIDER_SYNC.getByName('provider-sync').listened()
  // An event that is there already, so that those that are measured drop it.
  await runInDurableObject(env.EVENT_LOG.getByName('event-log'), (_object, { storage }) =>
    storage.sql.exec(
      "INSERT INTO log VALUES (1, 'evt_before', 'client.created', ?, '{\"data\":{}}')",
      Date.now(),
    ),
  )
  await env.RECORDS.getByName('records').known([])
  if (isApproved) await askForAPerson('*')
  const measured = await meter()
  const confirmations: Awaited<ReturnType<typeof previewed>>['confirmation'][] = []
  for (const one of fields) {
    const change = await previewed(path, one)
    confirmations.push(change.confirmation)
    if (isApproved) {
      const approvals = approvalsOf(
        () => env.COORDINATOR.getByName('coordinator'),
        env.CONFIRMATIONS,
      )
      const asked = (await change.confirmation.approval())!
      const { id, digest } = asked
      await approvals.decide(asked, { id, digest, decision: 'approve', by: 'owner', proof: {} })
    }
    expect((await change.commit()).status).toBe(200)
    await delivered(change)
    // The next comes after the alarm of the records, which finds nothing to do.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * MINUTE })
    await runDurableObjectAlarm(env.RECORDS.getByName('records') as DurableObjectStub<undefined>)
  }
  // The key of the caller is looked up at most once in 30 seconds: here, for each request.
  const lookUps = 2 * fields.length
  for (const confirmation of confirmations) {
    for (let rung = 0; (await alarmOf(confirmation)) !== null && rung < 20; rung++) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * DAY })
      await runDurableObjectAlarm(confirmation)
    }
    expect(await recordIn(confirmation)).toBeUndefined()
  }
  // The rows of the shared objects are dropped in the end, too, by alarms that all share. That of `ProviderSync` first
  // reads what commits have published, and drops it the next time.
  for (const shared of [
    env.COORDINATOR.getByName('coordinator'),
    env.AUDIT_LOG.getByName('audit-log'),
    env.PROVIDER_SYNC.getByName('provider-sync'),
    env.EVENT_LOG.getByName('event-log'),
    env.PROVIDER_SYNC.getByName('provider-sync'),
  ]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2300 * DAY })
    await runDurableObjectAlarm(shared as DurableObjectStub<undefined>)
  }
  const { objectRequests, ...counted } = measured()
  return {
    workerRequests: 2 * fields.length,
    cpuMs: 2 * fields.length * ASSUMED.cpuMsPerRequest,
    gbSeconds: fields.length * ASSUMED.secondsAwake * 0.128,
    stored: (fields.length * ASSUMED.bytesOfAnObject) / 1e9,
    objectRequests: objectRequests + lookUps,
    ...counted,
  }
}

const dollars = (amount: number): string => `$${amount.toFixed(2)}`

/** The row of docs/operate/limits-and-costs.md for a flow: what was measured, and what it costs. */
const rowOf = (name: string, flow: Counted): string => {
  const next = freeADay({ ...flow, kvWrites: 0 })
  const cells = [
    name,
    dollars(bill(flow, 1000)),
    dollars(bill(flow, 1_000_000)),
    `${freeADay(flow)}, or ${next} without the copy`,
  ]
  return cells.join('|')
}

/** The page, with the tables as bare as the rows above. */
const bare = page.split('\n').map((line) => line.replaceAll(/ *\| */g, '|'))

const LINKS = async () => [{ invoice_id: 'in_mock_open' }, { invoice_id: 'in_mock_jpy' }]
const CONSULTS = async () => (await freeTimes()).slice(0, 2).map(consultAt)

it.each([
  ['a booking', '/v1/bookings', CONSULTS, { objectRequests: 11, rowsWritten: 32 }],
  [
    'a client profile',
    '/v1/clients',
    async () => [CLIENT, CLIENT],
    { objectRequests: 11, rowsWritten: 28 },
  ],
  ['a payment link', '/v1/payment-links', LINKS, { objectRequests: 12, rowsWritten: 37 }],
  [
    'a booking that a person approves',
    '/v1/bookings',
    CONSULTS,
    { objectRequests: 19, rowsWritten: 54 },
  ],
])('the documented costs of %s are the measured ones', async (name, path, fieldsOf, billed) => {
  const isApproved = name.endsWith('a person approves')
  const [first, second] = await fieldsOf()
  const both = await lived(path, [first!, second!], isApproved)
  const askedForBoth = { ...asked }
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await emptyStorage()
  const alone = await lived(path, [first!], isApproved)
  // What a day costs by itself falls out of the difference.
  const flow = Object.fromEntries(
    Object.entries(both).map(([unit, count]) => [unit, count - alone[unit as keyof Counted]]),
  ) as Counted
  expect(flow).toMatchObject({ workerRequests: 2, kvReads: 0, kvWrites: 1, ...billed })
  expect(bare.find((line) => line.startsWith(`|${name}|`))).toBe(`|${rowOf(name, flow)}|`)
  if (name !== 'a booking') return
  const busiest = Math.max(
    ...Object.entries(asked).map(([name, once]) => askedForBoth[name as keyof typeof asked] - once),
  )
  expect(page).toContain(
    `a booking asks no shared object more than ${busiest} times, so ${1000 / busiest} bookings a second`,
  )
  const rowsOfTheDay = alone.rowsWritten - flow.rowsWritten
  expect(rowsOfTheDay).toBe(16)
})

it('a repeat asks three objects and writes three rows', async () => {
  const change = await previewed('/v1/clients', CLIENT)
  await change.commit()
  await delivered(change)
  const measured = await meter()
  await change.commit()
  await vi.waitFor(() => expect(measured().objectRequests).toBe(2))
  await vi.waitFor(() => expect(measured().rowsWritten).toBeGreaterThan(0))
  const { objectRequests, rowsWritten } = measured()
  const lookUp = 1
  expect([objectRequests + lookUp, rowsWritten]).toEqual([3, 3])
})
