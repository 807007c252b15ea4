import { styleText } from 'node:util'
import type { Finding } from '../../admin/checks.ts'
import type { Report } from './examine.ts'

type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

const SHOWN: Record<Finding['state'], { word: string; colour: Colour }> = {
  ok: { word: 'ok  ', colour: 'green' },
  failed: { word: 'FAIL', colour: 'red' },
  not_checked: { word: '-   ', colour: 'dim' },
}

/** The report for a person: a row for each check, the fix under what failed, and the sum at the end. */
export function table({ url, sections }: Report, coloured: boolean): string {
  const styled = (colour: Colour, text: string) =>
    coloured ? styleText(colour, text, { validateStream: false }) : text
  const all = sections.flatMap(({ findings }) => findings)
  const width = Math.max(...all.map(({ what }) => what.length))
  const row = ({ state, what, found, fix }: Finding): string[] => {
    const { word, colour } = SHOWN[state]
    const line = `  ${styled(colour, word)}  ${what.padEnd(width)}  ${state === 'not_checked' ? styled('dim', found) : found}`
    return fix === undefined ? [line] : [line, `${' '.repeat(width + 10)}${styled('yellow', `→ ${fix}`)}`]
  }
  const blocks = sections.map(({ title, findings }) => [
    styled('bold', title),
    ...together(findings).flatMap(row),
    '',
  ])
  return [`Consult connector at ${url}`, '', ...blocks.flat(), sum(all)].join('\n')
}

/** What was left out for one and the same reason stands in one row. */
function together(findings: Finding[]): Finding[] {
  const [first] = findings
  const same = ({ state, found }: Finding) => state === 'not_checked' && found === first?.found
  if (first === undefined || findings.length < 2 || !findings.every(same)) return findings
  return [{ ...first, what: `All ${findings.length}` }]
}

function sum(findings: Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length
  const left = count('not_checked')
  const rest = left === 0 ? '' : `, ${left} not checked`
  const failed = count('failed')
  return failed === 0
    ? `All is well: ${count('ok')} ok${rest}.`
    : `${failed} of ${findings.length} failed: ${count('ok')} ok${rest}.`
}
