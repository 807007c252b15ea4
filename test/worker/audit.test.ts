import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'

import { AuditLog } from '../../durable-objects/audit-log.ts'
import type { AuditEntry } from '../../src/core/domain/audit/entry.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import type { AuditMark, AuditPage, AuditQuery } from '../../src/core/ports/audit.ts'
import { exampleEntry } from '../support/example-entry.ts'
import { CLIENT, alarmOf, previewed, recordIn } from './fixtures.ts'

const auditLog = () => env.AUDIT_LOG.getByName('audit-log')
const START = Date.parse('2026-11-21T12:00:00Z')

const entry = (id: string, at: number, more: Partial<AuditEntry> = {}): AuditEntry =>
  exampleEntry({ id, at, ...more })

const read = async (query: Partial<AuditQuery> = {}): Promise<AuditPage> =>
  auditLog().page({ limit: 100, ...query })
const ids = async (query: Partial<AuditQuery> = {}): Promise<string[]> =>
  (await read(query)).entries.map(({ id }) => id)

/** So many entries of one caller, one in each second. */
const many = (count: number) =>
  runInDurableObject(auditLog(), (_object, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
       INSERT INTO entries SELECT i + (SELECT COALESCE(MAX("index") + 1, 0) FROM entries), ?2 + i * 1000, 'e' || printf('%07d', i), 'preview', 'key:many', NULL, 'book_consult',
       'ok', NULL, NULL, NULL, 1, NULL, NULL FROM n`,
      count,
      START,
    )
  })

describe('the audit log', () => {
  it('lists the newest first, in whatever order entries arrived', async () => {
    await auditLog().append([entry('b', START + 2), entry('a', START + 1)])
    await auditLog().append([entry('late', START)])
    await auditLog().append([entry('d', START + 2)])
    expect(await ids()).toEqual(['d', 'b', 'a', 'late'])
  })

  it('keeps the first version of an entry, however often it arrives', async () => {
    await auditLog().append([entry('a', START)])
    await auditLog().append([entry('a', START, { code: 'other' }), entry('b', START)])
    await evictDurableObject(auditLog())
    await auditLog().append([entry('a', START)])
    expect((await read()).entries).toEqual([
      { index: 1, ...entry('b', START) },
      { index: 0, ...entry('a', START) },
    ])
  })

  it('lists every entry once, page by page, while new ones arrive', async () => {
    await auditLog().append(
      Array.from({ length: 25 }, (_, i) => entry(`e${i}`, START + Math.floor(i / 4))),
    )
    const seen: string[] = []
    let after: AuditMark | undefined
    do {
      const page = await read({ limit: 4, ...(after ? { after } : {}) })
      seen.push(...page.entries.map(({ id }) => id))
      await auditLog().append([entry(`new${seen.length}`, START + 1000 + seen.length)])
      after = page.next
    } while (after)
    expect(seen).toHaveLength(25)
    expect(new Set(seen).size).toBe(25)
  })

  it('filters by time, with the start included and the end excluded', async () => {
    await auditLog().append([entry('a', START), entry('b', START + 1), entry('c', START + 2)])
    expect(await ids({ from: START + 1 })).toEqual(['c', 'b'])
    expect(await ids({ to: START + 1 })).toEqual(['a'])
    expect(await ids({ from: START + 1, to: START + 2 })).toEqual(['b'])
    expect(await ids({ to: START + 1, after: { at: START + 2, id: 'c' } })).toEqual(['a'])
  })

  it('finds a rare entry in a long log by short pages, each of which continues where the last one ended', async () => {
    await auditLog().append([entry('rare', START - 1, { caller: 'key:rare' })])
    await many(25_000)
    const found: string[] = []
    let pages = 0
    for (let after: AuditMark | undefined, more = true; more; pages++) {
      const page: AuditPage = await read({ caller: 'key:rare', ...(after ? { after } : {}) })
      found.push(...page.entries.map(({ id }) => id))
      after = page.next
      more = after !== undefined
    }
    expect([found, pages]).toEqual([['rare'], 3])
  })

  it('reads one page of a long log without reading the rest', async () => {
    await many(25_000)
    const exec = vi.fn<(rows: number) => void>()
    await runInDurableObject(auditLog(), (object, { storage }) => {
      const real = storage.sql.exec.bind(storage.sql)
      vi.spyOn(storage.sql, 'exec').mockImplementation(
        (...given: Parameters<SqlStorage['exec']>) => {
          const cursor = real(...given)
          const rows = cursor.toArray()
          exec(cursor.rowsRead)
          return { toArray: () => rows, rowsRead: cursor.rowsRead } as unknown as ReturnType<
            SqlStorage['exec']
          >
        },
      )
      object.page({ limit: 100, after: { at: START + 12_000_000, id: 'e' } })
      object.page({ limit: 100, record_id: 'bk_none' })
    })
    expect(exec.mock.calls[0]![0]).toBeLessThanOrEqual(101)
    // The look for where a page with a filter would end walks over keys only as far as a page looks.
    expect(Math.max(...exec.mock.calls.map(([rows]) => rows))).toBeLessThanOrEqual(10_001)
  })

  it('gives an entry by its number, and none for a number that was not given', async () => {
    await auditLog().append([entry('a', START), entry('b', START + 1, { about: { amount: 5 } })])
    expect(await auditLog().entry(1)).toMatchObject({ id: 'b', index: 1, about: { amount: 5 } })
    expect(await auditLog().entry(2)).toBe(null)
    expect(await auditLog().entry(-1)).toBe(null)
  })

  it('leads back to newer entries, the nearest first', async () => {
    await auditLog().append(['a', 'b', 'c', 'd'].map((id, i) => entry(id, START + i)))
    const before = { at: START, id: 'a' }
    const near = await auditLog().page({ before, limit: 2 })
    expect([near.entries.map(({ id }) => id), near.next]).toEqual([
      ['b', 'c'],
      { at: START + 2, id: 'c' },
    ])
    const last = await auditLog().page({ before: near.next!, limit: 2 })
    expect([last.entries.map(({ id }) => id), last.next]).toEqual([['d'], undefined])
  })

  it('names who was refused with a code since then, the latest first', async () => {
    const refused = (code: string, more: Partial<AuditEntry> = {}) =>
      ({ event: 'refusal', code, ...more }) as const
    await auditLog().append([
      entry('old', START - 1, refused('house_rule')),
      entry('a', START, refused('house_rule', { times: 3 })),
      entry('b', START + 1, refused('house_rule')),
      entry('c', START + 2, refused('insufficient_scope', { caller: 'key:two' })),
      entry('d', START + 3, refused('rate_limited')),
      entry('e', START + 4, { event: 'replay', code: 'house_rule' }),
    ])
    const of = { operation: 'book_consult', rule: null }
    expect(await auditLog().refusedCallers(['house_rule', 'insufficient_scope'], START)).toEqual([
      { ...of, caller: 'key:two', code: 'insufficient_scope', times: 1, last: START + 2 },
      { ...of, caller: 'key:one', code: 'house_rule', times: 4, last: START + 1 },
    ])
  })

  it('can be read and appended to, and nothing else but filled while it is restored', () => {
    const copied = Object.getOwnPropertyNames(Object.getPrototypeOf(AuditLog.prototype))
    expect(copied.toSorted()).toEqual(['constructor', 'copy', 'restoreRows', 'rowCounts'])
    expect(Object.getOwnPropertyNames(AuditLog.prototype).toSorted()).toEqual([
      'alarm',
      'anonymousRefusals',
      'append',
      'constructor',
      'countRefusals',
      'endBackup',
      'endRestore',
      'entry',
      'keyChain',
      'leaves',
      'page',
      'receipt',
      'receiptOfChange',
      'refusedCallers',
      'signedHead',
      'state',
      'vkeys',
    ])
  })

  it('drops entries when they are six years old, by alarm, and none before', async () => {
    const now = Date.now()
    await auditLog().append([entry('old', now - 2193 * DAY), entry('young', now - 2191 * DAY)])
    expect(await ids()).toEqual(['young', 'old'])
    expect(await runDurableObjectAlarm(auditLog())).toBe(true)
    expect(await ids()).toEqual(['retention.1', 'young'])
    vi.useFakeTimers({ toFake: ['Date'], now: now + 2 * DAY })
    await auditLog().append([entry('new', now + 2 * DAY)])
    expect(await ids()).toEqual(['new', 'retention.1', 'young'])
    expect(await runDurableObjectAlarm(auditLog())).toBe(true)
    expect(await ids()).toEqual(['retention.2', 'new', 'retention.1'])
  })

  it('numbers entries from 0, and never gives a number again, whatever is dropped', async () => {
    const now = Date.now()
    await auditLog().append([entry('a', now - 2300 * DAY), entry('b', now - 2299 * DAY)])
    expect(await runDurableObjectAlarm(auditLog())).toBe(true)
    await evictDurableObject(auditLog())
    await auditLog().append([entry('c', now)])
    expect((await read()).entries.map(({ index, id }) => [index, id])).toEqual([
      [2, 'retention.2'],
      [3, 'c'],
    ])
  })

  it('counts refusals without a credential by the hour, and forgets them after 30 days', async () => {
    const hour = START - (START % HOUR)
    vi.useFakeTimers({ toFake: ['Date'], now: hour + 1 })
    await auditLog().countRefusals('book_consult', 'unauthenticated', 3)
    await auditLog().countRefusals('book_consult', 'unauthenticated', 2)
    expect(await auditLog().anonymousRefusals()).toEqual([
      { hour, operation: 'book_consult', code: 'unauthenticated', times: 5 },
    ])
    expect((await read()).entries).toEqual([])
    vi.setSystemTime(hour + 31 * DAY)
    expect(await runDurableObjectAlarm(auditLog())).toBe(true)
    expect(await auditLog().anonymousRefusals()).toEqual([])
  })

  it('drops a backlog of old entries in bounded pieces', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START + 4000 * DAY })
    await many(12_000)
    await auditLog().append([entry('new', Date.now())])
    const left: number[] = []
    for (let round = 0; round < 4; round++) {
      expect(await runDurableObjectAlarm(auditLog())).toBe(true)
      const { n } = await runInDurableObject(auditLog(), (_object, { storage }) =>
        storage.sql
          .exec<{ n: number }>(`SELECT count(*) AS n FROM entries WHERE event != 'retention'`)
          .one(),
      )
      left.push(n)
    }
    expect(left).toEqual([7001, 2001, 1, 1])
    expect((await ids({ event: 'retention' })).toSorted()).toEqual([
      'retention.10000',
      'retention.12000',
      'retention.5000',
    ])
  })
})

describe('the audit entry of a flow', () => {
  const audited = async () =>
    (await read()).entries.map(({ event, code }) => `${event} ${code}`).toReversed()

  it('is stored in the same write as the preview, and is sent by an alarm', async () => {
    const before = Date.now()
    const { confirmation } = await previewed('/v1/clients', CLIENT)
    const record = await recordIn(confirmation)
    expect(record?.outbox?.items).toMatchObject([{ event: 'preview', code: 'ok' }])
    expect(await alarmOf(confirmation)).toBe(record?.outbox?.wakeAt)
    expect(record!.outbox!.wakeAt - before).toBeGreaterThanOrEqual(60_000)
    expect(await audited()).toEqual([])

    await evictDurableObject(confirmation)
    expect(await runDurableObjectAlarm(confirmation)).toBe(true)

    expect((await read()).entries).toMatchObject([
      { event: 'preview', caller: 'anonymous', operation: 'create_client_profile', times: 1 },
    ])
    const after = await recordIn(confirmation)
    expect([after?.state, after?.outbox]).toEqual(['previewed', undefined])
    expect(await alarmOf(confirmation)).toBe(after!.expiresAt + 30 * DAY)
  })
})
