import { styleText } from 'node:util'

import type { Finding } from '../../owner/health/check-runner.ts'
import { wrapped } from '../terminal.ts'
import type { Report } from './run.ts'

type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

const SHOWN: Record<Finding['state'], { word: string; colour: Colour }> = {
  ok: { word: 'ok  ', colour: 'green' },
  failed: { word: 'FAIL', colour: 'red' },
  not_checked: { word: '-   ', colour: 'dim' },
}

/** The report for a person: a row for each check, the fix under each failure, and the totals. */
export function reportTable({ url, sections }: Report, coloured: boolean, columns = 120): string {
  const styled = (colour: Colour, text: string): string =>
    coloured ? styleText(colour, text, { validateStream: false }) : text
  const rows = sections.map(({ title, findings }) => ({ title, shown: together(findings) }))
  const width = Math.max(...rows.flatMap(({ shown }) => shown.map(({ what }) => what.length)))
  const room = Math.max(columns - width - 10, 40)
  const row = ({ state, what, found, fix }: Finding): string[] => {
    const { word, colour } = SHOWN[state]
    const text = wrapped(found, room).map((line) =>
      state === 'not_checked' ? styled('dim', line) : line,
    )
    const fixLines = fix === undefined ? [] : wrapped(`→ ${fix}`, room)
    const [first = '', ...rest] = [...text, ...fixLines.map((line) => styled('yellow', line))]
    return [
      `  ${styled(colour, word)}  ${what.padEnd(width)}  ${first}`,
      ...rest.map((line) => `${' '.repeat(width + 10)}${line}`),
    ]
  }
  const blocks = rows.map(({ title, shown }) => [styled('bold', title), ...shown.flatMap(row), ''])
  const all = sections.flatMap(({ findings }) => findings)
  return [`Consult connector at ${url}`, '', ...blocks.flat(), sum(all)].join('\n')
}

/** Puts three or more neighbours with the same finding into one row. */
function together(findings: Finding[]): Finding[] {
  const runs: Finding[][] = []
  for (const finding of findings) {
    const run = runs.at(-1)
    const same = run?.[0]?.state === finding.state && run[0].found === finding.found
    if (same && finding.fix === undefined) run.push(finding)
    else runs.push([finding])
  }
  return runs.flatMap((run) => {
    const [first] = run
    return first && run.length > 2
      ? [{ ...first, what: `${first.what}, ${run.length - 1} more` }]
      : run
  })
}

function sum(findings: Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length
  const left = count('not_checked')
  const rest = left === 0 ? '' : `, ${left} not checked`
  const failed = count('failed')
  return failed === 0
    ? `No problems found: ${count('ok')} ok${rest}.`
    : `${failed} of ${findings.length} failed: ${count('ok')} ok${rest}.`
}
