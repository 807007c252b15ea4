import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWorker } from '../../src/cli/local.ts'
import { fuzz, told } from './fuzz.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    minutes: { type: 'string', default: '15' },
  },
})

const outdir = await mkdtemp(join(tmpdir(), 'consult-connector-fuzz-'))
try {
  const { script } = await buildWorker({ outdir })
  const seed = Number(values.seed)
  const { faults, counts, asked, seconds } = await fuzz({
    script,
    seed,
    requests: Number(values.requests),
    only: values.only === undefined ? undefined : Number(values.only),
    within: Number(values.minutes) * 60_000,
  })
  const lines = Object.entries(counts).toSorted(([, one], [, other]) => other - one)
  for (const [kind, times] of lines) console.log(`${String(times).padStart(9)}  ${kind}`)
  for (const fault of faults) console.log(`\n${told(fault, seed)}`)
  console.log(`\n${asked} requests of seed ${seed}, ${faults.length} faults, ${seconds.toFixed(1)} s`)
  if (faults.length > 0 || (values.only === undefined && asked < Number(values.requests)))
    process.exitCode = 1
} finally {
  await rm(outdir, { recursive: true, force: true })
}
