import { expect, it } from 'vitest'

import type { Batch, Load } from './load.ts'
import { type Measured, measure, noiseOf, ratio } from './measure.ts'
import type { Row } from './rows.ts'
import type { Server } from './workerd.ts'

const EFFORT = { microseconds: 1, first: 1, least: 1, most: 1 }

/** How often each row was sent. */
async function sent(
  rows: readonly Row[],
  rounds: number,
  warmups: number,
): Promise<Record<string, number>> {
  const times: Record<string, number> = {}
  const load = {
    async run({ contains = '' }: Batch) {
      times[contains] = (times[contains] ?? 0) + 1
      return { requests: 1, seconds: 1, latencies: new Float64Array([1]), bytes: 1 }
    },
  } as Load
  const server = { cpu: () => undefined } as Server
  await measure(rows, new Map([['one', { server, load }]]), {
    rounds,
    seconds: 10,
    effort: EFFORT,
    warmups,
  })
  return times
}

const row = (id: string, more: Partial<Row> = {}): Row => ({
  id,
  server: 'one',
  kind: 'floor',
  batch: () => ({ requests: [], status: 200, contains: id }),
  ...more,
})

it('warms rows up, but makes what stays only as often for a floor as for ours', async () => {
  const rows = [
    row('a floor that reads'),
    row('a floor that makes objects', { stays: true }),
    row('a preview', { kind: 'preview', stays: true }),
  ]
  expect(await sent(rows, 2, 6)).toEqual({
    'a floor that reads': 8,
    'a floor that makes objects': 3,
    'a preview': 3,
  })
})

const measured = (cpus: readonly (number | undefined)[]): Measured => ({
  id: 'a row',
  kind: 'read',
  requests: 1,
  perSecond: 1,
  p50: 1,
  p99: 1,
  cpu: cpus[0],
  bytes: 1,
  rounds: cpus.map((cpu) => ({ perSecond: 1, cpu })),
})

it('compares two rows round by round, with the middle half of the rounds', () => {
  const mine = measured([30, 20, 40, 1000, 10])
  const theirs = measured([10, 10, 10, 10, 10])
  expect(ratio(mine, theirs)).toEqual({ median: 3, interval: [2, 4] })
  expect(ratio(mine, measured([undefined]))).toBeUndefined()
})

it('says how noisy a run was by the middle half of the rounds', () => {
  const rounds = (cpus: (number | undefined)[]) => ({
    rounds: cpus.map((cpu) => ({ perSecond: 1, cpu })),
  })
  expect(noiseOf([rounds([90, 100, 100, 110])])).toBeCloseTo(0.1)
  expect(noiseOf([rounds([undefined, undefined])])).toBeUndefined()
})
