import type { Load, Sample } from './load.ts'
import type { Row } from './rows.ts'
import type { Server } from './workerd.ts'

export interface Contestant {
  server: Server
  load: Load
}

/** How much is measured. */
export interface Measuring {
  rounds: number
  /** No further round is begun after so many seconds. */
  seconds: number
  /** How long a batch is: so many microseconds of CPU by what the last one took, within bounds. */
  effort: { microseconds: number; first: number; least: number; most: number }
  /** How often a batch is run to warm up, unless what it makes stays: what has not run often is not yet compiled. */
  warmups: number
  /** Hears of each round; -1 is the one that warms up. */
  onRound?: (round: number) => void
}

export interface Measured {
  id: string
  kind: Row['kind']
  requests: number
  /** Medians over the rounds. */
  perSecond: number
  p50: number
  p99: number
  /** Microseconds of CPU for each request; undefined where the system does not tell. */
  cpu: number | undefined
  bytes: number
  /** One value for each round, for ratios within a round. */
  rounds: { perSecond: number; cpu: number | undefined }[]
}

/** What a Worker does after the answer belongs to the request, so a batch ends when the process has become quiet. */
const QUIET = { pause: 4, below: 300, most: 25 }

async function quietCpu(server: Server): Promise<number | undefined> {
  let last = server.cpu()
  for (let look = 0; last !== undefined && look < QUIET.most; look++) {
    await passed(QUIET.pause)
    const now = server.cpu()
    if (now === undefined || now - last < QUIET.below) return now
    last = now
  }
  return last
}

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs all rows round after round, so that what disturbs the machine disturbs them alike. */
export async function measure(
  rows: readonly Row[],
  contestants: ReadonlyMap<string, Contestant>,
  { rounds, seconds, effort, warmups, onRound }: Measuring,
): Promise<Measured[]> {
  const samples = rows.map(() => [] as (Sample & { cpu: number | undefined })[])
  const counts = rows.map(({ cold }) => cold ?? effort.first)
  const began = performance.now()
  for (let round = -1; round < rounds; round++) {
    if (round > 0 && (performance.now() - began) / 1000 > seconds) break
    onRound?.(round)
    for (const [index, row] of rows.entries()) {
      const contestant = contestants.get(row.server)
      if (!contestant) throw new Error(`No server ${row.server}`)
      const { server, load } = contestant
      if (row.before) await load.run(row.before(), row.over)
      const repeats = round < 0 && !row.stays && row.cold === undefined ? warmups : 1
      for (let time = 1; time < repeats; time++) await load.run(row.batch(counts[index]!), row.over)
      const batch = row.batch(counts[index]!)
      const before = await quietCpu(server)
      const sample = await load.run(batch, row.over).catch((error: unknown) => {
        throw new Error(`${row.id}: ${String(error)}`)
      })
      if (row.watched) await passed(row.watched)
      const after = await quietCpu(server)
      const cpu =
        before === undefined || after === undefined ? undefined : (after - before) / sample.requests
      if (round >= 0) samples[index]!.push({ ...sample, cpu })
      const cost = cpu ?? (sample.seconds * 1e6) / sample.requests
      counts[index] =
        row.cold ??
        Math.round(Math.min(effort.most, Math.max(effort.least, effort.microseconds / cost)))
    }
  }
  return rows.map((row, index) => summary(row, samples[index]!))
}

function summary({ id, kind }: Row, samples: (Sample & { cpu: number | undefined })[]): Measured {
  const cpus = samples.flatMap(({ cpu }) => cpu ?? [])
  return {
    id,
    kind,
    requests: samples.reduce((sum, { requests }) => sum + requests, 0),
    perSecond: median(samples.map(({ requests, seconds }) => requests / seconds)),
    p50: median(samples.map(({ latencies }) => percentile(latencies, 0.5))),
    p99: median(samples.map(({ latencies }) => percentile(latencies, 0.99))),
    cpu: cpus.length === 0 ? undefined : median(cpus),
    bytes: samples.at(-1)!.bytes,
    rounds: samples.map(({ requests, seconds, cpu }) => ({ perSecond: requests / seconds, cpu })),
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The value that this share of a sorted list does not exceed. */
export const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

/** How two rows compare, round by round: noise that lasts longer than a round falls out. */
export interface Ratio {
  median: number
  /** The middle half of the rounds lies between these. */
  interval: readonly [low: number, high: number]
}

/** The CPU time of a row as a multiple of another one; undefined where the system does not tell. */
export function ratio(a: Measured, b: Measured): Ratio | undefined {
  const ratios = a.rounds.flatMap(({ cpu: mine }, index) => {
    const theirs = b.rounds[index]?.cpu
    return mine === undefined || theirs === undefined ? [] : [mine / theirs]
  })
  return ratios.length === 0 ? undefined : ratioOf(ratios)
}

/** The ratio of all rounds by those of each. */
export function ratioOf(ratios: readonly number[]): Ratio {
  const sorted = Float64Array.from(ratios).toSorted()
  return {
    median: median(ratios),
    interval: [percentile(sorted, 0.25), percentile(sorted, 0.75)],
  }
}

/**
 * How noisy a run was: how wide the middle half of the rounds of a row is, as a share of its median.
 * The median over the rows; undefined where the system does not tell the CPU time.
 */
export function noiseOf(rows: readonly Pick<Measured, 'rounds'>[]): number | undefined {
  const widths = rows.flatMap(({ rounds }) => {
    const cpus = rounds.flatMap(({ cpu }) => cpu ?? [])
    if (cpus.length < 2) return []
    const { median: middle, interval } = ratioOf(cpus)
    return [(interval[1] - interval[0]) / middle]
  })
  return widths.length === 0 ? undefined : median(widths)
}
