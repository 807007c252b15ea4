import { AGENTS, type Agent } from './agents.ts'
import { connectHost } from './host.ts'
import { journey } from './journey.ts'
import { personOf } from './person.ts'
import { startPractice } from './practice.ts'
import { type Score, isAskedFor, scoreOf } from './score.ts'

/** The runs of one agent, one for each seed. */
export interface Row {
  agent: Agent
  scores: Score[]
}

/** One run: an agent with the person of a seed, against a connector of its own. */
export async function evaluate(
  script: string,
  agent: Agent,
  seed: number,
  now: number,
): Promise<Score> {
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

/** Every agent with every seed, two at a time. */
export async function evaluateAll(
  script: string,
  seeds: readonly number[],
  done: (agent: Agent, seed: number, score: Score) => void,
): Promise<Row[]> {
  const now = Date.now()
  const rows = AGENTS.map((agent) => ({ agent, scores: [] as Score[] }))
  const left = rows.flatMap(({ agent, scores }) =>
    seeds.map((seed, at) => ({ agent, scores, seed, at })),
  )
  const work = async (): Promise<void> => {
    for (let run = left.shift(); run; run = left.shift()) {
      const score = await evaluate(script, run.agent, run.seed, now)
      run.scores[run.at] = score
      done(run.agent, run.seed, score)
    }
  }
  await Promise.all([work(), work()])
  return rows
}
