import { describe, expect, test } from 'vitest'

import { OPERATIONS, PROMISES, simulateRestore } from './restores.ts'
import { addUp } from './tally.ts'

/** The slow tests try many more. */
const SEEDS = 40
/** What some run has in its lost tail: a change of each operation, and all else that may be lost. */
const LOST = [...OPERATIONS, 'complete_client_link', 'an approval', 'a webhook', 'a rotation']

/** The runs of some seeds, up to the first in which a promise is broken. */
async function runAll(seeds: number, options: Parameters<typeof simulateRestore>[1] = {}) {
  const counts: Record<string, number> = {}
  for (let seed = 1; seed <= seeds; seed++) {
    const run = await simulateRestore(seed, options)
    addUp(counts, run.counts)
    if (run.violation) return { ...run, seed, counts }
  }
  return { violation: undefined, counts }
}

async function keepsEveryPromise(seeds: number) {
  const run = await runAll(seeds)
  if (!run.violation) return run
  const { violation, trace, seed } = run
  const { promise, what } = violation
  return expect.fail(
    `${promise} ${what} (${PROMISES[promise]})\n${trace.join('\n')}\nnpm run simulate -- --restores --seed ${seed}`,
  )
}

describe('a restore at any moment', () => {
  test(`keeps every promise in ${SEEDS} runs`, async () => {
    const run = await keepsEveryPromise(SEEDS)
    // Of each kind there is some, so that no promise is kept for want of an occasion.
    for (const kind of ['told, lost', 'told, kept', 'told, at work', 'not told, lost'])
      expect(
        Object.keys(run.counts).some((what) => what.startsWith(`${kind}: `)),
        `no run has a change that was ${kind}: give the workload more of them`,
      ).toBe(true)
    for (const what of [...LOST.map((one) => `lost: ${one}`), 'before: a rotation'])
      expect(run.counts[what], `no run has it: ${what}`).toBeGreaterThan(0)
  })

  test('keeps every promise in 400 runs', { tags: 'slow' }, () => keepsEveryPromise(400))

  test('is seen to break a promise by a connector that does not know that it was restored', async () => {
    const { violation } = await runAll(SEEDS, { forgets: true })
    expect(violation, 'the promises hold too easily').toBeDefined()
  })
})
