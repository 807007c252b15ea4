import { describe, expect, it } from 'vitest'

import { simulate } from './simulate.ts'

/** `.ci/run` simulates 1000 more, which are others for each commit, and checks that they met what they are made for. */
const SEEDS = 4

async function brokenFrom(first: number, count: number, versions = false): Promise<string[]> {
  const broken: string[] = []
  for (let seed = first; seed < first + count; seed++) {
    const { violation } = await simulate(seed, { versions })
    if (violation)
      broken.push(
        `${violation.invariant} ${violation.what}; npm run simulate --${versions ? ' --versions' : ''} --seed ${seed}`,
      )
  }
  return broken
}

describe('whatever goes wrong, every invariant holds', () => {
  it(`in the ${SEEDS} runs from seed 100,001 on`, async () => {
    expect(await brokenFrom(100_001, SEEDS)).toEqual([])
  })

  it(`in the ${SEEDS} in which the version changes to and fro, too`, async () => {
    expect(await brokenFrom(200_001, SEEDS, true)).toEqual([])
  })
})

describe('a run', () => {
  it('is the same for the same seed', async () => {
    const [once, again, other] = [
      await simulate(7, { traced: true }),
      await simulate(7, { traced: true }),
      await simulate(8, { traced: true }),
    ]
    expect(again.trace).toEqual(once.trace)
    expect(once.trace.length).toBeGreaterThan(20)
    expect(other.trace).not.toEqual(once.trace)
  })

  it('spans weeks, until all is at rest and forgotten', async () => {
    const { trace } = await simulate(7, { traced: true })
    expect(trace.at(-1)).toMatch(/^\d\dd /)
  })
})
