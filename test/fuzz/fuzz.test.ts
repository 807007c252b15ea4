import { expect, inject, test } from 'vitest'
import { fuzz, told } from './fuzz.ts'

const SEED = 20261121

test('random and bent requests get no 5xx, no innards and nothing of what they sent, and leave one clean line of log', async () => {
  const { faults, counts, asked } = await fuzz({
    script: inject('workerScript'),
    seed: SEED,
    requests: 400,
    within: 40_000,
  })
  expect(faults.map((fault) => told(fault, SEED))).toEqual([])
  // It has to get behind the door too, or it would find nothing.
  expect(asked).toBeGreaterThan(100)
  for (const face of ['REST', 'MCP']) {
    expect(counts[`${face} 200`] ?? 0, `${face} 200 in ${JSON.stringify(counts)}`).toBeGreaterThan(5)
  }
}, 120_000)
