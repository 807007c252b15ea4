import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import type { Mutant } from './mutants.ts'
import { MUTANTS } from './mutants.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const COPIED = [
  'src',
  'durable-objects',
  'test/unit',
  'test/worker',
  'test/contract',
  'test/vitest.config.ts',
  'test/security/oauth/own-certificate.ts',
  'wrangler.toml',
  'test/support',
  'test/durability/mutants/vitest.config.ts',
  'package.json',
  'tsconfig.json',
]
const AT_ONCE = 2
/** All of them take a quarter of an hour, so each commit is tried with one of so many shares. */
const SHARES = 9
/** How long one test file may take on a slow machine, and how much longer a run may take for each further file, in ms. */
const LONGEST = 180_000
const LONGEST_FURTHER = 30_000

interface Report {
  success: boolean
  numTotalTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string }[]
  }[]
}

/** A copy of what the tests need; the packages are the same ones. */
async function copyOfTheTree(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'mutant-'))
  await Promise.all(
    COPIED.map((path) => cp(join(root, path), join(copy, path), { recursive: true })),
  )
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

const inWorker = (test: string): boolean => test.startsWith('worker/')
const isPlaced = (test: string): boolean => inWorker(test) || test.startsWith('contract/')
const testFile = (test: string): string => `test/${isPlaced(test) ? '' : 'unit/'}${test}.test.ts`

/** What the test files say of a copy; undefined if they could not be run or did not come to an end. */
async function verdict(copy: string, tests: readonly string[]): Promise<Report | undefined> {
  const report = join(copy, 'report.json')
  // That of the mutant before.
  await rm(report, { force: true })
  const isWorker = tests.every(inWorker)
  const files = tests.map(testFile)
  const vitest = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    copy,
    '--bail',
    '1',
  ]
  const config = isWorker
    ? ['--config', join(copy, 'test/vitest.config.ts'), '--project', 'worker']
    : ['--config', join(copy, 'test/durability/mutants/vitest.config.ts')]
  const output = ['--reporter', 'json', '--outputFile', report]
  const child = spawn(process.execPath, [...vitest, ...config, ...output, ...files], {
    cwd: copy,
    stdio: 'ignore',
    timeout: LONGEST + LONGEST_FURTHER * (files.length - 1),
    killSignal: 'SIGKILL',
  })
  await new Promise((resolve) => child.once('close', resolve))
  const text = await readFile(report, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Report)
}

/** The source around the one place that a mutant changes; line breaks and indents do not count. */
function around({ search }: Mutant, source: string): string[] {
  const words = search
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return source.split(new RegExp(words.join('\\s+')))
}

/** What stands in a mutant that is not so any more: its place in the source, or a test. */
async function outdated(mutant: Mutant): Promise<string[]> {
  const source = existsSync(join(root, mutant.file))
    ? await readFile(join(root, mutant.file), 'utf8')
    : ''
  const places = around(mutant, source).length - 1
  const where = 'Reword it in test/durability/mutants/mutants.ts.'
  const tests = mutant.red.filter((test) => !existsSync(join(root, testFile(test))))
  return [
    ...(places === 1
      ? []
      : [
          `The mutant "${mutant.name}" no longer applies: its \`search\` stands ${places} times in ${mutant.file}, not once. ${where}`,
        ]),
    ...tests.map(
      (test) => `The mutant "${mutant.name}" names ${testFile(test)}, which is not there. ${where}`,
    ),
  ]
}

interface Row {
  name: string
  test: string
  caught: boolean
  by: string
}

/** The first promise that was found broken, or why there is no verdict. */
function brokenPromise(report: Report | undefined): string | undefined {
  const all = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? []
  return all.find(({ status }) => status === 'failed')?.fullName
}

/** The first file that could not be loaded, and why. */
function unloaded(report: Report | undefined): string | undefined {
  const file = report?.testResults.find(({ status }) => status === 'failed')
  return file && `NO VERDICT: ${file.name} ${file.message.split('\n')[0]}`
}

/** Puts the mutant into the copy for as long as its tests run: what is compiled of the other files is used again. */
async function judge(copy: string, mutant: Mutant): Promise<Row[]> {
  const path = join(copy, mutant.file)
  const source = await readFile(path, 'utf8')
  await writeFile(path, around(mutant, source).join(mutant.replace))
  const rows: Row[] = []
  try {
    for (const test of mutant.red) {
      const report = await verdict(copy, [test])
      const broken = brokenPromise(report)
      // A file that does not load, or does not come to an end, has noticed nothing.
      const by = broken ?? (report ? 'SURVIVED' : 'NO VERDICT')
      rows.push({ name: mutant.name, test, caught: broken !== undefined, by })
    }
  } finally {
    await writeFile(path, source)
  }
  return rows
}

/** Without a mutant everything named is green, or red would mean nothing. */
async function baseline(copy: string, tests: readonly string[]): Promise<Row[]> {
  const report = await verdict(copy, tests)
  const green = report?.success === true && report.numTotalTests > 0
  const by = green
    ? 'green, as it must be'
    : (brokenPromise(report) ?? unloaded(report) ?? 'NO VERDICT')
  return [{ name: '(no mutant)', test: `${tests.length} files`, caught: green, by }]
}

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  // A share of them, another one for the next commit.
  options: { commit: { type: 'string' } },
})
const share =
  values.commit === undefined ? undefined : Number.parseInt(values.commit.slice(0, 12), 16) % SHARES
const chosen = MUTANTS.filter(
  ({ name }, index) =>
    (share === undefined || index % SHARES === share) &&
    (wanted.length === 0 || wanted.some((part) => name.includes(part))),
)
const stale = (await Promise.all(MUTANTS.map(outdated))).flat()
if (stale.length > 0) {
  console.error(stale.join('\n'))
  process.exit(1)
}
const named = [...new Set(chosen.flatMap(({ red }) => red))]
const groups = [named.filter((test) => !inWorker(test)), named.filter(inWorker)]
const queue = [
  ...groups
    .filter((tests) => tests.length > 0)
    .map((tests) => (copy: string) => baseline(copy, tests)),
  ...chosen.map((mutant) => (copy: string) => judge(copy, mutant)),
]
const rows: Row[] = []
const began = Date.now()

const worker = async (): Promise<void> => {
  const copy = await copyOfTheTree()
  try {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const found = await next(copy)
      rows.push(...found)
      for (const { name, test, caught, by } of found)
        console.info(`${caught ? 'ok  ' : 'FAIL'} ${name.padEnd(62)} ${test.padEnd(17)} ${by}`)
    }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker))

const missed = rows.filter(({ caught }) => !caught)
const seconds = Math.round((Date.now() - began) / 1000)
console.info(
  `${chosen.length} mutants, ${rows.length - missed.length} of ${rows.length} verdicts as wanted, ${seconds} s`,
)
process.exitCode = missed.length > 0 ? 1 : 0
