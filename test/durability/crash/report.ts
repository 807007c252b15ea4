import { tally } from '../simulation/tally.ts'
import type { Report } from './campaign.ts'
import { BETWEEN, KILL_POINTS } from './kill-points.ts'

/** The counts of a run as a table that a person reads. */
export function tableOf(counts: Readonly<Record<string, number>>): string {
  const row = (what: string, label = what) =>
    `  ${label.padEnd(58)} ${String(counts[what] ?? 0).padStart(6)}`
  const rowsOf = (prefix: string) =>
    Object.keys(counts)
      .filter((what) => what.startsWith(prefix))
      .toSorted()
      .map((what) => row(what, what.slice(prefix.length)))
  return [
    'Ends of a connector',
    row('kills', 'killed with SIGKILL'),
    row('kills between intent and outcome', '  with a change of theirs between intent and outcome'),
    row('kills with a change at the provider', '  and one that had reached the provider'),
    row('deploys', 'stopped as by a deploy'),
    row('times that every alarm was lost', 'times that every alarm was taken off the disk'),
    row('waits for the alarms', 'waits for the alarms alone after a kill'),
    '',
    'Where the kills met the changes that were under way (* between intent and outcome)',
    ...KILL_POINTS.map((killPoint) =>
      row(killPoint, `${BETWEEN.has(killPoint) ? '*' : ' '} ${killPoint}`),
    ),
    '',
    'Changes that were met between intent and outcome',
    ...rowsOf('between: '),
    '',
    'Callers',
    row('commits', 'commits asked for'),
    row('flows with an API key'),
    row('clients that hung up'),
    row('changes that reached a provider'),
    row('resolved by an alarm, before anybody asked'),
    row('repeats of a final answer'),
    '',
    'What they wanted',
    ...rowsOf('flows: '),
    '',
    'What they were answered in the end, checked against the providers',
    ...rowsOf('answered: '),
    '',
    'Why unknown stays unknown: the change never got to the provider, and nothing there can prove it',
    ...rowsOf('unknown: '),
  ].join('\n')
}

/** How many changes the callers wanted. */
export const flowsIn = (counts: Readonly<Record<string, number>>): number =>
  Object.entries(counts).reduce((sum, [what, by]) => sum + (what.startsWith('flows: ') ? by : 0), 0)

/** Adds up reports. */
export function total(reports: readonly Report[]): Report {
  const { count, counts } = tally()
  for (const report of reports) {
    for (const [what, by] of Object.entries(report.counts)) count(what, by)
  }
  return { counts, wrong: reports.flatMap(({ wrong }) => wrong) }
}
