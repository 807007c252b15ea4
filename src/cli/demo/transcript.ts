import { styleText } from 'node:util'

import { wrapped } from '../command.ts'

type Style = Parameters<typeof styleText>[0]

export type Rows = readonly (readonly [label: string, value: string])[]

const WIDTH = 100
const INDENT = '      '

// Colours only where a terminal shows them; styleText looks for one, and honours NO_COLOR.
const styled = (style: Style, text: string) => styleText(style, text, { stream: process.stdout })

export const line = (text = '') => console.log(text)

export const heading = (text: string) =>
  line(`\n${styled('bold', `══ ${text} ${'═'.repeat(WIDTH - 4 - text.length)}`)}`)

export function printRows(rows: Rows) {
  const labels = Math.max(0, ...rows.map(([label]) => label.length))
  for (const [label, value] of rows) {
    const [first = '', ...more] = wrapped(value, WIDTH - INDENT.length - labels - 2)
    line(`${INDENT}${styled('dim', label.padEnd(labels))}  ${first}`)
    for (const rest of more) line(`${INDENT}${' '.repeat(labels)}  ${rest}`)
  }
}

/** The steps of a journey as a person reads them: numbered, with what was sent and what was answered. */
export function transcript() {
  let number = 0
  return {
    /** How many steps have begun. */
    count: () => number,
    step(title: string) {
      number += 1
      line(`\n${styled('bold', `${String(number).padStart(2)}  ${title}`)}`)
    },
    asked(what: string, rows: Rows) {
      line(styled('cyan', `    → ${what}`))
      printRows(rows)
    },
    answered(what: string, refused: boolean, rows: Rows) {
      line(styled(refused ? 'yellow' : 'green', `    ← ${what}`))
      printRows(rows)
    },
    remark: (text: string) => line(`    = ${text}`),
  }
}

export type Transcript = ReturnType<typeof transcript>
