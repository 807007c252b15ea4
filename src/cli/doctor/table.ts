import { styleText } from 'node:util'

import type { Finding } from '../../owner/health/check-runner.ts'
import { wrapped } from '../command.ts'
import type { Report } from './run.ts'

type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

const SHOWN = {
  failed: { word: 'FAIL   ', colour: 'red' },
  missing: { word: 'missing', colour: 'yellow' },
} as const

/**
 * The report for a person: what needs the owner, each with what to do about it; then what was not
 * checked, and why; then how many are in order.
 */
export function reportTable({ url, findings }: Report, coloured: boolean, columns = 120): string {
  const styled = (colour: Colour, text: string): string =>
    coloured ? styleText(colour, text, { validateStream: false }) : text
  const having = (state: Finding['state']) => findings.filter((one) => one.state === state)
  const needing = [...having('failed'), ...having('missing')]
  const width = Math.max(...needing.map(({ what }) => what.length))
  const room = Math.max(columns - width - 13, 40)

  const row = ({ state, what, found, fix }: Finding): string[] => {
    const { word, colour } = SHOWN[state as keyof typeof SHOWN]
    const fixLines = fix === undefined ? [] : wrapped(`→ ${fix}`, room)
    const [first = '', ...rest] = [
      ...wrapped(found, room),
      ...fixLines.map((line) => styled('yellow', line)),
    ]
    return [
      `  ${styled(colour, word)}  ${what.padEnd(width)}  ${first}`,
      ...rest.map((line) => `${' '.repeat(width + 13)}${line}`),
    ]
  }

  const left = [...Map.groupBy(having('not_checked'), ({ found }) => found)].flatMap(
    ([found, all]) =>
      wrapped(`Not checked: ${all.map(({ what }) => what).join(', ')}. ${found}`, columns),
  )
  const good = having('ok')
  const shown = good.filter(({ id }) => SHOWN_WHEN_GOOD.includes(id))
  const need = needing.length === 1 ? '1 needs you' : `${needing.length} need you`
  return [
    `Consult connector at ${url}`,
    ...shown.map(({ what, found }) => `${what}: ${found}`),
    '',
    ...(needing.length > 0 ? [styled('bold', 'Needs you'), ...needing.flatMap(row), ''] : []),
    ...left.map((line) => styled('dim', line)),
    `${needing.length === 0 ? 'Nothing needs you' : need}; ${good.length} of ${findings.length} are in order.`,
  ].join('\n')
}

/** Rows that say something where they are in order, too: what it is, and the key to compare. */
const SHOWN_WHEN_GOOD: readonly string[] = ['address', 'agents', 'backup_key']
