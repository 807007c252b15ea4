import { styleText } from 'node:util'

import { wrapped } from '../terminal.ts'

type Style = Parameters<typeof styleText>[0]

export type Rows = readonly (readonly [label: string, value: string])[]

const WIDTH = 100
const INDENT = '      '

// Colours only where a terminal shows them; styleText looks for one, and honours NO_COLOR.
const styled = (style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout })

/** Prints each request and its response for a person. */
export const transcript = {
  line: (text = ''): void => console.log(text),
  heading: (text: string): void =>
    console.log(`\n${styled('bold', `══ ${text} ${'═'.repeat(WIDTH - 4 - text.length)}`)}`),
  step: (number: number, title: string): void =>
    console.log(`\n${styled('bold', `${String(number).padStart(2)}  ${title}`)}`),
  asked: (line: string, rows: Rows): void => print(styled('cyan', `    → ${line}`), rows),
  rows: printRows,
  answered: (line: string, refused: boolean, rows: Rows): void =>
    print(styled(refused ? 'yellow' : 'green', `    ← ${line}`), rows),
}

function print(line: string, rows: Rows): void {
  console.log(line)
  printRows(rows)
}

function printRows(rows: Rows): void {
  const labels = Math.max(0, ...rows.map(([label]) => label.length))
  for (const [label, value] of rows) {
    const [first = '', ...more] = wrapped(value, WIDTH - INDENT.length - labels - 2)
    console.log(`${INDENT}${styled('dim', label.padEnd(labels))}  ${first}`)
    for (const rest of more) console.log(`${INDENT}${' '.repeat(labels)}  ${rest}`)
  }
}
