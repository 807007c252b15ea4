import { expect, inject, test } from 'vitest'

import { fuzz, describeFault } from './fuzz.ts'

/** The first, and those that found a fault once; the shapes that were at fault have tests of their own (any-json.test.ts). */
const SEEDS = [20261121, 410903]

test.each(SEEDS)(
  'random and mutated requests (seed %i) get no 5xx, no internals and nothing of what they sent, and leave one clean log line',
  { tags: 'slow', timeout: 120_000 },
  async (seed) => {
    const { faults, counts, asked } = await fuzz({
      script: inject('workerScript'),
      seed,
      requests: 400,
      within: 40_000,
    })
    expect(faults.map((fault) => describeFault(fault, seed))).toEqual([])
    // It has to get behind the door too, or it would find nothing.
    expect(asked).toBeGreaterThan(100)
    for (const face of ['REST', 'MCP']) {
      expect(
        counts[`${face} 200`] ?? 0,
        `${face} 200 in ${JSON.stringify(counts)}`,
      ).toBeGreaterThan(5)
    }
  },
)
