import { buildWorker } from '../../src/cli/local.ts'
import { optionsOf } from '../support/options.ts'
import { AGENTS, type Agent } from './agents.ts'
import { connectHost } from './host.ts'
import { journey } from './journey.ts'
import { personOf } from './person.ts'
import { startPractice } from './practice.ts'
import { CANCELLED_UNSEEN, type Score, isAskedFor, isRight, scoreOf } from './score.ts'

const values = optionsOf({
  seeds: { type: 'string', default: '5' },
})

const count = Number(values.seeds)
if (!Number.isSafeInteger(count) || count < 1)
  throw new Error('--seeds wants a whole number of 1 or more.')

const { script } = await buildWorker()
const now = Date.now()

/** One run: an agent with the person of a seed, against a connector of its own. */
async function evaluate(agent: Agent, seed: number): Promise<Score> {
  const person = personOf(seed, now)
  const practice = await startPractice(script, person)
  try {
    const before = await practice.prepare()
    const asked = (_tool: string, given: Record<string, unknown>) =>
      isAskedFor(person, before, given)
    const host = await connectHost(practice.url, await practice.apiKey(), agent, person.lost, asked)
    try {
      const report = await journey(agent, person, host, before)
      return scoreOf(person, before, await practice.endState(), report)
    } finally {
      await host.close()
    }
  } finally {
    await practice.stop()
  }
}

const rows = AGENTS.map((agent) => ({ agent, scores: [] as Score[] }))
const left = rows.flatMap((row) =>
  Array.from({ length: count }, (_, index) => ({ ...row, seed: index + 1 })),
)
/** Does what is left, one run after the other. */
async function work(): Promise<void> {
  for (let run = left.shift(); run; run = left.shift()) {
    const { agent, scores, seed } = run
    const score = await evaluate(agent, seed)
    scores.push(score)
    const faults = [...score.unwanted, ...score.untrue].join('; ')
    const outcome = isRight(score) ? 'all right' : faults || 'not all reached'
    console.log(`${agent.name}, seed ${seed}: ${outcome}`)
  }
}
await Promise.all([work(), work()])

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
