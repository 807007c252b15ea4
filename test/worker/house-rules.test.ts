import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'

import { AuditLog } from '../../durable-objects/audit-log.ts'
import type { AuditEntry } from '../../src/core/domain/audit/entry.ts'
import {
  type Rules,
  EVERYBODY,
  NO_RULES,
  RULES_COPY_MS,
} from '../../src/core/domain/rules/house-rules.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { ask, changeRules, consultAt, freeTimes, previewed } from './fixtures.ts'

const OWNER = { caller: 'owner', app: null, operation: 'put_house_rules', request_id: 'request' }
const WEEKDAYS = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }
const BOOK = { caller: 'key:1', operation: 'book_consult' }

const coordinator = () => env.COORDINATOR.getByName('coordinator')
const rowsOf = (table: string) =>
  runInDurableObject(coordinator(), (_object, { storage }) =>
    storage.sql.exec(`SELECT * FROM ${table}`).toArray(),
  )
const entries = async () =>
  (
    await env.AUDIT_LOG.getByName('audit-log').page({ event: 'rules', limit: 100 })
  ).entries.toReversed()
const codes = async () => (await entries()).map(({ code }) => code)

const failAudit = () =>
  vi.spyOn(AuditLog.prototype, 'append').mockImplementation(() => {
    throw onPurpose('the audit log does not answer')
  })

/** Begins one change as a flow does, and says what became of it. */
async function begin(flow: string, asked = BOOK, locks: string[] = []): Promise<string> {
  const acquired = await coordinator().acquire(flow, locks, [], asked)
  return acquired.is === 'refused' ? acquired.refusal.code : acquired.is
}

describe('a daily limit on changes', () => {
  it('counts a flow once, however often it is repeated, each caller separately and all together', async () => {
    await changeRules({ changes_a_day: 3 })
    await changeRules({ changes_a_day: 1 }, 'key:1')
    expect([await begin('a'), await begin('a'), await begin('b')]).toEqual([
      'taken',
      'taken',
      'house_rule',
    ])
    const other = { ...BOOK, caller: 'key:2' }
    const begun = [await begin('c', other), await begin('d', other), await begin('e', other)]
    expect(begun).toEqual(['taken', 'taken', 'house_rule'])
    expect((await rowsOf('changes')).map(({ caller, times }) => [caller, times])).toEqual([
      ['key:1', 1],
      ['key:2', 2],
    ])
  })

  it('counts each of many flows once, in few rows', async () => {
    await changeRules({ changes_a_day: 120 })
    const flows = Array.from({ length: 120 }, (_, i) => `flow ${i}`)
    for (const flow of [...flows, ...flows]) expect(await begin(flow)).toBe('taken')
    expect(await begin('flow 120')).toBe('house_rule')
    expect((await rowsOf('changes')).map(({ times }) => times)).toEqual([50, 50, 20])
  })

  it('counts changes from before there was a limit, and none that a lock refused', async () => {
    expect(await begin('a', BOOK, ['slot:a'])).toBe('taken')
    expect(await begin('b', BOOK, ['slot:a'])).toBe('held')
    await changeRules({ changes_a_day: 2 })
    expect([await begin('b'), await begin('c')]).toEqual(['taken', 'house_rule'])
  })

  it('starts again at midnight of the practice, and old counts are dropped', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-11-24T23:59:59-05:00') })
    await changeRules({ changes_a_day: 1 })
    expect([await begin('a'), await begin('b')]).toEqual(['taken', 'house_rule'])
    vi.setSystemTime(Date.parse('2030-11-25T00:00:00-05:00'))
    expect([await begin('b'), await begin('a')]).toEqual(['taken', 'house_rule'])
    vi.setSystemTime(Date.parse('2030-11-27T12:00:00-05:00'))
    expect(await runDurableObjectAlarm(coordinator())).toBe(true)
    expect((await rowsOf('changes')).map(({ day }) => day)).toEqual(['2030-11-25'])
    vi.setSystemTime(Date.parse('2030-11-29T12:00:00-05:00'))
    expect(await runDurableObjectAlarm(coordinator())).toBe(true)
    expect(await rowsOf('changes')).toEqual([])
    expect(await runDurableObjectAlarm(coordinator())).toBe(false)
  })

  it('shows the caller how many changes are left, without the flow that asks', async () => {
    await changeRules({ changes_a_day: 3 })
    await begin('a')
    await begin('b')
    const counted = async (flow?: string) =>
      (await coordinator().appliedTo('key:1', flow))[0]?.changesToday
    expect([await counted(), await counted('a'), await counted('c')]).toEqual([2, 1, 2])
  })
})

describe('a pause', () => {
  it('admits none of 15 simultaneous commits that arrive after it was stored', async () => {
    for (let race = 0; race < 15; race++) {
      await changeRules({ paused: false })
      let isKept = false
      const pausing = changeRules({ paused: true }).then(() => (isKept = true))
      const late: Promise<string>[] = []
      const early = begin(`early ${race}`)
      for (let i = 0; i < 3; i++) {
        await Promise.resolve()
        if (isKept) late.push(begin(`late ${race} ${i}`))
      }
      await pausing
      late.push(begin(`late ${race}`))
      expect(['taken', 'paused']).toContain(await early)
      expect(await Promise.all(late)).toEqual(late.map(() => 'paused'))
    }
  })

  it('of one caller leaves the others alone, and survives an eviction', async () => {
    await changeRules({ paused: true }, 'key:1')
    await evictDurableObject(coordinator())
    expect(await begin('a')).toBe('paused')
    expect(await begin('b', { ...BOOK, caller: 'key:2' })).toBe('taken')
  })

  it('takes effect although the audit log does not answer, and is audited later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const append = failAudit()
    expect(await changeRules({ paused: true })).toBe('kept')
    expect(await begin('a')).toBe('paused')
    append.mockRestore()
    vi.setSystemTime(Date.now() + 3_600_000)
    await runDurableObjectAlarm(coordinator())
    expect(await entries()).toMatchObject([
      { code: 'paused', caller: 'owner', record_id: EVERYBODY, operation: 'put_house_rules' },
    ])
  })

  it('is audited only after it took effect', async () => {
    const held: string[] = []
    vi.spyOn(AuditLog.prototype, 'append').mockImplementation(async function (batch) {
      if (batch[0]?.event === 'rules') held.push(batch[0].code, await begin('during'))
    })
    await changeRules({ paused: true })
    await vi.waitFor(() => expect(held).toEqual(['paused', 'paused']))
  })

  it('that arrives while a resume is being audited wins, and is the last entry', async () => {
    await changeRules({ paused: true }, 'key:1')
    const real = AuditLog.prototype.append
    let overtaken = false
    vi.spyOn(AuditLog.prototype, 'append').mockImplementation(function (this: AuditLog, batch) {
      const resumes = batch.some(
        ({ event, code }: AuditEntry) => event === 'rules' && code === 'resumed',
      )
      if (!resumes || overtaken) return real.call(this, batch)
      overtaken = true
      return (async () => {
        await changeRules({ changes_a_day: 0 }, 'key:1')
        return real.call(this, batch)
      })()
    })
    expect(await changeRules({ paused: false }, 'key:1')).toBe('overtaken')
    expect(await begin('a')).toBe('paused')
    expect((await codes()).at(-1)).toBe('paused')
  })
})

describe('a change that loosens the rules', () => {
  it('is audited before it takes effect', async () => {
    await changeRules({ paused: true })
    const held: string[] = []
    vi.spyOn(AuditLog.prototype, 'append').mockImplementation(async function (batch) {
      if (batch[0]?.event === 'rules') held.push(batch[0].code, await begin('during'))
    })
    expect(await changeRules({ paused: false })).toBe('kept')
    expect(held).toEqual(['resumed', 'paused'])
    expect(await begin('after')).toBe('taken')
  })

  it.each<[string, Partial<Rules>, Partial<Rules>]>([
    ['a resume', { paused: true }, { paused: false }],
    ['a larger limit', { changes_a_day: 0 }, { changes_a_day: 1 }],
    ['a rule that is lifted', { operations: [] }, { operations: null }],
  ])('has no effect if the audit log does not answer: %s', async (_what, before, after) => {
    await changeRules(before)
    const known = await coordinator().all()
    failAudit()
    await expect(
      runInDurableObject(coordinator(), (object) =>
        object.change(EVERYBODY, after, OWNER, 'loosen'),
      ),
    ).rejects.toThrow()
    expect(await coordinator().all()).toEqual(known)
  })

  it('is neither stored nor audited for a caller who may only tighten', async () => {
    await changeRules({ paused: true, changes_a_day: 5, hours: WEEKDAYS })
    const tighten = (rules: Partial<Rules>) =>
      coordinator().change(EVERYBODY, rules, OWNER, 'tighten')
    expect(await tighten({ paused: false })).toBe('loosens')
    expect(await tighten({ changes_a_day: 6 })).toBe('loosens')
    expect(await tighten({ changes_a_day: 4, hours: null })).toBe('loosens')
    expect(await tighten({ changes_a_day: 4, operations: ['book_consult'] })).toBe('kept')
    const left = { changes_a_day: 4, hours: WEEKDAYS, paused: true }
    expect((await coordinator().all())[0]?.rules).toMatchObject(left)
    expect(await codes()).toEqual(['paused', 'changed'])
  })
})

describe('the sets of rules', () => {
  it('are audited with what they allow and nothing personal, and empty sets are dropped', async () => {
    const strict = {
      max_link: { usd: 50_000, eur: 1 },
      hours: WEEKDAYS,
      operations: ['book_consult'],
    }
    await changeRules(strict, 'key:1')
    await changeRules({ max_link: null, hours: null, operations: null }, 'key:1')
    expect(await coordinator().all()).toEqual([])
    expect((await entries())[0]?.about).toEqual({
      paused: false,
      operations: 'book_consult',
      max_link: 'usd 50000, eur 1',
      hours: '12345 08:00-18:00',
      changes_a_day: null,
      approval: null,
    })
  })

  it('are listed with the set for everybody first', async () => {
    await changeRules({ paused: true }, '!')
    await changeRules({ paused: true }, EVERYBODY)
    expect((await coordinator().all()).map(({ caller }) => caller)).toEqual([EVERYBODY, '!'])
    expect((await coordinator().appliedTo('!')).map(({ caller }) => caller)).toEqual([
      EVERYBODY,
      '!',
    ])
  })

  it('are bounded in number, and a pause of everybody is stored even then', async () => {
    await runInDurableObject(coordinator(), (_object, { storage }) => {
      for (let i = 0; i < 1000; i++)
        storage.sql.exec(
          'INSERT INTO house_rules VALUES (?, ?, NULL)',
          `key:${i}`,
          JSON.stringify(NO_RULES),
        )
    })
    expect(await changeRules({ paused: true }, 'key:new')).toBe('full')
    expect(await changeRules({ paused: true }, 'key:7')).toBe('kept')
    expect(await changeRules({ paused: true })).toBe('kept')
  })
})

describe('a pause that came through another isolate', () => {
  it('stops commits at once, and reads and previews ten seconds later at most', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const [time, later] = await freeTimes()
    const booking = await previewed('/v1/bookings', consultAt(time))
    await coordinator().change(EVERYBODY, { paused: true }, OWNER, 'loosen')
    expect((await booking.commit()).body).toMatchObject({ code: 'paused', effect: 'none' })
    expect((await ask('/v1/clients')).status).toBe(200)
    expect((await previewed('/v1/bookings', consultAt(later!))).preview.status).toBe(200)
    vi.setSystemTime(Date.now() + RULES_COPY_MS)
    expect((await ask('/v1/clients')).body.code).toBe('paused')
    await expect(previewed('/v1/bookings', consultAt(later!))).rejects.toThrow('"code":"paused"')
    await changeRules({ paused: false })
    expect((await ask('/v1/clients')).status).toBe(200)
  })
})

describe('while everything is paused', () => {
  it('reads are refused, and answers that need no rule are given', async () => {
    await changeRules({ paused: true })
    for (const path of ['/v1/availability', '/v1/bookings', '/v1/clients'])
      expect((await ask(path)).body.code).toBe('paused')
    expect((await ask('/v1/me')).body).toMatchObject({ paused: true, changes_left_today: null })
    expect((await ask('/v1/operations/a-key-never-used')).body['status']).toBe('never_seen')
  })
})
