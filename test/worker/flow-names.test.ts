import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'

import { aClient, anIntake } from './deletion-rig.ts'
import { CLIENT, ask, askForAPerson, consultAt, freeTimes, previewed } from './fixtures.ts'

/** An id that no object here has: as of an installation that is gone. */
const FIRST_ID = 'f'.repeat(64)

async function allRows(
  stub: DurableObjectStub,
): Promise<Record<string, Record<string, unknown>[]>> {
  return runInDurableObject(stub, (_object, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
      )
      .toArray()
    return Object.fromEntries(
      tables.map(({ name }) => [name, storage.sql.exec(`SELECT * FROM ${name}`).toArray()]),
    )
  })
}

it('what is stored refers to a flow by its name, which no other installation changes, and shows it nowhere', async () => {
  const client = await aClient()
  const intake = await anIntake(client.id)
  const [time] = await freeTimes()
  const booking = await previewed('/v1/bookings', consultAt(time))
  expect((await booking.commit()).status).toBe(200)
  await askForAPerson('*')
  const waiting = await previewed('/v1/clients', CLIENT)
  const coordinator = env.COORDINATOR.getByName('coordinator')
  const [unresolved] = [
    { flow: booking.confirmation.name!, operation_id: booking.confirmation.id.toString() },
  ]
  await coordinator.addUnresolved({
    ...unresolved!,
    operation: 'book_consult',
    since: '2026-11-21T10:00:00Z',
  })

  const { locks, changes, approvals, unresolved: listed } = await allRows(coordinator)
  const { flow_refs } = await allRows(env.RECORDS.getByName('records'))
  expect(locks).toMatchObject([{ holder: booking.confirmation.name }])
  expect(JSON.stringify(changes)).toContain(booking.confirmation.name)
  expect(approvals).toMatchObject([
    { flow: waiting.confirmation.name, operation_id: waiting.confirmation.id.toString() },
  ])
  expect(listed).toMatchObject([unresolved])
  expect(new Set(flow_refs!.map(({ flow }) => flow))).toEqual(
    new Set([client.confirmation.name, intake.confirmation.name]),
  )

  // Anybody could test a guess of an idempotency key against a name.
  for (const path of ['/v1/unresolved', '/v1/events', '/v1/audit'])
    for (const { name } of [booking.confirmation, waiting.confirmation, client.confirmation])
      expect((await ask(path)).text).not.toContain(name)
})

it('a flow keeps its first id where its object has another one', async () => {
  const change = await previewed('/v1/clients', CLIENT)
  await runInDurableObject(change.confirmation, (_object, { storage }) => {
    const kept = storage.kv.get<object>('flow')
    storage.kv.put('flow', { ...kept, operationId: FIRST_ID })
  })
  await evictDurableObject(change.confirmation)
  expect((await change.commit()).status).toBe(200)
  await vi.waitFor(async () => {
    const { status, body } = await ask(`/v1/operations/${change.key}/receipt`)
    expect(status).toBe(200)
    expect(JSON.parse(atob(String(body['leaf'])))).toMatchObject({ operation_id: FIRST_ID })
  })
  // The repeat, too, stands in the log under the id of the change.
  expect((await change.commit()).headers.get('Idempotent-Replayed')).toBe('true')
  await vi.waitFor(async () => {
    const page = await env.AUDIT_LOG.getByName('audit-log').page({
      operation_id: FIRST_ID,
      limit: 9,
    })
    expect(page.entries.map(({ event }) => event)).toContain('replay')
  })
})
