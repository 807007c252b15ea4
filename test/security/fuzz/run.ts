import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { buildWorker } from '../../../src/cli/local.ts'
import { compareJourneys } from './both-journeys.ts'
import { compareBothPaths, fuzzedMessages } from './both-paths.ts'
import { fuzz, describeFault } from './fuzz.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    /** So many runs, each with the next seed and on fresh storage. */
    runs: { type: 'string', default: '1' },
    /** The longest that one run may take. */
    minutes: { type: 'string', default: '15' },
    /** Instead: so many messages to /mcp on the plain path and by the SDK, whose answers are compared. */
    'both-paths': { type: 'string' },
    /** With them: so many whole journeys. */
    journeys: { type: 'string', default: '0' },
  },
})

const FACES = ['REST', 'MCP']
/** Whether more than a hundredth of the requests were let in by a face; of the others nothing is learnt. */
const gotIn = (counts: Record<string, number>, face: string, asked: number): boolean =>
  (counts[`${face} 200`] ?? 0) > asked / 100

const outdir = await mkdtemp(join(tmpdir(), 'consult-connector-fuzz-'))
try {
  await (values['both-paths'] === undefined ? askOften() : compareOften(values['both-paths']))
} finally {
  await rm(outdir, { recursive: true, force: true })
}

async function compareOften(count: string): Promise<void> {
  const begun = performance.now()
  const seed = Number(values.seed)
  const { messages, plain, different } = await compareBothPaths(fuzzedMessages(seed, Number(count)))
  const { script } = await buildWorker({ outdir })
  different.push(...(await compareJourneys(script, Number(values.journeys))))
  for (const one of different.slice(0, 3)) console.log(`\n${one.slice(0, 6000)}`)
  const seconds = (performance.now() - begun) / 1000
  console.log(
    `${messages} messages of seed ${seed}, ${plain} of them plain, and ${values.journeys} journeys: ` +
      `${different.length} answers differ, ${seconds.toFixed(0)} s`,
  )
  if (different.length > 0 || plain < messages / 5) process.exitCode = 1
}

async function askOften(): Promise<void> {
  const total = { asked: 0, faults: 0, seconds: 0, counts: {} as Record<string, number> }
  const { script } = await buildWorker({ outdir })
  const requests = Number(values.requests)
  const only = values.only === undefined ? undefined : Number(values.only)
  for (let run = 0; run < Number(values.runs); run++) {
    const seed = Number(values.seed) + run
    const { faults, counts, asked, seconds } = await fuzz({
      script,
      seed,
      requests,
      only,
      within: Number(values.minutes) * 60_000,
    })
    total.asked += asked
    total.faults += faults.length
    total.seconds += seconds
    for (const [kind, times] of Object.entries(counts))
      total.counts[kind] = (total.counts[kind] ?? 0) + times
    const outside = only === undefined ? FACES.filter((face) => !gotIn(counts, face, asked)) : []
    if (outside.length > 0)
      console.log(`Hardly a request got behind the door of ${outside.join(' and ')}.`)
    for (const fault of faults) console.log(`\n${describeFault(fault, seed)}`)
    console.log(
      `${asked} requests of seed ${seed}, ${faults.length} faults, ${seconds.toFixed(1)} s`,
    )
    if (faults.length > 0)
      console.log(`Again: npm run fuzz -- --seed ${seed} --requests ${requests}`)
    const isShort = only === undefined && asked < requests
    if (faults.length > 0 || isShort || outside.length > 0) process.exitCode = 1
  }
  const lines = Object.entries(total.counts).toSorted(([, one], [, other]) => other - one)
  for (const [kind, times] of lines) console.log(`${String(times).padStart(9)}  ${kind}`)
  console.log(
    `${values.runs} runs, ${total.asked} requests, ${total.faults} faults, ${total.seconds.toFixed(0)} s`,
  )
}
