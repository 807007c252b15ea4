import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bench } from './bench.ts'
import { table, targetTable } from './report.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '270' },
    only: { type: 'string', default: '' },
  },
})

// The exit handlers of the servers end them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { rows, targets, notes } = await bench({
  measuring: {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    effort: { microseconds: 80_000, first: 300, least: 30, most: 1500 },
  },
  amounts: { keys: 24, replays: 6 },
  only: new RegExp(values.only),
  say: (line) => process.stderr.write(`${line}\n`),
})
console.log(table(rows))
console.log()
console.log(targetTable(targets))
for (const note of notes) console.log(note)
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ rows, targets, notes }, null, 2))
