/**
 * Draws mutants of the source by a seed and tries each with the tests that run in plain Node.
 *
 *     npm exec --call 'node test/durability/mutants/run.ts --mutants 1000 --seed 1 --record FILE [--against FILE] [--concurrency 2]'
 *
 * It works in a copy of the committed tree, where it installs Stryker, which no other command needs. A run that
 * was ended goes on with what its record lacks. With `--against` it names each mutant that the earlier
 * record says was caught and that no test catches now, and ends with 1 if there is one.
 */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { optionsOf } from '../../support/options.ts'
import {
  type Drawn,
  type Instrumented,
  type Mutant,
  type Verdict,
  mutantIn,
  nameOf,
} from './stryker.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1']
/** Where a mistake would hurt a client: what decides, what asks a provider, and who may call. */
const MUTATED = ['src/core', 'src/practice', 'src/api', 'src/owner/access', 'durable-objects']
/** A mutant that a test catches fails it, or makes it wait for ever. */
const CAUGHT = ['Killed', 'Timeout']

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

/** The committed tree with the packages that are installed here, and Stryker. */
async function copyOfTheTree(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'mutants-'))
  execFileSync('git', ['clone', '--quiet', root, copy])
  execFileSync('cp', ['-a', join(root, 'node_modules'), copy])
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
  return mutants.map((mutant: Instrumented) =>
    mutantIn(copy, { ...mutant, fileName: join(copy, mutant.fileName) }, 0),
  )
}

/** Has Stryker try these mutants and write what it says of each into `record`. */
async function tryAll(copy: string, mutants: readonly Mutant[], record: string): Promise<void> {
  const drawn: Drawn = { root: copy, names: mutants.map(nameOf), record: resolve(record) }
  const settings = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', './test/durability/mutants/stryker.ts'],
    vitest: { configFile: 'test/durability/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    mutate: mutants.map(rangeOf),
    checkers: ['drawn'],
    drawn,
    // What runs while a module loads would need a whole run of the tests.
    ignoreStatic: true,
    // Node takes the types away; to mark each file as unchecked takes longer than all tests.
    disableTypeChecks: false,
    concurrency: Number(values.concurrency),
    timeoutMS: 20_000,
    // On a busy machine the first run of all tests takes long.
    dryRunTimeoutMinutes: 60,
    reporters: ['record'],
    // A test that fails before anything is mutated ends the run: it is named.
    logLevel: 'error',
    // TypeScript 7 has no functions that Stryker could read a configuration with.
    tsconfigFile: 'none.json',
    tempDirName: '.mutants',
    // It does not know ours.
    warnings: { unknownOptions: false },
  }
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(settings))
  const program = join(copy, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const child = spawn(process.execPath, [program, 'run', 'stryker.config.json'], {
    cwd: copy,
    env: {
      ...process.env,
      // With it a test asks what slow ones found, which do not run here.
      PROVIDER_CONTRACTS: '',
      // Each mutant is tried in a thread of its own, which would compile the same modules again.
      NODE_COMPILE_CACHE: join(copy, 'node_modules/.cache/compiled'),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`Stryker ended with ${code}.`)
}

function recordIn(path: string): Verdict[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

const values = optionsOf({
  mutants: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
  concurrency: { type: 'string', default: '2' },
  record: { type: 'string' },
  against: { type: 'string' },
})
const { record, against } = values
if (record === undefined) {
  console.error('Name the file that keeps the verdicts: --record FILE')
  process.exit(2)
}

const copy = await copyOfTheTree()
try {
  const draw = drawn(await allMutants(copy), Number(values.mutants), Number(values.seed))
  const left = () => {
    const known = new Set(recordIn(record).map(nameOf))
    return draw.filter((mutant) => !known.has(nameOf(mutant)))
  }
  const untried = left()
  if (untried.length > 0) await tryAll(copy, untried, record)
  for (const mutant of left())
    appendFileSync(record, `${JSON.stringify({ ...mutant, status: 'NotTried' })}\n`)
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
