/**
 * Draws mutants of the source by a seed and tries each with the tests that run in plain Node.
 *
 *     npm exec --call 'node test/durability/mutants/run.ts --mutants 1000 --seed 1 --record FILE [--against FILE] [--slice 100]'
 *
 * It works in a copy of the committed tree, where it installs Stryker, which no other command needs. A run that
 * was ended goes on with the next slice of its record. With `--against` it names each mutant that the earlier
 * record says was caught and that no test catches now, and ends with 1 if there is one.
 */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1']
/** Where a mistake would hurt a client: what decides, what asks a provider, and who may call. */
const MUTATED = ['src/core', 'src/practice', 'src/api', 'src/owner/access', 'durable-objects']
/** A mutant that a test catches fails it, or makes it wait for ever. */
const CAUGHT = ['Killed', 'Timeout']

/** Lines count from 1 and columns from 0. */
interface Place {
  line: number
  column: number
}
interface Mutant {
  file: string
  start: Place
  end: Place
  mutator: string
  replacement: string
}
interface Verdict extends Mutant {
  /** Stryker's word: Killed, Timeout, Survived, NoCoverage, Ignored, CompileError or RuntimeError. */
  status: string
}

/** As the instrumenter gives it: lines and columns count from 0. */
interface Instrumented {
  fileName: string
  location: { start: Place; end: Place }
  mutatorName: string
  replacement: string
}
/** As the report gives it: lines and columns count from 1. */
interface Report {
  files: Record<string, { mutants: (Omit<Instrumented, 'fileName'> & { status: string })[] }>
}

const nameOf = ({ file, start, end, mutator, replacement }: Mutant): string =>
  JSON.stringify([file, start.line, start.column, end.line, end.column, mutator, replacement])
const rangeOf = ({ file, start, end }: Mutant): string =>
  `${file}:${start.line}:${start.column}-${end.line}:${end.column}`

/** A generator of numbers from 0 to 1: the same seed gives the same numbers (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `count` of `all`, each at most once, in an order that the seed alone decides. */
function drawn<Item>(all: readonly Item[], count: number, seed: number): Item[] {
  const next = numbersOf(seed)
  const left = [...all]
  const length = Math.min(count, left.length)
  return Array.from({ length }, () => left.splice(Math.floor(next() * left.length), 1)).flat()
}

/** The committed tree with its packages and Stryker. */
async function copyOfTheTree(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'mutants-'))
  execFileSync('git', ['clone', '--quiet', root, copy])
  execFileSync('npm', ['ci', '--silent'], { cwd: copy })
  const install = ['install', '--silent', '--no-save', '--ignore-scripts', ...STRYKER]
  execFileSync('npm', install, { cwd: copy })
  return copy
}

/** Every mutant that Stryker can make of the mutated folders. */
async function allMutants(copy: string): Promise<Mutant[]> {
  const { resolve } = createRequire(join(copy, 'package.json'))
  const module = pathToFileURL(resolve('@stryker-mutator/instrumenter')).href
  const { Instrumenter } = await import(module)
  const silent = { debug() {}, info() {}, isDebugEnabled: () => false }
  const files = globSync(
    MUTATED.map((folder) => `${folder}/**/*.ts`),
    { cwd: copy },
  ).sort()
  const sources = files.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(join(copy, name), 'utf8'),
  }))
  const options = { excludedMutations: [], ignorers: [], plugins: null, noHeader: true }
  const { mutants } = await new Instrumenter(silent).instrument(sources, options)
  return mutants.map((mutant: Instrumented) => ({
    file: mutant.fileName,
    start: { line: mutant.location.start.line + 1, column: mutant.location.start.column },
    end: { line: mutant.location.end.line + 1, column: mutant.location.end.column },
    mutator: mutant.mutatorName,
    replacement: mutant.replacement,
  }))
}

/** What Stryker says of these mutants; those that it did not try are left out. */
async function verdicts(copy: string, mutants: readonly Mutant[]): Promise<Verdict[]> {
  const report = join(copy, 'mutants.json')
  await rm(report, { force: true })
  const settings = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/durability/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    mutate: mutants.map(rangeOf),
    // What runs while a module loads would need a whole run of the tests.
    ignoreStatic: true,
    concurrency: 2,
    timeoutMS: 20_000,
    // On a busy machine the first run of all tests alone takes more than the five minutes that Stryker would wait.
    dryRunTimeoutMinutes: 60,
    reporters: ['json'],
    // A test that fails before anything is mutated ends the run: it is named.
    logLevel: 'error',
    jsonReporter: { fileName: report },
    // TypeScript 7 has no functions that Stryker could read a configuration with.
    tsconfigFile: 'none.json',
    tempDirName: '.mutants',
  }
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(settings))
  const program = join(copy, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const child = spawn(process.execPath, [program, 'run', 'stryker.config.json'], {
    cwd: copy,
    // With it a test asks what slow ones found, which do not run here.
    env: { ...process.env, PROVIDER_CONTRACTS: '' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (!existsSync(report)) throw new Error(`Stryker ended with ${code} and without a report.`)
  const { files }: Report = JSON.parse(readFileSync(report, 'utf8'))
  const wanted = new Set(mutants.map(nameOf))
  return Object.entries(files).flatMap(([file, { mutants: tried }]) =>
    tried
      .map((mutant) => ({
        file,
        start: { line: mutant.location.start.line, column: mutant.location.start.column - 1 },
        end: { line: mutant.location.end.line, column: mutant.location.end.column - 1 },
        mutator: mutant.mutatorName,
        replacement: mutant.replacement,
        status: mutant.status,
      }))
      .filter((verdict) => wanted.has(nameOf(verdict))),
  )
}

function recordIn(path: string): Verdict[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

const { values } = parseArgs({
  options: {
    mutants: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    slice: { type: 'string', default: '100' },
    record: { type: 'string' },
    against: { type: 'string' },
  },
})
const { record, against } = values
if (record === undefined) {
  console.error('Name the file that keeps the verdicts: --record FILE')
  process.exit(2)
}

const copy = await copyOfTheTree()
try {
  const draw = drawn(await allMutants(copy), Number(values.mutants), Number(values.seed))
  const size = Number(values.slice)
  for (let first = 0; first < draw.length; first += size) {
    const known = new Set(recordIn(record).map(nameOf))
    const slice = draw.slice(first, first + size).filter((mutant) => !known.has(nameOf(mutant)))
    if (slice.length === 0) continue
    const found = await verdicts(copy, slice)
    const missing = new Set(found.map(nameOf))
    const untried = slice
      .filter((mutant) => !missing.has(nameOf(mutant)))
      .map((mutant) => ({ ...mutant, status: 'NotTried' }))
    appendFileSync(record, [...found, ...untried].map((one) => `${JSON.stringify(one)}\n`).join(''))
    console.log(`${first + slice.length} of ${draw.length} tried`)
  }
} finally {
  await rm(copy, { recursive: true, force: true })
}

const verdictsNow = recordIn(record)
const byStatus = Map.groupBy(verdictsNow, ({ status }) => status)
for (const [status, ones] of byStatus) console.log(`${status}: ${ones.length}`)
if (against !== undefined) {
  const caughtNow = new Set(verdictsNow.filter(({ status }) => CAUGHT.includes(status)).map(nameOf))
  const lost = recordIn(against).filter(
    (one) => CAUGHT.includes(one.status) && !caughtNow.has(nameOf(one)),
  )
  for (const one of lost)
    console.log(`no longer caught: ${rangeOf(one)} ${one.mutator} ${one.replacement}`)
  if (lost.length > 0) process.exitCode = 1
}
