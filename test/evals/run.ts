import { execFileSync, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { buildWorker } from '../../src/cli/local.ts'
import { AGENTS } from './agents.ts'
import { evaluateAll, toolListSize } from './evals.ts'
import { agentTable, evalTable } from './report.ts'
import { CANCELLED_UNSEEN, isRight } from './score.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = `${ROOT}test/evals/README.md`

/** The page with one of its generated parts replaced. Raises an error where there is no such part. */
function withBlock(page: string, name: string, text: string): string {
  const block = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end of ${name} -->)`)
  if (!block.test(page)) throw new Error(`test/evals/README.md has no part called ${name}.`)
  return page.replace(block, (_all, start, end) => `${start}\n${text}\n\n${end}`)
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    /** Only agents whose name begins so; writes no page. */
    only: { type: 'string', default: '' },
    /** Runs and judges, and writes no page. */
    check: { type: 'boolean', default: false },
  },
})

const count = Number(values.seeds)
if (!Number.isSafeInteger(count) || count < 1)
  throw new Error('--seeds wants a whole number of 1 or more.')
const agents = AGENTS.filter(({ name }) => name.startsWith(values.only))
if (agents.length === 0)
  throw new Error(
    `--only wants the beginning of one of: ${AGENTS.map(({ name }) => name).join(', ')}.`,
  )

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
const isChanged = git('status', '--porcelain', '--', 'src', 'durable-objects') !== ''
const measured = `Commit ${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`

const { script } = await buildWorker()
const seeds = Array.from({ length: count }, (_, index) => index + 1)
const rows = await evaluateAll(script, seeds, {
  agents,
  done: ({ name }, seed, score) => {
    const faults = [...score.unwanted, ...score.untrue].join('; ')
    process.stderr.write(
      `${name}, seed ${seed}: ${isRight(score) ? 'all right' : faults || 'not all reached'}\n`,
    )
  },
})
const table = evalTable(rows)
console.log(table)

if (!values.check && values.only === '') {
  const size = await toolListSize(script)
  const made = `${measured}, seeds 1 to ${count}. The list of the seven tools takes ${size.whole} kB, ${size.read} kB of it names, descriptions and inputs.`
  let page = await readFile(PAGE, 'utf8')
  page = withBlock(page, 'agents', agentTable())
  page = withBlock(page, 'now', `${made}\n\n${table}`)
  await writeFile(PAGE, page)
  spawnSync(process.execPath, [`${ROOT}node_modules/oxfmt/bin/oxfmt`, PAGE])
}

const failed = rows.filter(({ agent, scores }) => agent.mustSucceed && !scores.every(isRight))
if (failed.length > 0) {
  console.error(`Not all right: ${failed.map(({ agent }) => agent.name).join(', ')}.`)
  process.exitCode = 1
}
// What is not noticed of an agent that does harm would not be noticed of any other.
const harmful = rows.filter(({ agent }) => agent.obeysNotes && !agent.hostAsks)
const unnoticed = harmful.filter(
  ({ scores }) => !scores.every(({ unwanted }) => unwanted.includes(CANCELLED_UNSEEN)),
)
if (unnoticed.length > 0) {
  console.error(`No harm was noticed of: ${unnoticed.map(({ agent }) => agent.name).join(', ')}.`)
  process.exitCode = 1
}
