import { describe, expect, test } from 'vitest'

import type { AuditEntry } from '../../../../src/core/domain/audit/entry.ts'
import type { AuditLog, AuditPage, AuditQuery } from '../../../../src/core/ports/audit.ts'
import { asFile, linesOf } from '../../../../src/owner/admin/audit-export.ts'
import { exampleEntry } from '../../../support/example-entry.ts'

const entry = (id: number, more: Partial<AuditEntry> = {}): AuditEntry =>
  exampleEntry({
    id: `e${id}`,
    at: Date.parse('2026-11-21T12:00:00.250Z'),
    event: 'commit',
    code: 'committed',
    ...more,
  })

/** An audit log of some pages; it counts how many were read. */
function auditLogOf(pages: AuditEntry[][]) {
  const asked: AuditQuery[] = []
  const audit: AuditLog = {
    append: () => Promise.reject(new Error('nothing is appended here')),
    countRefusals: () => Promise.reject(new Error('nothing is counted here')),
    anonymousRefusals: () => Promise.resolve([]),
    entry: () => Promise.resolve(null),
    refusedCallers: () => Promise.resolve([]),
    state: () => Promise.reject(new Error('nothing is signed here')),
    vkeys: () => Promise.resolve([]),
    keyChain: () => Promise.resolve([]),
    receipt: () => Promise.resolve(null),
    receiptOfChange: () => Promise.resolve(null),
    leaves: () => Promise.resolve([]),
    page(query): Promise<AuditPage> {
      const index = asked.push(query) - 1
      const last = index === pages.length - 1
      return Promise.resolve({
        entries: pages[index]!.map((one, number) => ({ index: number, ...one })),
        ...(last ? {} : { next: { at: index, id: '' } }),
      })
    },
  }
  return { audit, asked }
}

const csvOf = (more: Partial<AuditEntry>) =>
  asFile(linesOf(auditLogOf([[entry(1, more)]]).audit, {}, 'csv'), 'csv').text()

describe('an export of the audit log', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'keeps %j from being a formula of a spreadsheet',
    async (caller) => {
      expect(await csvOf({ caller })).toContain(`,"'${caller}",`)
    },
  )

  test('quotes characters that would end a field or a line', async () => {
    const about = { approved: true }
    const [, row] = (await csvOf({ caller: 'a "b", c\nd', about })).split('\r\n')
    expect(row).toBe(
      '"0","2026-11-21T12:00:00.250Z","commit","a ""b"", c\nd","","book_consult","committed","","","","1","e1","","{""approved"":true}"',
    )
  })

  test('reads one page at a time, as fast as it is consumed, past pages that a filter left empty', async () => {
    const { audit, asked } = auditLogOf([[entry(1)], [], [], [entry(2)], []])
    const file = asFile(linesOf(audit, { caller: 'key:one' }, 'jsonl'), 'jsonl')
    const reader = file.body!.getReader()
    const decoder = new TextDecoder()
    const idOf = async () =>
      (JSON.parse(decoder.decode((await reader.read()).value)) as { id: string }).id
    expect([await idOf(), asked.length <= 4]).toEqual(['e1', true])
    expect(await idOf()).toBe('e2')
    expect((await reader.read()).done).toBe(true)
    expect(asked.map(({ caller, after }) => [caller, after?.at])).toEqual(
      [undefined, 0, 1, 2, 3].map((at) => ['key:one', at]),
    )
  })

  test('breaks off if the audit log cannot be read, and never ends as if it were complete', async () => {
    const { audit } = auditLogOf([[entry(1)], [entry(2)]])
    const failing: AuditLog = {
      ...audit,
      page: (query) => (query.after ? Promise.reject(new Error('gone')) : audit.page(query)),
    }
    await expect(asFile(linesOf(failing, {}, 'csv'), 'csv').text()).rejects.toThrow('gone')
  })
})
