import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'

import { AuditLog } from '../../durable-objects/audit-log.ts'
import { Confirmation } from '../../durable-objects/confirmation.ts'
import type { Records } from '../../durable-objects/records.ts'
import { DAY, SECOND } from '../../src/core/domain/time/duration.ts'
import { auditFrom } from '../../src/practice/wiring/objects.ts'
import { playedFailure } from '../support/on-purpose.ts'
import { CLIENT, ask, previewed, recordIn } from './fixtures.ts'

export const ANSWERS = {
  primary_goal: 'retirement',
  household_members: 7,
  notes: 'Likes short meetings.',
}

export type Change = Awaited<ReturnType<typeof previewed>>

export async function committed(path: string, fields: object): Promise<Change & { id: string }> {
  const change = await previewed(path, fields)
  const { result } = (await change.commit()).body
  await vi.waitFor(async () =>
    expect((await recordIn(change.confirmation))?.outbox).toBeUndefined(),
  )
  return { ...change, id: String(result?.['intake_id'] ?? result?.['client_id']) }
}

export const aClient = () => committed('/v1/clients', CLIENT)
export const intakeOf = (clientId: string) => `/v1/clients/${clientId}/intake`
export const anIntake = (clientId: string) => committed(intakeOf(clientId), { answers: ANSWERS })
export const deletion = (clientId: string) => ask(`/v1/clients/${clientId}`, { method: 'DELETE' })
export const records = (): DurableObjectStub<Records> => env.RECORDS.getByName('records')

/** All rows of a table of the records. */
export const rowsOf = (table: 'records' | 'links' | 'flow_refs' | 'progress' | 'outbox') =>
  runInDurableObject(records(), (_object, { storage }) =>
    storage.sql.exec<Record<string, SqlStorageValue>>(`SELECT * FROM ${table}`).toArray(),
  )

/** When what the records have still to deliver is due: the items of the outbox, and new records. */
export async function stillDue(): Promise<number[]> {
  const outbox = await rowsOf('outbox')
  const copied = Number((await rowsOf('progress'))[0]?.['copied'] ?? 0)
  const fresh = (await rowsOf('records')).filter(
    ({ seq, value }) => Number(seq) > copied && value !== null,
  )
  return [...outbox.map(({ due }) => Number(due)), ...fresh.map(() => Date.now())]
}

/** Lets the alarms of the records ring until none is set and nothing is left to be delivered. */
export async function finish(
  ring: () => Promise<unknown> = () => runDurableObjectAlarm(records()),
): Promise<void> {
  for (let rung = 0; (await stillDue()).length > 0; rung++) {
    expect(rung).toBeLessThan(60)
    const dues = await stillDue()
    vi.useFakeTimers({ toFake: ['Date'], now: Math.max(Date.now(), ...dues) + SECOND })
    await ring()
  }
}

/** Rings the alarm of the records once, after so long. */
export async function ringAfter(ms: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
  await runDurableObjectAlarm(records())
}

/** The deletions of a client in the audit log. */
export const deletionsInAuditLog = async (record_id: string) =>
  (await auditFrom(env).page({ record_id, event: 'deletion', limit: 10 })).entries

/** A KV in memory, whose calls the test can hold up or cut off. */
export function simulatedKv() {
  const stored = new Map<string, string>()
  /** Called before each call acts. Where it rejects, the call fails. */
  let before: (call: string, write: [key: string, value: string]) => Promise<void> = async () => {}
  const proto = Object.getPrototypeOf(env.RECORDS_KV) as KVNamespace
  vi.spyOn(proto, 'put').mockImplementation(async (key: string, value: unknown) => {
    await before('put', [key, String(value)])
    stored.set(key, String(value))
  })
  vi.spyOn(proto, 'delete').mockImplementation(async (keys: string | string[]) => {
    await before('delete', [String(keys), ''])
    stored.delete(String(keys))
  })
  return { stored, beforeEach: (act: typeof before) => void (before = act) }
}

/** Calls `act` before each call that the records make of something outside: KV, flows and the audit log. */
export function beforeCallsOutside(
  kv: ReturnType<typeof simulatedKv>,
  act: (call: string) => Promise<void>,
): void {
  kv.beforeEach((call) => act(call))
  const { erase } = Confirmation.prototype
  vi.spyOn(Confirmation.prototype, 'erase').mockImplementation(async function (
    this: Confirmation,
    id,
  ) {
    await act('erase')
    return erase.call(this, id)
  })
  const { append } = AuditLog.prototype
  vi.spyOn(AuditLog.prototype, 'append').mockImplementation(async function (
    this: AuditLog,
    entries,
  ) {
    if (entries.some(({ event }) => event === 'deletion')) await act('append')
    return append.call(this, entries)
  })
}

/** Kills the instance of the records that is at work, with all that it still wanted to do. */
export async function killRecords(): Promise<void> {
  const killed = runInDurableObject(records(), (_object, state) =>
    state.abort(playedFailure('killed')),
  ).catch(() => {})
  // No one answers any more.
  await Promise.race([killed, scheduler.wait(20)])
  await vi.waitFor(() => rowsOf('outbox'))
}

export { DAY }
