import { expect, test } from 'vitest'

import { RESOURCES } from '../../../../src/api/mcp/resources.ts'
import type { ReadPorts } from '../../../../src/practice/operations/operation.ts'
import { emptyRecords } from '../../../support/fakes/records.ts'

/** A practice with mock providers, in which this many links were made. */
const withLinks = (count: number) =>
  ({
    payments: { mode: 'mock' },
    records: {
      ...emptyRecords,
      keysWithPrefix: async (_kind: string, _mode: string, _prefix: string, most: number) =>
        Array.from({ length: Math.min(count, most) }, (_, n) => `payment_link:pl_${n}`),
    },
  }) as unknown as ReadPorts

test.each([
  [20, 20, false],
  [21, 20, true],
])(
  'of %i ids %i are completed, and the answer says whether there are more',
  async (count, shown, more) => {
    const complete = RESOURCES.find(({ name }) => name === 'payment_link')?.complete
    const completed = await complete?.('pl_', withLinks(count))
    expect([completed?.values.length, completed?.more]).toEqual([shown, more])
  },
)
