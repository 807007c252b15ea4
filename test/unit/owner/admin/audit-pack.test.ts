import { expect, test } from 'vitest'

import type { AuditEvent } from '../../../../src/core/domain/audit/entry.ts'
import { leafText } from '../../../../src/core/domain/audit/leaf.ts'
import type { AuditLog, KeptLeaf } from '../../../../src/core/ports/audit.ts'
import { asFile, packOf } from '../../../../src/owner/admin/audit-export.ts'
import { exampleEntry } from '../../../support/example-entry.ts'

const whole = (i: number, event: AuditEvent = 'sign_in'): KeptLeaf => ({
  i,
  leaf: leafText(exampleEntry({ id: `e${i}`, at: i, event })),
})
const dropped = (i: number): KeptLeaf => ({ i, hash: 'hash' })

/** The lines of a pack of these leaves. */
async function linesOf(leaves: readonly KeptLeaf[], droppedBelow = leaves.length) {
  const audit = {
    leaves: async (from: number, count: number) => leaves.slice(from, from + count),
  } as AuditLog
  const state = {
    origin: 'o',
    vkeys: ['v'],
    keyChain: [],
    size: leaves.length,
    droppedBelow,
    checkpoint: 'signed',
  }
  const text = await asFile(packOf(audit, state, [], 0), 'pack').text()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('A pack breaks off if the log has become shorter meanwhile', async () => {
  const audit = { leaves: async () => [] as KeptLeaf[] } as unknown as AuditLog
  const state = {
    origin: 'o',
    vkeys: ['v'],
    keyChain: [],
    size: 1,
    droppedBelow: 0,
    checkpoint: 'signed',
  }
  const pack = asFile(packOf(audit, state, [], 0), 'pack')
  await expect(pack.text()).rejects.toThrow('entries are missing')
})

test('A pack has the head, every entry in its order, and the checkpoint last, however many reads that takes', async () => {
  const leaves = Array.from({ length: 5001 }, (_, i) => whole(i))
  const [head, ...rest] = await linesOf(leaves)
  expect(head).toMatchObject({ pack: 1, size: 5001, callers: [], not_covered: ['callers'] })
  expect(rest.slice(0, -1)).toEqual(leaves)
  expect(rest.at(-1)).toEqual({ checkpoint: 'signed' })
})

test('A pack of a log without entries has only a head and the checkpoint', async () => {
  expect(await linesOf([])).toHaveLength(2)
})

test('A pack begins with the hashes of what was dropped, and the entries with public keys among them', async () => {
  const leaves = [dropped(0), whole(1, 'enrolment'), dropped(2), whole(3), whole(4)]
  expect((await linesOf(leaves)).slice(1, -1)).toEqual(leaves)
})

test('A pack breaks off if entries are dropped while it is sent, since they would look as if someone had hidden them', async () => {
  await expect(linesOf([dropped(0), whole(1), dropped(2)])).rejects.toThrow('dropped meanwhile')
  const [first, second] = [dropped(0), dropped(1)]
  await expect(linesOf([first, second, whole(2)], 1)).rejects.toThrow('dropped meanwhile')
  expect(await linesOf([first, second, whole(2)], 2)).toHaveLength(5)
})
