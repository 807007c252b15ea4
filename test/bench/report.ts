import { type Measured, ratio } from './measure.ts'
import type { Judged } from './targets.ts'

const number = (value: number | undefined, digits: number): string =>
  value === undefined ? 'not measured' : value.toFixed(digits)

/** A Markdown table, aligned so that it can be read in a terminal too. */
export function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((line) => line[column]!.length)),
  )
  const line = (cells: readonly string[], pad: string) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!, pad) : cell.padStart(widths[column]!, pad))).join(' | ')} |`
  return [
    line(head, ' '),
    line(
      head.map((_, column) => (column === 0 ? '-' : ':').padStart(widths[column]!, '-')),
      '-',
    ),
    ...body.map((cells) => line(cells, ' ')),
  ].join('\n')
}

/** One line for each row, with its CPU time as a multiple of the empty Worker. */
export function table(rows: readonly Measured[]): string {
  const empty = rows.find(({ id }) => id === 'floor: empty Worker')
  return markdownTable(
    ['row', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'x empty', 'bytes'],
    rows.map((row) => [
      row.id,
      number(row.perSecond, 0),
      number(row.p50, 2),
      number(row.p99, 2),
      number(row.cpu, 0),
      number(empty && ratio(row, empty, 'cpu'), 1),
      String(row.bytes),
    ]),
  )
}

/** The targets, met or not. */
export function targetTable(judged: readonly Judged[]): string {
  return markdownTable(
    ['row', 'compared with', 'what', 'target', 'ratio', ''],
    judged.map(({ of, to, by, bound, ratio: found, met }) => [
      of,
      to,
      by === 'cpu' ? 'CPU' : 'throughput',
      `${by === 'cpu' ? 'at most' : 'at least'} ${number(bound, 2)}`,
      number(found, 2),
      met === undefined ? '' : met ? 'met' : 'NOT MET',
    ]),
  )
}
