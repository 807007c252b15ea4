import { optionsOf } from '../../support/options.ts'
import { INVARIANTS } from './auditor/invariants.ts'
import { PARTIES, PROMISES, simulateRestore } from './restores.ts'
import { simulate } from './simulate.ts'
import { ENOUGH_SEEDS, addUp, hardlyMet } from './tally.ts'

const values = optionsOf({
  /** The whole story of one seed. */
  seed: { type: 'string' },
  /** A range: so many seeds, from the first one on. */
  seeds: { type: 'string', default: '1000' },
  from: { type: 'string', default: '1' },
  /** Seeds of a commit, which no other commit has, in place of `--from`. */
  commit: { type: 'string' },
  'keep-going': { type: 'boolean', default: false },
  /** Runs in which a backup is restored, in place of those in which everything else happens. */
  restores: { type: 'boolean', default: false },
  /** Runs in which, beside everything else, a later version takes the place of this one and gives it back. */
  versions: { type: 'boolean', default: false },
})

/** One run of either kind, as it is told. */
async function runOf(seed: number, traced = false) {
  const { versions } = values
  if (!values.restores) {
    const { violation, counts, trace } = await simulate(seed, { traced, versions })
    const said = violation && { ...violation, promise: INVARIANTS[violation.invariant] }
    return { violation: said, counts, trace }
  }
  const { violation, counts, trace } = await simulateRestore(seed)
  const said = violation && { ...violation, invariant: violation.promise }
  return {
    violation: said && { ...said, promise: PROMISES[said.invariant] },
    counts: { ...counts, flows: PARTIES },
    trace,
  }
}

function replayed(seed: number): string {
  const kind = ['restores' as const, 'versions' as const].find((one) => values[one])
  return `npm run simulate -- ${kind ? `--${kind} ` : ''}--seed ${seed}`
}

/** How often a long run says how far it is. */
const PROGRESS_EVERY = 10_000
/** The seeds of commits begin after those that are tried by hand; a generator takes 31 bits. */
const FIRST_OF_COMMITS = 10_000_000
const BLOCKS = 1_000_000
const BLOCK = 2000

/** The first seed of the block that belongs to a commit. */
function blockOf(commit: string): number {
  if (!/^[0-9a-f]{12,}$/.test(commit)) throw new Error('Expected the hash of a commit.')
  return FIRST_OF_COMMITS + (Number.parseInt(commit.slice(0, 12), 16) % BLOCKS) * BLOCK
}

async function tell(seed: number): Promise<boolean> {
  const { violation, trace } = await runOf(seed, true)
  console.log(trace.join('\n'))
  if (!violation) return true
  const { invariant, what, promise } = violation
  console.log(`\n${invariant}: ${what}\n(${promise})\n${replayed(seed)}`)
  return false
}

async function runAll(first: number, count: number): Promise<boolean> {
  const started = performance.now()
  const total: Record<string, number> = {}
  const broken: number[] = []
  let done = 0
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1)
  const summary = () =>
    `${done} seeds from ${first}, ${total['flows'] ?? 0} flows, ${broken.length} violations, ${seconds()} s`
  for (let seed = first; seed < first + count; seed++) {
    const { violation, counts } = await runOf(seed)
    addUp(total, counts)
    done += 1
    if (done % PROGRESS_EVERY === 0 && done < count) console.log(summary())
    if (!violation) continue
    broken.push(seed)
    console.log(`${violation.invariant} ${violation.what}\n  ${replayed(seed)}`)
    if (!values['keep-going']) break
  }
  const lines = Object.entries(total).sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [what, times] of lines) console.log(`${String(times).padStart(9)}  ${what}`)
  console.log(summary())
  const rare = values.restores || done < ENOUGH_SEEDS ? [] : hardlyMet(total)
  if (rare.length > 0)
    console.log(`Hardly met, so that these runs prove little: ${rare.join(', ')}`)
  return broken.length === 0 && rare.length === 0
}

const { seed, seeds, from, commit } = values
const first = commit === undefined ? Number(from) : blockOf(commit)
const held = seed === undefined ? await runAll(first, Number(seeds)) : await tell(Number(seed))
if (!held) process.exitCode = 1
