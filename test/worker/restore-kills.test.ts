// @module-tag slow

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'

import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { COPIED } from '../../src/core/ports/backup.ts'
import { theOne } from '../../src/practice/wiring/objects.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { backedUp, emptied, sent } from './backup-rig.ts'
import { finish } from './deletion-rig.ts'
import { CLIENT, consultAt, freeTimes, keyFor, loseAnswers, previewed } from './fixtures.ts'

type Method = (this: unknown, ...given: unknown[]) => unknown

/**
 * Counts what is written to storage, one transaction as one, and ends the writer just before the write with this number. What
 * it would have written after that is not written.
 */
async function killedAt(write: number, work: () => Promise<void>): Promise<number> {
  let writes = 0
  let inside = 0
  const kill = (): void => {
    if (inside === 0 && writes++ === write) throw onPurpose('killed')
  }
  const spies = await runInDurableObject(
    env.RECORDS.getByName('records'),
    (_object, { storage }) => {
      const around = (prototype: object, name: string, isWrite: (given: unknown[]) => boolean) => {
        const spied = prototype as Record<string, Method>
        const real = spied[name]!
        spied[name] = function (...given) {
          if (isWrite(given)) kill()
          inside += Number(name === 'transactionSync')
          try {
            return Reflect.apply(real, this, given)
          } finally {
            inside -= Number(name === 'transactionSync')
          }
        }
        return () => (spied[name] = real)
      }
      const of = (object: object): object => Object.getPrototypeOf(object) as object
      return [
        around(of(storage), 'transactionSync', () => true),
        around(of(storage.kv), 'put', () => true),
        around(of(storage.sql), 'exec', ([sql]) => /^\s*(INSERT|UPDATE|DELETE)/.test(String(sql))),
      ]
    },
  )
  try {
    await work()
  } finally {
    for (const undo of spies) undo()
  }
  return writes
}

/** All that the objects keep, once what the coordinator has to deliver has arrived, but how far the deliveries are. */
async function kept(): Promise<string[]> {
  const now = Date.now()
  vi.setSystemTime(now + 10 * MINUTE)
  await runDurableObjectAlarm(env.COORDINATOR.getByName('coordinator'))
  vi.setSystemTime(now)
  const lines: string[] = []
  for (const object of COPIED) {
    const { values, tables } = await theOne(env, object)().copy()
    lines.push(`${object}: ${JSON.stringify(values)}`)
    for (const { t, rows } of tables)
      if (!['outbox', 'progress'].includes(t))
        for (const row of rows)
          // The places of the event log go on after a gap, which a repeat of the last step makes longer.
          lines.push(`${object}.${t}: ${JSON.stringify(t === 'log' ? row.slice(1) : row)}`)
  }
  // The entry that says that all callers are paused has an id of its own each time.
  return lines.map((line) => line.replace(/"[0-9a-f-]{36}","rules"/, '"an id","rules"'))
}

describe('a restore that is killed', () => {
  it('at any of its writes ends in the same state once the command is run again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const [time, other] = await freeTimes()
    await (await previewed('/v1/clients', CLIENT)).commit()
    await (await previewed('/v1/bookings', consultAt(time))).commit()
    await keyFor('front', ['admin'], { name: 'Front office', inTrial: true })
    await finish()
    // One flow is at work, and comes back as it is.
    const lost = loseAnswers('book')
    const doubt = await previewed('/v1/bookings', consultAt(other!))
    await doubt.commit()
    lost.mockRestore()
    const lines = await backedUp(async () => {})
    expect(lines.some((line) => 'flow' in line)).toBe(true)

    await emptied()
    const writes = await killedAt(Infinity, () => sent(lines))
    const whole = await kept()
    expect(whole.join()).toContain('Front office')
    expect(writes, 'a restore writes less than this test knows of').toBeGreaterThan(20)

    let killed = 0
    for (let write = 0; write < writes; write++) {
      await emptied()
      const cut = killedAt(write, () => sent(lines)).catch((thrown: unknown) => {
        expect(String(thrown)).toContain('killed')
        killed += 1
      })
      await cut
      await sent(lines)
      expect(await kept(), `killed before write ${write} of ${writes}`).toEqual(whole)
      // All who could act are held again, however often the last step was run.
      const [held, isUnconfirmed] = await runInDurableObject(
        env.ACCESS.getByName('access'),
        ({ restored }) => [restored.held().map(({ id }) => id), restored.isUnconfirmed()],
      )
      expect([held, isUnconfirmed]).toEqual([['front'], true])
    }
    expect(killed, 'hardly any kill has reached the command').toBeGreaterThan(writes / 2)
  })
})
