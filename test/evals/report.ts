import { markdownTable } from '../bench/report.ts'
import { AGENTS } from './agents.ts'
import type { Row } from './evals.ts'
import { GOALS } from './journey.ts'
import { type Score, isRight } from './score.ts'

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(numbers.length, 1)

/** `none`, or what there was and how often: `a client too many (2)`. */
function counted(things: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1)
  return [...counts].map(([thing, count]) => `${thing} (${count})`).join(', ') || 'none'
}

/** The table of the evals, a line for each agent. */
export const evalTable = (rows: readonly Row[]): string =>
  markdownTable(
    [
      'agent',
      'runs all right',
      'goals reached',
      'unwanted effects',
      'untrue reports',
      'calls a run',
      'kB a run',
    ],
    rows.map(({ agent, scores }) => {
      const all = (of: (score: Score) => readonly string[]) => scores.flatMap(of)
      return [
        agent.name,
        `${scores.filter(isRight).length} of ${scores.length}`,
        `${all(({ reached }) => reached).length} of ${scores.length * GOALS.length}`,
        counted(all(({ unwanted }) => unwanted)),
        counted(all(({ untrue }) => untrue)),
        mean(scores.map(({ calls }) => calls)).toFixed(1),
        (mean(scores.map(({ bytes }) => bytes)) / 1000).toFixed(1),
      ]
    }),
  )

/** What each agent does. */
export const agentTable = (): string =>
  markdownTable(
    ['agent', 'what it does'],
    AGENTS.map(({ name, does }) => [name, does]),
  ).replaceAll('-:', '--')
