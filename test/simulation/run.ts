import { parseArgs } from 'node:util'
import { INVARIANTS } from './auditor/invariants.ts'
import { simulate } from './simulate.ts'
import { addUp } from './tally.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    'keep-going': { type: 'boolean', default: false },
  },
})

/** The whole story of one seed. */
async function tell(seed: number): Promise<boolean> {
  const { violation, trace } = await simulate(seed, { traced: true })
  console.log(trace.join('\n'))
  if (!violation) return true
  const { invariant, what } = violation
  console.log(`\n${invariant}: ${what}\n(${INVARIANTS[invariant]})\nnpm run simulate -- --seed ${seed}`)
  return false
}

async function runAll(first: number, count: number): Promise<boolean> {
  const started = performance.now()
  const total: Record<string, number> = {}
  const failed: number[] = []
  for (let seed = first; seed < first + count; seed++) {
    const { violation, counts } = await simulate(seed)
    addUp(total, counts)
    if (!violation) continue
    failed.push(seed)
    console.log(`${violation.invariant} ${violation.what}\n  npm run simulate -- --seed ${seed}`)
    if (!values['keep-going']) break
  }
  const lines = Object.entries(total).sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [what, times] of lines) console.log(`${String(times).padStart(9)}  ${what}`)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${count} seeds from ${first}, ${failed.length} failed, ${seconds} s`)
  if (failed[0] !== undefined && !values['keep-going']) await tell(failed[0])
  return failed.length === 0
}

const { seed, seeds, from } = values
const held = seed === undefined ? await runAll(Number(from), Number(seeds)) : await tell(Number(seed))
if (!held) process.exitCode = 1
