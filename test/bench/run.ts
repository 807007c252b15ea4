import { optionsOf } from '../support/options.ts'
import { backups } from './backups.ts'
import { bench } from './bench.ts'
import { UNTIL_AUDITED } from './changes.ts'
import { noiseOf } from './measure.ts'
import { backupsTable, table, targetTable, weightTable } from './report.ts'
import { circumstances, writeResults } from './results.ts'

const values = optionsOf({
  rounds: { type: 'string', default: '7' },
  seconds: { type: 'string', default: '270' },
  /** Writes test/bench/results after a run of chosen rows too; a run of all rows always does. */
  write: { type: 'boolean', default: false },
  /** Measures a backup and a restore of many flows. */
  backups: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
})

// The exit handlers of the servers end them, a handler for each.
process.setMaxListeners(32)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const say = (line: string) => process.stderr.write(`${line}\n`)
const writes = values.write || values.only === ''

if (values.backups) {
  const backedUp = await backups({ flows: 10_000, callers: [1, 4, 16], alone: 10_000, say })
  const made = circumstances(1)
  console.log(`${backupsTable(backedUp)}\n\n${made}`)
  if (writes) await writeResults('backups', backupsTable(backedUp), made)
} else {
  const { rows, targets, notes, weight, startup } = await bench({
    measuring: {
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      effort: { microseconds: 80_000, first: 300, least: 30, most: 1500 },
      warmups: 6,
    },
    amounts: { keys: 24, replays: 6, watched: UNTIL_AUDITED },
    only: new RegExp(values.only),
    startups: values.only === '' ? 7 : 0,
    say,
  })
  const parts = {
    rows: table(rows),
    targets: targetTable(targets),
    bundle: weightTable(weight, startup),
  }
  // The time may have ended before the last round.
  const rounds = Math.min(...rows.map((row) => row.rounds.length))
  const made = [circumstances(rounds, noiseOf(rows)), ...notes].join(' ')
  console.log([...Object.values(parts), made].join('\n\n'))
  if (writes)
    for (const [page, text] of Object.entries(parts))
      await writeResults(page as keyof typeof parts, text, made)
}
