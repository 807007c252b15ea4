import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { bench } from './bench.ts'
import { UNTIL_TOLD } from './changes.ts'
import { NativeProfile, canProfileNatively } from './native.ts'
import { limitTable, scaleTable, table, targetTable, weightTable } from './report.ts'
import { writeInto } from './performance-page.ts'
import { scale } from './scale.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '270' },
    /** Puts what was measured into docs/performance.md. */
    write: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    /** Takes the CPU time apart by the parts of workerd. */
    native: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})

// The exit handlers of the servers end them, a handler for each.
process.setMaxListeners(32)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const say = (line: string) => process.stderr.write(`${line}\n`)
const kept: Record<string, unknown> = { cpus: cpus().map(({ model }) => model), node: process.version }
/** A busy machine and few rounds make a poor measurement, so the table says so itself. */
const circumstances = (rounds: number): string =>
  `Rounds: ${rounds}. Cores: ${cpus().length}. Load of the machine in the last five minutes: ${loadavg()[1]!.toFixed(1)}; a run alone stays near 2.`

if (values.scale) {
  const grown = await scale({
    connections: [1, 4, 16, 64],
    keys: [10, 100, 1000, 10_000],
    bookings: [10, 100, 1000, 5000],
    entries: [10, 10_000, 1_000_000],
    secondsForKeys: 120,
    rounds: 3,
    say,
  })
  const text = `${scaleTable(grown)}\n\n${circumstances(grown[0]!.row.rounds.length)}`
  console.log(text)
  if (values.write) await writeInto('scale', text)
  kept['grown'] = grown
} else if (values.native) {
  if (!canProfileNatively())
    throw new Error('perf is not installed, and nothing else tells what native code does.')
  const profile = new NativeProfile()
  try {
    await bench({
      measuring: {
        rounds: Number(values.rounds),
        seconds: Number(values.seconds),
        effort: { microseconds: 200_000, first: 300, least: 30, most: 1500 },
        warmups: 6,
        observe: (id, server, run) => profile.observe(id, server, run),
      },
      amounts: { keys: 24, replays: 6, watched: UNTIL_TOLD },
      only: new RegExp(values.only),
      say,
    })
  } finally {
    profile.close()
  }
  console.log(profile.table())
  if (values.write) await writeInto('native', profile.table())
} else {
  const { rows, targets, limits, notes, weight, startup } = await bench({
    measuring: {
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      effort: { microseconds: 80_000, first: 300, least: 30, most: 1500 },
      warmups: 6,
    },
    amounts: { keys: 24, replays: 6, watched: UNTIL_TOLD },
    only: new RegExp(values.only),
    startups: values.only === '' ? 5 : 0,
    say,
  })
  const parts = {
    rows: table(rows),
    targets: targetTable(targets),
    limits: limitTable(limits),
    weight: weightTable(weight, startup),
  }
  console.log([...Object.values(parts), ...notes, circumstances(Number(values.rounds))].join('\n\n'))
  if (values.write) for (const [name, text] of Object.entries(parts)) await writeInto(name, text)
  Object.assign(kept, { rows, targets, limits, notes, weight, startup })
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(kept, null, 2))
