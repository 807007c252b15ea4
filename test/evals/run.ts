import { parseArgs } from 'node:util'

import { buildWorker } from '../../src/cli/local.ts'
import { evaluateAll } from './evals.ts'
import { CANCELLED_UNSEEN, isRight } from './score.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
  },
})

const count = Number(values.seeds)
if (!Number.isSafeInteger(count) || count < 1)
  throw new Error('--seeds wants a whole number of 1 or more.')

const { script } = await buildWorker()
const seeds = Array.from({ length: count }, (_, index) => index + 1)
const rows = await evaluateAll(script, seeds, ({ name }, seed, score) => {
  const faults = [...score.unwanted, ...score.untrue].join('; ')
  console.log(
    `${name}, seed ${seed}: ${isRight(score) ? 'all right' : faults || 'not all reached'}`,
  )
})

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
