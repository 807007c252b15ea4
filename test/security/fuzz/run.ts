import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildWorker } from '../../../src/cli/local.ts'
import { MINUTE } from '../../../src/core/domain/time/duration.ts'
import { optionsOf } from '../../support/options.ts'
import { fuzz, describeFault } from './fuzz.ts'

const values = optionsOf({
  requests: { type: 'string', default: '20000' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  /** The number of one request, to send it alone. */
  only: { type: 'string' },
})

/** The longest that a run may take. */
const LONGEST = 15 * MINUTE
const FACES = ['REST', 'MCP']
/** Whether more than a hundredth of the requests were let in by a face; of the others nothing is learnt. */
const gotIn = (counts: Record<string, number>, face: string, asked: number): boolean =>
  (counts[`${face} 200`] ?? 0) > asked / 100

const [seed, requests] = [Number(values.seed), Number(values.requests)]
const only = values.only === undefined ? undefined : Number(values.only)
const outdir = await mkdtemp(join(tmpdir(), 'consult-connector-fuzz-'))
try {
  const { script } = await buildWorker({ outdir })
  const run = await fuzz({ script, seed, requests, only, within: LONGEST })
  const { faults, counts, asked, seconds } = run
  for (const fault of faults) console.log(`\n${describeFault(fault, seed)}`)
  const lines = Object.entries(counts).toSorted(([, one], [, other]) => other - one)
  for (const [kind, times] of lines) console.log(`${String(times).padStart(9)}  ${kind}`)
  const outside = only === undefined ? FACES.filter((face) => !gotIn(counts, face, asked)) : []
  if (outside.length > 0)
    console.log(`Hardly a request got behind the door of ${outside.join(' and ')}.`)
  console.log(`${asked} requests of seed ${seed}, ${faults.length} faults, ${seconds.toFixed(1)} s`)
  if (faults.length > 0) console.log(`Again: npm run fuzz -- --seed ${seed} --requests ${requests}`)
  const isShort = only === undefined && asked < requests
  if (faults.length > 0 || isShort || outside.length > 0) process.exitCode = 1
} finally {
  await rm(outdir, { recursive: true, force: true })
}
